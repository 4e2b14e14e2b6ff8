import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { requireLearning } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import type { PruneOptions } from '../text/prune.ts';
import { Chain } from './chain.ts';
import type { Fitted, Inside } from './inside.ts';
import type { JointScores } from './joint-scores.ts';
import type { Labels } from './labels.ts';
import type { PartialFitOptions } from './lesson.ts';
import { type PipelineOptions, pruned, refuseMethod } from './pipeline-learning.ts';
import {
  type Chained,
  type First,
  type InputOf,
  type Link,
  type NamedSteps,
  namedStates,
  nameSteps,
  type Step,
} from './pipeline-step.ts';
import { restore } from './restore.ts';
import { SharedSteps } from './shared-steps.ts';

/**
 * Transformers and a last step as one estimator: it equals its steps applied by hand. It takes what its first step takes,
 * at compile time too. `partialFit` on raw text lets the vocabulary grow and gives the classifier room at the right places, so
 * that what is learned in parts is what would have been learned at once; `unlearn` and `prune` go the same way.
 * A step that changes is exchanged once all have succeeded, so read what they know from `pipeline.steps`.
 */
export class Pipeline<Steps extends readonly Step[]> extends Chain<Steps> {
  private readonly shared: SharedSteps;

  constructor(steps: NamedSteps<Steps>) {
    super(steps);
    this.shared = new SharedSteps(super.all as readonly Step[]);
  }

  /** Rebuilds a pipeline from plain data; `restore` rebuilds one step. */
  static fromState(state: State, restore: (state: State) => Step): Pipeline<readonly Step[]> {
    return new Pipeline(namedStates(state).map(([name, step]) => [name, restore(step)] as const));
  }

  override fit(X: InputOf<First<Steps>>, y?: Labels, options: PartialFitOptions = {}): this {
    return this.shared.fit(X, y, requireLearning(this.kind, options)) ? this : super.fit(X, y, options);
  }

  override partialFit(X: InputOf<First<Steps>>, y?: Labels, options: PipelineOptions = {}): this {
    return this.shared.learn(X, y, requireLearning(this.kind, options)) ? this : super.partialFit(X, y, options);
  }

  /**
   * Learns some of the rows, which may be texts without any word.
   *
   * @internal
   */
  learnPart(X: InputOf<First<Steps>>, y: Labels): this {
    return this.shared.learn(X, y, {}, true) ? this : super.partialFit(X, y, {});
  }

  override unlearn(X: InputOf<First<Steps>>, y?: Labels, options: PipelineOptions = {}): this {
    return this.shared.unlearn(X, y, requireLearning(this.kind, options)) ? this : super.unlearn(X, y, options);
  }

  /** Drops rare and common terms from the vocabulary of the first step, and their columns from all steps behind it. */
  prune(rule: Partial<PruneOptions> = {}): this {
    this.all = pruned(this.all, rule);
    return this;
  }

  /** Adds what another pipeline of the same steps has learned, so that parts of the documents can be counted apart. */
  override merge(other: this): this {
    if (other instanceof Pipeline && this.shared.merge(other.shared)) return this;
    return super.merge(other);
  }

  /** Drops what can be derived from counts, for models that stay in memory: it is derived again when it is needed. */
  condense(): this {
    this.shared.condense();
    return this;
  }

  /** For functions beside the pipeline: the inside of its last step, with the names of its columns. */
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

  /** The pipeline as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The pipeline as plain data. */
  toState(options?: StateOptions): State {
    const saved: readonly Step[] = options?.slim ? this.all : this.shared.toSave;
    const steps = saved.map((step) => step.toState(options));
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

  override get classes(): Label[] {
    return this.shared.classes ?? super.classes;
  }

  protected override get all(): readonly Step[] {
    return this.shared.steps;
  }

  protected override set all(steps: readonly Link[]) {
    this.shared.steps = steps as readonly Step[];
  }

  protected override scores(X: unknown): JointScores | undefined {
    return this.shared.scores(X);
  }
}

/** A pipeline of steps that are called by their classes: `makePipeline(new CountVectorizer(), new MultinomialNB())`. */
export function makePipeline<const Steps extends readonly Step[]>(...steps: Steps & Chained<Steps>): Pipeline<Steps> {
  return new Pipeline<Steps>(nameSteps(steps) as unknown as NamedSteps<Steps>);
}
