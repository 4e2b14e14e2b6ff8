import type { DenseRows, Shape } from '../data/batch.ts';
import { hasNaN } from '../math/arrays.ts';

/** The features of a row that are present. */
export function observedIn(x: Float64Array, at: number, features: number): number[] {
  const observed: number[] = [];
  for (let j = 0; j < features; j++) if (!Number.isNaN(x[at + j])) observed.push(j);
  return observed;
}

/** The approximate limit of numbers in the marginals of one model. */
const MOST_NUMBERS = 1 << 21;

/** Marginals by their features, cached for the lifetime of the model. */
const known = new WeakMap<Shape, Map<string, Shape>>();

/** The marginal of a model over some features, made once for each pattern of missing cells. */
function marginalOf<P extends Shape>(params: P, observed: readonly number[], make: Marginal<P>): P {
  const marginals = (known.get(params) ?? new Map()) as Map<string, P>;
  known.set(params, marginals);
  const key = observed.join();
  const before = marginals.get(key);
  if (before) return before;
  if (marginals.size >= MOST_NUMBERS / (params.features ** 2 * params.classes)) marginals.clear();
  const marginal = make(params, observed);
  marginals.set(key, marginal);
  return marginal;
}

/** Makes the marginal of a model over some features: the others have no influence on its scores, whatever their cells are. */
export type Marginal<P> = (params: P, observed: readonly number[]) => P;

/** The model that scores row i, and the row with zeros for its missing cells. */
export function marginalRow<P extends Shape>(
  params: P,
  { features, x }: Pick<DenseRows, 'features' | 'x'>,
  i: number,
  make: Marginal<P>,
): { params: P; row: Float64Array } {
  const row = x.slice(i * features, (i + 1) * features);
  const observed = observedIn(row, 0, features);
  if (observed.length === features) return { params, row };
  return { params: marginalOf(params, observed, make), row: row.map((value) => (Number.isNaN(value) ? 0 : value)) };
}

/**
 * Scores rows with missing cells: rows that lack the same cells are scored together, by the marginal of the model over the others.
 * Complete rows are scored by the model itself.
 */
export function scoreByPattern<P extends Shape>(
  params: P,
  rows: DenseRows,
  out: Float64Array,
  make: Marginal<P>,
  score: (params: P, rows: DenseRows, out: Float64Array) => void,
): void {
  const { features, x } = rows;
  const classes = rows.rows === 0 ? 0 : out.length / rows.rows;
  if (!hasNaN(x)) {
    score(params, rows, out);
    return;
  }
  const patterns = new Map<string, { observed: number[]; places: number[] }>();
  for (let i = 0; i < rows.rows; i++) {
    const observed = observedIn(x, i * features, features);
    const key = observed.join();
    const pattern = patterns.get(key);
    if (pattern) pattern.places.push(i);
    else patterns.set(key, { observed, places: [i] });
  }
  for (const { observed, places } of patterns.values()) {
    const cells = new Float64Array(places.length * features);
    places.forEach((i, k) => {
      for (const j of observed) cells[k * features + j] = x[i * features + j];
    });
    const part = new Float64Array(places.length * classes);
    const own = observed.length === features ? params : marginalOf(params, observed, make);
    score(own, { rows: places.length, features, x: cells }, part);
    places.forEach((i, k) => {
      out.set(part.subarray(k * classes, (k + 1) * classes), i * classes);
    });
  }
}
