import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import type { PruneOptions } from '../text/prune.ts';
import type { Explanation } from './explanation.ts';
import type { Fitted, Inside } from './inside.ts';
import type { Labels } from './labels.ts';
import type { PartialFitOptions } from './lesson.ts';
import { fitSteps, forget, learnOn, merged, type PipelineOptions, pruned, refuseMethod } from './pipeline-learning.ts';
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
import { PipelineWords } from './pipeline-words.ts';
import { restore } from './restore.ts';

/**
 * Transformers and a last step as one estimator: it equals its steps applied by hand. It takes what its first step takes,
 * at compile time too. `partialFit` on raw text lets the vocabulary grow and gives the classifier room at the right places, so
 * that what is learned in parts is what would have been learned at once; `unlearn` and `prune` go the same way.
 * A step that changes is exchanged once all have succeeded, so read what they know from `pipeline.steps`.
 */
export class Pipeline<Steps extends readonly Step[]> {
  readonly kind = 'Pipeline';
  private readonly names: readonly string[];
  private readonly words: PipelineWords;

  constructor(steps: NamedSteps<Steps>) {
    const named = requireSteps(steps);
    this.names = named.map(([name]) => name);
    this.words = new PipelineWords(named.map(([, step]) => step));
  }

  /** Rebuilds a pipeline from plain data; `restore` rebuilds one step. */
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

  /** The steps with their names. */
  getParams(): { steps: NamedSteps<Steps> } {
    return { steps: this.named(this.all) };
  }

  /** An unfitted pipeline of the same steps. */
  clone(): Pipeline<Steps> {
    return new Pipeline(this.named(this.all.map((step) => step.clone())));
  }

  /** Learns from these rows alone. */
  fit(X: InputOf<First<Steps>>, y?: Labels, options: PartialFitOptions = {}): this {
    this.all = fitSteps(this.all, X, y, options);
    return this;
  }

  /** Learns from further rows: all steps, or with `freeze` the last alone. All of them learn, or none. */
  partialFit(X: InputOf<First<Steps>>, y?: Labels, options: PipelineOptions = {}): this {
    if (!this.words.learn(X, y, options)) this.all = learnOn(this.all, X, y, options);
    return this;
  }

  /** Takes away rows that were learned: all steps forget them, or with `freeze` the last alone. */
  unlearn(X: InputOf<First<Steps>>, y?: Labels, options: PipelineOptions = {}): this {
    this.all = forget(this.all, X, y, options);
    return this;
  }

  /** Adds what another pipeline of the same steps has learned, so that parts of the documents can be counted apart. */
  merge(other: Pipeline<Steps>): this {
    this.all = merged(this.all, other.all);
    return this;
  }

  /** Drops rare and common terms from the vocabulary of the first step, and their columns from all steps behind it. */
  prune(rule: Partial<PruneOptions> = {}): this {
    this.all = pruned(this.all, rule);
    return this;
  }

  /** Rows as they come out of the last step, where that is a transformer. */
  transform(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'transform'> {
    return this.ask('transform', X);
  }

  /** The most probable class of every row. */
  predict(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'predict'> {
    return this.ask('predict', X);
  }

  /** p(c | x) for every row and class. */
  predictProba(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'predictProba'> {
    return this.ask('predictProba', X);
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'predictLogProba'> {
    return this.ask('predictLogProba', X);
  }

  /** ln p(c) + ln p(x | c) for every row and class. */
  predictJointLogProba(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'predictJointLogProba'> {
    return this.ask('predictJointLogProba', X);
  }

  /** ln p(c | x), ln p(x), and which rows are impossible under every class. */
  classPosterior(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'classPosterior'> {
    return this.ask('classPosterior', X);
  }

  /** ln p(x) of every row. */
  logEvidence(X: InputOf<First<Steps>>): Answer<Last<Steps>, 'logEvidence'> {
    return this.ask('logEvidence', X);
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: InputOf<First<Steps>>, y: ArrayLike<Label>, options: { sampleWeight?: Weights } = {}): number {
    return this.ask('score', X, y, options);
  }

  /** Why each row got its label; features are called by their terms. */
  explain(X: InputOf<First<Steps>>): Explanation[] {
    return nameFeatures(this.ask('explain', X), this.getFeatureNamesOut());
  }

  /** For functions beside the pipeline: the inside of its last step, with the names of its columns. */
  inside(): Inside {
    const last = this.last as Step & Partial<Fitted>;
    const inside = last.inside?.() ?? refuseMethod(last, 'inside');
    const names = this.getFeatureNamesOut();
    return {
      ...inside,
      name: (j) => names?.[j] ?? inside.name(j),
      rows: (X) => inside.rows(this.before(X)),
      batch: (X, y, weights) => inside.batch(this.before(X), y, weights),
    };
  }

  /** The names of the columns that the last step sees, where they have names. */
  getFeatureNamesOut(): string[] | undefined {
    let names: string[] | undefined;
    for (const step of this.all.filter(isTransformer)) names = step.getFeatureNamesOut?.(names);
    return names;
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    const { last } = this.words; // few documents teach no class that it does not know
    return (last as Step & { classes?: Label[] }).classes ?? refuseMethod(last, 'classes');
  }

  /** The pipeline as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The pipeline as plain data. */
  toState(options?: StateOptions): State {
    const steps = this.all.map((step) => step.toState(options));
    return { kind: this.kind, params: { names: [...this.names] }, learned: {}, arrays: {}, steps };
  }

  /** Takes over a state of the same steps. */
  restore({ steps = [] }: State): this {
    if (steps.length !== this.all.length || steps.some(({ kind }, k) => kind !== this.all[k].kind)) {
      refuse('E_MODEL_CORRUPT', 'the state belongs to a pipeline of other steps');
    }
    this.all = this.all.map((step, k) => restore(step.clone(), steps[k]));
    return this;
  }

  private get all(): readonly Step[] {
    return this.words.steps;
  }

  private set all(steps: readonly Step[]) {
    this.words.steps = steps;
  }

  private get last(): Step {
    return this.all[this.all.length - 1];
  }

  private named(steps: readonly Step[]): NamedSteps<Steps> {
    return this.names.map((name, k) => [name, steps[k]]) as unknown as NamedSteps<Steps>;
  }

  private ask<T>(method: string, X: unknown, ...rest: unknown[]): T {
    const scored = this.words.score(method, X);
    const last = scored ? this.words.last : this.last;
    const answer = (last as unknown as Record<string, ((...args: unknown[]) => T) | undefined>)[method];
    if (!answer) return refuseMethod(last, method);
    return answer.call(last, scored ?? this.before(X), ...rest);
  }

  /** Rows as the last step gets them. */
  private before(X: unknown): unknown {
    return this.all.slice(0, -1).reduce((rows, step) => (step as Transformer).transform(rows), X);
  }
}

/** A pipeline of steps that are called by their classes: `makePipeline(new CountVectorizer(), new MultinomialNB())`. */
export function makePipeline<const Steps extends readonly Step[]>(...steps: Steps & Chained<Steps>): Pipeline<Steps> {
  return new Pipeline<Steps>(nameSteps(steps) as unknown as NamedSteps<Steps>);
}
