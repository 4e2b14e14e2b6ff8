import { Matrix } from '../data/matrix.ts';
import { meanAccuracy, meanLogLoss } from '../evaluate/log-proba.ts';
import { applyPosterior, fitPosterior, methodsFor } from '../evaluate/posterior-calibration.ts';
import type { Sigmoid } from '../evaluate/sigmoid.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { fitPool, type Pool, poolRow } from './pool.ts';
import { rowsOutside } from './text-folds.ts';
import { type Course, type Member, textPool } from './text-members.ts';
import type { TriedText } from './text-pool.ts';

/** Log-posteriors of the listed rows by a pool. */
function poolOf(members: readonly Member[], at: Pool, rows: Uint32Array): Matrix {
  const out = new Matrix(rows.length, at.bias.length);
  const scores = members.map((member) => member.scores);
  rows.forEach((i, k) => {
    poolRow(scores, at, i, out.row(k));
    logSoftmaxInto(out.data, k * out.cols, out.cols, out.data);
  });
  return out;
}

/** A sigmoid for each class over its log-odds; two classes share one, which the first sees from the other side. */
function fitCurves(logProba: Matrix, codes: Int32Array): readonly Sigmoid[] {
  const { parts } = fitPosterior('sigmoid', { logProba, codes }) as { parts: readonly Sigmoid[] };
  return parts.length === 1 ? [{ a: parts[0].a, b: -parts[0].b }, parts[0]] : parts;
}

/**
 * Fits pool and curves once more for each fold, to the scores of the other folds, and returns the log-posteriors of every row by
 * the softmax of the pool and, if the rows suffice for curves, by the curves.
 */
function crossFit(
  members: readonly Member[],
  whole: Pool,
  course: Course,
): { soft: Matrix; curved: Matrix | undefined } {
  const { y, classes, fold, parts } = course;
  const scores = members.map((member) => member.scores);
  const soft = new Matrix(y.length, classes);
  const curved = hasRowsForCurves(course) ? new Matrix(y.length, classes) : undefined;
  parts.forEach((held, k) => {
    const rows = rowsOutside(fold, k);
    const at = fitPool({ scores, y, classes, rows }, { ...textPool, start: whole, tolerance: 1e-9 });
    const pooled = poolOf(members, at, held);
    held.forEach((i, at) => {
      soft.row(i).set(pooled.row(at));
    });
    if (!curved) return;
    const curves = fitCurves(
      poolOf(members, at, rows),
      Int32Array.from(rows, (i) => y[i]),
    );
    const calibrated = applyPosterior({ method: 'sigmoid', classes, parts: curves }, pooled, 0);
    held.forEach((i, at) => {
      curved.row(i).set(calibrated.row(at));
    });
  });
  return { soft, curved };
}

const hasRowsForCurves = ({ y, classes }: Course): boolean =>
  classes > 1 && methodsFor({ codes: y }, classes, 'sigmoid').length > 0;

/** A team of members with a calibration, its out-of-fold log-posteriors, and their log-loss. */
interface Contender {
  readonly name: string;
  readonly team: readonly Member[];
  readonly weights: Pool;
  readonly curved: boolean;
  readonly outOfFold: Matrix;
  readonly logLoss: number;
}

function contendersOf(name: string, team: readonly Member[], weights: Pool, course: Course): Contender[] {
  const { soft, curved } = crossFit(team, weights, course);
  const contender = (how: string, outOfFold: Matrix): Contender => {
    const logLoss = meanLogLoss(outOfFold, { codes: course.y });
    return { name: `${name}, ${how}`, team, weights, curved: outOfFold === curved, outOfFold, logLoss };
  };
  return [contender('softmax', soft), ...(curved ? [contender('curves', curved)] : [])];
}

/** From so many rows on the weights of a pool are known well enough to beat each of its members. */
const MANY = 4000;

/** The pool of all members whose weight is not zero, and where rows are few the best member alone, each calibrated. */
function contend(members: readonly Member[], all: Pool, course: Course): Contender[] {
  const team = members.filter((_, m) => all.weights[m] > 0);
  const pool = contendersOf('pool', team, { ...all, weights: all.weights.filter((weight) => weight > 0) }, course);
  if (course.y.length >= MANY || members.length === 1) return pool;
  const best = members.reduce((a, b) => (b.logLoss < a.logLoss ? b : a));
  const { y, classes } = course;
  const alone = fitPool({ scores: [best.scores], y, classes, rows: Uint32Array.from(y.keys()) }, textPool);
  return [...pool, ...contendersOf('best alone', [best], alone, course)];
}

/** The team with the least loss out of fold, its weights, curves and log-probabilities, and what was tried. */
export function chooseTeam(members: readonly Member[], course: Course, watch: () => void) {
  const { y, classes } = course;
  const rows = Uint32Array.from(y.keys());
  const all = fitPool({ y, classes, rows, scores: members.map(({ scores }) => scores) }, textPool);
  watch();
  const contenders = contend(members, all, course);
  const winner = contenders.reduce((a, b) => (b.logLoss < a.logLoss ? b : a));
  const { team, weights, outOfFold } = winner;
  const curves = winner.curved ? fitCurves(poolOf(team, weights, rows), y) : [];
  const tried: TriedText[] = [
    ...members.map((member, m) => {
      const { name, logLoss, accuracy } = member;
      return { name, logLoss, accuracy, chosen: team.includes(member), weight: all.weights[m] };
    }),
    ...contenders.map(({ name, logLoss, outOfFold: logProba }, k) => {
      return { name, logLoss, accuracy: meanAccuracy(logProba, { codes: y }), chosen: contenders[k] === winner };
    }),
  ];
  return { team, weights, curves, outOfFold, tried };
}
