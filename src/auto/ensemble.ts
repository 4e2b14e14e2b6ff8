import { Matrix } from '../data/matrix.ts';
import { foldRows } from '../evaluate/folds.ts';
import { meanAccuracy, meanLogLoss } from '../evaluate/log-proba.ts';
import {
  type CurveMethod,
  crossFitPosterior,
  fitPosterior,
  methodsFor,
  type PosteriorCalibration,
} from '../evaluate/posterior-calibration.ts';
import { addInto, scaleInto, sum } from '../math/arrays.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { applyPool, type FittedPool, fitPool, type Pool, type PoolOptions, type PoolProblem } from './pool.ts';

/** Out-of-fold scores of the same rows by several members. */
export interface HeldOutScores {
  readonly scores: readonly Matrix[];
  readonly codes: Int32Array;
  readonly folds: Int32Array;
}

/** A pool of some of the members, by their numbers. */
export interface ChosenPool extends FittedPool {
  readonly members: readonly number[];
}

/** How pools are chosen. */
export interface ChoosePoolOptions {
  /** The most members a pool may have. */
  readonly most?: number | undefined;
  /** The rows to choose by; all of them by default. */
  readonly rows?: ArrayLike<number> | undefined;
  /** How much each of all rows counts, one on average. */
  readonly weights?: Float64Array | undefined;
  /** Stops the work. */
  readonly check?: (() => void) | undefined;
}

/** By how many nats, over all rows, a further parameter must lower the loss (Akaike's criterion). */
export const PRICE = 1;
/** Or by which share of it: of a loss of a few nats, which a few rows make up, a further member takes less than the price. */
const LEAST_GAIN = 0.1;
/** How strongly weights are drawn to equal shares: a member that counts twice as much as it should costs ten nats. */
const STRENGTH = 10;
/** Newton's steps double the digits: after one that gains less than this, the rest is far below the price of a parameter. */
const TOLERANCE = 1e-4;
/** The most members that a pool is chosen from, those that are best alone. */
const MOST_CONSIDERED = 6;
/** The most members of an ensemble, unless asked for otherwise. */
const MOST_MEMBERS = 4;

/** Members whose scores are log-posteriors: their weights are drawn to equal shares of one. */
export const posteriorPool = (members: number, bias = false): PoolOptions => ({
  prior: { strength: STRENGTH, centre: 1 / members, unit: 'one' },
  bias,
  tolerance: TOLERANCE,
});

/** Rows times classes that tell which members to choose, and rows at least; weights are then fitted to all rows. */
const ENOUGH_CELLS = 100_000;
const LEAST_COMPARED = 1000;

/** Rows enough to compare members by, evenly from all; they are many where classes are few. */
export function someRows(codes: Int32Array, classes: number): Int32Array {
  const step = Math.max(1, codes.length / Math.max(LEAST_COMPARED, ENOUGH_CELLS / classes));
  return Int32Array.from({ length: Math.floor(codes.length / step) }, (_, k) => Math.floor(k * step));
}

/**
 * Chooses a pool step by step: the best member alone, then whichever lowers the out-of-fold log-loss most, as long as it earns
 * its parameter; class biases last, if they earn theirs.
 */
export function choosePool(scores: readonly Matrix[], codes: Int32Array, options: ChoosePoolOptions = {}): ChosenPool {
  const { most = MOST_MEMBERS, rows = codes.map((_, i) => i), weights, check = () => {} } = options;
  const about = { y: codes, classes: scores[0].cols, weights };
  const some = options.rows ? rows : someRows(codes, about.classes);
  const poolOf = (members: readonly number[], start?: ChosenPool, bias = false, on = some): ChosenPool => {
    check();
    const problem: PoolProblem = { ...about, scores: members.map((m) => scores[m].data), rows: on };
    return { members, ...fitPool(problem, { ...posteriorPool(members.length, bias), start }) };
  };
  const earned = (before: ChosenPool, after: ChosenPool) => (before.loss - after.loss) * some.length;
  const alone = [...scores.keys()].map((m) => poolOf([m])).sort((a, b) => a.loss - b.loss);
  const considered = alone.slice(0, MOST_CONSIDERED).map(({ members: [m] }) => m);
  let best = alone[0];
  while (best.members.length < Math.min(most, considered.length)) {
    const others = considered.filter((m) => !best.members.includes(m));
    const next = least(others.map((m) => poolOf([...best.members, m], best)));
    if (earned(best, next) < Math.min(PRICE, LEAST_GAIN * best.loss * some.length)) break;
    best = next;
  }
  const chosen = some.length < rows.length ? poolOf(best.members, best, false, rows) : best;
  const biased = poolOf(best.members, chosen, true, rows);
  return (chosen.loss - biased.loss) * rows.length > PRICE * (about.classes - 1) ? biased : chosen;
}

function least(pools: readonly ChosenPool[]): ChosenPool {
  return pools.reduce((best, pool) => (pool.loss < best.loss ? pool : best));
}

/** From this many rows on one choice is stable; of fewer, several are averaged. */
const ENOUGH = 3000;
const MOST_DRAWS = 5;
/** From this many rows on, every fold weighs the members that all rows have chosen. */
const SETTLED = 1000;

/** A pool of some members as one of all, with weight zero for the others. */
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
 * The pool of members that the held-out rows choose. Among few rows the choice depends on some of them and on the folds, so it is made
 * several times, by rows weighed anew, from one split after the other, and averaged. All splits are of the same rows and members.
 */
export function averagePool(
  splits: readonly HeldOutScores[],
  random: Random,
  options: Pick<ChoosePoolOptions, 'most' | 'check'> = {},
): Pool {
  const [{ scores, codes }] = splits;
  const draws = Math.max(1, Math.min(MOST_DRAWS, Math.floor(ENOUGH / codes.length)));
  const total = { weights: new Float64Array(scores.length), bias: new Float64Array(scores[0].cols) };
  for (let draw = 0; draw < draws; draw++) {
    const weights = draws > 1 ? drawWeights(codes.length, random) : undefined;
    const pool = spread(choosePool(splits[draw % splits.length].scores, codes, { ...options, weights }), scores.length);
    addInto(total.weights, pool.weights);
    addInto(total.bias, pool.bias);
  }
  for (const sums of [total.weights, total.bias]) scaleInto(sums, 1 / draws);
  return total;
}

/**
 * For every fold the pool that the rows of the other folds choose; of many rows, the members are those of the pool that all rows have
 * chosen, and the other folds weigh them.
 */
export function poolsByFold(
  { scores, codes, folds }: HeldOutScores,
  chosen: Pool,
  options: Pick<ChoosePoolOptions, 'most' | 'check'> = {},
): Map<number, Pool> {
  const members = [...chosen.weights.keys()].filter((m) => chosen.weights[m] > 0);
  const start = { weights: chosen.weights.filter((weight) => weight > 0), bias: chosen.bias };
  const poolWithout = (fold: number): ChosenPool => {
    options.check?.();
    const { learn: rows } = foldRows(folds, fold);
    if (codes.length < SETTLED) return choosePool(scores, codes, { ...options, rows });
    const problem = { scores: members.map((m) => scores[m].data), y: codes, classes: scores[0].cols, rows };
    return {
      members,
      ...fitPool(problem, { ...posteriorPool(members.length, chosen.bias.some(Boolean)), start }),
    };
  };
  return new Map([...new Set(folds)].map((fold) => [fold, spread(poolWithout(fold), scores.length)]));
}

/** Log-posteriors of the rows of each fold by its pool, which was fitted to the others. */
export function crossFit({ scores, folds }: HeldOutScores, pools: ReadonlyMap<number, Pool>): Matrix {
  const byRow = Array.from(folds, (fold) => pools.get(fold)!);
  return applyPool((i) => byRow[i], scores);
}

/** Members that answer together, and their cross-fitted answers. */
export interface Ensemble {
  /** The numbers of the members that count, and their pool. */
  readonly kept: readonly number[];
  readonly pool: Pool;
  /** How the answers of the pool are calibrated; undefined where calibration does not pay. */
  readonly calibration: PosteriorCalibration | undefined;
  /** Log-posteriors of the held-out rows by pools and calibrators that were fitted to the other folds. */
  readonly logProba: Matrix;
}

/** How an ensemble is chosen. */
export interface EnsembleOptions {
  readonly seed: number;
  /** What its answers may be calibrated by. */
  readonly method: CurveMethod;
  readonly most?: number | undefined;
  readonly check: () => void;
  /** The scores of the first split by all members, those included that all rows have ruled out. */
  readonly everyone?: HeldOutScores | undefined;
}

/** A member that counts less than this, of all that count, is not worth its work. */
const LEAST_SHARE = 0.01;
/** With fewer rows, the steps of isotonic curves follow chance. */
const LEAST_ROWS = 1000;

/** By how many standard errors a calibrator must lower the cross-fitted loss; the steps of isotonic curves must prove themselves. */
const GAIN_NEEDED: Readonly<Record<CurveMethod, number>> = { sigmoid: 0, temperature: 0, isotonic: 2 };

/** Chooses members, weights and calibration by held-out scores, of one split into folds or of several. */
export function chooseEnsemble(splits: readonly HeldOutScores[], options: EnsembleOptions): Ensemble {
  const [first] = splits;
  const { codes, folds, scores } = first;
  const average = averagePool(splits, new Random(options.seed), options);
  const limit = LEAST_SHARE * sum(average.weights);
  const kept = [...scores.keys()].filter((m) => average.weights[m] > 0 && average.weights[m] >= limit);
  const pool = { weights: Float64Array.from(kept, (m) => average.weights[m]), bias: average.bias };
  const heldOut = codes.length < SETTLED && options.everyone ? options.everyone : first;
  const logProba = crossFit(heldOut, poolsByFold(heldOut, average, options));
  const enough = options.method !== 'isotonic' || codes.length >= LEAST_ROWS;
  if (!enough || methodsFor({ codes }, logProba.cols, options.method).length === 0) {
    return { kept, pool, calibration: undefined, logProba };
  }
  const calibrated = crossFitPosterior(options.method, { logProba, codes }, folds);
  if (!isBetter(calibrated, logProba, codes, GAIN_NEEDED[options.method]))
    return { kept, pool, calibration: undefined, logProba };
  const pooled = applyPool(
    pool,
    kept.map((m) => scores[m]),
  );
  return { kept, pool, calibration: fitPosterior(options.method, { logProba: pooled, codes }), logProba: calibrated };
}

/** Whether the log-loss of rows falls by more than so many standard errors of the difference. */
function isBetter(after: Matrix, before: Matrix, codes: Int32Array, errors: number): boolean {
  let [total, squares] = [0, 0];
  codes.forEach((c, i) => {
    const gain = after.at(i, c) - before.at(i, c);
    total += gain;
    squares += gain * gain;
  });
  return total > errors * Math.sqrt(Math.max(0, squares - (total * total) / codes.length));
}

/** The mean log-loss and accuracy of every member alone, once its temperature is right. */
export function scoresAlone({ scores, codes }: Pick<HeldOutScores, 'scores' | 'codes'>) {
  const rows = codes.map((_, i) => i);
  return scores.map((own) => {
    const { logLoss } = fitPool({ scores: [own.data], y: codes, classes: own.cols, rows }, posteriorPool(1));
    return { logLoss, accuracy: meanAccuracy(own, { codes }) };
  });
}

/** The log-loss and the accuracy of an ensemble on the held-out rows. */
export const scoreOf = (logProba: Matrix, codes: Int32Array) => ({
  logLoss: meanLogLoss(logProba, { codes }),
  accuracy: meanAccuracy(logProba, { codes }),
});

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

/** The least probability that a class can have after so many rows. */
export const floorOf = (rows: number, classes: number): number => UNSEEN / classes / (rows + UNSEEN);
