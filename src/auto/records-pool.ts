import type { State, StateOptions } from '../core/artifact.ts';
import type { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { addInto } from '../math/arrays.ts';
import { logSumExp } from '../math/logs.ts';
import { applyPool, type Pool } from './pool.ts';
import { applyCurves, type Curves, curvesFromJson, curvesToJson, lift } from './pool-calibrate.ts';
import type { Frame } from './records.ts';
import { Member } from './records-members.ts';

/**
 * Models of columns that answer together: a weighted sum of their log-posteriors, then isotonic curves where chosen, or a least
 * probability for every class where not.
 */
export class ColumnPool {
  readonly members: readonly Member[];
  readonly pool: Pool;
  readonly curves: Curves | undefined;
  /** The least probability of a class; 0 where there is none. */
  readonly floor: number;

  constructor(members: readonly Member[], { weights, bias }: Pool, curves: Curves | undefined, floor = 0) {
    this.members = members;
    this.pool = { weights, bias };
    this.curves = curves;
    this.floor = floor;
  }

  /** ln p(c | x). */
  predictLogProba(frame: Frame): Matrix {
    const scores = this.members.map((member) => member.scores(frame));
    const pooled = applyPool(this.pool, scores);
    if (this.curves) return applyCurves(this.curves, pooled);
    return this.floor > 0 ? lift(pooled, this.floor) : pooled;
  }

  /** ln p(x) under the member that counts most. */
  logEvidence(frame: Frame): Float64Array {
    const { weights } = this.pool;
    const heaviest = weights.indexOf(Math.max(...weights));
    return this.members[heaviest].logEvidence(frame);
  }

  /**
   * What each column adds to the pooled score of each class, before curves; the rest belongs to no column: biases, and what the
   * least probability lifts.
   */
  terms(frame: Frame): { byColumn: Map<number, Float64Array>; rest: Float64Array } {
    const byColumn = new Map<number, Float64Array>();
    const rest = this.pool.bias.slice();
    this.members.forEach((member, m) => {
      const weight = this.pool.weights[m];
      const own = member.terms(frame);
      own.rest.forEach((value, c) => {
        rest[c] += weight * value;
      });
      for (const [column, values] of own.byColumn) {
        const sum = byColumn.get(column) ?? new Float64Array(rest.length);
        byColumn.set(
          column,
          sum.map((value, c) => value + weight * values[c]),
        );
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

  /** The inverse of `toState`, for a state whose form was checked. */
  static fromState({ learned, steps = [] }: State): ColumnPool {
    const numbers = (value: JsonValue) => Float64Array.from(value as number[]);
    const curves = learned.curves && curvesFromJson(learned.curves as ReturnType<typeof curvesToJson>);
    const pool = { weights: numbers(learned.weights), bias: numbers(learned.bias) };
    const floor = (learned.floor as number | undefined) ?? 0; // pools of older files have none
    return new ColumnPool(steps.map(Member.fromState), pool, curves || undefined, floor);
  }
}
