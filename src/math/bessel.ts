/** Below this the power series is used, above it the asymptotic one; at this point both reach double precision. */
const ASYMPTOTIC_FROM = 20;

/** Σₖ (x²/4)ᵏ / (k! (k + order)!): I_order(x) (2/x)^order, all terms positive (DLMF 10.25.2). */
function besselSeries(order: 0 | 1, x: number): number {
  const square = (x * x) / 4;
  let [term, total] = [1, 1];
  for (let k = 1; term > total * 1e-17; k++) {
    term *= square / (k * (k + order));
    total += term;
  }
  return total;
}

/** I_order(x) e⁻ˣ √(2πx) for large x (DLMF 10.40.1); terms are added until they are negligible. */
function besselAsymptotic(order: 0 | 1, x: number): number {
  let [term, total] = [1, 1];
  for (let k = 1; Math.abs(term) > 1e-17 && k < 2 * ASYMPTOTIC_FROM; k++) {
    term *= ((2 * k - 1) ** 2 - 4 * order * order) / (8 * k * x);
    total += term;
  }
  return total;
}

/** ln (I₀(x) e⁻ˣ) for x ≥ 0: the logarithm of the modified Bessel function without its growth. */
export function logBesselI0Scaled(x: number): number {
  if (x < ASYMPTOTIC_FROM) return Math.log(besselSeries(0, x)) - x;
  return Math.log(besselAsymptotic(0, x)) - 0.5 * Math.log(2 * Math.PI * x);
}

/** I₁(x) / I₀(x) for x ≥ 0: the mean resultant length of a von Mises distribution with concentration x. */
export function besselRatio(x: number): number {
  if (x < ASYMPTOTIC_FROM) return ((x / 2) * besselSeries(1, x)) / besselSeries(0, x);
  return besselAsymptotic(1, x) / besselAsymptotic(0, x);
}
