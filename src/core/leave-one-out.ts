import type { Batch } from '../data/batch.ts';
import { remainder } from '../math/arrays.ts';
import { type ClassPrior, logClassPrior } from './prior.ts';

/**
 * Completes leave-one-out scores. On entry `out[i,c]` holds ln p(xᵢ | c) computed from all rows. Leaving out row i
 * changes only the likelihood of its own class, to `own(i)`, and the weight of that class in the prior.
 */
export function holdOut(
  n: Float64Array,
  classPrior: ClassPrior | undefined,
  { rows, classes, y, w }: Batch,
  out: Float64Array,
  own: (i: number) => number,
): void {
  for (let i = 0; i < rows; i++) {
    out[i * classes + y[i]] = own(i);
    const prior = logPriorWithout(n, y[i], w[i], classPrior);
    for (let c = 0; c < classes; c++) out[i * classes + c] += prior[c];
  }
}

/** ln p(c) when a row of class y and weight w is left out. */
export function logPriorWithout(
  n: Float64Array,
  y: number,
  w: number,
  classPrior: ClassPrior | undefined,
): Float64Array {
  const left = n.slice();
  left[y] = remainder(n[y], w);
  return logClassPrior(left, classPrior);
}

/** Caches what depends on the class and weight of the omitted row: most rows have equal weights. */
export function perClassAndWeight<T>(make: (c: number, w: number) => T): (c: number, w: number) => T {
  const known = new Map<number, Map<number, T>>();
  return (c, w) => {
    let ofClass = known.get(c);
    if (!ofClass) known.set(c, (ofClass = new Map()));
    let value = ofClass.get(w);
    if (value === undefined) ofClass.set(w, (value = make(c, w)));
    return value;
  };
}
