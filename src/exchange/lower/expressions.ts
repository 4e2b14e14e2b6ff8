import { logSoftmaxInto, logSumExp } from '../../math/logs.ts';
import { Algebra, broadcast, type Elementwise, type Operand, type Reduction, range, sizeOf } from './algebra.ts';

/** An expression of a target over the columns of a row. */
export interface Expression {
  readonly text: string;
  /** Whether it may be missing. */
  readonly nullable: boolean;
}

/** A number, a condition, or an expression. */
export type Entry<E> = E | number | boolean;

/** One entry for each place of a shape. */
export interface Places<E> {
  readonly shape: readonly number[];
  readonly entries: readonly Entry<E>[];
}

/** An operation on numbers: its value, which number beside an operand changes nothing (as the second one, or as either), and which decides alone. */
interface Folding {
  readonly fold: (...operands: readonly never[]) => number | boolean;
  readonly neutral?: (number: number | boolean, second: boolean) => boolean;
  readonly ends?: (number: number | boolean) => boolean;
}

/** Whether an entry is no constant. */
export const isExpression = <E>(entry: Entry<E>): entry is E => typeof entry === 'object';

const infinite = (own: number | boolean) => Math.abs(Number(own)) === Infinity;

const foldings: Readonly<Record<Elementwise, Folding>> = {
  add: { fold: (x: number, y: number) => x + y, neutral: (own) => own === 0, ends: infinite },
  sub: { fold: (x: number, y: number) => x - y, neutral: (own, second) => own === 0 && second },
  mul: { fold: (x: number, y: number) => x * y, neutral: (own) => own === 1 },
  div: { fold: (x: number, y: number) => x / y, neutral: (own, second) => own === 1 && second },
  max: { fold: Math.max, neutral: (own) => own === -Infinity },
  min: { fold: Math.min, neutral: (own) => own === Infinity },
  less: { fold: (x: number, y: number) => x < y },
  lessOrEqual: { fold: (x: number, y: number) => x <= y },
  equal: { fold: (x: number, y: number) => x === y },
  and: { fold: (x: boolean, y: boolean) => x && y, neutral: (own) => own === true, ends: (own) => own === false },
  or: { fold: (x: boolean, y: boolean) => x || y, neutral: (own) => own === false, ends: (own) => own === true },
  not: { fold: (x: boolean) => !x },
  exp: { fold: Math.exp },
  log: { fold: Math.log },
  ln: { fold: Math.log },
  sqrt: { fold: Math.sqrt },
  abs: { fold: Math.abs },
  floor: { fold: Math.floor },
  sin: { fold: Math.sin },
};

/** How a target writes operations, branches and columns, and what it can hold. */
export interface ExpressionWriter<E extends Expression> extends Pick<Algebra<Places<E>>, 'afford' | 'canKeep'> {
  /** A number or a condition; NaN is missing. */
  literal(value: number | boolean): E;
  write(op: Elementwise, ...operands: readonly E[]): E;
  branch(test: E, yes: E, no: E): E;
  isMissing(x: E): E;
  /** The same value as a column, which may be used several times. */
  column(x: E): E;
  /** An expression that is short enough to be written several times. */
  brief(x: E): E;
  /** Rows for which this is false get no result. */
  require(condition: E): void;
  /** `Algebra.sumOver`, with the operations of this algebra. */
  sumOver(
    algebra: ExpressionAlgebra<E>,
    ...copies: Parameters<Algebra<Places<E>>['sumOver']>
  ): ReturnType<Algebra<Places<E>>['sumOver']>;
}

/** Tensors as one expression for each place, for targets that compute with single values. Constants are folded. */
export class ExpressionAlgebra<E extends Expression> extends Algebra<Places<E>> {
  private readonly writer: ExpressionWriter<E>;
  private readonly conditions = new Set<string>(); // those that say what is missing

  constructor(writer: ExpressionWriter<E>) {
    super();
    this.writer = writer;
  }

  sumOver(...copies: Parameters<Algebra<Places<E>>['sumOver']>): Places<E> {
    return this.writer.sumOver(this, ...copies);
  }

  afford(...amount: Parameters<ExpressionWriter<E>['afford']>): void {
    this.writer.afford(...amount);
  }

  canKeep(count: number): boolean {
    return this.writer.canKeep(count);
  }

  /** Entries as a list. */
  of(entries: readonly Entry<E>[]): Places<E> {
    return { shape: [entries.length], entries };
  }

  /** The expressions of a tensor. */
  expressions({ entries }: Places<E>): E[] {
    return entries.map((entry) => this.expression(entry));
  }

  private expression(entry: Entry<E>): E {
    return isExpression(entry) ? entry : this.writer.literal(entry as number | boolean);
  }

  constant(values: ArrayLike<number | boolean>, ...shape: readonly number[]): Places<E> {
    return { shape: shape.length > 0 ? shape : [values.length], entries: Array.from(values) };
  }

  protected apply(op: Elementwise, ...operands: readonly Operand<Places<E>>[]): Places<E> {
    return this.each(operands, (entries) => this.entry(op, ...entries));
  }

  where(condition: Places<E>, yes: Operand<Places<E>>, no: Operand<Places<E>>): Places<E> {
    return this.each([condition, yes, no], ([test, a, b]) => {
      if (!isExpression(test)) return test ? a : b;
      if (a === b) return a;
      const [own, other] = [this.expression(a), this.writer.brief(this.expression(b))];
      const nullable = own.nullable || (!this.conditions.has(test.text) && other.nullable);
      return { ...this.writer.branch(this.writer.brief(test), this.writer.brief(own), other), nullable };
    });
  }

  missing(x: Places<E>): Places<E> {
    return this.each([x], ([entry]) => {
      if (!isExpression(entry)) return Number.isNaN(entry);
      if (!entry.nullable) return false;
      const gap = { ...this.writer.isMissing(this.writer.column(entry)), nullable: false };
      this.conditions.add(gap.text);
      return gap;
    });
  }

  mayMiss({ entries }: Places<E>): boolean {
    return entries.some((entry) => (isExpression(entry) ? entry.nullable : Number.isNaN(entry)));
  }

  present({ shape, entries }: Places<E>): Places<E> {
    return { shape, entries: entries.map((own) => (isExpression(own) ? { ...own, nullable: false } : own)) };
  }

  reshape({ entries }: Places<E>, ...shape: readonly number[]): Places<E> {
    return { shape, entries };
  }

  gather({ shape, entries }: Places<E>, axis: number, places: ArrayLike<number>): Places<E> {
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

  concat(parts: readonly Places<E>[]): Places<E> {
    const length = parts.reduce((sum, { shape }) => sum + shape[0], 0);
    return { shape: [length, ...parts[0].shape.slice(1)], entries: parts.flatMap(({ entries }) => entries) };
  }

  reduce(how: Reduction, { shape, entries }: Places<E>, axis: number): Places<E> {
    const inner = sizeOf(shape.slice(axis + 1));
    const length = shape[axis];
    const rest = shape.filter((_, k) => k !== axis);
    const reduced = range(sizeOf(rest)).map((k) => {
      const start = Math.floor(k / inner) * length * inner + (k % inner);
      return this.reducers[how](range(length).map((at) => entries[start + at * inner]));
    });
    return { shape: rest, entries: reduced };
  }

  private readonly reducers: Readonly<Record<Reduction, (entries: readonly Entry<E>[]) => Entry<E>>> = {
    sum: (entries) => this.combined('add', entries, 0),
    max: (entries) => this.combined('max', entries, -Infinity),
    logSumExp: (all) => {
      if (!all.some((own) => isExpression(own))) return logSumExp(Float64Array.from(all as number[]));
      const entries = all.filter((own) => own !== -Infinity).map((own) => this.writer.brief(this.expression(own)));
      if (entries.length === 1) return entries[0];
      const top = this.writer.column(this.expression(this.combined('max', entries, -Infinity)));
      const sum = this.writer.write(
        'add',
        top,
        this.logOfSum(entries.map((own) => this.writer.write('sub', own, top))),
      );
      const [least, most] = [-Infinity, Infinity].map((end) =>
        this.writer.write('equal', top, this.writer.literal(end)),
      );
      return this.writer.column(this.writer.branch(this.writer.write('or', most, least), top, sum));
    },
  };

  /** Sum or maximum of entries as a balanced tree, because a chain of a thousand operations is too deep for some parsers. */
  private combined(op: 'add' | 'max', entries: readonly Entry<E>[], start: number): Entry<E> {
    const numbers = entries.filter((own) => !isExpression(own));
    const number = numbers.reduce<number>((all, own) => Number(this.entry(op, all, own)), start);
    const own = entries.filter((entry) => isExpression(entry));
    if (own.length === 0 || (op === 'add' && infinite(number))) return number;
    const pairwise = (list: readonly E[]): E => {
      if (list.length === 1) return list[0];
      const middle = list.length >> 1;
      return this.writer.write(op, pairwise(list.slice(0, middle)), pairwise(list.slice(middle)));
    };
    return pairwise(number === start ? own : [this.writer.literal(number), ...own]);
  }

  logSoftmax({ shape, entries }: Places<E>): Places<E> {
    if (!entries.some((own) => isExpression(own))) {
      const out = new Float64Array(entries.length);
      logSoftmaxInto(Float64Array.from(entries as number[]), 0, out.length, out);
      return { shape, entries: Array.from(out) };
    }
    const scores = entries.map((own) => this.writer.column(this.expression(own)));
    const top = this.writer.column(this.expression(this.combined('max', scores, -Infinity)));
    // the distance of a score of Infinity from itself is zero
    const apart = scores.map((own) =>
      this.writer.column(
        this.writer.branch(
          this.writer.write('equal', own, top),
          this.writer.literal(0),
          this.writer.write('sub', own, top),
        ),
      ),
    );
    const log = this.writer.column(this.logOfSum(apart));
    return { shape, entries: apart.map((own) => this.writer.column(this.writer.write('sub', own, log))) };
  }

  /** ln Σ exp of numbers of which the greatest is 0; the sum is below 1 only in rows that are not answered, whose scores are missing. */
  private logOfSum(logs: readonly E[]): E {
    const parts = logs.map((own) => this.writer.write('exp', own));
    return this.writer.write(
      'ln',
      this.writer.write('max', this.writer.literal(1), this.expression(this.combined('add', parts, 0))),
    );
  }

  product(x: Places<E>, weights: Float64Array, columns: number): Places<E> {
    const { entries } = this.keep(x);
    const times = (own: Entry<E>, weight: number): Entry<E> => {
      if (Number.isFinite(weight)) return this.entry('mul', own, weight);
      if (!isExpression(own)) return own === 0 ? 0 : Number(own) * weight;
      const zero = this.writer.literal(0);
      return this.writer.branch(
        this.writer.write('equal', own, zero),
        zero,
        this.writer.write('mul', own, this.writer.literal(weight)),
      );
    };
    return this.of(
      range(columns).map((k) => this.reducers.sum(entries.map((own, j) => times(own, weights[j * columns + k])))),
    );
  }

  lookup(x: Places<E>, tables: readonly Float64Array[], width: number): Places<E> {
    const { entries } = this.keep(x);
    const found = tables.flatMap((table, j) => {
      const rows = range(table.length / width);
      return range(width).map((k) => this.valueAt(entries[j], rows.map((row) => table[row * width + k]))); // biome-ignore format: short
    });
    return { shape: [tables.length, width], entries: found };
  }

  choose(x: Places<E>, { shape, entries }: Places<E>): Places<E> {
    const length = shape[shape.length - 1];
    const [place] = this.keep(x).entries;
    const starts = range(entries.length / length).map((k) => k * length);
    const chosen = starts.map((from) => this.valueAt(place, entries.slice(from, from + length)));
    return { shape: shape.slice(0, -1), entries: chosen };
  }

  /** The value at a place; the last one beyond it, and 0 where the place is missing. */
  private valueAt(x: Entry<E>, values: readonly Entry<E>[]): Entry<E> {
    if (!isExpression(x)) return Number.isNaN(x) ? 0 : values[Math.min(Number(x), values.length - 1)];
    const found = this.steps(x, range(values.length, 1), values, true);
    if (!x.nullable || found === 0) return found;
    const known = this.writer.branch(this.writer.isMissing(x), this.writer.literal(0), this.expression(found));
    return { ...known, nullable: false };
  }

  pieces(x: Places<E>, cuts: readonly Float64Array[], inclusive: boolean): Places<E> {
    const { entries } = this.keep(x);
    return this.of(
      cuts.map((own, j) => {
        const x = entries[j];
        if (isExpression(x)) return this.steps(x, own, range(own.length + 1), inclusive);
        return own.filter((cut) => (inclusive ? cut <= Number(x) : cut < Number(x))).length;
      }),
    );
  }

  /** The value with as many cuts before it as are below x, or with `inclusive` at most x: a binary search as branches. */
  private steps(x: E, cuts: ArrayLike<number>, values: readonly Entry<E>[], inclusive: boolean): Entry<E> {
    const starts = range(values.length).filter((k) => k === 0 || values[k] !== values[k - 1]);
    const search = (list: readonly number[]): Entry<E> => {
      if (list.length === 1) return values[list[0]];
      const middle = list.length >> 1;
      const test = this.writer.write(
        inclusive ? 'less' : 'lessOrEqual',
        x,
        this.writer.literal(cuts[list[middle] - 1]),
      );
      const [below, above] = [list.slice(0, middle), list.slice(middle)].map((half) => this.expression(search(half)));
      return this.writer.branch(test, below, above);
    };
    return search(starts);
  }

  keep({ shape, entries }: Places<E>): Places<E> {
    return { shape, entries: entries.map((own) => (isExpression(own) ? this.writer.column(own) : own)) };
  }

  require({ entries }: Places<E>): void {
    for (const own of entries) if (own !== true) this.writer.require(this.expression(own));
  }

  private entry(op: Elementwise, ...operands: readonly Entry<E>[]): Entry<E> {
    const { fold, neutral, ends } = foldings[op];
    const [first, second] = operands;
    const [expression, number] = isExpression(first) ? [first, second] : [second, first];
    if (!isExpression(expression)) return (fold as (...own: readonly Entry<E>[]) => Entry<E>)(...operands);
    if (operands.length === 2 && !isExpression(number)) {
      if (neutral?.(number as number, number === second)) return expression;
      if (ends?.(number as number)) return number;
      if (op === 'mul' && number === 0 && !expression.nullable) return 0;
    }
    return this.writer.write(op, ...operands.map((own) => this.writer.brief(this.expression(own))));
  }

  /** An expression for each place of operands that broadcast. */
  private each(operands: readonly Operand<Places<E>>[], make: (entries: readonly Entry<E>[]) => Entry<E>): Places<E> {
    const shape = broadcast(operands.map((own) => (typeof own === 'number' ? [] : own.shape)));
    const placed = operands.map((own) => (typeof own === 'number' ? () => own : placesIn(own, shape)));
    return { shape, entries: range(sizeOf(shape)).map((k) => make(placed.map((entryAt) => entryAt(k)))) };
  }
}

/** The entry of a tensor at each place of a wider shape. */
function placesIn<E>({ shape, entries }: Places<E>, wide: readonly number[]): (k: number) => Entry<E> {
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
