import type { Label } from '../data/labels.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import type { LearnOptions } from '../estimators/lesson.ts';
import type { DataRow } from './cells.ts';
import type { ReadColumn } from './learner-columns.ts';
import type { Counting, FamilyName } from './learner-families.ts';
import type { Vectorizer } from './learner-options.ts';
import type { Priors } from './learner-priors.ts';
import type { Table } from './learner-table.ts';

/** What a learner is, apart from what it has learned: two of the same plan can be merged. */
export interface Plan {
  readonly model: FamilyName;
  readonly columns: readonly ReadColumn[];
  readonly priors: Priors;
}

/** What reads and what counts: a vectorizer for each column of text, and an estimator. */
export interface LearnerParts {
  readonly vectorizers: readonly Vectorizer[];
  readonly estimator: Counting;
}

/** Labelled rows. */
export interface LabelledRows {
  readonly rows: readonly DataRow[];
  readonly labels: readonly Label[];
  readonly weights?: Float64Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rows of which some have no label. */
export interface PartlyLabelledRows extends Omit<LabelledRows, 'labels'> {
  readonly labels: readonly (Label | null)[];
}

/** A table that was learned, and its blocks of counted words. */
export interface Counted {
  readonly table: Table;
  readonly blocks: readonly SparseMatrix[];
}

/** How an estimator learns these rows. */
export function optionsOf({ weights, signal }: LabelledRows): LearnOptions {
  return { ...(weights && { sampleWeight: weights }), ...(signal && { signal }) };
}

/** Refuses learners of two plans. */
export function requireSamePlan(mine: Plan, theirs: Plan): void {
  if (JSON.stringify(mine) === JSON.stringify(theirs)) return;
  const advice = 'fit both with the schema and the options of one of them';
  refuse('E_MERGE_MISMATCH', `the two classifiers differ in family, columns, cuts or priors; ${advice}`, {
    expected: mine.model,
    actual: theirs.model,
  });
}
