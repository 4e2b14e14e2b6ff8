import { Algebra, broadcast, type Elementwise, type Operand, type Reduction, range, sizeOf } from '../lower/algebra.ts';
import { cannotTranslate, type Graph } from './graph.ts';

/** A value of a graph; with `rows`, rows are its first axis, which the shape leaves out. */
export interface GraphTensor {
  readonly shape: readonly number[];
  readonly name: string;
  readonly rows: boolean;
  /** Whether numbers may be missing, which are NaN. */
  readonly gaps: boolean;
}

const operators: Readonly<Record<Elementwise, string>> = {
  add: 'Add',
  sub: 'Sub',
  mul: 'Mul',
  div: 'Div',
  max: 'Max',
  min: 'Min',
  less: 'Less',
  lessOrEqual: 'LessOrEqual',
  equal: 'Equal',
  and: 'And',
  or: 'Or',
  not: 'Not',
  exp: 'Exp',
  log: 'Log',
  ln: 'Log',
  sqrt: 'Sqrt',
  abs: 'Abs',
  floor: 'Floor',
  sin: 'Sin',
};

const reductions: Readonly<Record<Reduction, string>> = {
  sum: 'ReduceSum',
  max: 'ReduceMax',
  logSumExp: 'ReduceLogSumExp',
};

/** The most numbers of a table; more would make files of hundreds of megabytes. */
const MOST_NUMBERS = 2 ** 24;

/** The operators of ONNX, in doubles. */
export class GraphAlgebra extends Algebra<GraphTensor> {
  private readonly graph: Graph;
  private readonly gaps = new Set<string>(); // conditions that say what is missing
  private readonly conditions: GraphTensor[] = []; // of rows with a result

  constructor(graph: Graph) {
    super();
    this.graph = graph;
  }

  constant(values: ArrayLike<number | boolean>, ...given: readonly number[]): GraphTensor {
    const shape = given.length > 0 ? given : [values.length];
    const type = typeof values[0] === 'boolean' ? 'bool' : 'double';
    const gaps = Array.from(values).some(Number.isNaN);
    return { shape, name: this.graph.constant({ type, shape, values }), rows: false, gaps };
  }

  protected apply(op: Elementwise, ...operands: readonly Operand<GraphTensor>[]): GraphTensor {
    const gaps = operands.some((own) => typeof own === 'object' && own.gaps);
    return this.node(operators[op], operands, gaps);
  }

  where(condition: GraphTensor, yes: Operand<GraphTensor>, no: Operand<GraphTensor>): GraphTensor {
    const mayMiss = (own: Operand<GraphTensor>) => (typeof own === 'number' ? Number.isNaN(own) : own.gaps);
    const guarded = this.gaps.has(condition.name);
    return this.node('Where', [condition, yes, no], mayMiss(yes) || (!guarded && mayMiss(no)));
  }

  missing(x: GraphTensor): GraphTensor {
    const gap = this.node('IsNaN', [x], false);
    this.gaps.add(gap.name);
    return gap;
  }

  mayMiss(x: GraphTensor): boolean {
    return x.gaps;
  }

  present(x: GraphTensor): GraphTensor {
    return { ...x, gaps: false };
  }

  reshape(x: GraphTensor, ...shape: readonly number[]): GraphTensor {
    const { graph } = this;
    const name = graph.node('Reshape', [x.name, graph.integers(...(x.rows ? [0] : []), ...shape)]);
    if (this.gaps.has(x.name)) this.gaps.add(name);
    return { ...x, shape, name };
  }

  gather(x: GraphTensor, axis: number, places: ArrayLike<number>): GraphTensor {
    const name = this.graph.node('Gather', [x.name, this.graph.columns(places)], { axis: axis - x.shape.length });
    if (this.gaps.has(x.name)) this.gaps.add(name);
    return { ...x, shape: x.shape.map((length, k) => (k === axis ? places.length : length)), name };
  }

  concat(parts: readonly GraphTensor[]): GraphTensor {
    const { graph } = this;
    if (parts.length === 1) return parts[0];
    const row = parts.find(({ rows }) => rows);
    const names = parts.map(({ name, rows, shape }) =>
      row && !rows ? graph.node('Expand', [name, this.lengths(this.rowsOf(row), ...shape)]) : name,
    );
    const [{ shape }] = parts;
    const length = parts.reduce((sum, own) => sum + own.shape[0], 0);
    return {
      shape: [length, ...shape.slice(1)],
      name: graph.node('Concat', names, { axis: -shape.length }),
      rows: row !== undefined,
      gaps: parts.some(({ gaps }) => gaps),
    };
  }

  reduce(how: Reduction, x: GraphTensor, axis: number): GraphTensor {
    const { graph } = this;
    const name = graph.node(reductions[how], [x.name, graph.integers(axis - x.shape.length)], { keepdims: 0 });
    return { ...x, shape: x.shape.filter((_, k) => k !== axis), name };
  }

  logSoftmax(scores: GraphTensor): GraphTensor {
    const top = this.reshape(this.reduce('max', scores, 0), 1);
    const shared = this.where(this.equal(scores, Infinity), 0, -Infinity);
    const certain = this.where(this.equal(top, Infinity), shared, scores);
    return { ...scores, rows: certain.rows, name: this.graph.node('LogSoftmax', [certain.name], { axis: -1 }) };
  }

  product(x: GraphTensor, weights: Float64Array, columns: number): GraphTensor {
    const matrix = (values: Float64Array) => this.graph.doubles(values, x.shape[0], columns);
    const times = (own: GraphTensor, values: Float64Array): GraphTensor => {
      return { ...own, shape: [columns], name: this.graph.node('MatMul', [own.name, matrix(values)]) };
    };
    let sum = times(x, weights.map((weight) => (Number.isFinite(weight) ? weight : 0))); // biome-ignore format: short
    for (const end of [-Infinity, Infinity]) {
      if (!weights.includes(end)) continue;
      const nonzero = this.where(this.equal(x, 0), 0, 1);
      const met = times(nonzero, weights.map((weight) => Number(weight === end))); // biome-ignore format: short
      sum = this.where(this.less(0, met), end, sum);
    }
    return sum;
  }

  lookup(x: GraphTensor, tables: readonly Float64Array[], width: number): GraphTensor {
    const { graph } = this;
    const rows = tables.map(({ length }) => length / width);
    let total = 0;
    const offsets = rows.map((count) => (total += count) - count);
    if (total * width > MOST_NUMBERS) {
      cannotTranslate(`a table of ${total * width} numbers; ${MOST_NUMBERS} are the most`);
    }
    const all = new Float64Array((total + 1) * width);
    tables.forEach((table, j) => {
      all.set(table, offsets[j] * width);
    });
    const place = this.add(this.min(x, this.constant(rows.map((count) => count - 1))), this.constant(offsets));
    const index = graph.cast(this.where(this.missing(x), total, place).name, 'int64');
    const name = graph.node('Gather', [graph.doubles(all, total + 1, width), index], { axis: 0 });
    return { shape: [tables.length, width], name, rows: x.rows, gaps: false };
  }

  choose(x: GraphTensor, values: GraphTensor): GraphTensor {
    const last = values.shape[values.shape.length - 1] - 1;
    const chosen = this.where(this.equal(this.min(x, last), this.constant(range(last + 1))), values, 0);
    return { ...this.reduce('sum', chosen, values.shape.length - 1), gaps: false };
  }

  pieces(x: GraphTensor, cuts: readonly Float64Array[], inclusive: boolean): GraphTensor {
    const most = Math.max(1, ...cuts.map(({ length }) => length));
    const table = new Float64Array(cuts.length * most).fill(Infinity);
    cuts.forEach((own, j) => {
      table.set(own, j * most);
    });
    const wide = this.reshape(x, cuts.length, 1);
    const all = this.constant(table, cuts.length, most);
    const reached = inclusive ? this.lessOrEqual(all, wide) : this.less(all, wide);
    return { ...this.sum(this.indicator(reached), 1), gaps: false };
  }

  /** Copies of a row are rows of their own, as many as the row of the batch with the most of them has. */
  sumOver(
    times: GraphTensor,
    _most: number,
    carried: readonly GraphTensor[],
    score: (copy: GraphTensor, carried: readonly GraphTensor[]) => GraphTensor,
  ): GraphTensor {
    const { graph } = this;
    const all = graph.node('Concat', [times.name, graph.doubles([1], 1, 1)], { axis: 0 });
    const most = graph.node('ReduceMax', [all], { keepdims: 0 });
    const copies = graph.node('Reshape', [graph.cast(most, 'int64'), graph.integers(1)]);
    const rows = this.rowsOf(times);
    const place = graph.node('Range', [graph.double(0), most, graph.double(1)]);
    const spread = (wide: string, shape: readonly number[]) =>
      graph.node('Reshape', [
        graph.node('Expand', [wide, graph.node('Concat', [rows, copies, graph.integers(...shape)], { axis: 0 })]),
        graph.integers(-1, ...shape),
      ]);
    const copied = carried.map((own) => {
      const shape = own.shape;
      const wide = own.rows ? graph.node('Unsqueeze', [own.name, graph.integers(1)]) : own.name;
      return { ...own, rows: true, name: spread(wide, shape) };
    });
    const copy = { shape: [1], rows: true, gaps: false, name: spread(graph.node('Unsqueeze', [place, graph.integers(1)]), [1]) }; // biome-ignore format: one line
    const own = score(copy, copied);
    const lengths = graph.node('Concat', [rows, copies, graph.integers(...own.shape)], { axis: 0 });
    const each = graph.node('Reshape', [own.name, lengths]);
    const real = graph.node('Unsqueeze', [graph.node('Less', [place, times.name]), graph.integers(2)]);
    const masked = graph.node('Where', [real, each, graph.double(-Infinity)]);
    return { ...own, name: graph.node('ReduceLogSumExp', [masked, graph.integers(1)], { keepdims: 0 }) };
  }

  keep(x: GraphTensor): GraphTensor {
    return x;
  }

  require(condition: GraphTensor): void {
    this.conditions.push(condition);
  }

  /** Values, NaN in rows that do not fulfil all requirements. */
  sound(x: GraphTensor): GraphTensor {
    if (this.conditions.length === 0) return x;
    const broken = this.concat(this.conditions.map((own) => this.reshape(this.where(own, 0, 1), sizeOf(own.shape))));
    return this.where(this.reshape(this.equal(this.reduce('max', broken, 0), 0), 1), x, Number.NaN);
  }

  afford(): void {}

  canKeep(): boolean {
    return true;
  }

  /** How many rows a value has, as a list of one. */
  private rowsOf(x: GraphTensor): string {
    const { graph } = this;
    return graph.node('Gather', [graph.node('Shape', [x.name]), graph.integers(0)], { axis: 0 });
  }

  private lengths(rows: string, ...shape: readonly number[]): string {
    return this.graph.node('Concat', [rows, this.graph.integers(...shape)], { axis: 0 });
  }

  /** An operator whose operands broadcast. */
  private node(op: string, operands: readonly Operand<GraphTensor>[], gaps: boolean): GraphTensor {
    const { graph } = this;
    const shape = broadcast(operands.map((own) => (typeof own === 'number' ? [] : own.shape)));
    let rows = false;
    const names = operands.map((own) => {
      if (typeof own === 'number') return graph.double(own);
      rows ||= own.rows;
      const lacks = shape.length - own.shape.length;
      if (!own.rows || lacks === 0) return own.name;
      return graph.node('Unsqueeze', [own.name, graph.integers(...range(lacks + 1, 1))]);
    });
    const name = graph.node(op, names);
    return { shape, name, rows, gaps };
  }
}
