import { requireLearning } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import type { Explanation } from './explanation.ts';
import type { JointScores } from './joint-scores.ts';
import type { Labels } from './labels.ts';
import type { PartialFitOptions } from './lesson.ts';
import {
  decaySteps,
  fitSteps,
  forget,
  learnOn,
  merged,
  type PipelineOptions,
  refuseMethod,
} from './pipeline-learning.ts';
import {
  type Answer,
  type First,
  type InputOf,
  isTransformer,
  type Last,
  type Link,
  type NamedSteps,
  nameFeatures,
  requireSteps,
  type Transformer,
} from './pipeline-step.ts';

/** Transformers and a last step that learn and answer as one. */
export class Chain<Steps extends readonly Link[]> {
  readonly kind = 'Pipeline';
  protected readonly names: readonly string[];
  private kept: readonly Link[];

  constructor(steps: NamedSteps<Steps>) {
    const named = requireSteps(steps);
    this.names = named.map(([name]) => name);
    this.kept = named.map(([, step]) => step);
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
  clone(): this {
    const steps = this.named(this.all.map((step) => step.clone()));
    return new (this.constructor as new (steps: NamedSteps<Steps>) => this)(steps);
  }

  /** Learns from these rows alone. */
  fit(X: InputOf<First<Steps>>, y?: Labels, options: PartialFitOptions = {}): this {
    this.all = fitSteps(this.all, X, y, requireLearning(this.kind, options));
    return this;
  }

  /** Learns from further rows: all steps, or with `freeze` the last alone. All of them learn, or none. */
  partialFit(X: InputOf<First<Steps>>, y?: Labels, options: PipelineOptions = {}): this {
    this.all = learnOn(this.all, X, y, requireLearning(this.kind, options));
    return this;
  }

  /** Takes away rows that were learned: all steps forget them, or with `freeze` the last alone. */
  unlearn(X: InputOf<First<Steps>>, y?: Labels, options: PipelineOptions = {}): this {
    this.all = forget(this.all, X, y, requireLearning(this.kind, options));
    return this;
  }

  /** Adds what another pipeline of the same steps has learned, so that parts of the documents can be counted apart. */
  merge(other: this): this {
    if (!(other instanceof Chain)) refuse('E_MERGE_MISMATCH', 'a pipeline merges with another pipeline');
    this.all = merged(this.all, other.all);
    return this;
  }

  /**
   * Forgets gradually: after `elapsed` units of time, what was learned weighs half for every `halfLife`. Steps whose rows depend on
   * their counts, as idf does, keep these.
   */
  decay(halfLife: number, elapsed = 1): this {
    decaySteps(this.all, halfLife, elapsed);
    return this;
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
  score(X: InputOf<First<Steps>>, y: ArrayLike<Label>, options: { sampleWeight?: Weights } = {}): number {
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
    const last = this.all[this.all.length - 1] as Link & { classes?: Label[] };
    return last.classes ?? refuseMethod(last, 'classes');
  }

  /** The steps, up to date. */
  protected get all(): readonly Link[] {
    return this.kept;
  }

  protected set all(steps: readonly Link[]) {
    this.kept = steps;
  }

  /** Documents with their scores, if they can be scored without the rows of the last step. */
  protected scores(_X: unknown): JointScores | undefined {
    return undefined;
  }

  /** Rows as the last step gets them. */
  protected before(X: unknown): unknown {
    return this.all.slice(0, -1).reduce<unknown>((rows, step) => (step as Transformer).transform(rows), X);
  }

  private named(steps: readonly Link[]): NamedSteps<Steps> {
    return this.names.map((name, k) => [name, steps[k]]) as unknown as NamedSteps<Steps>;
  }

  /** What the last step answers. */
  private ask<T>(method: string, X: unknown, ...rest: unknown[]): T {
    const last = this.all[this.all.length - 1];
    const answer = (last as unknown as Record<string, ((...args: unknown[]) => T) | undefined>)[method];
    return answer ? answer.call(last, this.before(X), ...rest) : refuseMethod(last, method);
  }

  /** What follows from the scores of rows. */
  private tell<T>(method: keyof JointScores, X: unknown, ...rest: unknown[]): T {
    const scores = this.scores(X) as Record<keyof JointScores, (...args: unknown[]) => unknown> | undefined;
    return scores ? (scores[method](...rest) as T) : this.ask(method, X, ...rest);
  }
}
