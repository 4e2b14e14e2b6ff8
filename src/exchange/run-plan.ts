import { Matrix } from '../data/matrix.ts';
import type { Plan } from './plan.ts';
import { runScore } from './run/scores.ts';
import { runVectors } from './run/vectors.ts';

/**
 * ln p(c | x) of every row by a plan: what the plan means, row by row and without haste. A row is what `plan.row` says; rows of
 * records may also be lists in the order of the columns.
 */
export function runPlan(plan: Plan, rows: Iterable<unknown>): Matrix {
  const answers = Array.from(rows, (row) => runScore(plan.score, runVectors(plan, row)));
  const out = new Matrix(answers.length, plan.classes.length);
  answers.forEach((answer, i) => {
    out.row(i).set(answer);
  });
  return out;
}
