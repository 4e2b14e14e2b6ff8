import type { Weights } from '../data/weights.ts';

/** How a step of a pipeline learns. */
export interface StudyOptions {
  readonly sampleWeight?: Weights | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where the columns of the step before went: what was column j is now column `moves[j]` of `features`, or gone where that
 * is −1. Without `moves` every column is where it was.
 */
export interface Growth {
  readonly features: number;
  readonly moves: Int32Array | undefined;
}

/**
 * What a step would become by learning or unlearning, before it does: nothing has changed until `commit`, which cannot fail.
 * So a pipeline changes as a whole or not at all.
 */
export interface Study<Out> extends Growth {
  /** The documents, in the columns after the change when learning, before it when unlearning. */
  rows(): Out;
  commit(): void;
}

/** What a step would become together with what another one has learned; `theirs` tells where the other's columns go. */
export interface Merging extends Growth {
  readonly theirs: Int32Array | undefined;
  commit(): void;
}

/** A step whose columns may grow and shrink while it learns. */
export interface Growing<In, Out> {
  /** Whether a row comes out the same whatever other rows were learned; where it does not, nothing can be learned in parts. */
  readonly rowwise: boolean;
  /** @internal */
  study(rows: In, options: StudyOptions, before?: Growth): Study<Out>;
  /** @internal */
  studyUnlearning(rows: In, options: StudyOptions, before?: Growth): Study<Out>;
  /** @internal */
  studyMerging(other: this, before?: Merging): Merging;
}
