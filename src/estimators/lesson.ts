import type { Moves } from '../core/model.ts';
import type { Batch, Rows, Shape } from '../data/batch.ts';
import { type Label, moves } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { Weights } from '../data/weights.ts';
import type { CountOptions } from '../engines/engine.ts';
import { refuse, show } from '../errors.ts';
import type { Learned } from './learned.ts';

/** How rows are learned. */
export interface LearnOptions extends CountOptions {
  readonly sampleWeight?: Weights | undefined;
}

/** How further rows are learned. */
export interface PartialFitOptions extends LearnOptions {
  /** The closed list of classes; without it, new classes are welcome at any time. */
  readonly classes?: ArrayLike<Label> | undefined;
}

/** What an estimator can do. */
export interface Capabilities {
  readonly nonNegative: boolean;
  readonly sparse: boolean;
  readonly missing: boolean;
  readonly online: boolean;
  readonly mergeable: boolean;
  readonly multiclass: boolean;
}

/** Rows as the model sees them, and what must change in what is known before they can be added to it. */
export interface Received {
  readonly rows: Rows;
  readonly names: readonly string[] | undefined;
  /** The largest magnitude of a cell. */
  readonly peak: number;
  readonly shape: Omit<Shape, 'classes' | 'parts'>;
  /** Where the features and levels that are known stand in the new shape, if they move. */
  readonly moves?: Moves;
  /** What else is known of the columns, such as the names of their levels. */
  readonly schema?: JsonValue;
}

/** A labelled batch, ready to be counted. */
export interface Lesson extends Omit<Received, 'rows' | 'shape'> {
  readonly classes: readonly Label[];
  readonly batch: Batch;
}

/** Counted rows: the batch, its classes and statistic, and the options under which the model would estimate. */
export interface Tally<S extends Shape> {
  readonly batch: Batch;
  readonly classes: readonly Label[];
  readonly stats: S;
  readonly options: unknown;
}

/** How two learned states come together. */
export interface Union {
  readonly shape: Shape;
  readonly mine: Moves;
  readonly theirs: Moves;
  readonly schema: { readonly schema?: JsonValue };
}

/** The weight of each class: every statistic of a classifier counts it as `n`. */
export function classWeights(stats: Shape): Float64Array {
  return (stats as Shape & { n: Float64Array }).n;
}

/** Refuses to merge labels of different types, and classes that a closed list does not know. */
export function requireMergeable<S extends Shape>(
  mine: Learned<S>,
  theirs: Learned<S>,
  classes: readonly Label[],
): void {
  const [own, other] = [typeof mine.classes[0], typeof theirs.classes[0]];
  if (own !== other) {
    refuse('E_MERGE_MISMATCH', `one estimator has labels of type ${own}, the other of type ${other}`, {
      expected: own,
      actual: other,
    });
  }
  for (const { closed, classes: list } of [mine, theirs]) {
    if (closed && list.length < classes.length) {
      refuse('E_MERGE_MISMATCH', 'one estimator has classes that the closed list of the other does not know');
    }
  }
}

/** Refuses another number of labels than of rows. */
export function requireLengths(rows: number, labels: number): void {
  if (rows !== labels) {
    refuse('E_SHAPE', `there are ${rows} rows and ${labels} labels`, { rows, labels });
  }
}

/** Refuses classes that are not on a closed list. */
export function requireListed(classes: readonly Label[], list: readonly Label[]): void {
  const stranger = classes.find((label) => !list.includes(label));
  if (stranger !== undefined) {
    refuse('E_CLASS_UNKNOWN', `the class ${show(stranger)} is not on the closed list of classes`, { class: stranger });
  }
}

/** The batch with its classes counted in another list. */
export function relabel(batch: Batch, from: readonly Label[], to: readonly Label[]): Batch {
  const place = moves(from, to);
  return { ...batch, classes: to.length, y: batch.y.map((c) => place[c]) };
}
