import { vectorNames } from '../plan/names.ts';
import type { Plan, SumScore } from '../plan.ts';
import type { BellTerm, LinearTerm, TableTerm } from '../plan-terms.ts';
import { termList, type VectorCodes } from './emit-vectors.ts';
import { valueLiteral } from './literals.ts';
import type { ModuleText } from './module.ts';

type Told = LinearTerm | TableTerm | BellTerm;

/** The one term of a plan that is told feature by feature; undefined where the score is made of more. */
export function toldTerm({ score }: Plan): { readonly sum: SumScore; readonly term: Told } | undefined {
  if (score.op !== 'posterior' || score.of.op !== 'sum' || score.of.terms.length !== 1) return undefined;
  const [term] = score.of.terms;
  return term.op === 'linear' || term.op === 'table' || term.op === 'bells' ? { sum: score.of, term } : undefined;
}

/** Program text for the name of feature j: its term, the name of its column, or its number. */
function nameCode(module: ModuleText, plan: Plan, k: number): string {
  const vector = plan.vectors[k];
  if (vector.op === 'terms') return vector.terms ? `${termList(module, vector.terms)}[j]` : 'j';
  const names = vectorNames(plan, k);
  if (names.every((name, j) => name === j)) return 'j';
  return `${module.constant(vector, () => `[${names.map(valueLiteral).join(', ')}]`)}[j]`;
}

/** Program text of `explain`, for the vectors of the plan. */
export function explainCode(module: ModuleText, plan: Plan, vectors: VectorCodes): string | undefined {
  const told = toldTerm(plan);
  if (!told) return undefined;
  const { term } = told;
  const start = module.numbers(told.sum.start);
  const contributions = contributionsCode(module, term, vectors, nameCode(module, plan, term.vector));
  return `
export function explain(x) {
  ${vectors.lines.join('\n  ')}
  const zero = ${start}.map(() => 0);
  const contributions = ${contributions};
  const score = Array.from(${start}, (s, c) => contributions.reduce((sum, { byClass }) => sum + byClass[c], s));
  return { label: predict(x), start: Array.from(${start}), contributions, score };
}`;
}

/** What each feature that speaks adds, as a row of one feature is scored. */
function contributionsCode(module: ModuleText, term: Told, vectors: VectorCodes, name: string): string {
  const entry = (one: string) => `({ feature: ${name}, byClass: Array.from(${one}) })`;
  if (term.op === 'linear') {
    const cell = '{ at: [j], of: [v.of[k]] }';
    const one = module.call('linear', 'zero.slice()', cell, module.numbers(term.weights));
    return `((v) => v.at.map((j, k) => ${entry(one)}))(${vectors.sparse(term.vector)})`;
  }
  const { op } = term;
  const lists =
    op === 'table' ? [term.levels, term.offsets, term.faces] : [term.mean, term.variance, term.df, term.logPeak];
  const alone = 'v.map((value, i) => (i === j ? value : NaN))';
  const one = module.call(op, 'zero.slice()', alone, ...lists.map((values) => module.numbers(values)));
  return `((v) => v.map((_, j) => ${entry(one)}))(${vectors.list(term.vector)})`;
}
