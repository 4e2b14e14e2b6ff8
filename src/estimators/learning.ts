import type { ExactStats, Moves } from '../core/model.ts';
import { isLike } from '../data/arguments.ts';
import type { Batch, Rows, Shape } from '../data/batch.ts';
import { type Label, moves, sortClasses, uniteClasses } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import type { GivenLabels } from '../data/soft-labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { Weights } from '../data/weights.ts';
import type { CountOptions } from '../engines/engine.ts';
import { refuse, show } from '../errors.ts';
import { roundCells } from '../stats/exact.ts';
import type { Learned } from './learned.ts';

/** Options of `fit` and `partialFit`. */
export interface LearnOptions extends CountOptions {
  /** One weight per row. Default: 1 for every row. */
  readonly sampleWeight?: Weights | undefined;
}

/** Options of `partialFit`. */
export interface PartialFitOptions extends LearnOptions {
  /** The closed list of classes. Default: none; new classes may occur at any time. */
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

/** Labels of rows: one class each, or shares of several. */
export type Labels = GivenLabels;

/** Rows as the model sees them, and the changes of the learned state that adding them requires. */
export interface Received {
  readonly rows: Rows;
  readonly names: readonly string[] | undefined;
  /** The largest magnitude of a cell. */
  readonly peak: number;
  readonly shape: Omit<Shape, 'classes' | 'parts'>;
  /** Where the features and levels that are known stand in the new shape, if they move. */
  readonly moves?: Moves;
  /** What else is known of the columns, such as the names of their levels. */
  readonly schema: JsonValue | undefined;
}

/** A labelled batch, ready to be counted. */
export interface LabelledBatch extends Omit<Received, 'rows' | 'shape'> {
  readonly classes: readonly Label[];
  readonly batch: Batch;
}

/** The union of two learned states. */
export interface Union {
  readonly shape: Shape;
  readonly mine: Moves;
  readonly theirs: Moves;
  readonly schema: JsonValue | undefined;
}

/** Columns that hold more than numbers: how their cells are read, and what is known of them beside counts. */
export interface ColumnRules<S extends Shape, Input> {
  /** Reads rows for learning, to be added to what is known, or for scoring. Rows without weight teach no new level. */
  receive(X: Input, known: Learned<S> | undefined, learning: boolean, weights?: Weights): Received;
  /** How two learned states come together; refuses those of different columns. */
  unite(mine: Learned<S>, theirs: Learned<S>): Union;
  /** What remains when levels that no row has any more are dropped; undefined where all levels are still there. */
  compact(learned: Learned<S>, counts: S): Pick<Union, 'shape' | 'mine' | 'schema'> | undefined;
  /** The name of a feature; undefined if it is that of its column. */
  name?(learned: Learned<S>, j: number): string | number;
  /** A number that stands for a cell of feature j, as the cell itself. */
  cell(learned: Learned<S>, j: number, value: number): Level | null;
}

/** What the first rows choose beside counts, such as smoothing: entries of the schema. */
export interface FirstChoice<S extends Shape> {
  choose(counts: S, batch: Batch): Record<string, JsonValue>;
  /** The choice of two learned states, each with its schema and its weight, together. */
  unite(mine: Chosen, theirs: Chosen): Record<string, JsonValue>;
  /** Throws for rows in parts if the choice needs all rows at once. */
  readonly refuseParts?: () => never;
}

/** An estimator among parameters, as a model file names it. */
export interface SavedEstimator {
  readonly estimator: string;
}

/**
 * Parameters as plain JSON: an estimator among them by the name of its class, NaN as 'nan', and within a list of categories, where it is
 * missing, as null.
 */
export function savedParams(params: object): Record<string, JsonValue> {
  const text = JSON.stringify(params, function (this: unknown, _, value: unknown) {
    if (Number.isNaN(value)) return Array.isArray(this) ? null : 'nan';
    if (!isLike(value, { fit: 'function' })) return value;
    return { estimator: (value as Partial<SavedEstimator>).estimator ?? (value as object).constructor.name };
  });
  return JSON.parse(text) as Record<string, JsonValue>;
}

type Chosen = readonly [schema: JsonValue | undefined, weight: number];

/** The weight of each class: every statistic of a classifier counts it as `n`. */
export function classWeights(stats: Shape | ExactStats): Float64Array {
  return 'cells' in stats ? roundCells(stats.cells.n) : (stats as Shape & { n: Float64Array }).n;
}

/** Refuses classes that are not on a list. */
export function requireListed(
  classes: readonly Label[],
  list: readonly Label[],
  code: 'E_CLASS_UNKNOWN' | 'E_UNLEARN_UNDERFLOW' = 'E_CLASS_UNKNOWN',
): void {
  const stranger = classes.find((label) => !list.includes(label));
  if (stranger !== undefined) refuse(code, `the class ${show(stranger)} is not on the list`, { class: stranger });
}

/** Labels as numbers: sorted classes and the place of each label among them. */
export interface Target {
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
}

/** The places of labels among classes that are known; refuses others. */
export function codesAmong({ classes, codes }: Target, known: readonly Label[]): Target {
  requireListed(classes, known);
  const place = moves(classes, known);
  return { classes: known, codes: codes.map((c) => place[c]) };
}

/** The batch with its classes counted in another list. */
export function relabel(batch: Batch, from: readonly Label[], to: readonly Label[]): Batch {
  const place = moves(from, to);
  const stays = place.every((moved, c) => moved === c);
  return { ...batch, classes: to.length, y: stays ? batch.y : batch.y.map((c) => place[c]) };
}

/** The classes after further rows, and whether the list is closed. */
export function classList<S extends Shape>(
  before: Learned<S> | undefined,
  met: readonly Label[],
  listed: ArrayLike<Label> | undefined,
): [classes: readonly Label[], closed: boolean] {
  const given = listed === undefined ? undefined : sortClasses(listed);
  const list = before?.closed ? before.classes : given;
  if (given && JSON.stringify(given) !== JSON.stringify(list)) {
    refuse('E_PARAM', 'classes differ from those of the first call', { name: 'classes' });
  }
  const all = uniteClasses(before?.classes ?? [], met);
  if (list) requireListed(all, list);
  return [list ?? all, list !== undefined];
}

/** Refuses to merge labels of different types, and classes that a closed list does not know. */
export function requireMergeable<S extends Shape>(mine: Learned<S>, theirs: Learned<S>, classes: number): void {
  const [expected, actual] = [mine, theirs].map((learned) => typeof learned.classes[0]);
  if (expected !== actual) {
    refuse('E_MERGE_MISMATCH', `one estimator has labels of type ${expected}, the other of type ${actual}`, {
      expected,
      actual,
    });
  }
  if ([mine, theirs].some(({ closed, classes: list }) => closed && list.length < classes)) {
    refuse('E_MERGE_MISMATCH', 'one estimator has classes that the closed list of the other does not know');
  }
}
