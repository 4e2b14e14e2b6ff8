import type { State, StateOptions } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError, refuse, unlessRefused } from '../errors.ts';
import { type AnyClassifier, copyOf, scaled, sharing, withClasses } from '../estimators/copy.ts';
import { estimators } from '../estimators/load.ts';
import { restore } from '../estimators/restore.ts';
import {
  applyPool,
  between,
  curveBetween,
  observedShares,
  type Pool,
  poolBetween,
  withPrior,
} from '../evaluate/pool.ts';
import {
  applyPosterior,
  calibrationFromJson,
  calibrationToJson,
  type PosteriorCalibration,
} from '../evaluate/posterior-calibration.ts';
import { addInto, addScaledInto, sum } from '../math/arrays.ts';
import { logShares, logSoftmaxInto, logSumExp } from '../math/logs.ts';
import { blocksOf, countCells, type Frame, look, type View } from './records.ts';
import { lift } from './selection.ts';

/** An estimator and the features it sees. Its classes are class codes. */
export interface Part {
  readonly estimator: Fitted;
  readonly view: View;
}

/** What a member asks of an estimator. */
export type Fitted = AnyClassifier & { readonly classCount: Float64Array };

/** No log-posterior is lower: an answer that is wrong for sure would cost a pool all its other rows. */
const LEAST = -1e4;
/** The log-posterior of a class that a member has not learned. */
const UNMET = -20;

/** Weights of rows and decayed counts are multiples of this, so that sums of up to 2³³ rows are exact. */
const WEIGHT_UNIT = 2 ** -20;
/**
 * Numbers that are summed are learned as multiples of this, in standard deviations: squares of such numbers are short enough for their
 * sums to be exact in plain arithmetic, and the rounding error is far below the evidence of a column.
 */
const NUMBER_UNIT = 2 ** -12;

/** What a member may have beside its parts. */
interface About {
  /** k of (1), where tails are heavy. */
  readonly tail?: number | undefined;
  /** p(c), for parts that have no counts to derive it from. */
  readonly shares?: Float64Array | undefined;
  /** A class that has become too small for an estimator counts as not learned, rather than being refused. */
  readonly lenient?: boolean;
}

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
  /** How many class codes there are, those included that this member has not learned. */
  readonly classes: number;
  /** The weight of each class; of a member without counts, its share. */
  readonly counts: Float64Array;
  /** ln p(c) as counted. */
  readonly logPrior: Float64Array;
  private readonly about: About;
  private scoring: Scoring | undefined;

  constructor(name: string, parts: readonly Part[], classes: number, about: About = {}) {
    this.name = name;
    this.about = about;
    this.parts = parts;
    this.classes = classes;
    const { shares } = about;
    this.counts = shares ?? countsOf(parts[0], classes);
    this.logPrior = logShares(this.counts);
  }

  /** ln p(c, x); −Infinity for classes that were not learned. */
  joint(frame: Frame): Matrix {
    const { met, scorers } = this.scorers();
    const out = new Matrix(frame.rows, this.classes);
    this.parts.forEach(({ view }, k) => {
      const scorer = scorers[k];
      if (!scorer) return;
      const { cols, data } = scorer.predictJointLogProba(look(view, frame));
      const place = scorer.classes as readonly number[];
      for (let i = 0; i < frame.rows; i++) {
        for (let c = 0; c < cols; c++) {
          const prior = k > 0 ? this.logPrior[place[c]] : 0;
          out.data[i * this.classes + place[c]] += data[i * cols + c] - prior;
        }
      }
    });
    for (let c = 0; c < this.classes; c++) {
      if (met[c]) continue;
      for (let i = 0; i < frame.rows; i++) out.data[i * this.classes + c] = -Infinity;
    }
    return out;
  }

  /** The estimators that score, and which classes all of them know. */
  private scorers(): Scoring {
    if (this.scoring) return this.scoring;
    const scorers = this.parts.map((part) => (this.about.lenient ? scorerOf(part) : part.estimator));
    const known = scorers.map((scorer) => new Set(scorer?.classes));
    const met = Array.from(this.counts, (count, c) => count > 0 && known.every((own) => own.has(c)));
    this.scoring = { scorers, met };
    return this.scoring;
  }

  /** The same with a heavy tail. */
  heavy(tail: number): Member {
    return new Member(heavyName(this.name, tail), this.parts, this.classes, { ...this.about, tail });
  }

  /** Whether its parts have counts. */
  get learns(): boolean {
    return this.about.shares === undefined;
  }

  /** The same member over parts that have learned more or less. */
  over(parts: readonly Part[], classes: number): Member {
    return new Member(this.name, parts, classes, { tail: this.about.tail, lenient: true });
  }

  /** All but the counts: two members with equal plans can be merged. */
  get plan(): string {
    const estimators = this.parts.map(({ estimator }) => [estimator.kind, estimator.getParams()]);
    return JSON.stringify({ ...this.params, estimators });
  }

  private get params() {
    return { name: this.name, tail: this.about.tail ?? null, views: this.parts.map(({ view }) => view) };
  }

  /** ln p(c | x) or (1), finite: what a pool weighs. Tails are heavy by the share of its cells that a row has. */
  scores(frame: Frame, shares?: ArrayLike<number>): Matrix {
    const out = this.posterior(frame);
    const { met } = this.scorers();
    for (let k = 0; k < out.data.length; k++) {
      const log = Math.max(LEAST, out.data[k]);
      const share = shares ? shares[Math.floor(k / out.cols)] : 1;
      out.data[k] = met[k % out.cols] ? between(share, this.bend(log), log) : UNMET;
    }
    return out;
  }

  /** ln p(c | x); the prior for a row that is impossible. Members that differ in their tails share it. */
  private posterior(frame: Frame): Matrix {
    const known = last.get(this.parts);
    if (known?.frame === frame && known.logProba.cols === this.classes)
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
    const { tail } = this.about;
    return tail === undefined ? log : -tail * Math.log1p(-log / tail);
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
    const share = score.map((value, c) => (this.about.tail === undefined || !(plain[c] < 0) ? 1 : value / plain[c]));
    const rest = score.slice();
    const { met, scorers } = this.scorers();
    this.parts.forEach(({ view }, k) => {
      const scorer = scorers[k];
      if (!scorer) return;
      const place = scorer.classes as readonly number[];
      const [explained] = scorer.explain(look(view, frame));
      for (const { feature, byClass } of explained.contributions) {
        const { column, with: other } = view[feature as number];
        const columns = other ? [column, other.column] : [column]; // a pair is half of each
        for (const j of columns) {
          const sum = byColumn.get(j) ?? new Float64Array(this.classes);
          byClass.forEach((value, c) => {
            if (!met[place[c]]) return;
            const own = (Math.max(LEAST, value) * share[place[c]]) / columns.length;
            sum[place[c]] += own;
            rest[place[c]] -= own;
          });
          byColumn.set(j, sum);
        }
      }
    });
    return { byColumn, rest };
  }

  toState(options?: StateOptions): State {
    const learned = { logPrior: Array.from(this.logPrior, (value) => (value > -Infinity ? value : null)) };
    const steps = this.parts.map(({ estimator }) => estimator.toState(options));
    return { kind: 'Member', params: JSON.parse(JSON.stringify(this.params)), learned, arrays: {}, steps };
  }

  /** The inverse of `toState`, for a state whose form was checked. */
  static fromState({ params, learned, steps = [] }: State): Member {
    const views = params.views as unknown as readonly View[];
    const parts = steps.map((step, k) => ({ estimator: revive(step), view: views[k] }));
    const shares = Float64Array.from(learned.logPrior as (number | null)[], (log) =>
      log === null ? 0 : Math.exp(log),
    );
    const tail = (params.tail as number | null) ?? undefined;
    const about = { tail, lenient: true, shares: steps.some(isSlim) ? shares : undefined };
    return new Member(String(params.name), parts, shares.length, about);
  }
}

/** An estimator for each part, none for one that cannot score, and which classes all of them know. */
interface Scoring {
  readonly scorers: readonly (Fitted | undefined)[];
  readonly met: readonly boolean[];
}

const isSlim = ({ learned }: State): boolean => learned.slim === true;

/** The class codes that an estimator has learned. */
const codesOf = (estimator: Fitted): readonly number[] => unlessRefused(() => estimator.classes as number[]) ?? [];

/** The weight of each class code in a part. */
function countsOf({ estimator }: Part, classes: number): Float64Array {
  const counts = new Float64Array(classes);
  const codes = codesOf(estimator);
  const weights = codes.length > 0 ? estimator.classCount : [];
  codes.forEach((code, c) => {
    counts[code] = weights[c];
  });
  return counts;
}

/** Rows as an estimator learns them: scaled numbers whose sums it keeps are rounded to their unit. */
export function lookToLearn(estimator: Pick<Fitted, 'getParams'>, view: View, frame: Frame): Matrix {
  const out = look(view, frame);
  if (!estimator.getParams().reproducible) return out;
  view.forEach(({ scale }, j) => {
    if (scale === undefined) return;
    for (let k = j; k < out.data.length; k += view.length) {
      out.data[k] = Math.round(out.data[k] / NUMBER_UNIT) * NUMBER_UNIT;
    }
  });
  return out;
}

/**
 * The estimator of a part without the classes that are too small for it, such as one row for a covariance: they count as not learned
 * until there are more. Undefined where nothing is left.
 */
function scorerOf({ estimator, view }: Part): Fitted | undefined {
  if (codesOf(estimator).length === 0) return undefined;
  try {
    estimator.predictJointLogProba(new Matrix(0, view.length));
    return estimator;
  } catch (cause) {
    if (!(cause instanceof PolyaError) || !/^E_CLASS(ES)?_TOO/.test(cause.code)) throw cause;
    const { class: small } = cause.details;
    if (small === undefined) return undefined;
    return scorerOf({ estimator: withClasses(estimator, (code) => (code === small ? undefined : code)), view });
  }
}

/** The estimator of a state. */
export function revive(state: State): Fitted {
  const kinds = estimators as unknown as Readonly<Record<string, new (params: unknown) => Fitted>>;
  return restore(new kinds[state.kind](state.params), state);
}

/** The name of a member with a heavy tail. */
export const heavyName = (name: string, tail: number): string => `${name}, heavy tails ${tail}`;

/** Isotonic curves leave every class at least 1e-4, before rows are normalised. */
const ROWS_OF_CURVES = 1e4 - 2;

/**
 * Models of columns that answer together: a weighted sum of their log-posteriors, then isotonic curves where chosen, or a least
 * probability for every class where not. Of a row that lacks cells which training rows had, weights, biases, tails and curves count
 * less (see `observedShares`), and a row without any cell gets the class prior.
 */
export class ColumnPool {
  readonly members: readonly Member[];
  readonly pool: Pool;
  readonly curves: PosteriorCalibration | undefined;
  /** The least probability of a class; 0 where there is none. */
  readonly floor: number;
  /** How many cells a training row ordinarily had; absent in files of version 0.1, which blend nothing. */
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
    const out = new Matrix(frame.rows, this.pool.bias.length);
    for (const { start, frame: rows } of blocksOf(frame)) out.data.set(this.answer(rows).data, start * out.cols);
    return out;
  }

  private answer(frame: Frame): Matrix {
    const shares = this.sharesOf(frame);
    const scores = this.members.map((member) => member.scores(frame, shares));
    const pooled = applyPool((i) => this.poolFor(shares[i]), scores);
    const answer = this.curves
      ? curveBetween(shares, applyPosterior(this.curves, pooled, ROWS_OF_CURVES, this.curved()), pooled)
      : this.floor > 0
        ? lift(pooled, this.floor)
        : pooled;
    return withPrior(answer, shares, this.logPrior);
  }

  /** ln p(c) as counted. */
  get logPrior(): Float64Array {
    return this.members[0].logPrior;
  }

  /** The classes that have curves: those that there were when curves were fitted. */
  private curved(): number[] {
    return Array.from({ length: this.curves?.classes ?? 0 }, (_, c) => c);
  }

  /** The weight of each class code. */
  get classCount(): Float64Array {
    return this.members[0].counts;
  }

  /** Whether it has counts to learn with; what was saved without them has none. */
  get learns(): boolean {
    return this.members.every(({ learns }) => learns);
  }

  /** The pool after some more rows. There are `classes` class codes now; a new class has the next code. */
  learn(frame: Frame, codes: Int32Array, classes: number, weights?: Float64Array): ColumnPool {
    const blocks = Array.from(blocksOf(frame), ({ start, frame: rows }) => {
      const end = start + rows.rows;
      return { rows, ...rowsOf(codes.subarray(start, end), weights?.subarray(start, end)) };
    });
    return this.map(classes, ({ estimator, view }) => {
      const own = copyOf(estimator);
      for (const { rows, y, options } of blocks) own.partialFit(lookToLearn(own, view, rows), y, options);
      return own;
    });
  }

  /** The pool without some rows that it has learned; rows that it cannot have learned are refused. */
  unlearn(frame: Frame, codes: Int32Array, classes: number, weights?: Float64Array): ColumnPool {
    const rows = rowsOf(codes, weights);
    return this.map(classes, ({ estimator, view }) =>
      sharing(estimator).unlearn(lookToLearn(estimator, view, frame), rows.y, rows.options),
    );
  }

  /** The pool with what another one of the same plan has learned; its class code c is place[c] here. */
  merge(other: ColumnPool, place: Int32Array, classes: number): ColumnPool {
    const [mine, theirs] = [this, other].map(({ members }) => JSON.stringify(members.map(({ plan }) => plan)));
    if (mine !== theirs) refuse('E_MERGE_MISMATCH', 'the two pools consist of different models');
    return this.map(classes, ({ estimator }, m, k) =>
      sharing(estimator).merge(withClasses(other.members[m].parts[k].estimator, (code) => place[code as number])),
    );
  }

  /** The pool in which all that was learned weighs `factor` times as much. */
  decay(factor: number): ColumnPool {
    return this.map(this.pool.bias.length, ({ estimator }) => scaled(estimator, factor, WEIGHT_UNIT));
  }

  /** The same plan, weights and calibration, and nothing learned. */
  blank(): ColumnPool {
    return this.map(this.pool.bias.length, ({ estimator }) => estimator.clone() as Fitted);
  }

  /** The pool with other estimators; members that share their parts still do. */
  private map(classes: number, change: (part: Part, m: number, k: number) => Fitted): ColumnPool {
    const changed = new Map<readonly Part[], readonly Part[]>();
    const members = this.members.map((member, m) => {
      const parts =
        changed.get(member.parts) ??
        member.parts.map((part, k) => ({ estimator: change(part, m, k), view: part.view }));
      changed.set(member.parts, parts);
      return member.over(parts, classes);
    });
    const bias = Float64Array.from({ length: classes }, (_, c) => this.pool.bias[c] ?? 0);
    return new ColumnPool(members, { weights: this.pool.weights, bias }, this.curves, this);
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
    return observedShares(frame.rows, () => countCells(frame), this.ordinary);
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
    if (shares[0] === 0) return { byColumn, rest: this.logPrior.slice() };
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
    const { method: _, ...curves } = this.curves ? calibrationToJson(this.curves) : {};
    const learned: Record<string, JsonValue> = {
      weights: Array.from(this.pool.weights),
      bias: Array.from(this.pool.bias),
      floor: this.floor,
      ...(this.ordinary !== undefined && { ordinary: this.ordinary }),
      ...(this.curves && { curves }),
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
    const pool = { weights: numbers(learned.weights), bias: numbers(learned.bias) };
    const saved = learned.curves as { classes: number } | undefined;
    const curves = saved && calibrationFromJson({ method: 'isotonic', ...saved }, saved.classes);
    const floor = (learned.floor as number | undefined) ?? 0; // pools of older files have none
    const ordinary = learned.ordinary as number | undefined;
    const fits = pool.weights.length === members.length && members.every((own) => own.classes === pool.bias.length);
    if (!fits || (saved && !curves)) refuse('E_MODEL_CORRUPT', 'the weights of a pool do not fit its models');
    return new ColumnPool(members, pool, curves, { floor, ordinary });
  }
}

/** Labels and weights as estimators take them. */
function rowsOf(codes: Int32Array, weights: Float64Array | undefined) {
  const inUnits = (weight: number) =>
    weight > 0 ? Math.max(1, Math.round(weight / WEIGHT_UNIT)) * WEIGHT_UNIT : weight;
  return { y: Array.from(codes), options: weights ? { sampleWeight: weights.map(inUnits) } : {} };
}
