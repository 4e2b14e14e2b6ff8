import { Matrix } from '../data/matrix.ts';
import { argmax } from '../math/arrays.ts';
import { fitPool, type Pool, poolRow } from './pool.ts';
import { type Curves, calibrateRow, fitCurves } from './text-calibrate.ts';
import { rowsOutside } from './text-folds.ts';
import { type Course, type Member, textPool } from './text-members.ts';
import type { TriedText } from './text-pool.ts';

/** Pooled scores of the listed rows, row-major. */
function poolInto(members: readonly Member[], at: Pool, rows: Uint32Array, out: Float64Array): void {
  const classes = at.bias.length;
  const scores = members.map((member) => member.scores);
  for (const i of rows) poolRow(scores, at, i, out.subarray(i * classes, (i + 1) * classes));
}

function calibrated(pooled: Float64Array, rows: Uint32Array, curves: Curves, out: Matrix): void {
  for (const i of rows) {
    const row = out.row(i);
    row.set(pooled.subarray(i * out.cols, (i + 1) * out.cols));
    calibrateRow(row, curves);
  }
}

function lossOf(logProba: Matrix, y: Int32Array): number {
  return y.reduce((sum, c, i) => sum - logProba.at(i, c), 0) / y.length;
}

function hitsOf(logProba: Matrix, y: Int32Array): number {
  return y.reduce((hits, c, i) => hits + (argmax(logProba.row(i)) === c ? 1 : 0), 0) / y.length;
}

/**
 * Pools and curves once more, each fold by what was learned on the scores of the others: log-probabilities of every row
 * by the softmax of the pool, and by Platt's curves, to tell which is better.
 */
function crossFit(members: readonly Member[], whole: Pool, course: Course): { soft: Matrix; curved: Matrix } {
  const { y, classes, fold, parts } = course;
  const scores = members.map((member) => member.scores);
  const [soft, curved] = [new Matrix(y.length, classes), new Matrix(y.length, classes)];
  const pooled = new Float64Array(y.length * classes);
  parts.forEach((held, k) => {
    const rows = rowsOutside(fold, k);
    const at = fitPool({ scores, y, classes, rows }, { ...textPool, start: whole, tolerance: 1e-9 });
    poolInto(members, at, rows, pooled);
    poolInto(members, at, held, pooled);
    calibrated(pooled, held, [], soft);
    calibrated(pooled, held, classes > 1 ? fitCurves(pooled, y, classes, rows) : [], curved);
  });
  return { soft, curved };
}

/** A team of members with a calibration: what it says of every row, out of fold, and how good that is. */
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
  return [
    { name: `${name}, softmax`, team, weights, curved: false, outOfFold: soft, logLoss: lossOf(soft, course.y) },
    { name: `${name}, curves`, team, weights, curved: true, outOfFold: curved, logLoss: lossOf(curved, course.y) },
  ];
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
  const pooled = new Float64Array(y.length * classes);
  poolInto(team, weights, rows, pooled);
  const curves: Curves = winner.curved && classes > 1 ? fitCurves(pooled, y, classes, rows) : [];
  const tried: TriedText[] = [
    ...members.map((member, m) => {
      const { name, logLoss, accuracy } = member;
      return { name, logLoss, accuracy, chosen: team.includes(member), weight: all.weights[m] };
    }),
    ...contenders.map(({ name, logLoss, outOfFold: logProba }, k) => {
      return { name, logLoss, accuracy: hitsOf(logProba, y), chosen: contenders[k] === winner };
    }),
  ];
  return { team, weights, curves, outOfFold, tried };
}
