import { addScaledInto, dot } from './arrays.ts';

/** A function to be minimised: its value at x, with its gradient written to `gradient`. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number;

/** The minimum found, the number of steps, and whether the gradient is small there. */
export interface Minimum {
  readonly x: Float64Array;
  readonly steps: number;
  readonly converged: boolean;
}

/** The number of steps remembered. */
const MEMORY = 10;

/**
 * The minimum of a smooth convex function by limited-memory BFGS: directions from the last few steps and changes of the
 * gradient (two-loop recursion), step lengths by the Wolfe conditions, found by bisection. Stops when no component of
 * the gradient exceeds `tol`. Nocedal & Wright, Numerical Optimization (2006), algorithms 7.4 and 7.5.
 */
export function minimise(objective: Objective, start: Float64Array, tol: number, maxSteps: number): Minimum {
  let x: Float64Array = start.slice();
  let gradient: Float64Array = new Float64Array(x.length);
  let value = objective(x, gradient);
  const past: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  for (let steps = 0; ; steps++) {
    const steepest = gradient.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
    if (steepest <= tol || steps >= maxSteps) return { x, steps, converged: steepest <= tol };
    const direction = descent(gradient, past);
    const slope = dot(direction, gradient);
    const first = steps === 0 ? 1 / Math.sqrt(dot(gradient, gradient)) : 1;
    const next = search(objective, x, value, direction, slope, first);
    if (!next) return { x, steps, converged: false }; // no shorter step descends: rounding dominates here
    const s = next.x.map((now, k) => now - x[k]);
    const y = next.gradient.map((now, k) => now - gradient[k]);
    const curvature = dot(s, y);
    if (curvature > 1e-300) {
      past.push({ s, y, rho: 1 / curvature });
      if (past.length > MEMORY) past.shift();
    }
    ({ x, value, gradient } = next);
  }
}

/** −H g, with H the inverse curvature estimated from past steps. */
function descent(
  gradient: Float64Array,
  past: readonly { s: Float64Array; y: Float64Array; rho: number }[],
): Float64Array {
  const direction = gradient.map((slope) => -slope);
  const weights = new Float64Array(past.length);
  for (let k = past.length - 1; k >= 0; k--) {
    weights[k] = past[k].rho * dot(past[k].s, direction);
    addScaledInto(direction, -weights[k], past[k].y);
  }
  const last = past.at(-1);
  if (last) {
    const scale = 1 / (last.rho * dot(last.y, last.y));
    for (let k = 0; k < direction.length; k++) direction[k] *= scale;
  }
  for (const [k, { s, y, rho }] of past.entries()) addScaledInto(direction, weights[k] - rho * dot(y, direction), s);
  return direction;
}

/**
 * A step that descends enough and ends where the slope is flatter (the strong Wolfe conditions), by doubling and
 * bisection. Near the minimum values differ only by rounding, which is allowed for, and the slope decides.
 */
function search(
  objective: Objective,
  x: Float64Array,
  value: number,
  direction: Float64Array,
  slope: number,
  first: number,
): { x: Float64Array; value: number; gradient: Float64Array } | undefined {
  let [least, most, length] = [0, Infinity, first];
  const rounding = 8 * Number.EPSILON * Math.abs(value);
  for (let tries = 0; tries < 40; tries++) {
    const at = x.slice();
    addScaledInto(at, length, direction);
    const gradient = new Float64Array(x.length);
    const now = objective(at, gradient);
    const tilt = dot(gradient, direction);
    if (!(now <= value + 1e-4 * length * slope + rounding) || tilt > -0.9 * slope) most = length;
    else if (tilt < 0.9 * slope) least = length;
    else return { x: at, value: now, gradient };
    length = most === Infinity ? 2 * length : (least + most) / 2;
  }
  return undefined;
}
