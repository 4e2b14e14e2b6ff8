import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { foldRows } from '../evaluate/folds.ts';
import { meanAccuracy, meanLogLoss } from '../evaluate/log-proba.ts';
import {
  applyPool,
  type FittedPool,
  fitPool,
  type Pool,
  type PoolOptions,
  type PoolProblem,
} from '../evaluate/pool.ts';
import {
  type CurveMethod,
  crossFitPosterior,
  fitPosterior,
  methodsFor,
  type PosteriorCalibration,
} from '../evaluate/posterior-calibration.ts';
import { selectRows } from '../evaluate/rows.ts';
import { heldOutBy, type Trial } from '../evaluate/trials.ts';
import { addInto, concat, scaleInto, sum } from '../math/arrays.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import type { Scored, Steps } from './steps.ts';

/** A way to fit one model of an ensemble, or several that share their counts. */
export interface Candidate<Member = unknown> {
  readonly name: string;
  /** How many of its models stay in the race; the points of a grid differ little. */
  readonly most?: number;
  /** Scores of the held-out rows by models fitted to the training rows; `only` names the models that are still in the race. */
  score(trial: Trial, only?: ReadonlySet<string>): ReadonlyMap<string, Matrix>;
  /** The models with these names, fitted to all rows. */
  fit(names: ReadonlySet<string>): Member[];
}

/** One model that was tried, with its out-of-fold scores at the best temperature; the last one is the ensemble, which has no weight. */
export interface Tried {
  readonly name: string;
  readonly logLoss: number;
  readonly accuracy: number;
  readonly chosen: boolean;
  /** Its weight in the ensemble. */
  readonly weight?: number;
}

/** Models that were chosen and fitted to all rows, how they are combined, and how they did. */
export interface Choice<Member> {
  readonly members: readonly Member[];
  readonly pool: Pool;
  /** How the ensemble is calibrated; undefined where calibration does not pay. */
  readonly calibration: PosteriorCalibration | undefined;
  /** The least probability of a class where nothing is calibrated; 0 for none. */
  readonly floor: number;
  readonly tried: readonly Tried[];
  /** The log-posteriors of the held-out rows by ensembles that were fitted to other folds. */
  readonly logProba: Matrix;
}

/** How models are chosen. */
export interface ChoiceOptions {
  /** What the models classify by: see `Scored`. */
  readonly of: string;
  readonly seed: number;
  /** What the ensemble may be calibrated by. */
  readonly method: CurveMethod;
  readonly most?: number | undefined;
  /** Whether no class gets less than half a row's share of the held-out rows, unless calibrated. */
  readonly floored: boolean;
}

/** Models are chosen on at most this many rows; the chosen ones are then fitted to all rows. */
export const SAMPLE = 25_000;
/** Candidates are dropped once this many rows were held out; fewer say too little. */
const LEAST_RACED = 300;
/** The most models that stay in a race, and that an ensemble is chosen from. */
const MOST_RACED = 6;
/** The most models of an ensemble, unless asked for otherwise. */
const MOST_MEMBERS = 4;
/** By how many nats, over all rows, a further parameter must lower the loss (Akaike's criterion). */
const PRICE = 1;
/** Or by which share of it: of a loss of a few nats, which a few rows make up, a further model takes less than the price. */
const LEAST_GAIN = 0.1;
/** How strongly weights are drawn to equal shares: a model that counts twice as much as it should costs ten nats. */
const STRENGTH = 10;
/** Newton's steps double the digits: after one that gains less than this, the rest is far below the price of a parameter. */
const TOLERANCE = 1e-4;
/** Rows times classes on which models are selected, and the least number of rows; weights are then fitted to all rows. */
const ENOUGH_CELLS = 100_000;
const LEAST_COMPARED = 1000;
/** From this many rows on one choice is stable; of fewer, several are averaged. */
const ENOUGH = 3000;
const MOST_DRAWS = 5;
/** From this many rows on, every fold weighs the models that all rows have chosen. */
const SETTLED = 1000;
/** A model with less than this share of all weights is not worth its work. */
const LEAST_SHARE = 0.01;
/** With fewer rows, the steps of isotonic curves follow chance. */
const LEAST_ROWS = 1000;
/** By how many standard errors a calibrator must lower the cross-fitted loss. */
const GAIN_NEEDED: Readonly<Record<CurveMethod, number>> = { sigmoid: 0, temperature: 0, isotonic: 2 };

/**
 * Chooses models by their scores of held-out rows: candidates race, and those that are best together are weighted, calibrated and
 * fitted to all rows.
 */
export function* chooseMembers<Member extends { readonly name: string }>(
  candidates: readonly Candidate<Member>[],
  trials: readonly Trial[],
  codes: Int32Array,
  options: ChoiceOptions,
): Steps<Choice<Member>> {
  const { entries, dropped, ...heldOut } = yield* race(candidates, trials, codes, options.of);
  if (entries.length === 0) refuse('E_CLASS_TOO_SMALL', 'no model can learn these rows');
  const scores = entries.map((entry) => entry.scores);
  const { kept, pool, calibration, logProba: answers } = chooseEnsemble({ ...heldOut, scores }, options);
  const chosen = kept.map((m) => entries[m]);
  const wanted = new Set(chosen.map(({ name }) => name));
  const fitted: Member[] = [];
  for (const candidate of new Set(chosen.map((entry) => entry.candidate))) {
    yield { share: 1, what: candidate.name };
    fitted.push(...candidate.fit(wanted)); // models of one candidate share their counts
  }
  const floor = options.floored && !calibration ? floorOf(heldOut.codes.length, pool.bias.length) : 0;
  const logProba = floor > 0 ? lift(answers, floor) : answers;
  const all = [
    ...entries.map(({ name }) => name).map((name, m) => ({ name, ...scoreAlone(scores[m], heldOut.codes) })),
    ...dropped,
  ];
  const tried = all
    .sort((a, b) => a.logLoss - b.logLoss)
    .map((own): Tried => {
      const at = chosen.findIndex(({ name }) => name === own.name);
      return { ...own, chosen: at >= 0, weight: at >= 0 ? pool.weights[at] : 0 };
    });
  const name = `pool of ${kept.length}${calibration ? `, ${calibration.method}` : ''}`;
  const together = { logLoss: meanLogLoss(logProba, heldOut), accuracy: meanAccuracy(logProba, heldOut) };
  return {
    ...{ pool, calibration, floor, logProba },
    members: chosen.map((entry) => fitted.find((member) => member.name === entry.name)!),
    tried: [...tried, { name, ...together, chosen: true }],
  };
}

/** A model with its out-of-fold scores. */
export interface Entry<Member = unknown> {
  readonly name: string;
  readonly candidate: Candidate<Member>;
  readonly scores: Matrix;
}

/** Models that were compared on the same held-out rows, and those that were dropped, with their scores until then. */
interface Raced<Member> {
  /** The class and the fold of each held-out row. */
  readonly codes: Int32Array;
  readonly folds: Int32Array;
  readonly entries: readonly Entry<Member>[];
  readonly dropped: readonly Pick<Tried, 'name' | 'logLoss' | 'accuracy'>[];
}

/**
 * Scores candidates on held-out rows. Once 300 rows were held out, a model is dropped unless its loss over these rows is within one nat
 * of that of the leader (the model with the least log-loss at its best temperature), or a pool of both lowers the leader's loss by at
 * least one nat; at most six models stay, and two of a grid. A model that cannot be fitted in every split is dropped too.
 */
function* race<Member>(
  candidates: readonly Candidate<Member>[],
  trials: readonly Trial[],
  codes: Int32Array,
  about: string,
): Steps<Raced<Member>> {
  const order = Int32Array.from(trials.flatMap(({ held }) => Array.from(held)));
  const truth = selectRows(codes, order);
  let running: (Omit<Entry<Member>, 'scores'> & { scores: Matrix })[] = []; // of the rows that were held out so far
  let dropped: Raced<Member>['dropped'] = [];
  const steps = candidates.length * trials.length;
  let [held, raced] = [0, false];
  let scored: (() => Scored[]) | undefined;
  for (const [t, trial] of trials.entries()) {
    held += trial.held.length;
    const known = truth.subarray(0, held);
    for (const [k, candidate] of candidates.entries()) {
      const own = running.filter((entry) => entry.candidate === candidate);
      if (t > 0 && own.length === 0) continue;
      const stop = yield { share: (t * candidates.length + k) / steps, what: candidate.name, scored };
      scored = undefined;
      if (t === 0 && stop && running.length > 0) continue;
      const found = candidate.score(trial, t > 0 ? new Set(own.map(({ name }) => name)) : undefined);
      if (t === 0) for (const [name, scores] of found) own.push({ name, candidate, scores });
      if (t === 0) running.push(...own);
      const now = own.filter(({ name }) => found.has(name));
      for (const entry of t > 0 ? now : []) entry.scores = joined(entry.scores, found.get(entry.name)!);
      scored = () =>
        now.map(({ name, scores }) => ({
          of: about,
          name,
          rows: known.length,
          ...scoreAlone(scores, known, someRows),
        }));
    }
    running = running.filter(({ scores }) => scores.rows === held);
    if (raced || t === trials.length - 1 || held < LEAST_RACED) continue;
    raced = true;
    const stay = new Set(leaders(running, known));
    const gone = running.filter((entry) => !stay.has(entry));
    running = running.filter((entry) => stay.has(entry));
    dropped = gone.map(({ name, scores }) => ({ name, ...scoreAlone(scores, known) }));
  }
  yield { share: 1, what: 'weights', scored };
  const ascending = Int32Array.from(order.keys()).sort((a, b) => order[a] - order[b]);
  const entries = running.map((entry) => ({ ...entry, scores: selectRows(entry.scores, ascending) }));
  return { folds: heldOutBy(trials).folds, codes: selectRows(truth, ascending), entries, dropped };
}

/**
 * The models that stay in a race by their scores so far: the leader, those that lower its loss by their price, and those whose own loss
 * is within that price: the first rows alone cannot rank models that rarely err.
 */
export function leaders<Member>(entries: readonly Entry<Member>[], codes: Int32Array): Entry<Member>[] {
  if (entries.length < 2) return [...entries];
  const { cols } = entries[0].scores;
  const rows = someRows(codes, cols);
  const lossOf = (...own: Entry<Member>[]) => {
    const problem = { scores: own.map(({ scores }) => scores.data), y: codes, classes: cols, rows };
    return fitPool(problem, posteriorPool(own.length)).logLoss;
  };
  const order = entries.map((entry) => ({ entry, loss: lossOf(entry) })).sort((a, b) => a.loss - b.loss);
  const points = new Map<Candidate<Member>, number>();
  const [leader, ...others] = order.filter(({ entry: { candidate } }) => {
    const seen = points.get(candidate) ?? 0;
    points.set(candidate, seen + 1);
    return seen < (candidate.most ?? Infinity);
  });
  const gains = others.map((own) => ({ ...own, gain: leader.loss - lossOf(leader.entry, own.entry) }));
  const worth = gains
    .filter(({ gain, loss }) => gain * rows.length >= PRICE || (loss - leader.loss) * rows.length < PRICE)
    .sort((a, b) => b.gain - a.gain);
  return [leader.entry, ...worth.slice(0, MOST_RACED - 1).map(({ entry }) => entry)];
}

/** The rows of one matrix, then those of another. */
const joined = (one: Matrix, other: Matrix): Matrix =>
  new Matrix(one.rows + other.rows, one.cols, concat([one.data, other.data]));

/** The mean log-loss of a model alone, once its temperature is right, and its accuracy. */
function scoreAlone(
  own: Matrix,
  codes: Int32Array,
  rowsOf: typeof someRows = (all) => all.map((_, i) => i),
): Pick<Tried, 'logLoss' | 'accuracy'> {
  const rows = rowsOf(codes, own.cols);
  const { logLoss } = fitPool({ scores: [own.data], y: codes, classes: own.cols, rows }, posteriorPool(1));
  return { logLoss, accuracy: meanAccuracy(own, { codes }) };
}

/** Models whose scores are log-posteriors: their weights are drawn to equal shares of one. */
const posteriorPool = (members: number, bias = false): PoolOptions => ({
  prior: { strength: STRENGTH, centre: 1 / members, unit: 'one' },
  bias,
  tolerance: TOLERANCE,
});

/** Rows enough to compare models by, evenly from all; they are many where classes are few. */
export function someRows(codes: Int32Array, classes: number): Int32Array {
  const step = Math.max(1, codes.length / Math.max(LEAST_COMPARED, ENOUGH_CELLS / classes));
  return Int32Array.from({ length: Math.floor(codes.length / step) }, (_, k) => Math.floor(k * step));
}

/** Out-of-fold scores of the same rows by several models. */
export interface HeldOutScores {
  readonly scores: readonly Matrix[];
  readonly codes: Int32Array;
  readonly folds: Int32Array;
}

/** A pool of some of the models, by their numbers. */
export interface ChosenPool extends FittedPool {
  readonly members: readonly number[];
}

/** How pools are chosen. */
interface PoolChoiceOptions {
  /** The most models a pool may have. */
  readonly most?: number | undefined;
  /** The rows to choose by; all of them by default. */
  readonly rows?: ArrayLike<number> | undefined;
  /** How much each of all rows counts, one on average. */
  readonly weights?: Float64Array | undefined;
}

/**
 * Chooses a pool step by step: the best model alone, then whichever lowers the out-of-fold log-loss most, as long as it earns
 * its parameter; class biases last, if they earn theirs.
 */
export function choosePool(scores: readonly Matrix[], codes: Int32Array, options: PoolChoiceOptions = {}): ChosenPool {
  const { most = MOST_MEMBERS, rows = codes.map((_, i) => i), weights } = options;
  const about = { y: codes, classes: scores[0].cols, weights };
  const some = options.rows ? rows : someRows(codes, about.classes);
  const poolOf = (members: readonly number[], start?: ChosenPool, bias = false, on = some): ChosenPool => {
    const problem: PoolProblem = { ...about, scores: members.map((m) => scores[m].data), rows: on };
    return { members, ...fitPool(problem, { ...posteriorPool(members.length, bias), start }) };
  };
  const alone = [...scores.keys()].map((m) => poolOf([m])).sort((a, b) => a.loss - b.loss);
  const considered = alone.slice(0, MOST_RACED).map(({ members: [m] }) => m);
  let best = alone[0];
  while (best.members.length < Math.min(most, considered.length)) {
    const others = considered.filter((m) => !best.members.includes(m));
    const pools = others.map((m) => poolOf([...best.members, m], best));
    const next = pools.reduce((least, pool) => (pool.loss < least.loss ? pool : least));
    if ((best.loss - next.loss) * some.length < Math.min(PRICE, LEAST_GAIN * best.loss * some.length)) break;
    best = next;
  }
  const chosen = some.length < rows.length ? poolOf(best.members, best, false, rows) : best;
  const biased = poolOf(best.members, chosen, true, rows);
  return (chosen.loss - biased.loss) * rows.length > PRICE * (about.classes - 1) ? biased : chosen;
}

/** A pool of some models as one of all, with weight zero for the others. */
export function spread({ members, weights, bias }: ChosenPool, all: number): Pool {
  const own = new Float64Array(all);
  members.forEach((m, k) => {
    own[m] = weights[k];
  });
  return { weights: own, bias };
}

/** Weights of rows, one on average: Rubin, The Bayesian Bootstrap, Annals of Statistics 9 (1981). */
function drawWeights(rows: number, random: Random): Float64Array {
  const weights = Float64Array.from({ length: rows }, () => -Math.log1p(-random.uniform()));
  scaleInto(weights, rows / sum(weights));
  return weights;
}

/**
 * The pool of models that the held-out rows choose. Among few rows the choice depends on some of them, so it is made several times, by
 * rows weighed anew, and averaged.
 */
export function averagePool({ scores, codes }: HeldOutScores, random: Random, most?: number): Pool {
  const draws = Math.max(1, Math.min(MOST_DRAWS, Math.floor(ENOUGH / codes.length)));
  const total = { weights: new Float64Array(scores.length), bias: new Float64Array(scores[0].cols) };
  for (let draw = 0; draw < draws; draw++) {
    const weights = draws > 1 ? drawWeights(codes.length, random) : undefined;
    const pool = spread(choosePool(scores, codes, { most, weights }), scores.length);
    addInto(total.weights, pool.weights);
    addInto(total.bias, pool.bias);
  }
  for (const sums of [total.weights, total.bias]) scaleInto(sums, 1 / draws);
  return total;
}

/**
 * Log-posteriors of the rows of each fold by a pool that the rows of the other folds choose; of many rows, the models are those of the
 * pool that all rows have chosen, and the other folds weigh them.
 */
export function crossFit({ scores, codes, folds }: HeldOutScores, chosen: Pool, most?: number): Matrix {
  const members = [...chosen.weights.keys()].filter((m) => chosen.weights[m] > 0);
  const start = { weights: chosen.weights.filter((weight) => weight > 0), bias: chosen.bias };
  const poolWithout = (fold: number): ChosenPool => {
    const { learn: rows } = foldRows(folds, fold);
    if (codes.length < SETTLED) return choosePool(scores, codes, { most, rows });
    const problem = { scores: members.map((m) => scores[m].data), y: codes, classes: scores[0].cols, rows };
    const biased = chosen.bias.some(Boolean);
    return { members, ...fitPool(problem, { ...posteriorPool(members.length, biased), start }) };
  };
  const pools = new Map([...new Set(folds)].map((fold) => [fold, spread(poolWithout(fold), scores.length)]));
  return applyPool((i) => pools.get(folds[i])!, scores);
}

/** Chooses models, weights and, where there is a method, calibration by held-out scores; answers are cross-fitted. */
export function chooseEnsemble(
  heldOut: HeldOutScores,
  { seed, method, most }: Pick<ChoiceOptions, 'seed' | 'most'> & Partial<ChoiceOptions>,
) {
  const { codes, folds, scores } = heldOut;
  const average = averagePool(heldOut, new Random(seed), most);
  const limit = LEAST_SHARE * sum(average.weights);
  const kept = [...scores.keys()].filter((m) => average.weights[m] > 0 && average.weights[m] >= limit);
  const pool = { weights: Float64Array.from(kept, (m) => average.weights[m]), bias: average.bias };
  const logProba = crossFit(heldOut, average, most);
  const plain = { kept, pool, calibration: undefined, logProba };
  if (!method || (method === 'isotonic' && codes.length < LEAST_ROWS)) return plain;
  if (methodsFor({ codes }, logProba.cols, method).length === 0) return plain;
  const calibrated = crossFitPosterior(method, { logProba, codes }, folds);
  if (!isBetter(calibrated, logProba, codes, GAIN_NEEDED[method])) return plain;
  const own = kept.map((m) => scores[m]);
  return {
    kept,
    pool,
    calibration: fitPosterior(method, { logProba: applyPool(pool, own), codes }),
    logProba: calibrated,
  };
}

/** Whether the log-loss of rows falls by more than this many standard errors of the difference. */
function isBetter(after: Matrix, before: Matrix, codes: Int32Array, errors: number): boolean {
  let [total, squares] = [0, 0];
  codes.forEach((c, i) => {
    const gain = after.at(i, c) - before.at(i, c);
    total += gain;
    squares += gain * gain;
  });
  return total > errors * Math.sqrt(Math.max(0, squares - (total * total) / codes.length));
}

/** Log-probabilities of which none is below the floor, before rows are normalised. The order of classes stays. */
export function lift({ rows, cols, data }: Matrix, floor: number): Matrix {
  const least = Math.log(floor);
  const out = new Matrix(
    rows,
    cols,
    data.map((log) => Math.max(least, log)),
  );
  for (let i = 0; i < rows; i++) logSoftmaxInto(out.data, i * cols, cols, out.data);
  return out;
}

/** Half a row, shared by all classes, stands for what was never seen: no class is less probable than its share. */
const UNSEEN = 0.5;

/** The least probability that a class can have after this many rows. */
export const floorOf = (rows: number, classes: number): number => UNSEEN / classes / (rows + UNSEEN);
