import { numberLiteral, quoteIdentifier } from '../../engines/sql/dialect.ts';
import { logSoftmaxInto, logSumExp } from '../../math/logs.ts';
import { Algebra, broadcast, type Elementwise, type Operand, type Reduction, range, sizeOf } from '../lower/algebra.ts';
import { type Cell, fenceOf, greatestOf, type Join, Sheet, sumOf } from './sheet.ts';
import { cannotSay } from './words.ts';

/** A number, a condition, or an expression of SQL. */
type Entry = Cell | number | boolean;

/** Expressions of SQL, one for each place. */
export interface CellTensor {
  readonly shape: readonly number[];
  readonly entries: readonly Entry[];
}

/** Below this, PostgreSQL calls exp an underflow; what is lost is less than 1e-304. */
const LEAST_EXPONENT = -700;

/** Longer expressions become columns before others are made of them. */
const LONG = 240;

/** Every number of a table stands in the query once and every point of a kernel several times; beyond this many the query would be longer than engines like. */
const MOST = { 'pairs of levels': 10_000, values: 5000 } as const;

/** So many columns of intermediate results are the most that a query holds for rows with missing cells. */
const MOST_COLUMNS = 4000;

const isCell = (entry: Entry): entry is Cell => typeof entry === 'object';

type Cells = (sheet: Sheet, x: Cell, y: Cell) => Cell;

/** An operation: on numbers, as SQL, which number beside an operand changes nothing (as the second one, or either), and which decides alone. */
interface Operation {
  readonly fold: (...operands: readonly never[]) => number | boolean;
  readonly sql: Cells;
  readonly neutral?: (number: number | boolean, second: boolean) => boolean;
  readonly ends?: (number: number | boolean) => boolean;
}

const infinite = (own: number | boolean) => Math.abs(Number(own)) === Infinity;

/** exp of a number that is not above zero by much; what underflows is 0. */
const expOf = (sheet: Sheet, x: Cell) => sheet.cell`CASE WHEN ${x} > ${LEAST_EXPONENT} THEN exp(${x}) ELSE ${0} END`;

/** ln of a number that is not negative; engines refuse the logarithm of 0. */
const logOf = (sheet: Sheet, x: Cell) => sheet.cell`CASE WHEN ${x} > ${0} THEN ln(${x}) ELSE ${-Infinity} END`;

const sum: Cells = (sheet, x, y) => sheet.cell`(${x} + ${y})`;
const all: Cells = (sheet, x, y) => sheet.cell`(${x} AND ${y})`;
const any: Cells = (sheet, x, y) => sheet.cell`(${x} OR ${y})`;

const operations: Readonly<Record<Elementwise, Operation>> = {
  add: { fold: (x: number, y: number) => x + y, sql: sum, neutral: (own) => own === 0, ends: infinite },
  sub: {
    fold: (x: number, y: number) => x - y,
    sql: (sheet, x, y) => sheet.cell`(${x} - ${y})`,
    neutral: (own, second) => own === 0 && second,
  },
  mul: {
    fold: (x: number, y: number) => x * y,
    sql: (sheet, x, y) => sheet.cell`(${x} * ${y})`,
    neutral: (own) => own === 1,
  },
  div: {
    fold: (x: number, y: number) => x / y,
    sql: (sheet, x, y) => sheet.cell`(${x} / ${y})`,
    neutral: (own, second) => own === 1 && second,
  },
  max: {
    fold: (x: number, y: number) => Math.max(x, y),
    sql: (sheet, x, y) => sheet.cell`GREATEST(${x}, ${y})`,
    neutral: (own) => own === -Infinity,
  },
  min: {
    fold: (x: number, y: number) => Math.min(x, y),
    sql: (sheet, x, y) => sheet.cell`LEAST(${x}, ${y})`,
    neutral: (own) => own === Infinity,
  },
  less: { fold: (x: number, y: number) => x < y, sql: (sheet, x, y) => sheet.cell`(${x} < ${y})` },
  lessOrEqual: { fold: (x: number, y: number) => x <= y, sql: (sheet, x, y) => sheet.cell`(${x} <= ${y})` },
  equal: { fold: (x: number, y: number) => x === y, sql: (sheet, x, y) => sheet.cell`(${x} = ${y})` },
  and: { fold: (x: boolean, y: boolean) => x && y, sql: all, neutral: (own) => own === true, ends: (own) => own === false }, // biome-ignore format: one line
  or: { fold: (x: boolean, y: boolean) => x || y, sql: any, neutral: (own) => own === false, ends: (own) => own === true }, // biome-ignore format: one line
  not: { fold: (x: boolean) => !x, sql: (sheet, x) => sheet.cell`(NOT ${x})` },
  exp: { fold: Math.exp, sql: (sheet, x) => expOf(sheet, sheet.keep(x)) },
  log: { fold: Math.log, sql: (sheet, x) => logOf(sheet, sheet.keep(x)) },
  ln: { fold: Math.log, sql: (sheet, x) => sheet.cell`ln(${x})` },
  sqrt: { fold: Math.sqrt, sql: (sheet, x) => sheet.cell`sqrt(${x})` },
  abs: { fold: Math.abs, sql: (sheet, x) => sheet.cell`abs(${x})` },
  floor: { fold: Math.floor, sql: (sheet, x) => sheet.cell`floor(${x})` },
};

/** Scores of a row as expressions over the columns of a sheet, place by place. */
export class SqlAlgebra extends Algebra<CellTensor> {
  private sheet: Sheet; // that of copies, while they are scored
  private readonly keys: readonly string[];
  private copies = 0;
  private readonly conditions = new Set<string>(); // those that say what is missing

  /** `keys` are the columns of the sheet that tell its rows apart. */
  constructor(sheet: Sheet, keys: readonly string[]) {
    super();
    this.sheet = sheet;
    this.keys = keys;
  }

  /** Cells as a list. */
  of(cells: readonly Entry[]): CellTensor {
    return { shape: [cells.length], entries: cells };
  }

  /** The expressions of a tensor. */
  cells({ entries }: CellTensor): Cell[] {
    return entries.map((entry) => this.cell(entry));
  }

  constant(values: ArrayLike<number | boolean>, ...shape: readonly number[]): CellTensor {
    return { shape: shape.length > 0 ? shape : [values.length], entries: Array.from(values) };
  }

  protected apply(op: Elementwise, ...operands: readonly Operand<CellTensor>[]): CellTensor {
    return this.each(operands, (entries) => this.entry(op, entries));
  }

  where(condition: CellTensor, yes: Operand<CellTensor>, no: Operand<CellTensor>): CellTensor {
    return this.each([condition, yes, no], ([test, a, b]) => {
      if (!isCell(test)) return test ? a : b;
      if (a === b) return a;
      const [own, other] = [this.cell(a), this.brief(b)];
      const nullable = own.nullable || (!this.conditions.has(test.text) && other.nullable);
      return { ...this.sheet.cell`CASE WHEN ${this.brief(test)} THEN ${this.brief(own)} ELSE ${other} END`, nullable };
    });
  }

  missing(x: CellTensor): CellTensor {
    return this.each([x], ([entry]) => {
      if (!isCell(entry)) return Number.isNaN(entry);
      if (!entry.nullable) return false;
      const gap = { ...this.sheet.cell`(${this.sheet.keep(entry)} IS NULL)`, nullable: false };
      this.conditions.add(gap.text);
      return gap;
    });
  }

  mayMiss({ entries }: CellTensor): boolean {
    return entries.some((entry) => (isCell(entry) ? entry.nullable : Number.isNaN(entry)));
  }

  reshape({ entries }: CellTensor, ...shape: readonly number[]): CellTensor {
    return { shape, entries };
  }

  gather({ shape, entries }: CellTensor, axis: number, places: ArrayLike<number>): CellTensor {
    const inner = sizeOf(shape.slice(axis + 1));
    const length = shape[axis];
    const gathered = range(sizeOf(shape.slice(0, axis))).flatMap((outer) =>
      Array.from(places).flatMap((k) => {
        const from = (outer * length + k) * inner;
        return entries.slice(from, from + inner);
      }),
    );
    return { shape: shape.map((own, k) => (k === axis ? places.length : own)), entries: gathered };
  }

  concat(parts: readonly CellTensor[]): CellTensor {
    const length = parts.reduce((sum, { shape }) => sum + shape[0], 0);
    return { shape: [length, ...parts[0].shape.slice(1)], entries: parts.flatMap(({ entries }) => entries) };
  }

  reduce(how: Reduction, { shape, entries }: CellTensor, axis: number): CellTensor {
    const inner = sizeOf(shape.slice(axis + 1));
    const length = shape[axis];
    const rest = shape.filter((_, k) => k !== axis);
    const reduced = range(sizeOf(rest)).map((k) => {
      const start = Math.floor(k / inner) * length * inner + (k % inner);
      return this.reducers[how](range(length).map((at) => entries[start + at * inner]));
    });
    return { shape: rest, entries: reduced };
  }

  private readonly reducers: Readonly<Record<Reduction, (entries: readonly Entry[]) => Entry>> = {
    sum: (entries) => {
      const number = entries.reduce<number>((sum, own) => (isCell(own) ? sum : sum + Number(own)), 0);
      const cells = entries.filter(isCell);
      if (cells.length === 0 || infinite(number)) return number;
      return sumOf(this.sheet, number === 0 ? cells : [this.cell(number), ...cells]);
    },
    max: (entries) => this.greatest(entries),
    logSumExp: (all) => {
      const { sheet } = this;
      const entries = all.filter((own) => own !== -Infinity).map((own) => this.brief(own));
      if (!all.some(isCell)) return logSumExp(Float64Array.from(all as number[]));
      if (entries.length === 1) return entries[0];
      const top = sheet.keep(this.cell(this.greatest(entries)));
      const parts = entries.map((own) => expOf(sheet, sheet.cell`(${own} - ${top})`));
      const sum = sheet.cell`${top} + ${this.logOfSum(parts)}`;
      const endless = sheet.cell`${top} = ${Infinity} OR ${top} = ${-Infinity}`;
      return sheet.keep(sheet.cell`CASE WHEN ${endless} THEN ${top} ELSE ${sum} END`);
    },
  };

  private greatest(entries: readonly Entry[]): Entry {
    const numbers = entries.filter((own) => typeof own === 'number');
    const most = numbers.length > 0 ? Math.max(...numbers) : -Infinity;
    const cells = entries.filter(isCell);
    if (cells.length === 0) return most;
    return greatestOf(this.sheet, most === -Infinity ? cells : [this.cell(most), ...cells]);
  }

  logSoftmax({ shape, entries }: CellTensor): CellTensor {
    const { sheet } = this;
    if (!entries.some(isCell)) {
      const out = new Float64Array(entries.length);
      logSoftmaxInto(Float64Array.from(entries as number[]), 0, out.length, out);
      return { shape, entries: Array.from(out) };
    }
    const scores = entries.map((own) => sheet.keep(this.cell(own)));
    const top = sheet.keep(greatestOf(sheet, scores));
    // a score of Infinity is as far from itself as any other: not at all
    const apart = scores.map((own) =>
      sheet.keep(sheet.cell`CASE WHEN ${own} = ${top} THEN ${0} ELSE ${own} - ${top} END`),
    );
    const log = sheet.keep(this.logOfSum(apart.map((own) => expOf(sheet, own))));
    return { shape, entries: apart.map((own) => sheet.keep(sheet.cell`${own} - ${log}`)) };
  }

  /** ln of a sum whose greatest part is 1; it is less only in rows that are not answered, whose scores are NULL. */
  private logOfSum(parts: readonly Cell[]): Cell {
    return this.sheet.cell`ln(GREATEST(${1}, ${sumOf(this.sheet, parts)}))`;
  }

  product(x: CellTensor, weights: Float64Array, columns: number): CellTensor {
    const { sheet } = this;
    const cells = this.keep(x).entries;
    const sums = range(columns).map((c) => {
      const parts = cells.map((own, j): Entry => {
        const weight = weights[j * columns + c];
        if (Number.isFinite(weight)) return this.entry('mul', [own, weight]);
        return isCell(own) ? sheet.cell`CASE WHEN ${own} = ${0} THEN ${0} ELSE ${own} * ${weight} END` : own === 0 ? 0 : Number(own) * weight; // biome-ignore format: one line
      });
      return this.reducers.sum(parts);
    });
    return this.of(sums);
  }

  lookup(x: CellTensor, tables: readonly Float64Array[], width: number): CellTensor {
    const { entries } = this.keep(x);
    const found = tables.flatMap((table, j) => {
      const rows = table.length / width;
      return range(width).map((k) => this.arms(entries[j], range(rows).map((row) => table[row * width + k]))); // biome-ignore format: short
    });
    return { shape: [tables.length, width], entries: found };
  }

  choose(x: CellTensor, { shape, entries }: CellTensor): CellTensor {
    const length = shape[shape.length - 1];
    const [place] = this.keep(x).entries;
    const chosen = range(entries.length / length).map((k) =>
      this.arms(place, entries.slice(k * length, (k + 1) * length)),
    );
    return { shape: shape.slice(0, -1), entries: chosen };
  }

  /** The value at a place; the last one beyond it, and 0 where the place is missing. */
  private arms(x: Entry, values: readonly Entry[]): Entry {
    const last = values[values.length - 1];
    if (!isCell(x)) return Number.isNaN(x) ? 0 : values[Math.min(Number(x), values.length - 1)];
    const { sheet } = this;
    const cases = values.flatMap((value, v) => {
      return value === last ? [] : [sheet.cell`WHEN ${x} = ${v} THEN ${this.cell(value)}`];
    });
    if (x.nullable && last !== 0) cases.unshift(sheet.cell`WHEN ${x} IS NULL THEN ${0}`);
    if (cases.length === 0) return last;
    const all = { text: cases.map(({ text }) => text).join(' '), stage: Math.max(...cases.map(({ stage }) => stage)), nullable: false }; // biome-ignore format: one line
    return { ...sheet.cell`CASE ${all} ELSE ${this.cell(last)} END`, nullable: false };
  }

  pieces(x: CellTensor, cuts: readonly Float64Array[], inclusive: boolean): CellTensor {
    const { sheet } = this;
    const { entries } = this.keep(x);
    return this.of(
      cuts.map((own, j) => {
        const x = entries[j];
        if (!isCell(x)) return own.filter((cut) => (inclusive ? cut <= Number(x) : cut < Number(x))).length;
        if (own.length === 0) return 0;
        const cases = Array.from(own, (cut, k) => {
          return inclusive ? sheet.cell`WHEN ${x} < ${cut} THEN ${k}` : sheet.cell`WHEN ${x} <= ${cut} THEN ${k}`;
        });
        return sheet.cell`CASE ${{ ...x, text: cases.map(({ text }) => text).join(' ') }} ELSE ${own.length} END`;
      }),
    );
  }

  /**
   * Rows are joined with the numbers of their copies, scored copy by copy, and what comes out is joined by the key. Without a key, rows
   * that would have to be copied are not answered.
   */
  sumOver(
    times: CellTensor,
    most: number,
    carried: readonly CellTensor[],
    score: (copy: CellTensor, carried: readonly CellTensor[]) => CellTensor,
  ): CellTensor {
    if (this.keys.length === 0) {
      this.require(this.lessOrEqual(times, 1));
      return score(this.constant([0]), carried);
    }
    const outer = this.sheet;
    const all = [times, ...carried].map((own) => this.keep(own));
    const columns = [
      ...new Map(all.flatMap(({ entries }) => entries.filter(isCell)).map((own) => [own.text, own])).values(),
    ];
    const stage = Math.max(0, ...columns.map((own) => own.stage));
    const name = `copies${this.copies++}`;
    const inner = new Sheet(outer.dialect, `${name}_`);
    const q = (own: string) => quoteIdentifier(outer.dialect, own);
    this.sheet = inner;
    const rows = all.slice(1).map(({ shape, entries }) => ({
      shape,
      entries: entries.map((own) => (isCell(own) ? { ...own, stage: 0 } : own)),
    }));
    const copy = this.of([{ text: q('copy'), stage: 0, nullable: false, simple: true }]);
    const scores = this.cells(this.keep(score(copy, rows)));
    this.sheet = outer;
    const made = scores.map((_, k) => q(`${name}_s${k}`));
    const [count] = this.cells(all[0]);
    outer.join(stage, copiesOf({ sheet: inner, name, most, keys: this.keys, columns, count, scores, made }));
    return this.of(made.map((text) => ({ text, stage, nullable: false, simple: true })));
  }

  keep({ shape, entries }: CellTensor): CellTensor {
    return { shape, entries: entries.map((own) => (isCell(own) ? this.sheet.keep(own) : own)) };
  }

  require(condition: CellTensor): void {
    for (const own of condition.entries) {
      if (own === true) continue;
      this.sheet.require(this.sheet.cell`COALESCE(${this.cell(own)}, FALSE)`);
    }
  }

  afford(what: string, unit: keyof typeof MOST, count: number): void {
    if (count <= MOST[unit]) return;
    cannotSay(
      `${what} over ${count} ${unit}`,
      `all of them would be parts of the query, and ${MOST[unit]} are the most`,
    );
  }

  canKeep(count: number): boolean {
    return count <= MOST_COLUMNS;
  }

  cannot(what: string, why: string): never {
    return cannotSay(what, `${why}, which few engines have`);
  }

  private cell(entry: Entry): Cell {
    if (isCell(entry)) return entry;
    if (typeof entry === 'boolean') return this.sheet.cell`${entry ? 'TRUE' : 'FALSE'}`;
    return Number.isNaN(entry) ? { ...this.sheet.cell`NULL`, nullable: true } : this.sheet.cell`${entry}`;
  }

  /** An expression that may be written several times. */
  private brief(entry: Entry): Cell {
    const cell = this.cell(entry);
    return cell.text.length > LONG ? this.sheet.keep(cell) : cell;
  }

  private entry(op: Elementwise, operands: readonly Entry[]): Entry {
    const { fold, sql, neutral, ends } = operations[op];
    if (!operands.some(isCell)) return (fold as (...own: readonly Entry[]) => Entry)(...operands);
    if (operands.length === 2) {
      const [first, second] = operands;
      if (!isCell(second) && neutral?.(second, true)) return first;
      if (!isCell(first) && neutral?.(first, false)) return second;
      const number = isCell(first) ? (second as number | boolean) : (first as number | boolean);
      if (!isCell(first) || !isCell(second)) {
        if (ends?.(number)) return number;
        const cell = (isCell(first) ? first : second) as Cell;
        if (op === 'mul' && number === 0 && !cell.nullable) return 0;
      }
    }
    const [x, y] = operands.map((own) => this.brief(own));
    return sql(this.sheet, x, y);
  }

  /** An expression for each place of operands that broadcast. */
  private each(operands: readonly Operand<CellTensor>[], make: (entries: readonly Entry[]) => Entry): CellTensor {
    const shape = broadcast(operands.map((own) => (typeof own === 'number' ? [] : own.shape)));
    const placed = operands.map((own) => (typeof own === 'number' ? () => own : placesIn(own, shape)));
    return { shape, entries: range(sizeOf(shape)).map((k) => make(placed.map((entryAt) => entryAt(k)))) };
  }
}

/** The entry of a tensor at each place of a wider shape. */
function placesIn({ shape, entries }: CellTensor, wide: readonly number[]): (k: number) => Entry {
  if (shape.length === wide.length && shape.every((length, k) => length === wide[k])) return (k) => entries[k];
  return (k) => {
    let [rest, at, stride] = [k, 0, 1];
    for (let axis = 1; axis <= shape.length; axis++) {
      const [length, full] = [shape[shape.length - axis], wide[wide.length - axis]];
      at += length === 1 ? 0 : (rest % full) * stride;
      rest = Math.floor(rest / full);
      stride *= length;
    }
    return entries[at];
  };
}

/** Copies of rows: how many of each there are, and the scores of one. */
interface Copies {
  readonly sheet: Sheet;
  readonly name: string;
  readonly most: number;
  readonly keys: readonly string[];
  readonly columns: readonly Cell[];
  readonly count: Cell;
  readonly scores: readonly Cell[];
  readonly made: readonly string[];
}

/** Scores every copy of a row, and joins ln Σ exp of the scores to the row. */
function copiesOf({ sheet, name, most, keys, columns, count, scores, made }: Copies): Join {
  const q = (own: string) => quoteIdentifier(sheet.dialect, own);
  const number = (value: number) => numberLiteral(sheet.dialect, value);
  const base = Math.ceil(Math.sqrt(most));
  const digits = range(base).map((digit) => `SELECT ${number(digit)} AS ${q('d')}`).join(' UNION ALL '); // biome-ignore format: short
  const numbers = `(SELECT a.${q('d')} * ${number(base)} + b.${q('d')} AS ${q('copy')} FROM (${digits}) AS a CROSS JOIN (${digits}) AS b)`;
  const named = (what: string) => q(`polya_${name}_${what}`);
  return (from) => {
    const carried = [...keys, ...columns.map(({ text }) => text)].map((column) => `r.${column} AS ${column}`);
    const { texts, last } = sheet.ctes(named('rows'));
    const list = keys.join(', ');
    const tops = scores.map(
      ({ text }, k) => `${text} AS ${q(`s${k}`)}, max(${text}) OVER (PARTITION BY ${list}) AS ${q(`m${k}`)}`,
    );
    const sums = made.map((column, k) => {
      const [top, apart] = [`max(${q(`m${k}`)})`, `${q(`s${k}`)} - ${q(`m${k}`)}`];
      const parts = `CASE WHEN ${apart} > ${number(LEAST_EXPONENT)} THEN exp(${apart}) ELSE ${number(0)} END`;
      const log = `${top} + ln(GREATEST(${number(1)}, sum(${parts})))`;
      return `CASE WHEN ${top} = ${number(-Infinity)} THEN ${top} ELSE ${log} END AS ${column}`;
    });
    const equal = keys.map((key) => `s.${key} = r.${key}`).join(' AND ');
    const added = made.map((column) => `s.${column} AS ${column}`).join(', ');
    return {
      texts: [
        `${named('rows')} AS (\n  SELECT ${carried.join(', ')}, n.${q('copy')} AS ${q('copy')}\n  FROM ${from} AS r CROSS JOIN ${numbers} AS n\n  WHERE n.${q('copy')} < r.${count.text}\n)`,
        ...texts,
        `${named('tops')} AS (\n  SELECT ${list}, ${tops.join(', ')}\n  FROM ${last}${fenceOf(sheet.dialect)}\n)`,
        `${named('sums')} AS (\n  SELECT ${list}, ${sums.join(', ')}\n  FROM ${named('tops')}\n  GROUP BY ${list}\n)`,
        `${named('joined')} AS (\n  SELECT r.*, ${added}\n  FROM ${from} AS r LEFT JOIN ${named('sums')} AS s ON ${equal}\n)`,
      ],
      last: named('joined'),
    };
  };
}
