import type { PlanVector } from '../plan.ts';
import type { Algebra, Tensor } from './algebra.ts';

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
