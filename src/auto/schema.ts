import { refuse, show } from '../errors.ts';
import { cellOf, type DataRow, isBlank } from './cells.ts';
import { type ColumnTally, describeTally, tallyCells, type Verdict } from './schema-kinds.ts';

/** What a column holds. */
export type ColumnKind = 'number' | 'category' | 'boolean' | 'text' | 'date' | 'identifier' | 'constant';

/** What a column is for. */
export type ColumnRole = 'target' | 'feature' | 'ignored';

/** What is known of a column, and why it is believed. */
export interface SchemaColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly role: ColumnRole;
  /** Why, as a sentence without its full stop. */
  readonly reason: string;
  /** How many cells say nothing. */
  readonly missing: number;
  /** How many different values there are. */
  readonly distinct: number;
  /** The words of a category, the most frequent first; all that come after the last are one further level. */
  readonly levels?: readonly string[];
}

/** The columns of a table with their kinds and roles. */
export interface Schema {
  readonly target: string;
  readonly rows: number;
  readonly columns: readonly SchemaColumn[];
}

/** What is known before looking. */
export interface SchemaOptions {
  readonly target: string;
  /** The columns to classify by; without it, all that say something. A list is obeyed, identifiers and all. */
  readonly features?: readonly string[] | undefined;
}

/** How many words of a category are told apart. */
export const MOST_LEVELS = 100;

/**
 * Tells kinds and roles of columns from the cells of all rows.
 *
 * A cell is missing when it is null, undefined, NaN or blank. A word such as "?" or "NA" is missing where all other cells of
 * the column are numbers; among words it is a level like others, since not having answered may say something.
 */
export function inferSchema(rows: readonly DataRow[], { target, features }: SchemaOptions): Schema {
  if (rows.length === 0) refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  const tallies = told.get(rows);
  const names = tallies ? [...tallies.keys()] : namesOf(rows);
  for (const name of [target, ...(features ?? [])]) {
    if (names.includes(name)) continue;
    refuse(
      'E_FEATURE_MISSING',
      `there is no column ${show(name)}; there are ${names.map(show).join(', ')}`.slice(0, 400),
      {
        feature: name,
      },
    );
  }
  if (features?.includes(target)) refuse('E_PARAM', 'the target cannot be a feature', { name: 'features' });
  const columns = names.map((name) => {
    const cells = tallies?.get(name) ?? tallyCells(rows.map((row) => cellOf(row, name)));
    if (name === target) return targetColumn(name, cells);
    return featureColumn(name, cells, features?.includes(name), features !== undefined);
  });
  return { target, rows: rows.length, columns };
}

const told = new WeakMap<readonly DataRow[], ReadonlyMap<string, ColumnTally>>();

/** Tells what all columns of rows hold, which never change: whoever has counted the cells saves others to do it again. */
export function tellTallies(rows: readonly DataRow[], tallies: ReadonlyMap<string, ColumnTally>): void {
  told.set(rows, tallies);
}

/** Every name in any row, in order of appearance. */
function namesOf(rows: readonly DataRow[]): string[] {
  const names = new Set<string>();
  for (const [i, row] of rows.entries()) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      refuse('E_TYPE', `row ${i} is ${show(row)}, not a record with named cells`, { row: i });
    }
    for (const name of Object.keys(row)) names.add(name);
  }
  return [...names];
}

function targetColumn(name: string, cells: ColumnTally): SchemaColumn {
  const values = [...cells];
  const present = values.filter(([cell]) => !isBlank(cell));
  const missing = values.reduce((sum, [cell, count]) => sum + (isBlank(cell) ? count : 0), 0);
  return {
    name,
    kind: present.every(([cell]) => typeof cell === 'boolean') ? 'boolean' : 'category',
    role: 'target',
    reason: `the label, with ${present.length} classes`,
    missing,
    distinct: present.length,
  };
}

const useless: ReadonlySet<ColumnKind> = new Set(['identifier', 'constant', 'date']);

function featureColumn(name: string, cells: ColumnTally, asked: boolean | undefined, listed: boolean): SchemaColumn {
  const { kind, reason, missing, counts } = describeTally(name, cells);
  const base = { name, missing, distinct: counts.size };
  if (listed && !asked)
    return { ...base, kind, role: 'ignored', reason: `${reason}; not among the features asked for` };
  if (kind === 'constant') return { ...base, kind, role: 'ignored', reason };
  if (useless.has(kind) && !asked) return { ...base, kind, role: 'ignored', reason: `${reason}; ignored` };
  const column = {
    ...base,
    kind,
    role: 'feature' as const,
    reason: asked ? `${reason}; used because asked for` : reason,
  };
  return kind === 'number' || kind === 'text' ? column : { ...column, levels: frequentWords(counts) };
}

/** The words of a category, the most frequent first, equals by their order. */
function frequentWords(counts: Verdict['counts']): string[] {
  const order = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return order.slice(0, MOST_LEVELS).map(([word]) => word);
}

/** The columns to classify by that are of the given kinds. */
export function featuresOf({ columns }: Schema, wanted: 'columns' | 'text'): SchemaColumn[] {
  return columns.filter(({ role, kind }) => role === 'feature' && (kind === 'text') === (wanted === 'text'));
}
