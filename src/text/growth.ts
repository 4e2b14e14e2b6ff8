import type { Weights } from '../data/weights.ts';

/** How a step of a pipeline learns. */
export interface StudyOptions {
  /** One weight per document, or one number for all. Default: 1. */
  readonly sampleWeight?: Weights | undefined;
  /** Aborts learning with `E_CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The columns of the previous step after the change: old column j is now column `moves[j]` of `features`, or was
 * removed if that is −1. Without `moves` no column has moved.
 */
export interface Growth {
  readonly features: number;
  readonly moves: Int32Array | undefined;
}

/**
 * The effect of learning or unlearning on a step, before it is applied: nothing changes until `commit`, which cannot
 * fail. So a pipeline changes as a whole or not at all.
 */
export interface Study<Out> extends Growth {
  /** The documents, in the columns after the change when learning, before it when unlearning. */
  rows(): Out;
  commit(): void;
}

/** The effect of merging another step's state; `theirs` maps the other step's columns. */
export interface Merging extends Growth {
  readonly theirs: Int32Array | undefined;
  commit(): void;
}

/** A step whose columns may grow and shrink while it learns. */
export interface Growing<In, Out> {
  /**
   * Whether the output for a row is independent of the other rows learned; if not, the step cannot learn incrementally.
   */
  readonly rowwise: boolean;
  /** @internal */
  study(rows: In, options: StudyOptions, before?: Growth): Study<Out>;
  /** @internal */
  studyUnlearning(rows: In, options: StudyOptions, before?: Growth): Study<Out>;
  /** @internal */
  studyMerging(other: this, before?: Merging): Merging;
}
