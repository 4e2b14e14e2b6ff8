import type { Option } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import { isWords, readDictionaries } from '../data/dictionaries.ts';
import { type Dictionary, type Level, levelCounts } from '../data/levels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { type Family, familyNames, modelNamed } from '../models/mixed.ts';

/** What is known of a column. */
export interface MixedColumn {
  readonly name: string | null;
  readonly family: Family;
  /** How many features the column has, where it is a block of several. */
  readonly width?: number;
  /** Where the column holds levels: the dictionary of each of its features. */
  readonly levels?: readonly Dictionary[];
}

/** Families of columns, by name or in order. */
export type ColumnFamilies = Readonly<Record<string, Family>> | readonly Family[];

const isFamily = (value: unknown): value is Family => typeof value === 'string' && modelNamed(value) !== undefined;

/** The family of each column, by name or in order; others are inferred from their cells. */
export const columnFamilies: Option<ColumnFamilies | null> = {
  kind: 'custom',
  default: null,
  expects: `families by column name, or a list of them, each one of ${familyNames().join(', ')} or given to registerFamily before, or null`,
  accept(value) {
    if (value === null) return null;
    if (typeof value !== 'object') return undefined;
    if (!Object.values(value).every(isFamily)) return undefined;
    return Object.freeze(Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value)));
  },
};

/** A block of the statistic: which columns it is made of, and where its features stand among all features. */
export interface Block {
  readonly family: Family;
  readonly columns: readonly number[];
  readonly places: Int32Array;
}

/** How many features a column has. */
export const widthOf = ({ width }: MixedColumn): number => width ?? 1;

/** How many features there are. */
export const featuresOf = (columns: readonly MixedColumn[]): number =>
  columns.reduce((sum, column) => sum + widthOf(column), 0);

/** The blocks: single columns of one family go together under its name, and a column with a width is a block of its own. */
export function blocksOf(columns: readonly MixedColumn[]): Map<string, Block> {
  const starts: number[] = [];
  columns.reduce((sum, column) => starts.push(sum) && sum + widthOf(column), 0);
  const blocks = new Map<string, Block>();
  for (const family of familyNames()) {
    const own = [...columns.keys()].filter((k) => columns[k].family === family && columns[k].width === undefined);
    const places = Int32Array.from(own, (k) => starts[k]);
    if (own.length > 0) blocks.set(family, { family, columns: own, places });
  }
  columns.forEach(({ family, width }, k) => {
    if (width === undefined) return;
    const places = Int32Array.from({ length: width }, (_, j) => starts[k] + j);
    blocks.set(`${family}${k}`, { family, columns: [k], places });
  });
  return blocks;
}

/** The shape of every block; a missing count equals zero, all other cells may be missing. */
export function blockShapes(columns: readonly MixedColumn[], classes: number): Record<string, Shape> {
  const shapes = [...blocksOf(columns)].map(([name, { family, columns: own, places }]) => {
    const shape = { classes, features: places.length };
    if (family === 'categorical')
      return [name, { ...shape, levels: levelCounts(dictionariesOf(columns, own)) }] as const;
    return [name, family === 'multinomial' ? shape : { ...shape, missing: true }] as const;
  });
  return Object.fromEntries(shapes);
}

/** The dictionaries of the given columns, one after the other. */
export function dictionariesOf(columns: readonly MixedColumn[], own: readonly number[]): Dictionary[] {
  return own.flatMap((k) => columns[k].levels ?? []);
}

/** The columns with other dictionaries in the block. */
export function withDictionaries(
  columns: readonly MixedColumn[],
  { columns: own }: Block,
  dictionaries: readonly Dictionary[],
): MixedColumn[] {
  const changed = [...columns];
  let at = 0;
  for (const k of own) {
    changed[k] = { ...columns[k], levels: dictionaries.slice(at, at + widthOf(columns[k])) };
    at += widthOf(columns[k]);
  }
  return changed;
}

/** What a schema knows of the columns. */
export function columnsOf(schema: JsonValue | undefined): readonly MixedColumn[] {
  return schema as unknown as readonly MixedColumn[];
}

/** Refuses a schema that does not fit the counts; trusts nothing. */
export function requireSchema(schema: JsonValue | undefined, shape: Shape): void {
  const fits = Array.isArray(schema) && schema.every(isColumn) && areNames(columnsOf(schema));
  const columns = columnsOf(schema);
  if (!fits || featuresOf(columns) !== shape.features)
    refuse('E_MODEL_CORRUPT', 'its description of the columns is wrong');
  const blocks = blocksOf(columns);
  if (Object.keys(shape.parts ?? {}).join() !== [...blocks.keys()].join()) {
    refuse('E_MODEL_CORRUPT', 'the columns do not fit the counts');
  }
  const expected = blockShapes(columns, shape.classes);
  for (const [name, { columns: own }] of blocks) {
    const part = shape.parts?.[name] as Shape;
    if (part.features !== expected[name].features || !part.missing !== !expected[name].missing) {
      refuse('E_MODEL_CORRUPT', 'the columns do not fit the counts');
    }
    if (expected[name].levels) {
      readDictionaries(dictionariesOf(columns, own) as JsonValue, part.levels ?? new Int32Array(0));
    }
  }
}

/** Whether all columns have names, each its own, or none has one. */
function areNames(columns: readonly MixedColumn[]): boolean {
  const names = columns.map(({ name }) => name);
  return names.every((name) => name === null) || (!names.includes(null) && new Set(names).size === names.length);
}

function isColumn(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { name, family, width, levels, ...others } = value;
  if (Object.keys(others).length > 0 || !isFamily(family)) return false;
  if (name !== null && (typeof name !== 'string' || !name.isWellFormed())) return false;
  if (width !== undefined && !(Number.isSafeInteger(width) && (width as number) >= 0)) return false;
  if (family !== 'categorical') return levels === undefined;
  return Array.isArray(levels) && levels.length === (width ?? 1);
}

/** The shape of a table with these columns. */
export function shapeWith(classes: number, columns: readonly MixedColumn[]): Shape {
  return { classes, features: featuresOf(columns), parts: blockShapes(columns, classes) };
}

/** Columns without what may differ between two estimators of the same table. */
export const outline = (columns: readonly MixedColumn[]): string =>
  JSON.stringify(columns.map(({ name, family, width }) => [name, family, width]));

/** The column of a feature, and the number of the feature within it. */
function placeOf(columns: readonly MixedColumn[], feature: number): { k: number; within: number } {
  let start = 0;
  const k = columns.findIndex((column) => feature < start + widthOf(column) || void (start += widthOf(column)));
  return { k, within: feature - start };
}

/** What a feature is called: as its column, or its column and its number within. */
export function featureName(columns: readonly MixedColumn[], feature: number): string | number {
  const { k, within } = placeOf(columns, feature);
  const { name, width } = columns[k];
  return width === undefined ? (name ?? k) : `${name ?? k}[${within}]`;
}

/** A number that stands for a cell, as the cell. */
export function decodeCell(cell: number, { family, levels }: MixedColumn, j: number): Level | null {
  if (Number.isNaN(cell)) return null;
  if (family === 'bernoulli') return cell === 1;
  const dictionary = levels?.[j] ?? null;
  return isWords(dictionary) ? (dictionary[cell] ?? null) : cell;
}

/** A number that stands for a cell of a feature, as the cell. */
export function featureCell(columns: readonly MixedColumn[], feature: number, cell: number): Level | null {
  const { k, within } = placeOf(columns, feature);
  return decodeCell(cell, columns[k], within);
}
