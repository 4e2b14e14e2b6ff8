import { requireItems, requireOptions } from '../data/arguments.ts';
import { levelReader } from '../data/cell-format.ts';
import { cellOf, type DataRow, isBlank, isMarker, wordOf } from '../data/cells.ts';
import { RecordTable } from '../data/column-table.ts';
import { wholeOption } from '../data/faults.ts';
import { flattenRows } from '../data/flatten.ts';
import { grown } from '../data/grown.ts';
import { compareCodePoints } from '../data/order.ts';
import { refuse, show } from '../errors.ts';
import { groupedFolds } from '../evaluate/folds.ts';
import { Random } from '../math/random.ts';
import { namedScores, scoreAlone } from './column-scores.ts';
import { featuresOf, readingOf, type Schema, type SchemaColumn, schemaOfTallies } from './schema.ts';
import { type ColumnDescription, type ColumnTally, describeTally } from './schema-kinds.ts';
import { findWarnings, type Warning } from './warnings.ts';

/** The column that is probably the label, and why, as a part of a sentence. */
export interface TargetGuess {
  readonly name: string;
  readonly reason: string;
}

/** Names that labels have, the surer ones first: a class may also be that of a ticket. */
const labelNames = [
  /^(labels?|target|y|outcome|response|(is_?)?(spam|fraud|churn(ed)?)|survived|diagnosis|species|sentiment|polarity|topic|income|intent)$/i,
  /^(class(es)?|category|categories)$/i,
];

/** A column has no more labels than this, unless its name says that it has labels. */
const MOST_LABELS = 50;
/** In a table of fewer rows than this, a column that is named like a label may have another one in every row. */
const FEW_ROWS = 10;
/** Whole numbers are labels only if they are this few, or as few as other labels if the name says so. */
const MOST_NUMBERS = 10;

/**
 * Guesses the column to learn from the counted cells of all columns: one that is named like a label, else the last or the first that
 * has few values, else the one with the fewest. Returns `undefined` when no column has between two values and a value for every second row.
 */
export function guessTarget(tallies: ReadonlyMap<string, ColumnTally>): TargetGuess | undefined {
  const columns = [...tallies.keys()];
  const descriptions = new Map<string, ColumnDescription>();
  const likely = (name: string): ColumnDescription | undefined => {
    const tally = tallies.get(name)!;
    if (!descriptions.has(name)) descriptions.set(name, describeTally(name, tally));
    const isNamed = labelNames.some((pattern) => pattern.test(name));
    return couldBeLabel(descriptions.get(name)!, tally, isNamed) ? descriptions.get(name) : undefined;
  };
  const tries: [name: string | undefined, why: string][] = [
    ...labelNames
      .flatMap((pattern) => columns.filter((name) => pattern.test(name)))
      .map((name): [string, string] => [name, 'named like a label']),
    [columns.at(-1), 'the last column'],
    [columns[0], 'the first column'],
  ];
  for (const [name, why] of tries) {
    const description = name === undefined ? undefined : likely(name);
    if (description !== undefined) return { name: name!, reason: `${why}, ${description.counts.size} values` };
  }
  const others = columns.flatMap((name) => {
    const description = likely(name);
    return description === undefined ? [] : [{ name, size: description.counts.size }];
  });
  const fewest = others.sort((a, b) => a.size - b.size)[0];
  return fewest && { name: fewest.name, reason: `the fewest values of all columns: ${fewest.size}` };
}

/** Labels are few, unless the column is named like a label; they occur again, and are words or small whole numbers. */
function couldBeLabel({ kind, counts }: ColumnDescription, tally: ColumnTally, isNamed: boolean): boolean {
  let rows = 0;
  for (const count of tally.values()) rows += count;
  const most = isNamed && rows < FEW_ROWS ? rows : rows / 2; // an identifier has another value in every row
  if (counts.size < 2 || counts.size > most) return false;
  if (kind === 'category' || kind === 'boolean') return isNamed || counts.size <= MOST_LABELS;
  const isFew = counts.size <= (isNamed ? MOST_LABELS : MOST_NUMBERS);
  return kind === 'number' && isFew && [...counts.keys()].every((word) => /^-?\d+$/.test(word));
}

/** How often a value occurs. */
export interface ValueShare {
  readonly value: string;
  readonly rows: number;
  readonly share: number;
}

/** What a column holds, with what a person wants to see of it. */
export interface ProfiledColumn extends SchemaColumn {
  /** The most frequent values of a category or a label, at most ten. */
  readonly top?: readonly ValueShare[];
  /** The median length of a text, in UTF-16 units. */
  readonly typicalLength?: number;
}

/** The column with the labels. */
export interface ProfiledTarget {
  readonly name: string;
  /** Whether it was guessed, and why, as a part of a sentence. */
  readonly guessed: boolean;
  readonly reason: string;
  /** All classes, the most frequent first; shares are of the rows with a label. */
  readonly classes: readonly ValueShare[];
  /** Rows without a label. */
  readonly missing: number;
}

/** What rows look like before anything is learned from them. */
export interface TableProfile {
  /** All rows. Classes, missing cells and values are counted in all of them. */
  readonly rows: number;
  /** The rows of the uniform sample in which leaks and the length of texts were looked for. */
  readonly sampledRows: number;
  readonly target: ProfiledTarget | undefined;
  readonly columns: readonly ProfiledColumn[];
  /** Rows that are copies of an earlier one in every feature: of all rows, or of the sample in a very large table. */
  readonly duplicates: number;
  readonly warnings: readonly Warning[];
}

/** How rows are profiled. */
export interface ProfileOptions {
  /** The column with the labels. Default: guessed. */
  readonly target?: string | undefined;
  /** The size of the sample for what needs whole rows. Default: 20,000. */
  readonly sampleRows?: number | undefined;
  /** The random seed of the sample. Default: 0. */
  readonly seed?: number | undefined;
}

const MOST_SHOWN = 10;
const SAMPLE_ROWS = 20_000;
/** The characters that the sample may hold; of longer rows it has fewer. */
const SAMPLE_CHARACTERS = 64e6;
/** With more classes than these no column is tried for how well it predicts them. */
const MOST_CLASSES = 1000;
/** The cells of which hashes are kept to find copies, 8 bytes each; copies in larger tables are looked for in the sample. */
const MOST_HASHES = 8e6;

/** Profiles rows that are all in memory; see `TableProfiler`. */
export function profileRows(rows: readonly DataRow[], options: ProfileOptions = {}): TableProfile {
  const profiler = new TableProfiler(options);
  profiler.add(rows);
  return profiler.profile();
}

/**
 * Detects kinds, roles, balance, missing cells, copies and leaks of rows that come in chunks, in bounded memory. What can be counted is
 * counted in all rows. What needs whole rows is looked for in a uniform sample of them (Vitter, Random sampling with a reservoir,
 * ACM TOMS 11, 1985, algorithm R), so the order of the rows does not matter.
 */
export class TableProfiler {
  private readonly options: ProfileOptions;
  private readonly random: Random;
  private readonly columns = new Map<string, ValueCounter>();
  private readonly sample: DataRow[] = [];
  private most: number;
  private characters = 0;
  private rows = 0;
  private hashing = true;

  constructor(options: ProfileOptions = {}) {
    this.options = requireOptions('profileRows', ['target', 'sampleRows', 'seed'], options);
    this.most = wholeOption('sampleRows', options.sampleRows, SAMPLE_ROWS, 1);
    this.random = new Random(options.seed ?? 0);
  }

  /** Takes further rows. */
  add(rows: readonly DataRow[]): void {
    for (const row of flattenRows(requireItems(rows, 'a list of records'))) {
      if (typeof row !== 'object' || row === null || Array.isArray(row)) {
        refuse('E_TYPE', `row ${this.rows} is ${show(row)}, not a record with named cells`, { row: this.rows });
      }
      for (const name of Object.keys(row)) {
        if (!this.columns.has(name)) this.columns.set(name, new ValueCounter(this.rows));
      }
      for (const [name, cells] of this.columns) {
        const cell = cellOf(row, name);
        const hash = hashCell(cell);
        cells.add(cell, hash, this.columns.size);
        if (this.hashing) cells.keep(this.rows, hash);
      }
      this.draw(row);
      this.rows++;
      if (this.rows * this.columns.size > MOST_HASHES) this.forgetHashes();
    }
  }

  /** What the rows so far look like. Without a target the likeliest column is taken for it. */
  profile(): TableProfile {
    const { rows, sample } = this;
    if (rows === 0) refuse('E_EMPTY_INPUT', 'there are no rows to inspect', { rows: 0 });
    const tallies = new Map([...this.columns.keys()].map((name) => [name, this.tally(name)]));
    const guess = this.options.target === undefined ? guessTarget(tallies) : undefined;
    const target = this.options.target ?? guess?.name;
    const schema = this.schema(target, tallies);
    const groups = this.groups(schema);
    const labels = target === undefined ? undefined : this.labels(target);
    return {
      rows,
      sampledRows: sample.length,
      target: labels && {
        name: target!,
        guessed: guess !== undefined,
        reason: guess?.reason ?? 'asked for',
        ...labels,
      },
      columns: schema.columns.map((column) => this.column(column)),
      duplicates: groups.length - new Set(groups).size,
      warnings: labels ? this.warnings(schema, labels, groups) : [],
    };
  }

  /** Keeps a row in the sample, or not. */
  private draw(row: DataRow): void {
    const place = this.rows < this.most ? this.sample.length : this.random.integer(this.rows + 1);
    if (place >= this.most) return;
    if (place < this.sample.length) this.characters -= lengthOf(this.sample[place]);
    this.sample[place] = row;
    this.characters += lengthOf(row);
    while (this.characters > SAMPLE_CHARACTERS && this.sample.length > 1) {
      const gone = this.random.integer(this.sample.length);
      this.characters -= lengthOf(this.sample[gone]);
      this.sample[gone] = this.sample[this.sample.length - 1];
      this.sample.pop();
      this.most = this.sample.length;
    }
  }

  private forgetHashes(): void {
    this.hashing = false;
    for (const cells of this.columns.values()) cells.kept = new Float64Array(0);
  }

  /**
   * The counts from which the kind of a column is inferred: all of them, or those of the sample if there are too many values. A sample of row
   * numbers has gaps, so they are recognised by the values that came first.
   */
  private tally(name: string): ColumnTally {
    const values = this.columns.get(name)!;
    if (values.complete) return values.counts;
    const sampled = values.tally(this.cells(name));
    const kindOf = (tally: ColumnTally) => describeTally(name, tally).kind;
    return kindOf(sampled) === 'number' && kindOf(values.counts) === 'identifier' ? values.counts : sampled;
  }

  private cells(name: string): unknown[] {
    return this.sample.map((row) => cellOf(row, name));
  }

  /** The schema by the counts of all rows; without a target, what the columns are by themselves. */
  private schema(target: string | undefined, tallies: ReadonlyMap<string, ColumnTally>): Schema {
    const { rows, sample } = this;
    if (target === undefined) {
      const columns = [...tallies].map(([name, tally]): SchemaColumn => {
        const { kind, reason, missing, counts, format } = describeTally(name, tally);
        const role = kind === 'identifier' || kind === 'constant' || kind === 'split' ? 'ignored' : 'feature';
        const reading = readingOf(kind, { counts }, format);
        return this.counted({ name, kind, role, reason, missing, distinct: counts.size, ...reading });
      });
      return { target: '', rows, columns };
    }
    const { columns } = schemaOfTallies(tallies, sample.length, { target });
    return { target, rows, columns: columns.map((column) => this.counted(column)) };
  }

  /** A column with the number of its values in all rows instead of that in the sample. */
  private counted(column: SchemaColumn): SchemaColumn {
    const { complete, distinct } = this.columns.get(column.name)!;
    if (complete) return column;
    const reason = column.reason.replace(/\b\d+ different( in \d+ rows)?/, `about ${distinct} different`);
    return { ...column, distinct, reason };
  }

  private column(column: SchemaColumn): ProfiledColumn {
    if (column.kind === 'text') {
      const words = this.cells(column.name).filter((cell) => !isBlank(cell));
      const lengths = Float64Array.from(words, (cell) => wordOf(cell).length).sort();
      return { ...column, typicalLength: lengths[Math.floor(lengths.length / 2)] ?? 0 };
    }
    if (column.kind !== 'category' && column.kind !== 'boolean') return column;
    const { counts } = this.columns.get(column.name)!;
    const read = levelReader(column.format);
    return { ...column, top: sharesOf(counts, read, this.rows - column.missing).slice(0, MOST_SHOWN) };
  }

  /** The classes as they are learned: blanks around a label are a part of it. */
  private labels(target: string): Pick<ProfiledTarget, 'classes' | 'missing'> {
    const { counts } = this.columns.get(target)!;
    let missing = 0;
    for (const [cell, count] of counts) if (isBlank(cell)) missing += count;
    return { classes: sharesOf(counts, String, this.rows - missing), missing };
  }

  /** A number for every row, the same for rows that are alike in every feature: of all rows, or of the sample. */
  private groups({ columns }: Schema): Float64Array {
    const features = columns.filter(({ role }) => role === 'feature').map(({ name }) => name);
    const hashes = features.map((name) => this.hashes(name));
    const groups = new Float64Array(this.hashing ? this.rows : this.sample.length);
    for (const column of hashes) for (let i = 0; i < groups.length; i++) groups[i] = hashPair(groups[i], column[i]);
    return groups;
  }

  /** The hashes of a column in all rows, or in the sample. */
  private hashes(name: string): Float64Array {
    return this.hashing ? this.columns.get(name)!.kept : Float64Array.from(this.cells(name), hashCell);
  }

  private warnings(
    schema: Schema,
    { classes, missing }: Pick<ProfiledTarget, 'classes' | 'missing'>,
    groups: Float64Array,
  ): Warning[] {
    const { target } = schema;
    const places = new Map(classes.map(({ value }, c) => [hashCell(value), c])); // labels that differ in blanks have one place
    const codeOf = (hash: number) => places.get(hash) ?? -1;
    const sampled = Int32Array.from(this.cells(target), (cell) => codeOf(hashCell(cell)));
    const labelled = [...sampled.keys()].filter((i) => sampled[i] >= 0);
    const codes = Int32Array.from(labelled, (i) => sampled[i]);
    const rows = {
      table: new RecordTable(labelled.map((i) => this.sample[i])),
      codes,
      classes: classes.map(({ value }) => value),
    };
    const folds = groupedFolds(codes, Int32Array.from(codes.keys()), 0);
    const alone =
      classes.length > MOST_CLASSES ? [] : namedScores(scoreAlone(rows, featuresOf(schema, 'columns'), folds));
    const all = this.hashing ? Int32Array.from(groups, (_, i) => codeOf(this.hashes(target)[i])) : sampled;
    return findWarnings({
      schema,
      classes: classes.map(({ value }) => value),
      counts: Float64Array.from(classes, (own) => own.rows),
      unlabeled: missing,
      codes: all.filter((code) => code >= 0),
      groups: groups.filter((_, i) => all[i] >= 0),
      alone,
    });
  }
}

function lengthOf(row: DataRow): number {
  let length = 0;
  for (const name of Object.keys(row)) {
    const cell = row[name];
    length += typeof cell === 'string' ? cell.length : typeof cell === 'object' ? wordOf(cell).length : 8;
  }
  return length;
}

/** Values with their shares of this many rows, the most frequent first, equals in the order of their code points. */
function sharesOf(
  counts: ReadonlyMap<unknown, number>,
  read: (cell: unknown) => string | undefined,
  rows: number,
): ValueShare[] {
  const words = new Map<string, number>();
  for (const [cell, count] of counts) {
    if (isBlank(cell)) continue;
    const word = read(cell);
    if (word !== undefined) words.set(word, (words.get(word) ?? 0) + count);
  }
  const order = [...words].sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b));
  return order.map(([value, count]) => ({ value, rows: count, share: count / rows }));
}

/** A column keeps exact counts of this many different values, fewer where a table has more than fifty columns. */
const MOST_VALUES = 20_000;
const MOST_VALUES_OF_TABLE = 1_000_000;
const LEAST_VALUES = 1000;
/** The characters that the counted values of a column may have together. */
const MOST_CHARACTERS = 4_000_000;
/** Distinct values beyond the exact ones are estimated from a sample of this many hashes, within about 2 %. */
const HASHES = 4096;

/**
 * A hash of 53 bits: two 32-bit multiplicative hashes of the UTF-16 units. A million different strings collide with a probability
 * below 1e-4.
 */
export function hashText(text: string): number {
  let [a, b] = [0x1bd11bda, 0x41c6ce57];
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  return finish(a, b);
}

/** The hash of two hashes, in this order. */
export function hashPair(one: number, other: number): number {
  const low = (value: number) => value | 0;
  const high = (value: number) => (value / 2 ** 32) | 0;
  const a = Math.imul(low(one) ^ Math.imul(high(other), 0x85ebca6b), 0x9e3779b1) ^ low(other);
  const b = Math.imul(high(one) ^ Math.imul(low(other), 0xc2b2ae35), 0x5f356495) ^ high(other);
  return finish(a, b);
}

function finish(a: number, b: number): number {
  const one = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  const two = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return ((two ^ (two >>> 15)) & 0x1fffff) * 2 ** 32 + ((one ^ (one >>> 15)) >>> 0);
}

/** A cell as a key: equal lists are different objects. */
const plainCell = (cell: unknown): unknown => (typeof cell === 'object' && cell !== null ? wordOf(cell) : cell);

const isMissing = (cell: unknown): boolean => isBlank(cell) || isMarker(cell);

/** The hash of a cell as a word; that of a blank one is 0. */
export const hashCell = (cell: unknown): number => (isBlank(cell) ? 0 : hashText(wordOf(cell)));

/**
 * Counts the values of one column in bounded memory: exactly as long as there are not too many different ones. Then only missing cells
 * are counted, and the number of different values is estimated by adaptive sampling (Flajolet, On adaptive sampling, Computing 34,
 * 1990): hashes that end in d zero bits are kept, and d grows when there are too many of them.
 */
export class ValueCounter {
  /** Cells as they stand; dates, lists and objects as text. Once there are too many, those that came first. */
  readonly counts: Map<unknown, number> = new Map();
  /** Whether `counts` has every value. */
  complete = true;
  /** The hashes of the cells by row, as far as they are kept; those of rows without the column are 0. */
  kept: Float64Array = new Float64Array(0);
  private characters = 0;
  private readonly hashes = new Set<number>();
  private mask = 0;

  /** Begins after some rows that do not have the column. */
  constructor(missing = 0) {
    if (missing > 0) this.counts.set(undefined, missing);
  }

  /** Counts a cell with its hash, in a table with this many columns. */
  add(cell: unknown, hash: number, columns: number): void {
    if (!this.complete && !isMissing(cell)) {
      this.sample(hash);
      return;
    }
    const value = plainCell(cell);
    const known = this.counts.get(value);
    this.counts.set(value, (known ?? 0) + 1);
    if (known !== undefined || !this.complete) return;
    if (typeof value === 'string') this.characters += value.length;
    const most = Math.min(MOST_VALUES, Math.max(LEAST_VALUES, Math.floor(MOST_VALUES_OF_TABLE / columns)));
    if (this.counts.size < most && this.characters < MOST_CHARACTERS) return;
    this.complete = false;
    for (const own of this.counts.keys()) if (!isMissing(own)) this.sample(hashCell(own));
  }

  /** Keeps the hash of the cell of a row. */
  keep(row: number, hash: number): void {
    this.kept = grown(this.kept, row + 1);
    this.kept[row] = hash;
  }

  /** How many different values there are; an estimate where not all are counted. */
  get distinct(): number {
    return this.complete ? this.counts.size : this.hashes.size * (this.mask + 1);
  }

  /** The counts of the cells of a sample, with the missing ones of all rows. */
  tally(sample: Iterable<unknown>): ColumnTally {
    const counts = new Map([...this.counts].filter(([cell]) => isMissing(cell)));
    for (const own of sample) {
      const cell = plainCell(own);
      if (!isMissing(cell)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    return counts;
  }

  private sample(hash: number): void {
    if ((hash & this.mask) !== 0) return;
    this.hashes.add(hash);
    while (this.hashes.size > HASHES) {
      this.mask = 2 * this.mask + 1;
      for (const own of this.hashes) if ((own & this.mask) !== 0) this.hashes.delete(own);
    }
  }
}
