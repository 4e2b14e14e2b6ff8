import type { State, StateOptions } from '../core/artifact.ts';
import type { ColumnTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import type { ClassifierInformative } from './informative.ts';
import type { SchemaColumn } from './schema.ts';
import type { Tried } from './selection.ts';

/** What is thought of rows: ln p(c | x), and ln p(x) where the models give one. */
export interface Scores {
  readonly logProba: Matrix;
  readonly logEvidence: Float64Array | undefined;
  /** How many columns of each row are present. */
  present(): Float64Array;
}

/** What one feature adds to the score of each class. */
export interface Term {
  /** The column. */
  readonly feature: string;
  /** The cell, or the word of a text. */
  readonly value: unknown;
  readonly byClass: Float64Array;
}

/** Labelled rows. */
export interface LabelledRows {
  readonly table: ColumnTable;
  readonly labels: readonly Label[];
  readonly weights?: Float64Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A part of a classifier that reads some columns of a record. A change is first validated; the returned function then applies it, so
 * that several parts change together or not at all.
 */
export interface Predictor {
  /** Its columns. */
  readonly columns: readonly Pick<SchemaColumn, 'name'>[];
  /** The sorted classes; undefined if they are those of the fit. */
  readonly classes: readonly Label[] | undefined;
  /** By class: the weight of its rows; undefined if no counts are kept. */
  readonly classCount: Float64Array | undefined;
  /** Learns or unlearns rows. */
  change(method: 'partialFit' | 'unlearn', rows: LabelledRows): () => void;
  /** Adds what another one of the same plan has learned. */
  mergeLater(other: Predictor): () => void;
  /** Multiplies the weight of all that was learned. */
  decay(factor: number): void;
  /** The same plan, weights and calibration, with nothing learned. */
  blank(): Predictor;
  /** A copy that can be changed independently. */
  copy(): Predictor;
  /** Scores rows; `evidence` asks for ln p(x) as well. */
  scores(table: ColumnTable, evidence: boolean): Scores;
  /** What features add to the score of the first row, and what belongs to none. */
  terms(table: ColumnTable): { terms: Term[]; rest: Float64Array };
  /** ln p(c); undefined where a file of version 0.1 does not tell. */
  readonly logPrior: Float64Array | undefined;
  saved(options?: StateOptions): State;
}

/** The predictor that was chosen for some columns, and how that went. */
export interface Draft {
  readonly predictor: Predictor;
  /** ln p(c | x) of the held-out rows, each by models that were not fitted to it. */
  readonly logProba: Matrix;
  /** How many of the predictor's columns are present in each row of the choice. */
  readonly present: Float64Array;
  /** What was tried for the columns, or for a text. */
  readonly tried: readonly (Tried & { readonly of: string })[];
  /** What speaks most for each class. */
  readonly informative: readonly ClassifierInformative[];
}

/** Refuses predictors of which one was not fitted like the other. */
export const refuseMismatch = (): never =>
  refuse('E_MERGE_MISMATCH', 'the two classifiers were not chosen alike; fit one like the other to merge them');
