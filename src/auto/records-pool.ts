import type { State, StateOptions } from '../core/artifact.ts';
import type { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { applyPool, type Pool } from './pool.ts';
import { applyCurves, type Curves, curvesFromJson, curvesToJson } from './pool-calibrate.ts';
import type { Frame } from './records.ts';
import { Member } from './records-members.ts';

/** Models of columns that answer together: a weighted sum of their log-posteriors, then isotonic curves where chosen. */
export class ColumnPool {
  readonly members: readonly Member[];
  readonly pool: Pool;
  readonly curves: Curves | undefined;

  constructor(members: readonly Member[], { weights, bias }: Pool, curves: Curves | undefined) {
    this.members = members;
    this.pool = { weights, bias };
    this.curves = curves;
  }

  /** ln p(c | x). */
  predictLogProba(frame: Frame): Matrix {
    const scores = this.members.map((member) => member.scores(frame));
    const pooled = applyPool(this.pool, scores);
    return this.curves ? applyCurves(this.curves, pooled) : pooled;
  }

  /** ln p(x) under the member that counts most. */
  logEvidence(frame: Frame): Float64Array {
    const { weights } = this.pool;
    const heaviest = weights.indexOf(Math.max(...weights));
    return this.members[heaviest].logEvidence(frame);
  }

  /** What each column adds to the pooled score of each class, before curves; the rest, with biases, belongs to none. */
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
    return { byColumn, rest };
  }

  toState(options?: StateOptions): State {
    const learned: Record<string, JsonValue> = {
      weights: Array.from(this.pool.weights),
      bias: Array.from(this.pool.bias),
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
    return new ColumnPool(steps.map(Member.fromState), pool, curves || undefined);
  }
}
