import type { ColumnTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import type { CodedColumn } from '../data/packed-columns.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import type { LearnOptions } from '../estimators/learning.ts';
import type { ReadColumn } from './learner-columns.ts';
import type { Counting, FamilyName, Priors } from './learner-families.ts';
import type { Vectorizer } from './learner-recipe.ts';
import type { EstimatorInput } from './learner-table.ts';

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
  /** Whether rows may have weights that are no whole numbers. */
  readonly fractional?: boolean | undefined;
}

/** Labelled rows. */
export interface LabelledRows {
  readonly table: ColumnTable;
  readonly labels: readonly Label[];
  readonly weights?: Float64Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rows whose labels may be numbers into a list of the different ones. */
export interface CodedRows extends Omit<LabelledRows, 'labels'> {
  readonly labels: readonly Label[] | CodedColumn<Label>;
}

/** Rows of which some have no label. */
export interface PartlyLabelledRows extends Omit<LabelledRows, 'labels'> {
  readonly labels: readonly (Label | null)[];
}

/** What an estimator has learned from, and the blocks of counted words in it. */
export interface Counted {
  readonly input: EstimatorInput;
  readonly blocks: readonly SparseMatrix[];
}

/** Refuses a damaged model. */
export const damaged = (what: string): never => refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`);

/** How an estimator learns these rows. */
export function optionsOf({ weights, signal }: Pick<LabelledRows, 'weights' | 'signal'>): LearnOptions {
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
