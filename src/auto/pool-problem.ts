import type { Matrix } from '../data/matrix.ts';
import { dot } from '../math/arrays.ts';
import { cholesky, solve } from '../math/cholesky.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import type { Pool, PoolOptions } from './pool.ts';

/** The objective at a point, with its first and second derivatives. */
export interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

/** The objective (2) of `fitPool` in scaled weights: every member's centred scores have standard deviation one. */
export class Problem {
  private readonly members: number;
  private readonly classes: number;
  private readonly rows: number;
  private readonly size: number;
  private readonly ridge: number;
  private readonly weightRidge: number;
  private readonly scale: Float64Array;
  private readonly x: readonly Float64Array[];
  private readonly codes: Int32Array;
  private readonly p: Float64Array;

  constructor(scores: readonly Matrix[], codes: Int32Array, { bias = false, ridge = 1e-3 }: PoolOptions) {
    this.members = scores.length;
    this.classes = scores[0].cols;
    this.rows = scores[0].rows;
    this.size = this.members + (bias ? this.classes : 0);
    this.ridge = ridge;
    this.weightRidge = 0.1 / Math.max(1, this.rows);
    this.codes = codes;
    const centred = scores.map(centre);
    this.scale = Float64Array.from(centred, (x) => Math.sqrt(dot(x, x) / x.length) || 1);
    this.x = centred.map((x, m) => x.map((value) => value / this.scale[m]));
    this.p = new Float64Array(this.rows * this.classes);
  }

  isWeight(k: number): boolean {
    return k < this.members;
  }

  start(): Float64Array {
    return Float64Array.from({ length: this.size }, (_, k) => (this.isWeight(k) ? 1 / this.members : 0));
  }

  unscale(at: Float64Array): Pool {
    const bias = new Float64Array(this.classes);
    if (this.size > this.members) bias.set(at.subarray(this.members));
    return { weights: this.scale.map((scale, m) => at[m] / scale), bias };
  }

  /** The objective; leaves the log-probabilities in `p`. */
  value(at: Float64Array, penalised = true): number {
    const { classes, rows, members, p, x } = this;
    const biased = this.size > members;
    let loss = 0;
    for (let i = 0; i < rows; i++) {
      for (let c = 0; c < classes; c++) {
        let sum = biased ? at[members + c] : 0;
        for (let m = 0; m < members; m++) sum += at[m] * x[m][i * classes + c];
        p[i * classes + c] = sum;
      }
      logSoftmaxInto(p, i * classes, classes, p);
      loss -= p[i * classes + this.codes[i]];
    }
    const penalty = at.reduce((sum, x, k) => sum + this.ridgeOf(k) * x * x, 0);
    return loss / rows + (penalised ? penalty : 0);
  }

  private ridgeOf(k: number): number {
    return this.isWeight(k) ? this.weightRidge / this.scale[k] ** 2 : this.ridge;
  }

  evaluate(at: Float64Array): Slope {
    const { classes, rows, members, size, p, x } = this;
    const value = this.value(at);
    const gradient = new Float64Array(size);
    const hessian = new Float64Array(size * size);
    const mean = new Float64Array(size);
    const cell = new Float64Array(size);
    for (let i = 0; i < rows; i++) {
      mean.fill(0);
      for (let c = 0; c < classes; c++) {
        const at = i * classes + c;
        const share = Math.exp(p[at]);
        for (let m = 0; m < members; m++) cell[m] = x[m][at];
        for (let k = members; k < size; k++) cell[k] = k - members === c ? 1 : 0;
        const error = share - (this.codes[i] === c ? 1 : 0);
        for (let k = 0; k < size; k++) {
          gradient[k] += error * cell[k];
          mean[k] += share * cell[k];
        }
        addProduct(hessian, cell, share, size);
      }
      addProduct(hessian, mean, -1, size);
    }
    for (let k = 0; k < size * size; k++) hessian[k] /= rows;
    for (let k = 0; k < size; k++) {
      gradient[k] = gradient[k] / rows + 2 * this.ridgeOf(k) * at[k];
      hessian[k * size + k] += 2 * this.ridgeOf(k);
    }
    return { value, gradient, hessian };
  }

  /** The Newton direction among the variables that are free: a weight of zero that would fall stays. */
  direction(at: Float64Array, { gradient, hessian }: Slope): Float64Array {
    const { size } = this;
    const free = [...gradient.keys()].filter((k) => !(this.isWeight(k) && at[k] <= 0 && gradient[k] > 0));
    const part = new Float64Array(free.length * free.length);
    free.forEach((k, a) => {
      free.forEach((l, b) => {
        part[a * free.length + b] = hessian[k * size + l] + (a === b ? 1e-9 : 0);
      });
    });
    const slope = Float64Array.from(free, (k) => gradient[k]);
    const factor = cholesky(part, free.length);
    const step = factor.ok ? solve(factor, slope) : slope;
    const direction = new Float64Array(size);
    free.forEach((k, a) => {
      direction[k] = step[a];
    });
    return direction;
  }
}

function addProduct(hessian: Float64Array, v: Float64Array, factor: number, size: number): void {
  for (let k = 0; k < size; k++) {
    const scaled = factor * v[k];
    if (scaled === 0) continue;
    for (let l = 0; l < size; l++) hessian[k * size + l] += scaled * v[l];
  }
}

/** Rows less their means, which change no posterior. */
function centre({ rows, cols, data }: Matrix): Float64Array {
  const out = new Float64Array(data.length);
  for (let i = 0; i < rows; i++) {
    let mean = 0;
    for (let c = 0; c < cols; c++) mean += data[i * cols + c] / cols;
    for (let c = 0; c < cols; c++) out[i * cols + c] = data[i * cols + c] - mean;
  }
  return out;
}
