import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { isLike, requireLearning, requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { SoftLabels } from '../data/soft-labels.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import type { LabelRows } from '../evaluate/label-rows.ts';
import type { PruneOptions } from '../text/prune.ts';
import type { CountedTextState } from './counted-text.ts';
import type { Explanation } from './explanation.ts';
import type { FittedWith } from './fitted-model.ts';
import { ask } from './fold-learning.ts';
import type { Fitted, Inside } from './inside.ts';
import type { JointScores } from './joint-scores.ts';
import type { Labels, PartialFitOptions } from './learning.ts';
import {
  decaySteps,
  fitSteps,
  forget,
  learnOn,
  merged,
  type PipelineOptions,
  pruned,
  refuseMethod,
} from './pipeline-learning.ts';
import {
  type Answer,
  type Chained,
  type First,
  type InputOf,
  isTransformer,
  type Last,
  type NamedSteps,
  namedStates,
  nameFeatures,
  nameSteps,
  requireSteps,
  type Step,
  type Transformer,
} from './pipeline-step.ts';
import { restore } from './restore.ts';
import { SharedSteps } from './shared-steps.ts';
import type { TransformerCache } from './transformer-cache.ts';
import { type Params, setParamsOf } from './with-params.ts';

/** The label type of a pipeline whose last step predicts one label per row. */
type PredictsLabels<Steps extends readonly Step[], L extends Label> =
  Last<Steps> extends { predict(X: never): Label[] } ? FittedWith<L, InputOf<First<Steps>>> : unknown;

/**
 * Transformers and a last step as one estimator, equal to applying its steps one by one. Its input type is that of its first step.
 * `partialFit` on raw text extends the vocabulary and the classifier together, so learning in parts equals learning at once; `unlearn` and
 * `prune` work the same way. Changed steps are replaced once all have succeeded, so read their state from `pipeline.steps`.
 */
export class Pipeline<Steps extends readonly Step[]> {
  readonly kind = 'Pipeline';
  private readonly names: readonly string[];
  private readonly shared: SharedSteps;
  private readonly memory: TransformerCache | null;

  constructor(steps: NamedSteps<Steps>, options: { readonly memory?: TransformerCache | null | undefined } = {}) {
    const { memory = null } = requireOptions(this.kind, ['memory'], options);
    if (memory !== null && !isLike(memory, { fit: 'function', clear: 'function' })) {
      refuse('E_PARAM', `memory is a TransformerCache or null, got ${show(memory)}`, { name: 'memory' });
    }
    this.memory = memory;
    const named = requireSteps(steps);
    this.names = named.map(([name]) => name);
    this.shared = new SharedSteps(named.map(([, step]) => step));
  }

  /**
   * Rebuilds a pipeline from plain data; `restore` rebuilds one step.
   *
   * @internal
   */
  static fromState(state: State, restore: (state: State) => Step): Pipeline<readonly Step[]> {
    return new Pipeline(namedStates(state).map(([name, step]) => [name, restore(step)] as const));
  }

  /** The steps, in order. */
  get steps(): Steps {
    return this.all as unknown as Steps;
  }

  /** The step with a name. */
  step(name: string): Steps[number] {
    const list = this.names.join(', ');
    return (
      this.all[this.names.indexOf(name)] ?? refuse('E_PARAM', `there is no step ${show(name)} in ${list}`, { name })
    );
  }

  /** The steps by name. */
  get namedSteps(): Readonly<Record<string, Steps[number]>> {
    return Object.fromEntries(this.named(this.all) as Iterable<readonly [string, Steps[number]]>);
  }

  /** How many features the first step takes; undefined where it takes documents. */
  get nFeaturesIn(): number | undefined {
    return (this.all[0] as { nFeaturesIn?: number }).nFeaturesIn;
  }

  /** The names of the columns that the first step takes, where they have names. */
  get featureNamesIn(): string[] | undefined {
    return (this.all[0] as { featureNamesIn?: string[] }).featureNamesIn;
  }

  /** The steps with their names, and the cache of fitted transformers. */
  getParams(): { steps: NamedSteps<Steps>; memory: TransformerCache | null } {
    return { steps: this.named(this.all), memory: this.memory };
  }

  /** Replaces some parameters; `step__name` reaches inside. What was learned is forgotten: call `fit` again. */
  setParams(params: Params): this {
    return setParamsOf(this, params);
  }

  /** An unfitted pipeline of the same steps. */
  clone(): this {
    const steps = this.named(this.all.map((step) => step.clone()));
    const { memory } = this;
    return new (this.constructor as new (steps: NamedSteps<Steps>, options: object) => this)(steps, { memory });
  }

  /** Fits to these rows. */
  fit<L extends Label>(
    X: InputOf<First<Steps>>,
    y: ArrayLike<L> | SoftLabels,
    options?: PartialFitOptions,
  ): PredictsLabels<Steps, L> & this;
  fit(X: InputOf<First<Steps>>, y?: Labels | LabelRows, options?: PartialFitOptions): this;
  fit(X: InputOf<First<Steps>>, y?: Labels | LabelRows, options: PartialFitOptions = {}): this {
    requireLearning(this.kind, options);
    const labels = y as Labels; // the last step knows what its labels may be
    if (this.memory || !this.shared.fit(X, labels, options)) {
      this.all = fitSteps(this.all, X, labels, options, this.memory);
    }
    return this;
  }

  /** Learns from further rows: all steps, or with `freeze` the last alone. All of them learn, or none. */
  partialFit(X: InputOf<First<Steps>>, y?: Labels | LabelRows, options: PipelineOptions = {}): this {
    return this.learn(X, y as Labels, requireLearning(this.kind, options), false);
  }

  /**
   * Learns some of the rows, which may be texts without any word.
   *
   * @internal
   */
  learnPart(X: InputOf<First<Steps>>, y: Labels, options: PartialFitOptions = {}): this {
    return this.learn(X, y, options, true);
  }

  /** Takes away rows that were learned: all steps forget them, or with `freeze` the last alone. */
  unlearn(X: InputOf<First<Steps>>, y?: Labels | LabelRows, options: PipelineOptions = {}): this {
    requireLearning(this.kind, options);
    const labels = y as Labels;
    if (!this.shared.unlearn(X, labels, options)) this.all = forget(this.all, X, labels, options);
    return this;
  }

  /** Drops rare and common terms from the vocabulary of the first step, and their columns from all steps behind it. */
  prune(rule: Partial<PruneOptions> = {}): this {
    this.all = pruned(this.all, rule);
    return this;
  }

  /** Adds what another pipeline of the same steps has learned, so that parts of the documents can be counted apart. */
  merge(other: Pipeline<Steps>): this {
    if (!(other instanceof Pipeline)) refuse('E_MERGE_MISMATCH', 'a pipeline merges with another pipeline');
    if (!this.shared.merge(other.shared)) this.all = merged(this.all, other.all);
    return this;
  }

  /**
   * The counts of words as plain data, which another thread can merge without rebuilding the steps; undefined if there are none.
   *
   * @internal
   */
  toCounts(): CountedTextState | undefined {
    return this.shared.toCounts();
  }

  /**
   * Adds the counts of a pipeline of the same steps; returns false without changes if the steps must merge one by one.
   *
   * @internal
   */
  addCounts(counts: CountedTextState): boolean {
    return this.shared.addCounts(counts);
  }

  /**
   * Exponential forgetting: after `elapsed` units of time, the counts are halved for every `halfLife`. Steps whose rows depend on their
   * counts, as idf does, keep these.
   */
  decay(halfLife: number, elapsed = 1): this {
    decaySteps(this.all, halfLife, elapsed);
    return this;
  }

  /** `fit`, then the same rows as they come out of the last step, where that is a transformer. */
  fitTransform(
    X: InputOf<First<Steps>>,
    y?: Labels | LabelRows,
    options: PartialFitOptions = {},
  ): Answer<Last<Steps>, 'transform'> {
    return this.fit(X, y, options).transform(X);
  }

  /** The inverse transformation through all steps, if there is one. */
  inverseTransform(X: unknown): unknown {
    return this.all.toReversed().reduce((rows, step) => ask(step, 'inverseTransform', rows), X);
  }

  /** The scores of the last step that decide between classes. */
  decisionFunction(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'decisionFunction'> {
    return this.ask('decisionFunction', X);
  }

  /** Rows as they come out of the last step, where that is a transformer. */
  transform(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'transform'> {
    return this.ask('transform', X);
  }

  /** The most probable class of every row. */
  predict(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'predict'> {
    return this.tell('predict', X);
  }

  /** p(c | x) for every row and class. */
  predictProba(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'predictProba'> {
    return this.tell('predictProba', X);
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'predictLogProba'> {
    return this.tell('predictLogProba', X);
  }

  /** ln p(c) + ln p(x | c) for every row and class. */
  predictJointLogProba(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'predictJointLogProba'> {
    return this.tell('predictJointLogProba', X);
  }

  /** ln p(c | x), ln p(x), and which rows are impossible under every class. */
  classPosterior(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'classPosterior'> {
    return this.tell('classPosterior', X);
  }

  /** ln p(x) of every row. */
  logEvidence(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'logEvidence'> {
    return this.tell('logEvidence', X);
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: InputOf<First<Steps>>, y: ArrayLike<Label> | LabelRows, options: { sampleWeight?: Weights } = {}): number {
    return this.tell('score', X, y, options);
  }

  /** Why each row got its label; features are called by their terms. */
  explain(X: InputOf<First<Steps>>): Explanation[] {
    return nameFeatures(this.ask('explain', X), this.getFeatureNamesOut());
  }

  /** The names of the columns that the last step sees, where they have names. */
  getFeatureNamesOut(): string[] | undefined {
    let names: string[] | undefined;
    for (const step of this.all.filter(isTransformer)) names = step.getFeatureNamesOut?.(names);
    return names;
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    const { classes } = this.shared;
    if (classes) return classes;
    const last = this.all[this.all.length - 1] as Step & { classes?: Label[] };
    return last.classes ?? refuseMethod(last, 'classes');
  }

  /**
   * Drops everything that can be derived from counts, for models that stay in memory.
   *
   * @internal
   */
  condense(): this {
    this.shared.condense();
    return this;
  }

  /**
   * How many distinct terms of each document have weights; undefined if the steps do not score documents by their terms.
   *
   * @internal
   */
  knownTerms(X: readonly string[]): Float64Array | undefined {
    return this.shared.knownTerms(X);
  }

  /**
   * The internals of the last step with the names of its columns, for functions outside the pipeline.
   *
   * @internal
   */
  inside(): Inside {
    const last = this.all[this.all.length - 1] as Step & Partial<Fitted>;
    const inside = last.inside?.() ?? refuseMethod(last, 'inside');
    const names = this.getFeatureNamesOut();
    return {
      ...inside,
      name: (j) => names?.[j] ?? inside.name(j),
      rows: (X) => inside.rows(this.before(X)),
      batch: (X, y, weights) => inside.batch(this.before(X), y, weights),
    };
  }

  /** Throws: save a model with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The pipeline as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The pipeline as plain data. */
  toState(options?: StateOptions): State {
    const saved: readonly Step[] = options?.slim ? this.all : this.shared.toSave(options?.streamed);
    const steps = saved.map((step) => step.toState(options));
    return { kind: this.kind, params: { names: [...this.names] }, learned: {}, arrays: {}, steps };
  }

  /**
   * Takes over a state of the same steps.
   *
   * @internal
   */
  restore({ steps = [] }: State): this {
    if (steps.length !== this.all.length || steps.some(({ kind }, k) => kind !== this.all[k].kind)) {
      refuse('E_MODEL_CORRUPT', 'the state belongs to a pipeline of other steps');
    }
    this.all = this.all.map((step, k) => restore(step.clone(), steps[k]));
    return this;
  }

  /**
   * Takes over learned steps of the same kinds.
   *
   * @internal
   */
  adopt(steps: readonly Step[]): this {
    this.all = steps;
    return this;
  }

  /** The steps, up to date. */
  private get all(): readonly Step[] {
    return this.shared.steps;
  }

  private set all(steps: readonly Step[]) {
    this.shared.steps = steps;
  }

  private learn(X: unknown, y: Labels | undefined, options: PipelineOptions, isPart: boolean): this {
    if (!this.shared.learn(X, y, options, isPart)) this.all = learnOn(this.all, X, y, options);
    return this;
  }

  /** Rows as the last step gets them. */
  private before(X: unknown): unknown {
    return this.all.slice(0, -1).reduce<unknown>((rows, step) => (step as Transformer).transform(rows), X);
  }

  private named(steps: readonly Step[]): NamedSteps<Steps> {
    return this.names.map((name, k) => [name, steps[k]]) as unknown as NamedSteps<Steps>;
  }

  /** The result of the last step. */
  private ask<T>(method: string, X: unknown, ...rest: unknown[]): T {
    const last = this.all[this.all.length - 1];
    const answer = (last as unknown as Record<string, ((...args: unknown[]) => T) | undefined>)[method];
    return answer ? answer.call(last, this.before(X), ...rest) : refuseMethod(last, method);
  }

  /** What follows from the scores of rows; documents may have them without the rows of the last step. */
  private tell<T>(method: keyof JointScores, X: unknown, ...rest: unknown[]): T {
    const scores = this.shared.scores(X) as Record<keyof JointScores, (...args: unknown[]) => unknown> | undefined;
    return scores ? (scores[method](...rest) as T) : this.ask(method, X, ...rest);
  }
}

/** A pipeline of steps that are called by their classes: `makePipeline(new CountVectorizer(), new MultinomialNB())`. */
export function makePipeline<const Steps extends readonly Step[]>(...steps: Steps & Chained<Steps>): Pipeline<Steps> {
  return new Pipeline<Steps>(nameSteps(steps) as unknown as NamedSteps<Steps>);
}
