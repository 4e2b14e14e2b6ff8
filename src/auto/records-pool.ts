import type { State, StateOptions } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError, refuse } from '../errors.ts';
import { type Estimator, estimators } from '../estimators/load.ts';
import { restore } from '../estimators/restore.ts';
import { applyPosterior, type PosteriorCalibration } from '../evaluate/posterior-calibration.ts';
import { addInto, addScaledInto, sum } from '../math/arrays.ts';
import { logSoftmaxInto, logSumExp } from '../math/logs.ts';
import { lift } from './ensemble.ts';
import { applyPool, between, curveBetween, observedShare, type Pool, poolBetween } from './pool.ts';
import { countCells, type Frame } from './records.ts';
import { look, type View } from './records-views.ts';

/** An estimator and the features it sees. */
export interface Part {
  readonly estimator: Fitted;
  readonly view: View;
}

/** What a member asks of an estimator. */
export interface Fitted {
  readonly kind: string;
  readonly classes: readonly unknown[];
  predictJointLogProba(X: Matrix): Matrix;
  explain(X: Matrix): readonly Explained[];
  toState(options?: StateOptions): State;
}

interface Explained {
  readonly contributions: readonly { readonly feature: string | number; readonly byClass: Float64Array }[];
}

/** No log-posterior is lower: an answer that is wrong for sure would cost a pool all its other rows. */
const LEAST = -1e4;
/** The log-posterior of a class that a member has never met. */
const UNMET = -20;

/** The last answer of each list of parts. */
const last = new WeakMap<readonly Part[], { frame: Frame; logProba: Matrix }>();

/**
 * A classifier of columns: one estimator, or several over different columns that are independent given the class,
 * ln p(c, x) = Σₖ ln pₖ(c, xₖ) − (K − 1) ln p(c). With a heavy tail the score of a class is
 *
 *   S = −k ln(1 − ln p(c | x) / k),                                                              (1)
 *
 * which is ln p near the winner and grows like a logarithm far from it, as that of Student's distribution does: one cell
 * that is unheard of in a class then does not outweigh all the others.
 */
export class Member {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly classes: number;
  /** ln p(c) as counted. */
  readonly logPrior: Float64Array;
  /** k of (1), where tails are heavy. */
  private readonly tail: number | undefined;

  constructor(name: string, parts: readonly Part[], logPrior: ArrayLike<number>, tail?: number) {
    this.name = name;
    this.tail = tail;
    this.parts = parts;
    this.logPrior = Float64Array.from(logPrior);
    this.classes = logPrior.length;
  }

  /** ln p(c, x); −Infinity for classes that were not learned. */
  joint(frame: Frame): Matrix {
    const out = new Matrix(frame.rows, this.classes);
    this.parts.forEach(({ estimator, view }, k) => {
      const { cols, data } = estimator.predictJointLogProba(look(view, frame));
      const place = estimator.classes as readonly number[];
      for (let i = 0; i < frame.rows; i++) {
        for (let c = 0; c < cols; c++) {
          const prior = k > 0 ? this.logPrior[place[c]] : 0;
          out.data[i * this.classes + place[c]] += data[i * cols + c] - prior;
        }
      }
    });
    for (let c = 0; c < this.classes; c++) {
      if (this.logPrior[c] > -Infinity) continue;
      for (let i = 0; i < frame.rows; i++) out.data[i * this.classes + c] = -Infinity;
    }
    return out;
  }

  /** The same with a heavy tail. */
  heavy(tail: number): Member {
    return new Member(heavyName(this.name, tail), this.parts, this.logPrior, tail);
  }

  /** ln p(c | x) or (1), finite: what a pool weighs. Tails are heavy by the share of its cells that a row has. */
  scores(frame: Frame, shares?: ArrayLike<number>): Matrix {
    const out = this.posterior(frame);
    for (let k = 0; k < out.data.length; k++) {
      const log = Math.max(LEAST, out.data[k]);
      const share = shares ? shares[Math.floor(k / out.cols)] : 1;
      out.data[k] = this.logPrior[k % out.cols] > -Infinity ? between(share, this.bend(log), log) : UNMET;
    }
    return out;
  }

  /** ln p(c | x); the prior for a row that is impossible. Members that differ in their tails share it. */
  private posterior(frame: Frame): Matrix {
    const known = last.get(this.parts);
    if (known?.frame === frame)
      return new Matrix(known.logProba.rows, known.logProba.cols, known.logProba.data.slice());
    const out = this.joint(frame);
    for (let i = 0; i < out.rows; i++) {
      const row = out.row(i);
      if (!row.some((value) => value > -Infinity)) row.set(this.logPrior);
      logSoftmaxInto(out.data, i * out.cols, out.cols, out.data);
    }
    last.set(this.parts, { frame, logProba: new Matrix(out.rows, out.cols, out.data.slice()) });
    return out;
  }

  private bend(log: number): number {
    return this.tail === undefined ? log : -this.tail * Math.log1p(-log / this.tail);
  }

  /** ln p(x): how ordinary each row is. */
  logEvidence(frame: Frame): Float64Array {
    const joint = this.joint(frame);
    return Float64Array.from({ length: frame.rows }, (_, i) => logSumExp(joint.row(i)));
  }

  /**
   * What each column adds to the score of each class in the only row of a frame; `rest` belongs to no column, and all of them
   * add up to the score. Under heavy tails columns keep their shares of it.
   */
  terms(frame: Frame, shares?: ArrayLike<number>): { byColumn: Map<number, Float64Array>; rest: Float64Array } {
    const byColumn = new Map<number, Float64Array>();
    const score = this.scores(frame, shares).row(0);
    const plain = this.posterior(frame).row(0);
    const share = score.map((value, c) => (this.tail === undefined || !(plain[c] < 0) ? 1 : value / plain[c]));
    const rest = score.slice();
    for (const { estimator, view } of this.parts) {
      const place = estimator.classes as readonly number[];
      const [told] = estimator.explain(look(view, frame));
      for (const { feature, byClass } of told.contributions) {
        const { column } = view[feature as number];
        const sum = byColumn.get(column) ?? new Float64Array(this.classes);
        byClass.forEach((value, c) => {
          const own = Math.max(LEAST, value) * share[place[c]];
          sum[place[c]] += own;
          rest[place[c]] -= own;
        });
        byColumn.set(column, sum);
      }
    }
    return { byColumn, rest };
  }

  toState(options?: StateOptions): State {
    const learned = { logPrior: Array.from(this.logPrior, (value) => (value > -Infinity ? value : null)) };
    const params = { name: this.name, tail: this.tail ?? null, views: this.parts.map(({ view }) => view) };
    const steps = this.parts.map(({ estimator }) => estimator.toState(options));
    return { kind: 'Member', params: JSON.parse(JSON.stringify(params)), learned, arrays: {}, steps };
  }

  /** The inverse of `toState`, for a state whose form was checked. */
  static fromState({ params, learned, steps = [] }: State): Member {
    const views = params.views as unknown as readonly View[];
    const parts = steps.map((step, k) => ({ estimator: revive(step), view: views[k] }));
    const logPrior = (learned.logPrior as (number | null)[]).map((value) => value ?? -Infinity);
    return new Member(String(params.name), parts, logPrior, (params.tail as number | null) ?? undefined);
  }
}

function revive(state: State): Fitted {
  const kinds = estimators as unknown as Readonly<Record<string, new (params: unknown) => Estimator>>;
  const estimator = new kinds[state.kind](state.params);
  return restore(estimator, state) as unknown as Fitted;
}

/** The name of a member with a heavy tail. */
export const heavyName = (name: string, tail: number): string => `${name}, heavy tails ${tail}`;

/** Nothing instead of a refusal to learn. */
export function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code !== 'E_CANCELLED') return undefined;
    throw cause;
  }
}

/** Isotonic curves leave every class at least 1e-4, before rows are normalised. */
const ROWS_OF_CURVES = 1e4 - 2;

/**
 * Models of columns that answer together: a weighted sum of their log-posteriors, then isotonic curves where chosen, or a least
 * probability for every class where not. Of a row that lacks cells which training rows had, weights, biases, tails and curves count
 * less (see `observedShare`), and a row without any cell gets the class prior.
 */
export class ColumnPool {
  readonly members: readonly Member[];
  readonly pool: Pool;
  readonly curves: PosteriorCalibration | undefined;
  /** The least probability of a class; 0 where there is none. */
  readonly floor: number;
  /** How many cells a training row ordinarily had; files of version 0.1 do not tell, and blend nothing. */
  readonly ordinary: number | undefined;

  constructor(
    members: readonly Member[],
    { weights, bias }: Pool,
    curves: PosteriorCalibration | undefined,
    { floor = 0, ordinary }: { readonly floor?: number; readonly ordinary?: number | undefined } = {},
  ) {
    this.members = members;
    this.pool = { weights, bias };
    this.curves = curves;
    this.floor = floor;
    this.ordinary = ordinary;
  }

  /** ln p(c | x). */
  predictLogProba(frame: Frame): Matrix {
    const shares = this.sharesOf(frame);
    const scores = this.members.map((member) => member.scores(frame, shares));
    const pooled = applyPool((i) => this.poolFor(shares[i]), scores);
    const answer = this.curves
      ? curveBetween(shares, applyPosterior(this.curves, pooled, ROWS_OF_CURVES), pooled)
      : this.floor > 0
        ? lift(pooled, this.floor)
        : pooled;
    for (let i = 0; i < frame.rows; i++) if (shares[i] === 0) answer.row(i).set(this.members[0].logPrior);
    return answer;
  }

  /** The pool for a row that has this share of its cells: as fitted, and without any cell the geometric mean of the members. */
  private poolFor(share: number): Pool {
    if (share >= 1) return this.pool;
    const { weights, bias } = this.pool;
    const total = sum(weights);
    const mean = weights.map((weight) => (total > 0 ? weight / total : 1 / weights.length));
    return poolBetween(share, this.pool, { weights: mean, bias: new Float64Array(bias.length) });
  }

  /** The share of its cells that each row has. */
  private sharesOf(frame: Frame): Float64Array {
    const { ordinary } = this;
    if (ordinary === undefined) return new Float64Array(frame.rows).fill(1);
    return countCells(frame).map((count) => observedShare(count, ordinary));
  }

  /** ln p(x) under the member that counts most. */
  logEvidence(frame: Frame): Float64Array {
    const { weights } = this.pool;
    const heaviest = weights.indexOf(Math.max(...weights));
    return this.members[heaviest].logEvidence(frame);
  }

  /**
   * What each column adds to the score of each class in the only row of a frame, before curves; the rest belongs to no column: biases,
   * and what the least probability lifts. A missing cell adds nothing.
   */
  terms(frame: Frame): { byColumn: Map<number, Float64Array>; rest: Float64Array } {
    const byColumn = new Map<number, Float64Array>();
    const shares = this.sharesOf(frame);
    if (shares[0] === 0) return { byColumn, rest: this.members[0].logPrior.slice() };
    const { weights, bias } = this.poolFor(shares[0]);
    const rest = bias.slice();
    this.members.forEach((member, m) => {
      const own = member.terms(frame, shares);
      addScaledInto(rest, weights[m], own.rest);
      for (const [column, values] of own.byColumn) {
        const total = byColumn.get(column) ?? new Float64Array(rest.length);
        addScaledInto(total, weights[m], values);
        byColumn.set(column, total);
      }
    });
    if (!this.curves && this.floor > 0) this.addLift(rest, byColumn.values());
    return { byColumn, rest };
  }

  /** Adds to the rest what the floor adds to the sum of terms and rest. */
  private addLift(rest: Float64Array, terms: Iterable<Float64Array>): void {
    const score = rest.slice();
    for (const own of terms) addInto(score, own);
    const least = Math.log(this.floor) + logSumExp(score);
    score.forEach((value, c) => {
      rest[c] += Math.max(0, least - value);
    });
  }

  toState(options?: StateOptions): State {
    const learned: Record<string, JsonValue> = {
      weights: Array.from(this.pool.weights),
      bias: Array.from(this.pool.bias),
      floor: this.floor,
      ...(this.ordinary !== undefined && { ordinary: this.ordinary }),
      ...(this.curves && { curves: curvesToJson(this.curves) }),
    };
    return {
      kind: 'ColumnPool',
      params: {},
      learned,
      arrays: {},
      steps: this.members.map((member) => member.toState(options)),
    };
  }

  /** The inverse of `toState`; lists of wrong lengths are refused. */
  static fromState({ learned, steps = [] }: State): ColumnPool {
    const numbers = (value: JsonValue) => Float64Array.from(value as number[]);
    const members = steps.map(Member.fromState);
    const curves = learned.curves === undefined ? undefined : curvesFromJson(learned.curves);
    const pool = { weights: numbers(learned.weights), bias: numbers(learned.bias) };
    const floor = (learned.floor as number | undefined) ?? 0; // pools of older files have none
    const ordinary = learned.ordinary as number | undefined;
    const fits = pool.weights.length === members.length && members.every((own) => own.classes === pool.bias.length);
    if (!fits) refuse('E_MODEL_CORRUPT', 'the weights of a pool do not fit its models');
    return new ColumnPool(members, pool, curves, { floor, ordinary });
  }
}

/** Isotonic curves as JSON. */
function curvesToJson(curves: PosteriorCalibration): JsonValue {
  if (curves.method !== 'isotonic') return refuse('E_INTERNAL', 'a pool of columns has isotonic curves');
  const { classes, parts } = curves;
  return { classes, parts: parts.map(({ x, y }) => ({ x: Array.from(x), y: Array.from(y) })) };
}

/** The inverse of `curvesToJson`. */
function curvesFromJson(value: JsonValue): PosteriorCalibration {
  const { classes, parts } = value as { classes: number; parts: { x: number[]; y: number[] }[] };
  const lines = parts.map(({ x, y }) => ({ x: Float64Array.from(x), y: Float64Array.from(y) }));
  return { method: 'isotonic', classes, parts: lines };
}
