import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { requireLearning } from '../data/arguments.ts';
import { refuse } from '../errors.ts';
import type { PruneOptions } from '../text/prune.ts';
import { Chain } from './chain.ts';
import type { Fitted, Inside } from './inside.ts';
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
import { PipelineWords } from './pipeline-words.ts';
import { restore } from './restore.ts';

/**
 * Transformers and a last step as one estimator: it equals its steps applied by hand. It takes what its first step takes,
 * at compile time too. `partialFit` on raw text lets the vocabulary grow and gives the classifier room at the right places, so
 * that what is learned in parts is what would have been learned at once; `unlearn` and `prune` go the same way.
 * A step that changes is exchanged once all have succeeded, so read what they know from `pipeline.steps`.
 */
export class Pipeline<Steps extends readonly Step[]> extends Chain<Steps> {
  private readonly words: PipelineWords;

  constructor(steps: NamedSteps<Steps>) {
    super(steps);
    this.words = new PipelineWords(super.all as readonly Step[]);
  }

  /** Rebuilds a pipeline from plain data; `restore` rebuilds one step. */
  static fromState(state: State, restore: (state: State) => Step): Pipeline<readonly Step[]> {
    return new Pipeline(namedStates(state).map(([name, step]) => [name, restore(step)] as const));
  }

  override fit(X: InputOf<First<Steps>>, y?: Labels, options: PartialFitOptions = {}): this {
    const steps = this.words.fitted(X, y, requireLearning(this.kind, options));
    if (!steps) return super.fit(X, y, options);
    this.all = steps;
    return this;
  }

  override partialFit(X: InputOf<First<Steps>>, y?: Labels, options: PipelineOptions = {}): this {
    return this.words.learn(X, y, requireLearning(this.kind, options)) ? this : super.partialFit(X, y, options);
  }

  /** Drops rare and common terms from the vocabulary of the first step, and their columns from all steps behind it. */
  prune(rule: Partial<PruneOptions> = {}): this {
    this.all = pruned(this.all, rule);
    return this;
  }

  /**
   * Keeps the counts of words in as little room as they need (a tenth, where there are many words and classes), for models that stay
   * in memory for long. It answers the same; a text takes up to twice the time. Whoever looks at the steps undoes it, and so do many
   * texts where there are few words.
   */
  condense(): this {
    this.words.condense();
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
    const steps = (options?.slim ? this.all : this.words.toSave).map((step) => step.toState(options));
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

  protected override get all(): readonly Step[] {
    return this.words.steps;
  }

  protected override set all(steps: readonly Link[]) {
    this.words.steps = steps as readonly Step[];
  }

  /** Perhaps behind what was learned: few documents teach no class that it does not know. */
  protected override get last(): Step {
    return this.words.last;
  }

  protected override scored(method: string, X: unknown): readonly [last: Link, rows: unknown] | undefined {
    const rows = this.words.score(method, X);
    return rows && [this.words.last, rows];
  }
}

/** A pipeline of steps that are called by their classes: `makePipeline(new CountVectorizer(), new MultinomialNB())`. */
export function makePipeline<const Steps extends readonly Step[]>(...steps: Steps & Chained<Steps>): Pipeline<Steps> {
  return new Pipeline<Steps>(nameSteps(steps) as unknown as NamedSteps<Steps>);
}
