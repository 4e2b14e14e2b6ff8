import { Matrix } from '../data/matrix.ts';
import { PRICE, posteriorPool, scoresAlone, someRows } from './ensemble.ts';
import { fitPool } from './pool.ts';

/** One split of the rows: what a candidate is fitted to, and the held-out rows that it is compared on. */
export interface Trial {
  /** The fold that is held out; `held` may be a sample of it. */
  readonly fold: number;
  readonly learn: Int32Array;
  readonly held: Int32Array;
}

/** A way to fit one member of an ensemble, or several that share their counts. */
export interface Candidate<Member = unknown> {
  readonly name: string;
  /** How many of its members stay in the race; the points of a grid say nearly the same. */
  readonly most?: number;
  /** Scores of the held-out rows by members fitted to the training rows; `only` names the members that are still in the race. */
  score(trial: Trial, only?: ReadonlySet<string>): ReadonlyMap<string, Matrix>;
  /** The members with these names, fitted to all rows. */
  fit(names: ReadonlySet<string>): Member[];
}

/** A member with its out-of-fold scores. */
export interface Entry<Member = unknown> {
  readonly name: string;
  readonly candidate: Candidate<Member>;
  readonly scores: Matrix;
}

/** Members that were compared on the same held-out rows. */
export interface Raced<Member = unknown> {
  /** The held-out rows, and the class and the fold of each. */
  readonly rows: Int32Array;
  readonly codes: Int32Array;
  readonly folds: Int32Array;
  readonly entries: readonly Entry<Member>[];
  /** Members that were dropped, with their scores until then. */
  readonly dropped: readonly Dropped[];
}

/** A member that left the race. */
export interface Dropped {
  readonly name: string;
  readonly logLoss: number;
  readonly accuracy: number;
}

/** Candidates are chosen on at most this many rows; the chosen ones are then fitted to all rows. */
export const SAMPLE = 25_000;
/** As many held-out rows tell candidates apart: further folds are scored only until there are so many. */
const ENOUGH_HELD = 2000;
/** A sigmoid for every class needs about so many rows of each. */
const ENOUGH_OF_CLASS = 35;
/** Rows times classes: the cost of a pool is bounded in the number of classes. */
const MOST_CELLS = 1_000_000;
const FEWEST_HELD = 1000;
/** Groups by which a pool is cross-fitted where one or two folds are held out. */
const PARTS = 3;

/** Rows of a small class that a sample has at least. */
const LEAST_OF_CLASS = 20;

/** At most about `most` of the rows, of every class in proportion, and of a small one up to 20. */
export function stratifiedSample(rows: Int32Array, codes: Int32Array, most: number): Int32Array {
  if (rows.length <= most) return rows;
  const byClass = new Map<number, number[]>();
  for (const i of rows) {
    const own = byClass.get(codes[i]);
    if (own) own.push(i);
    else byClass.set(codes[i], [i]);
  }
  const taken = [...byClass.values()].flatMap((own) => {
    const share = Math.round((own.length * most) / rows.length);
    const size = Math.min(own.length, Math.max(LEAST_OF_CLASS, share));
    return Array.from({ length: size }, (_, k) => own[Math.floor(((k + 0.5) * own.length) / size)]);
  });
  return Int32Array.from(taken).sort();
}

/** The splits of a race: as many of the folds as it takes to hold out enough rows. */
export function trialsOf(
  folds: Int32Array,
  codes: Int32Array,
  classes: number,
  wanted: number = Math.max(ENOUGH_HELD, ENOUGH_OF_CLASS * classes),
): Trial[] {
  const most = Math.max(FEWEST_HELD, Math.floor(MOST_CELLS / classes));
  const enough = Math.min(wanted, most);
  const count = folds.reduce((top, fold) => Math.max(top, fold + 1), 0);
  const rows = Int32Array.from(folds.keys());
  const trials: Trial[] = [];
  let held = 0;
  for (let fold = 0; fold < count && held < enough; fold++) {
    const [own, learn] = [rows.filter((i) => folds[i] === fold), rows.filter((i) => folds[i] !== fold)];
    if (own.length === 0 || learn.length === 0) continue;
    trials.push({ fold, learn, held: stratifiedSample(own, codes, most) });
    held += own.length;
  }
  return trials;
}

/** Candidates are dropped once this many rows were held out; fewer say too little. */
const LEAST_RACED = 300;

/** How a race is watched and stopped. */
export interface Watch {
  check(): void;
  onProgress(done: number, all: number, what: string): void;
  /** Once it is true, no further candidate begins; one at least is scored. */
  readonly enough?: (() => boolean) | undefined;
}

/**
 * Scores candidates on held-out rows. Once 300 rows were held out, a member is dropped unless its loss over these rows is within one nat
 * of that of the leader (the member with the least log-loss at its best temperature), or a pool of both lowers the leader's loss by at
 * least one nat; at most six members stay, and two of a grid. A member that cannot be fitted in every split is dropped too.
 */
export function race<Member>(
  candidates: readonly Candidate<Member>[],
  trials: readonly Trial[],
  codes: Int32Array,
  watch: Watch,
): Raced<Member> {
  const of = (rows: Int32Array) => Int32Array.from(rows, (i) => codes[i]);
  let running: { name: string; candidate: Candidate<Member>; parts: Matrix[] }[] = [];
  const steps = candidates.length * trials.length;
  let [held, raced] = [0, false];
  let dropped: Dropped[] = [];
  trials.forEach((trial, t) => {
    candidates.forEach((candidate, k) => {
      const own = running.filter((entry) => entry.candidate === candidate);
      if (t === 0 ? running.length > 0 && watch.enough?.() : own.length === 0) return;
      watch.check();
      watch.onProgress(t * candidates.length + k, steps, candidate.name);
      const only = t > 0 ? new Set(own.map(({ name }) => name)) : undefined;
      const scored = candidate.score(trial, only);
      if (t === 0) for (const [name, scores] of scored) running.push({ name, candidate, parts: [scores] });
      for (const entry of t > 0 ? own : []) {
        const scores = scored.get(entry.name);
        if (scores) entry.parts.push(scores);
      }
    });
    running = running.filter(({ parts }) => parts.length === t + 1);
    held += trial.held.length;
    if (raced || t === trials.length - 1 || held < LEAST_RACED) return;
    raced = true;
    const rows = Int32Array.from(trials.slice(0, t + 1).flatMap((own) => Array.from(own.held)));
    const places = rows.map((_, k) => k);
    const sofar = running.map(({ parts, ...entry }) => ({ ...entry, scores: stacked(parts, places) }));
    const stay = new Set(leaders(sofar, of(rows)).map(({ name }) => name));
    running = running.filter(({ name }) => stay.has(name));
    const gone = sofar.filter(({ name }) => !stay.has(name));
    const alone = scoresAlone({ scores: gone.map(({ scores }) => scores), codes: of(rows) });
    dropped = gone.map(({ name }, k) => ({ name, ...alone[k] }));
  });
  const { rows, folds } = heldOutBy(trials);
  const places = new Map(Array.from(rows, (i, k) => [i, k]));
  const at = Int32Array.from(trials.flatMap((trial) => Array.from(trial.held, (i) => places.get(i)!)));
  const entries = running.map(({ parts, ...entry }) => ({ ...entry, scores: stacked(parts, at) }));
  return { rows, folds, codes: of(rows), entries, dropped };
}

/** All held-out rows, ascending, and the folds by which a pool of them is cross-fitted. */
export function heldOutBy(trials: readonly Trial[]): { rows: Int32Array; folds: Int32Array } {
  const rows = Int32Array.from(trials.flatMap(({ held }) => Array.from(held))).sort();
  const fold = new Map(trials.flatMap((trial) => Array.from(trial.held, (i) => [i, trial.fold] as const)));
  return { rows, folds: rows.map((i, k) => (trials.length < PARTS ? k % PARTS : fold.get(i)!)) };
}

/** The most members that stay in a race. */
const MOST_RACED = 6;

/**
 * The members that stay in a race by their scores so far: the leader, those that lower its loss by their price, and those whose own loss is
 * within that price: of members that hardly err, the first rows alone do not tell the best.
 */
export function leaders<Member>(entries: readonly Entry<Member>[], codes: Int32Array): Entry<Member>[] {
  if (entries.length < 2) return [...entries];
  const order = entries.map((entry) => ({ entry, loss: pairLoss([entry], codes) })).sort((a, b) => a.loss - b.loss);
  const points = new Map<Candidate<Member>, number>();
  const [leader, ...others] = order.filter(({ entry: { candidate } }) => {
    const seen = points.get(candidate) ?? 0;
    points.set(candidate, seen + 1);
    return seen < (candidate.most ?? Infinity);
  });
  const rows = someRows(codes, leader.entry.scores.cols).length;
  const gains = others.map((own) => ({ ...own, gain: leader.loss - pairLoss([leader.entry, own.entry], codes) }));
  const worth = gains
    .filter(({ gain, loss }) => gain * rows >= PRICE || (loss - leader.loss) * rows < PRICE)
    .sort((a, b) => b.gain - a.gain);
  return [leader.entry, ...worth.slice(0, MOST_RACED - 1).map(({ entry }) => entry)];
}

/** The mean log-loss of a pool of members without biases. */
function pairLoss(entries: readonly Entry[], codes: Int32Array): number {
  const scores = entries.map((entry) => entry.scores.data);
  const problem = { scores, y: codes, classes: entries[0].scores.cols, rows: someRows(codes, entries[0].scores.cols) };
  return fitPool(problem, posteriorPool(scores.length)).logLoss;
}

/** The rows of several matrices, one after the other, at the given places. */
function stacked(parts: readonly Matrix[], places: Int32Array): Matrix {
  const { cols } = parts[0];
  const out = new Matrix(places.length, cols);
  let next = 0;
  for (const { rows, data } of parts) {
    for (let i = 0; i < rows; i++) out.data.set(data.subarray(i * cols, (i + 1) * cols), places[next++] * cols);
  }
  return out;
}
