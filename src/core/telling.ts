/**
 * Σ{c' ≠ c} p(c') v[c'] / Σ{c' ≠ c} p(c'): what the other classes show on average; v[c] itself where there are no others.
 * Sums from both ends, since all less one would cancel.
 */
export function restOf(values: Float64Array, priors: Float64Array): Float64Array {
  const sums = new Float64Array(values.length);
  const masses = new Float64Array(values.length);
  const walk = (order: Iterable<number>) => {
    let [sum, mass] = [0, 0];
    for (const c of order) {
      sums[c] += sum;
      masses[c] += mass;
      sum += priors[c] * values[c];
      mass += priors[c];
    }
  };
  walk(values.keys());
  walk([...values.keys()].reverse());
  return sums.map((sum, c) => (masses[c] > 0 ? sum / masses[c] : values[c]));
}

/** The divergence of every class from the others for features that have one parameter in each class; class-major. */
export function tellingBy(
  { classes, features }: { readonly classes: number; readonly features: number },
  logPrior: Float64Array,
  parameter: (c: number, j: number) => number,
  divergence: (own: number, rest: number) => number,
): Float64Array {
  const priors = logPrior.map(Math.exp);
  const own = new Float64Array(classes);
  const out = new Float64Array(classes * features);
  for (let j = 0; j < features; j++) {
    for (let c = 0; c < classes; c++) own[c] = parameter(c, j);
    const rest = restOf(own, priors);
    for (let c = 0; c < classes; c++) out[c * features + j] = divergence(own[c], rest[c]);
  }
  return out;
}

/** p ln(p / q), with 0 ln 0 = 0: what one face of a die adds to the divergence from another die. */
export function divergenceAt(p: number, q: number): number {
  return p === 0 ? 0 : p * Math.log(p / q);
}
