import { Matrix } from '../data/matrix.ts';
import type { Cells } from './cells.ts';
import type { Plan } from './plan.ts';
import { runScore } from './scores.ts';
import { runVector } from './vectors.ts';

/** The vectors of a plan for one row. */
export function runVectors(plan: Plan, row: unknown): Cells[] {
  const done: Cells[] = [];
  for (const vector of plan.vectors) done.push(runVector(vector, { plan, row, done }));
  return done;
}

/** ln p(c | x) of one row. */
export function runRow(plan: Plan, row: unknown): Float64Array {
  return runScore(plan.score, runVectors(plan, row));
}

/**
 * ln p(c | x) of every row by a plan, which defines its meaning. A row is what `plan.row` says; rows of
 * records may also be lists in the order of the columns.
 */
export function runPlan(plan: Plan, rows: Iterable<unknown>): Matrix {
  const answers = Array.from(rows, (row) => runRow(plan, row));
  const out = new Matrix(answers.length, plan.classes.length);
  answers.forEach((answer, i) => {
    out.row(i).set(answer);
  });
  return out;
}
