import type { State, StateOptions } from '../core/artifact.ts';
import type { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { addScaledInto, sum } from '../math/arrays.ts';
import { logSumExp } from '../math/logs.ts';
import { blendRows, observedShare } from './observed.ts';
import { applyPool, type Pool, poolRow } from './pool.ts';
import { applyCurves, type Curves, curvesFromJson, curvesToJson, lift } from './pool-calibrate.ts';
import { countCells, type Frame, takeFrame } from './records.ts';
import { Member } from './records-members.ts';

/**
 * Models of columns that answer together: a weighted sum of their log-posteriors, then isotonic curves where chosen, or a least
 * probability for every class where not. Of a row that lacks cells which training rows had, the weights, biases, tails and curves count
 * less (see `blendRows`): the members alone answer by their geometric mean, and a row without any cell gets the class prior.
 */
export class ColumnPool {
  readonly members: readonly Member[];
  readonly pool: Pool;
  readonly curves: Curves | undefined;
  /** The least probability of a class; 0 where there is none. */
  readonly floor: number;
  /** How many cells a training row ordinarily had; files of version 0.1 do not tell, and blend nothing. */
  readonly ordinary: number | undefined;

  constructor(
    members: readonly Member[],
    { weights, bias }: Pool,
    curves: Curves | undefined,
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
    const logPrior = this.ordinary === undefined ? undefined : this.members[0].logPrior;
    return blendRows({
      full: this.fitted(frame),
      shares,
      logPrior,
      bare: (rows) => {
        const part = takeFrame(frame, rows);
        const scores = this.members.map((member) => member.plain().scores(part));
        return applyPool(this.meanPool(), scores);
      },
    });
  }

  /** ln p(c | x) as it was fitted, to rows with most of their cells. */
  private fitted(frame: Frame): Matrix {
    const scores = this.members.map((member) => member.scores(frame));
    const pooled = applyPool(this.pool, scores);
    if (this.curves) return applyCurves(this.curves, pooled);
    return this.floor > 0 ? lift(pooled, this.floor) : pooled;
  }

  /** The geometric mean of the members, by their weights. */
  private meanPool(): Pool {
    const { weights, bias } = this.pool;
    const total = sum(weights);
    return {
      weights: weights.map((weight) => (total > 0 ? weight / total : 1 / weights.length)),
      bias: new Float64Array(bias.length),
    };
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
    const [share] = this.sharesOf(frame);
    if (share === 0) return { byColumn, rest: this.members[0].logPrior.slice() };
    const rest = this.pool.bias.map((value) => share * value);
    const add = (member: Member, weight: number) => {
      const own = member.terms(frame);
      addScaledInto(rest, weight, own.rest);
      for (const [column, values] of own.byColumn) {
        const total = byColumn.get(column) ?? new Float64Array(rest.length);
        addScaledInto(total, weight, values);
        byColumn.set(column, total);
      }
    };
    const mean = this.meanPool().weights;
    this.members.forEach((member, m) => {
      add(member, share * this.pool.weights[m]);
      if (share < 1) add(member.plain(), (1 - share) * mean[m]);
    });
    if (!this.curves && this.floor > 0) addScaledInto(rest, share, this.liftOf(frame));
    return { byColumn, rest };
  }

  /** What the floor adds to the fitted score of each class. */
  private liftOf(frame: Frame): Float64Array {
    const score = new Float64Array(this.pool.bias.length);
    const scores = this.members.map((member) => member.scores(frame).data);
    poolRow(scores, this.pool, 0, score);
    const least = Math.log(this.floor) + logSumExp(score);
    return score.map((value) => Math.max(0, least - value));
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
    const curves = learned.curves && curvesFromJson(learned.curves as ReturnType<typeof curvesToJson>);
    const pool = { weights: numbers(learned.weights), bias: numbers(learned.bias) };
    const floor = (learned.floor as number | undefined) ?? 0; // pools of older files have none
    const ordinary = learned.ordinary as number | undefined;
    const fits = pool.weights.length === members.length && members.every((own) => own.classes === pool.bias.length);
    if (!fits) refuse('E_MODEL_CORRUPT', 'the weights of a pool do not fit its models');
    return new ColumnPool(members, pool, curves || undefined, { floor, ordinary });
  }
}
