/** From here on the asymptotic series of this file are accurate to the last digit. */
export const STIRLING_FROM = 10;

// B₂ₖ / (2k (2k − 1)), B₂ₖ / 2k and B₂ₖ for k = 1 … 8 (DLMF 5.11.1, 5.11.2, 5.15.8; Bernoulli numbers of §24.2).
const logGammaTerms = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];
const digammaTerms = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160];
const trigammaTerms = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510];

/**
 * Σ terms[k] uᵏ by Horner's rule in u², with separate even and odd terms: the two chains run in parallel, in half the
 * time.
 */
export function polynomial(terms: readonly number[], u: number): number {
  const square = u * u;
  let even = 0;
  let odd = 0;
  let k = terms.length - 1;
  if (k % 2 === 0) even = terms[k--];
  for (; k > 0; k -= 2) {
    odd = odd * square + terms[k];
    even = even * square + terms[k - 1];
  }
  return even + u * odd;
}

/** (p(v) − p(u)) / (v − u) of the polynomial with these terms, without the subtraction. */
function dividedDifference(terms: readonly number[], u: number, v: number): number {
  let value = 0;
  let slope = 0;
  for (let k = terms.length - 1; k >= 1; k--) {
    value = value * u + terms[k];
    slope = slope * v + value;
  }
  return slope;
}

/**
 * The remainder of Stirling's formula, for x ≥ 10:
 *
 *   c(x) = lnΓ(x) − (x − ½) ln x + x − ½ ln 2π = Σ B₂ₖ / (2k (2k − 1) x²ᵏ⁻¹)               (DLMF 5.11.1)
 */
export function stirlingRest(x: number): number {
  return polynomial(logGammaTerms, 1 / x / x) / x;
}

/** c(x + n) − c(x) of `stirlingRest`, proportional to n however small n is. */
export function stirlingRestDifference(x: number, n: number): number {
  const s = 1 / x;
  const t = 1 / (x + n);
  const step = -(n / x) * t;
  return step * (polynomial(logGammaTerms, t * t) + s * (t + s) * dividedDifference(logGammaTerms, s * s, t * t));
}

/** ψ(x) − ln x + 1/2x = −Σ B₂ₖ / (2k x²ᵏ) for x ≥ 10 (DLMF 5.11.2). */
export function digammaRest(x: number): number {
  const u = 1 / x / x;
  return -u * polynomial(digammaTerms, u);
}

/** The difference of `digammaRest` between x + n and x, proportional to n. */
export function digammaRestDifference(x: number, n: number): number {
  const s = 1 / x;
  const t = 1 / (x + n);
  const step = -(n / x) * t * (t + s);
  return -step * (polynomial(digammaTerms, t * t) + s * s * dividedDifference(digammaTerms, s * s, t * t));
}

/** ψ′(x) = 1/x + 1/2x² + Σ B₂ₖ / x²ᵏ⁺¹ for x ≥ 10 (DLMF 5.15.8). */
export function trigammaSeries(x: number): number {
  const u = 1 / x / x;
  return (1 + 0.5 / x + u * polynomial(trigammaTerms, u)) / x;
}
