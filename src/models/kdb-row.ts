import type { ByClass, FeatureTables } from './kdb-tables.ts';

/** A row that is left out of the counts: its class and its weight. */
export interface LeftOut {
  readonly c: number;
  readonly weight: number;
}

/**
 * Where a value stands in the tables of a feature: at depth d its context at path[2d] and itself in that context at path[2d + 1],
 * −1 where it never occurred. Returns how many depths know the context; a level that is NaN or was never seen ends the path.
 */
export function locate(
  { depths }: FeatureTables,
  row: Float64Array,
  parents: readonly number[],
  value: number,
  path: Int32Array,
): number {
  let context = 0;
  for (let d = 0; d < depths.length; d++) {
    if (d > 0) context = depths[d].contexts.find(context, row[parents[d - 1]]);
    if (context < 0) return d;
    path[2 * d] = context;
    path[2 * d + 1] = depths[d].values.find(context, value);
  }
  return depths.length;
}

/** p(x = value): the start of `blend`. */
export function rootShare({ counts, total, concentration }: FeatureTables, value: number, leftOut?: LeftOut): number {
  const gone = leftOut?.weight ?? 0;
  const known = value < counts.length ? counts[value] : 0;
  return (known - gone + concentration / counts.length) / (total - gone + concentration);
}

/**
 * Turns shares given the first d − 1 parents into those given d parents, for all classes from `at`:
 *
 *   p_d(v | c, u) = (n[c,u,v] + m p_{d−1}(v | c, u)) / (N[c,u] + m)                              (1)
 *
 * Classes that were not seen in the context keep their share.
 */
export function blend(
  shares: Float64Array,
  at: number,
  wholes: ByClass,
  context: number,
  parts: ByClass,
  value: number,
  m: number,
  leftOut?: LeftOut,
): void {
  let next = value < 0 ? 0 : parts.start[value];
  const end = value < 0 ? 0 : parts.start[value + 1];
  for (let s = wholes.start[context]; s < wholes.start[context + 1]; s++) {
    const c = wholes.classes[s];
    while (next < end && parts.classes[next] < c) next++;
    let part = next < end && parts.classes[next] === c ? parts.weights[next] : 0;
    let whole = wholes.weights[s];
    if (leftOut !== undefined && leftOut.c === c) {
      part -= leftOut.weight;
      whole -= leftOut.weight;
    }
    shares[at + c] = (part + m * shares[at + c]) / (whole + m);
  }
}
