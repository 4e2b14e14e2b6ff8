import type { Label } from '../data/labels.ts';
import { argmax } from '../math/arrays.ts';
import { type Cells, dense, sparse } from './cells.ts';
import { vectorNames } from './names.ts';
import type { Plan, PlanTerm, SumScore } from './plan.ts';
import { runRow, runVectors } from './run-plan.ts';
import { terms } from './terms.ts';

/** The contribution of each feature of a row to the score of each class: start + contributions = score. */
export interface RowExplanation {
  readonly label: Label;
  readonly start: number[];
  readonly contributions: { readonly feature: string | number; readonly byClass: number[] }[];
  readonly score: number[];
}

/** The only term of a plan, if its features add up one by one; undefined if the score has more parts. */
export function explainableTerm({ score }: Plan): { readonly sum: SumScore; readonly term: PlanTerm } | undefined {
  if (score.op !== 'posterior' || score.of.op !== 'sum' || score.of.terms.length !== 1) return undefined;
  const [term] = score.of.terms;
  return ['linear', 'table', 'bells'].includes(term.op) ? { sum: score.of, term } : undefined;
}

/** Explains a row by a plan that has an explainable term: each feature is scored as if it were the only one. */
export function explainRow(plan: Plan, row: unknown): RowExplanation {
  const { sum, term } = explainableTerm(plan) as { sum: SumScore; term: PlanTerm };
  const cells = runVectors(plan, row)[term.vector];
  const names = vectorNames(plan, term.vector);
  const start = Array.from(sum.start);
  const contributions = singles(term, cells).map(([j, alone]) => {
    const byClass = new Float64Array(start.length);
    terms[term.op].run(term as never, alone, byClass);
    return { feature: names[j], byClass: Array.from(byClass) };
  });
  const score = start.map((value, c) => contributions.reduce((all, { byClass }) => all + byClass[c], value));
  return { label: plan.classes[argmax(runRow(plan, row))], start, contributions, score };
}

/** The vector with one feature at a time; the others are 0 if zeros add nothing, else missing. */
function singles({ op }: PlanTerm, cells: Cells): (readonly [j: number, alone: Cells])[] {
  if (op !== 'linear') {
    const x = dense(cells);
    return Array.from(x, (_, j) => [j, x.map((value, i) => (i === j ? value : Number.NaN))] as const);
  }
  const { width, indices, values } = sparse(cells);
  return indices.map((j, k) => [j, { width, indices: [j], values: values.slice(k, k + 1) }] as const);
}
