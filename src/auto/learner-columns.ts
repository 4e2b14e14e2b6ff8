import { refuse, show } from '../errors.ts';
import { cellOf, type DataRow, numberOf } from './cells.ts';
import { type FamilyName, familyOf } from './learner-families.ts';
import { cutColumn } from './records-views.ts';
import type { Schema, SchemaColumn } from './schema.ts';

/** How a cell is read: a document, a measured number, a count, true or false, a level, or the bin of a number. */
export type Reading = 'text' | 'number' | 'count' | 'flag' | 'level' | 'bin';

/** A column that a model reads, with all that decides what its cells mean. */
export interface ReadColumn {
  readonly name: string;
  readonly reading: Reading;
  /** Where a number is cut into bins. */
  readonly cuts?: readonly number[];
  /** The number that stands for a blank cell, in files of version 0.1. */
  readonly fill?: number;
  /** Its own family, where it was asked for. */
  readonly family?: ColumnFamily;
}

/** A schema with what the first rows settled: hand it to another fit, and the two models merge. */
export interface ClassifierSchema extends Schema {
  readonly columns: readonly ClassifierColumn[];
}

/** A column with its cuts, where numbers are cut into bins, and its own family. */
export type ClassifierColumn = SchemaColumn & Pick<ReadColumn, 'cuts' | 'fill' | 'family'>;

/** How numbers are cut into bins: by description length, or into equally many rows. */
export type Bins = 'mdl' | 'frequency';

/** The family of a column where models take each column by itself. */
export type ColumnFamily = 'gaussian' | 'poisson' | 'categorical' | 'bins';

/** What is known of columns beside their kinds. */
export interface Wishes {
  /** Columns that were asked for by name. */
  readonly asked: ReadonlySet<string>;
  readonly families: Readonly<Record<string, ColumnFamily>>;
}

const isNumeric = ({ kind, levels }: SchemaColumn): boolean =>
  kind === 'number' ||
  (levels !== undefined && levels.length > 0 && levels.every((word) => !Number.isNaN(numberOf(word))));

/** How a model reads the features of a schema; a column that it cannot take is refused by its name. */
export function readingsOf(model: FamilyName, { columns }: Schema, wishes: Wishes): ReadColumn[] {
  const features = columns.filter(({ role }) => role === 'feature') as ClassifierColumn[];
  if (features.length === 0) refuse('E_EMPTY_INPUT', 'no column says anything about the label', { features: 0 });
  const stranger = Object.keys(wishes.families).find((name) => !features.some((column) => column.name === name));
  if (stranger !== undefined) {
    refuse('E_FEATURE_MISSING', `families names ${show(stranger)}, which is no feature`, { feature: stranger });
  }
  const { takes } = familyOf(model);
  const asText = takes === 'counts' && features.some((column) => isWords(column, wishes));
  return features.map((column): ReadColumn => {
    const { name, cuts } = column;
    const reading = { counts: countReading, numbers: numberReading, levels: levelReading, anything: anyReading }[takes];
    const own = reading(column, { model, asText, ...wishes });
    const family = takes === 'anything' ? wantedFamily(column, wishes) : undefined;
    return { name, reading: own, ...(family && { family }), ...(own === 'bin' && cuts && { cuts }) };
  });
}

interface Context extends Wishes {
  readonly model: FamilyName;
  /** The columns are read as text. */
  readonly asText: boolean;
}

/** Whether a column is text for models of words: by its kind, or because words were asked for by name. */
const isWords = (column: SchemaColumn, { asked }: Wishes): boolean =>
  column.kind === 'text' || (asked.has(column.name) && !isNumeric(column) && column.kind !== 'boolean');

function countReading(column: SchemaColumn, context: Context): Reading {
  if (context.asText)
    return isWords(column, context) ? 'text' : refuseColumn(column, context.model, 'text, as others do');
  if (isNumeric(column)) return 'count';
  if (context.model === 'bernoulli' && column.kind === 'boolean') return 'flag';
  return refuseColumn(column, context.model, 'text or counts');
}

function numberReading(column: SchemaColumn, { model }: Context): Reading {
  return isNumeric(column) ? 'number' : refuseColumn(column, model, 'numbers');
}

function levelReading(column: SchemaColumn, { model }: Context): Reading {
  if (column.kind === 'text') return refuseColumn(column, model, 'levels or numbers');
  return column.kind === 'number' ? 'bin' : 'level';
}

const wantedFamily = ({ name, family }: ClassifierColumn, { families }: Wishes): ColumnFamily | undefined =>
  Object.hasOwn(families, name) ? families[name] : family;

function anyReading(column: SchemaColumn, context: Context): Reading {
  const { model } = context;
  const wanted = wantedFamily(column, context);
  if (column.kind === 'text') return wanted ? refuseColumn(column, model, `${wanted} cells`) : 'text';
  if (wanted === 'categorical' || (wanted === undefined && column.kind !== 'number')) return 'level';
  if (!isNumeric(column)) return refuseColumn(column, model, 'numbers');
  return wanted === 'bins' ? 'bin' : wanted === 'poisson' ? 'count' : 'number';
}

const holds = { number: 'numbers', category: 'words', boolean: 'true and false', text: 'text' } as const;

function refuseColumn({ name, kind }: SchemaColumn, model: FamilyName, expected: string): never {
  const actual = Object.hasOwn(holds, kind) ? holds[kind as keyof typeof holds] : 'words';
  const advice = "leave it out with features, or take the model 'mixed'";
  return refuse(
    'E_PARAM',
    `model ${show(model)} takes ${expected}, and column ${show(name)} holds ${actual}: ${advice}`,
    {
      name: 'model',
      feature: name,
      expected,
      actual,
    },
  );
}

/** As many different whole numbers are levels; more are cut into bins. */
const FEW_LEVELS = 32;

/** What the first rows settle: cuts of numbers that are to be bins, unless they are few whole numbers and so levels already. */
export function settleColumns(
  model: FamilyName,
  columns: readonly ReadColumn[],
  rows: readonly DataRow[],
  codes: Int32Array,
  { classes, bins }: { readonly classes: number; readonly bins: Bins },
): ReadColumn[] {
  return columns.map((column) => {
    if (column.reading === 'bin' && !column.cuts) {
      const numbers = numbersOf(rows, column.name);
      if (familyOf(model).takes === 'levels' && areLevels(numbers)) return { ...column, reading: 'level' };
      return { ...column, cuts: cutColumn(numbers, codes, classes, bins) };
    }
    return column;
  });
}

const numbersOf = (rows: readonly DataRow[], name: string): Float64Array =>
  Float64Array.from(rows, (row) => numberOf(cellOf(row, name)));

function areLevels(numbers: Float64Array): boolean {
  const values = new Set(numbers);
  return values.size <= FEW_LEVELS && [...values].every((value) => Number.isNaN(value) || Number.isInteger(value));
}

/** The schema with what was settled. */
export function settledSchema(schema: Schema, columns: readonly ReadColumn[]): ClassifierSchema {
  const read = new Map(columns.map((column) => [column.name, column]));
  return {
    ...schema,
    columns: schema.columns.map((column) => {
      const own = read.get(column.name);
      if (!own) return column;
      const { name: _, reading, ...settled } = own;
      if (reading === 'text') return { ...column, kind: 'text', ...settled };
      const counted = reading === 'level' && column.kind === 'number' && !settled.family;
      return { ...column, kind: counted ? 'category' : column.kind, ...settled };
    }),
  };
}
