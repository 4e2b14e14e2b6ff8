import { classFactors, requireWeightedClasses } from '../core/class-weight.ts';
import type { DataRow } from '../data/cells.ts';
import { type ColumnTable, RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import type { Label } from '../data/labels.ts';
import { suggest } from '../data/suggest.ts';
import { refuse, show } from '../errors.ts';
import { groupedFolds } from '../evaluate/folds.ts';
import { numberRows, rowKeys } from '../evaluate/rows.ts';
import { type ClassifierOptions, classWeightOf } from './classifier-options.ts';
import type { ClassifierSchema } from './learner-columns.ts';
import { type ColumnOptions, schemaFor, weightsOf } from './learner-schema.ts';
import { textsOf } from './learner-table.ts';
import { type Frame, readFrame, readTarget } from './records.ts';
import { featuresOf, requireRecords } from './schema.ts';

/** Rows to learn from, with their labels as numbers. */
export interface Dataset {
  readonly table: ColumnTable;
  readonly schema: ClassifierSchema;
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
  /** What rows weigh; undefined where all weigh 1. */
  readonly weights: Float64Array | undefined;
}

/** How rows are divided to evaluate models on rows that they were not fitted to. */
export interface Division {
  /** Rows that are alike in every feature have one number. */
  readonly alike: Int32Array;
  /** The same, or a number for every row where most are alike. */
  readonly groups: Int32Array;
  /** The fold of every row; −1 where a row is never held out. */
  readonly folds: Int32Array;
}

/** Records as a table, checked. */
export function tableOfRows(given: readonly DataRow[]): ColumnTable {
  requireRecords(given);
  return new RecordTable(flattenRows(given));
}

/** Reads labels, weights and the schema of a table, for a classifier that learns on or for a pool. */
export function gather(table: ColumnTable, options: ColumnOptions, learnsOn: boolean): Dataset {
  const schema = schemaFor(table, options, learnsOn);
  const { classes, codes } = readTarget(table, options.target);
  return { table, schema, classes, codes, weights: weightsOf(table, options.weight) };
}

/** What the rows of each class count for; undefined without class weights. */
export function classFactorsOf(
  { classes, codes, weights }: Pick<Dataset, 'classes' | 'codes' | 'weights'>,
  options: Pick<ClassifierOptions, 'classWeight'>,
): Float64Array | undefined {
  const { classWeight } = classWeightOf(options);
  if (!classWeight) return undefined;
  requireWeightedClasses(classWeight, classes, suggest);
  const n = new Float64Array(classes.length);
  for (let i = 0; i < codes.length; i++) n[codes[i]] += weights?.[i] ?? 1;
  return classFactors(classWeight, classes, n);
}

/** Refuses rows of one class alone. */
export function requireClasses(classes: readonly Label[]): void {
  if (classes.length > 1) return;
  refuse('E_CLASSES_TOO_FEW', `every row has the label ${show(classes[0])}: there is nothing to tell apart`, {
    actual: classes.length,
  });
}

/** Divides rows into folds, copies on one side; `frame` has the features of the columns that are no text. */
export function divide(
  { table, schema, codes }: Dataset,
  seed: number,
  { columns }: Frame = readFrame(table, featuresOf(schema, 'columns')),
): Division {
  const texts = featuresOf(schema, 'text').map(({ name }) => textsOf(table, name));
  const cells = Object.fromEntries([...columns, ...texts].entries());
  const alike = numberRows(columns.length + texts.length > 0 ? rowKeys(cells) : codes.map((_, i) => i));
  const groups = new Set(alike).size >= table.length / 2 ? alike : alike.map((_, i) => i);
  return { alike, groups, folds: groupedFolds(codes, groups, seed) };
}
