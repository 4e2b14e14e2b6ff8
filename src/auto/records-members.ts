import type { State, StateOptions } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { PolyaError } from '../errors.ts';
import { type Estimator, estimators } from '../estimators/load.ts';
import { restore } from '../estimators/restore.ts';
import { logSoftmaxInto, logSumExp } from '../math/logs.ts';
import { between } from './observed.ts';
import type { Frame } from './records.ts';
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
