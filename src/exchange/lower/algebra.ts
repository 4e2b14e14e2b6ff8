/** A tensor of numbers or conditions of this shape for every row. */
export interface Tensor {
  readonly shape: readonly number[];
}

/** A tensor, or one number that is broadcast. */
export type Operand<T> = T | number;

export type Arithmetic = 'add' | 'sub' | 'mul' | 'div' | 'max' | 'min';
export type Comparison = 'less' | 'lessOrEqual' | 'equal';
export type Logic = 'and' | 'or' | 'not';
export type Unary = 'exp' | 'log' | 'ln' | 'sqrt' | 'abs' | 'floor' | 'sin';

/** An element-wise operation. */
export type Elementwise = Arithmetic | Comparison | Logic | Unary;

/** An element-wise operation on two tensors. */
type Binary<T> = (x: Operand<T>, y: Operand<T>) => T;

export type Reduction = 'sum' | 'max' | 'logSumExp';

/**
 * What a target can compute with the numbers of a row. The lowering of plans is written once against this class, which ONNX, SQL and
 * PMML implement. Shapes broadcast from the right, as in NumPy, and leave out the rows. A missing number is NaN, or NULL in SQL; comparisons
 * with it are false.
 */
export abstract class Algebra<T extends Tensor> {
  /** The same numbers or conditions for every row. */
  abstract constant(values: ArrayLike<number | boolean>, ...shape: readonly number[]): T;
  protected abstract apply(op: Elementwise, ...operands: readonly Operand<T>[]): T;
  abstract where(condition: T, yes: Operand<T>, no: Operand<T>): T;
  /** Which numbers are missing. */
  abstract missing(x: T): T;
  /** Whether some number may be missing in some row. */
  abstract mayMiss(x: T): boolean;
  /** The same numbers, of which only rows without a result miss any. */
  abstract present(x: T): T;
  abstract reshape(x: T, ...shape: readonly number[]): T;
  /** Selects positions of an axis, in any order. */
  abstract gather(x: T, axis: number, places: ArrayLike<number>): T;
  /** Concatenates tensors along the first axis. */
  abstract concat(parts: readonly T[]): T;
  /** Reduces along an axis, which is removed from the shape. */
  abstract reduce(how: Reduction, x: T, axis: number): T;
  /** S − ln Σ exp S. Scores of Infinity share the probability equally. */
  abstract logSoftmax(scores: T): T;
  /** Σ x[j] weights[j · columns + k] for every k; 0 · ∞ is 0. */
  abstract product(x: T, weights: Float64Array, columns: number): T;
  /**
   * For every x[j] the row of its table with that number, `width` numbers; numbers beyond the last row find the last one. Where x[j] is
   * missing, zeros.
   */
  abstract lookup(x: T, tables: readonly Float64Array[], width: number): T;
  /** values[…, x] of one number x; beyond the last place the last one, and 0 where x is missing. */
  abstract choose(x: T, values: T): T;
  /** How many of the rising cuts[j] are below x[j], or with `inclusive` at most x[j]. */
  abstract pieces(x: T, cuts: readonly Float64Array[], inclusive: boolean): T;
  /**
   * Every row `times` times, with the number of the copy from 0: ln Σ exp of what `score` gives for each copy. `carried` are values of
   * the row that the score is made of. At most `most` copies are made.
   */
  abstract sumOver(times: T, most: number, carried: readonly T[], score: (copy: T, carried: readonly T[]) => T): T;
  /** A value that is used more than once. */
  abstract keep(x: T): T;
  /** Rows for which this is false get no result. */
  abstract require(condition: T): void;
  /** Throws for tables of more numbers than the target can hold. */
  abstract afford(what: string, unit: 'pairs of levels' | 'values', count: number): void;
  /** Whether this number of intermediate values can be kept for a row. */
  abstract canKeep(count: number): boolean;

  readonly add: Binary<T> = (x, y) => this.apply('add', x, y);
  readonly sub: Binary<T> = (x, y) => this.apply('sub', x, y);
  readonly mul: Binary<T> = (x, y) => this.apply('mul', x, y);
  readonly div: Binary<T> = (x, y) => this.apply('div', x, y);
  readonly max: Binary<T> = (x, y) => this.apply('max', x, y);
  readonly min: Binary<T> = (x, y) => this.apply('min', x, y);
  readonly less: Binary<T> = (x, y) => this.apply('less', x, y);
  readonly lessOrEqual: Binary<T> = (x, y) => this.apply('lessOrEqual', x, y);
  readonly equal: Binary<T> = (x, y) => this.apply('equal', x, y);
  readonly and: Binary<T> = (x, y) => this.apply('and', x, y);
  readonly or: Binary<T> = (x, y) => this.apply('or', x, y);
  /** Negation of a condition that is never unknown, such as `missing`. */
  readonly not = (x: T): T => this.apply('not', x);
  readonly exp = (x: T): T => this.apply('exp', x);
  /** ln of a number that is not negative; that of 0 is −Infinity. */
  readonly log = (x: T): T => this.apply('log', x);
  /** ln of a number above 0. */
  readonly ln = (x: T): T => this.apply('ln', x);
  readonly sqrt = (x: T): T => this.apply('sqrt', x);
  readonly abs = (x: T): T => this.apply('abs', x);
  readonly floor = (x: T): T => this.apply('floor', x);
  readonly sin = (x: T): T => this.apply('sin', x);

  sum(x: T, axis = 0): T {
    return this.reduce('sum', x, axis);
  }
  /** A value made of x, unless x is missing. */
  unlessMissing(x: T, value: T, instead: Operand<T>): T {
    return this.mayMiss(x) ? this.where(this.missing(x), instead, value) : value;
  }
  /** 1 where a condition holds, else 0. */
  indicator(condition: T): T {
    return this.where(condition, 1, 0);
  }
  /** One place of the first axis, as an axis of length 1. */
  at(x: T, k: number): T {
    return this.gather(x, 0, [k]);
  }
}

/** The shape that shapes broadcast to. */
export function broadcast(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(0, ...shapes.map(({ length }) => length));
  return Array.from({ length: rank }, (_, k) =>
    shapes.reduce((size, shape) => {
      const own = shape[k - rank + shape.length] ?? 1;
      return own === 1 ? size : own;
    }, 1),
  );
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((size, length) => size * length, 1);

/** The whole numbers from `start` below `end`. */
export const range = (end: number, start = 0): number[] => Array.from({ length: end - start }, (_, k) => start + k);

/** A table of rows × columns as one of columns × rows. */
export function turned(values: Float64Array, rows: number, columns: number): Float64Array {
  return values.map((_, k) => values[(k % rows) * columns + Math.floor(k / rows)]);
}
