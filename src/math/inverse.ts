const MOST_STEPS = 200;
// One more Newton step squares this, which exceeds double precision.
const CLOSE = 1e-8;

/**
 * The root in (0, highest) of an increasing function of ln x that returns [value, slope by ln x]: Newton steps in ln x,
 * and bisection in ln x whenever a step leaves the bracket.
 */
export function solveInLog(start: number, highest: number, evaluate: (x: number) => [number, number]): number {
  let low = Number.MIN_VALUE;
  let high = highest;
  let x = start > low && start < high ? start : Math.sqrt(low) * Math.sqrt(high);
  for (let step = 0; step < MOST_STEPS; step++) {
    const [value, slope] = evaluate(x);
    if (value === 0) return x;
    if (value < 0) low = x;
    else high = x;
    const next = x * Math.exp(-value / slope);
    if (Math.abs(value) < CLOSE) return Math.min(next, highest);
    x = next > low && next < high ? next : Math.sqrt(low) * Math.sqrt(high);
    if (x === low || x === high) return x;
  }
  return x;
}
