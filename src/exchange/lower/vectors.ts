import type { Plan, PlanInput, PlanTerm, PlanVector, TermVector } from '../plan.ts';
import type { Algebra, Tensor } from './algebra.ts';
import { type CellReader, lowerInput } from './inputs.ts';
import type { Source } from './scores.ts';
import { lowerTerm } from './terms.ts';

/** Vectors that are made of the numbers of one vector before them. */
export type Cellwise = Exclude<PlanVector, { op: 'inputs' | 'terms' | 'join' }>;

type Of<Op extends Cellwise['op']> = Extract<Cellwise, { op: Op }>;

const lowerings: {
  readonly [Op in Cellwise['op']]: <T extends Tensor>(vector: Of<Op>, a: Algebra<T>, x: T) => T;
} = {
  pick: ({ columns }, a, x) => a.gather(x, 0, columns),
  above: ({ threshold }, a, x) => a.unlessMissing(x, a.indicator(a.less(threshold, x)), x),
  scale: ({ mean, scale, fill }, a, x) =>
    a.unlessMissing(x, a.div(a.sub(x, a.constant(mean)), a.constant(scale)), a.constant(fill)),
  equal({ values }, a, x) {
    const same = a.indicator(a.equal(x, a.constant(values)));
    const compared = a.constant(Array.from(values, (value) => !Number.isNaN(value)));
    return a.unlessMissing(x, a.where(compared, same, x), x);
  },
  bin({ cuts, missing }, a, x) {
    const bins = a.pieces(x, cuts.map((own) => own ?? new Float64Array()), true); // biome-ignore format: short
    const cut = a.constant(cuts.map((own) => own !== null));
    const last = a.constant(Float64Array.from(cuts, (own) => (own ? own.length + 1 : Number.NaN)));
    return a.unlessMissing(x, a.where(cut, bins, x), missing === 'last' ? last : x);
  },
  limit({ levels: counts, unknown, missing }, a, x) {
    const levels = a.constant(counts);
    const whole = a.and(a.lessOrEqual(0, x), a.equal(x, a.floor(x)));
    const known = unknown === 'refuse' ? a.and(whole, a.less(x, levels)) : whole;
    a.require(missing === 'missing' ? a.or(a.missing(x), known) : known);
    const beyond = unknown === 'last' ? levels : Number.NaN;
    return a.unlessMissing(x, a.where(a.less(x, levels), x, beyond), x);
  },
  within: ({ least, most }, a, x) =>
    a.where(a.and(a.lessOrEqual(a.constant(least), x), a.lessOrEqual(x, a.constant(most))), x, Number.NaN),
  cross({ first, second, sizes }, a, x) {
    const last = a.constant(sizes.map((size) => size - 1));
    const own = a.gather(x, 0, second);
    const other = a.unlessMissing(own, a.where(a.less(last, own), last, own), own);
    return a.add(a.mul(a.gather(x, 0, first), a.constant(sizes)), other);
  },
  onehot({ widths }, a, x) {
    const columns = Array.from(widths, (count, j) => new Array<number>(count).fill(j)).flat();
    const places = Array.from(widths, (count) => Array.from({ length: count }, (_, v) => v)).flat();
    return a.indicator(a.equal(a.gather(x, 0, columns), a.constant(places)));
  },
  'root-share'(_, a, x) {
    const total = a.keep(a.sum(x));
    return a.where(a.equal(x, 0), 0, a.sqrt(a.div(x, total)));
  },
  weigh({ tf, idf, norm }, a, x) {
    const curve = {
      raw: () => x,
      binary: () => a.constant(new Float64Array(x.shape[0]).fill(1)),
      sqrt: () => a.sqrt(x),
      log1p: () => a.ln(a.add(x, 1)),
      sublinear: () => a.add(a.ln(x), 1),
    }[tf]();
    const weights = a.keep(a.where(a.equal(x, 0), 0, idf ? a.mul(curve, a.constant(idf)) : curve));
    if (norm === null) return weights;
    const total = a.keep(a.sum(norm === 'l2' ? a.mul(weights, weights) : a.abs(weights)));
    return a.where(a.equal(total, 0), 0, a.div(weights, norm === 'l2' ? a.sqrt(total) : total));
  },
};

/** The numbers of a vector that is made of another. */
export function lowerVector<T extends Tensor>(a: Algebra<T>, vector: Cellwise, x: T): T {
  return a.keep(lowerings[vector.op](vector as never, a, x));
}

/** What a target reads of a row. */
export interface RowReader<T> extends CellReader<T> {
  counts(vector: TermVector): T;
}

/** The vectors of a plan as tensors, made on demand. */
export class TensorVectors<T extends Tensor> implements Source<T> {
  protected readonly algebra: Algebra<T>;
  protected readonly plan: Pick<Plan, 'inputs' | 'vectors'>;
  private readonly reader: RowReader<T>;
  private readonly read = new Map<PlanInput, T>();
  private readonly made = new Map<number, T>();

  constructor(algebra: Algebra<T>, plan: Pick<Plan, 'inputs' | 'vectors'>, reader: RowReader<T>) {
    this.algebra = algebra;
    this.plan = plan;
    this.reader = reader;
  }

  term(term: PlanTerm, start: Float64Array): T {
    return lowerTerm(this.algebra, term, this.vector(term.vector), start);
  }

  vector(k: number): T {
    const vector = this.made.get(k) ?? this.make(this.plan.vectors[k]);
    this.made.set(k, vector);
    return vector;
  }

  hasTerms(k: number): T {
    const { algebra } = this;
    const marks = algebra.where(algebra.equal(this.vector(k), 0), 0, 1);
    return algebra.reshape(algebra.reduce('max', marks, 0), 1);
  }

  private input(input: PlanInput): T {
    const read = this.read.get(input) ?? lowerInput(this.algebra, input, this.reader);
    this.read.set(input, read);
    return read;
  }

  private make(vector: PlanVector): T {
    const { algebra, plan } = this;
    if (vector.op === 'inputs') return algebra.concat(vector.inputs.map((k) => this.input(plan.inputs[k])));
    if (vector.op === 'terms') return this.reader.counts(vector);
    if (vector.op === 'join') return algebra.concat(vector.from.map((k) => this.vector(k)));
    return lowerVector(algebra, vector, this.vector(vector.from));
  }
}
