import type { State, StateOptions } from '../core/artifact.ts';
import type { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { applyPosterior, type PosteriorCalibration } from '../evaluate/posterior-calibration.ts';
import { addInto, addScaledInto, sum } from '../math/arrays.ts';
import { logSumExp } from '../math/logs.ts';
import { lift } from './ensemble.ts';
import { curveBetween, observedShare, poolBetween } from './observed.ts';
import { applyPool, type Pool } from './pool.ts';
import { countCells, type Frame } from './records.ts';
import { Member } from './records-members.ts';

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
