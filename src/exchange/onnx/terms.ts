import type { CoinTerm, EachTerm, PlanTerm, PoissonTerm, TableTerm } from '../plan.ts';
import { ensembleScores } from './aode.ts';
import { contextScores } from './contexts.ts';
import { bellScores, kernelScores } from './densities.ts';
import { planeScores, quadricScores, withMarginals } from './discriminants.ts';
import type { Graph } from './graph.ts';
import { cannotTranslate } from './refusal.ts';
import { treeScores } from './tree.ts';
import { type GraphVector, indicator, turned, unlessMissing } from './vectors.ts';

const negate = (graph: Graph, condition: string) => graph.node('Not', [condition]);

/**
 * Σ x[j] w[j,c] with 0 · ∞ = 0: finite weights by a product of matrices, infinite ones by whether one of their cells is there.
 * `features` by `classes`.
 */
function product(graph: Graph, x: string, weights: Float64Array, features: number, classes: number): string {
  const finite = weights.map((weight) => (Number.isFinite(weight) ? weight : 0));
  let sum = graph.node('MatMul', [x, graph.doubles(finite, features, classes)]);
  for (const end of [-Infinity, Infinity]) {
    if (!weights.includes(end)) continue;
    const marks = weights.map((weight) => Number(weight === end));
    const there = indicator(graph, negate(graph, graph.node('Equal', [x, graph.double(0)])));
    const met = graph.node('MatMul', [there, graph.doubles(marks, features, classes)]);
    sum = graph.node('Where', [graph.node('Greater', [met, graph.double(0)]), graph.double(end), sum]);
  }
  return sum;
}

/** Missing cells as zeros, and a mark for each. */
function gaps(graph: Graph, x: string): { present: string; missing: string } {
  const missing = graph.node('IsNaN', [x]);
  return { present: graph.node('Where', [missing, graph.double(0), x]), missing: indicator(graph, missing) };
}

function coins(graph: Graph, { logOdds, certain }: CoinTerm, { value, width }: GraphVector, classes: number): string {
  const odds = turned(logOdds, classes, width);
  const { present, missing } = gaps(graph, value);
  const heads = product(
    graph,
    present,
    odds.map((own) => (own === Infinity ? 0 : own)),
    width,
    classes,
  );
  const lost = odds.map((own) => (own === Infinity ? 0 : Math.log1p(Math.exp(-Math.abs(own))) + Math.max(own, 0)));
  const sum = graph.node('Add', [heads, graph.node('MatMul', [missing, graph.doubles(lost, width, classes)])]);
  const marks = odds.map((own) => Number(own === Infinity));
  const paid = graph.node('MatMul', [graph.node('Add', [present, missing]), graph.doubles(marks, width, classes)]);
  const owes = graph.node('Greater', [graph.doubles(certain), paid]);
  return graph.node('Where', [owes, graph.double(-Infinity), sum]);
}

/** Rows of a table by their numbers; a missing number finds a row of zeros behind all others. */
function table(graph: Graph, { levels, offsets, faces }: TableTerm, { value }: GraphVector, classes: number): string {
  const rows = faces.length / classes;
  const bounded = graph.node('Min', [value, graph.doubles(Float64Array.from(levels))]);
  const place = graph.node('Add', [bounded, graph.doubles(Float64Array.from(offsets))]);
  const index = graph.cast(unlessMissing(graph, value, place, graph.double(rows)), 'int64');
  const all = new Float64Array(faces.length + classes);
  all.set(faces);
  const found = graph.node('Gather', [graph.doubles(all, rows + 1, classes), index], { axis: 0 });
  return graph.node('ReduceSum', [found, graph.integers(1)], { keepdims: 0 });
}

/** ln x! is the same for all classes, and left out. */
function poisson(
  graph: Graph,
  { cells, exposures }: PoissonTerm,
  { value, width }: GraphVector,
  classes: number,
): string {
  if (exposures) return cannotTranslate('ONNX', 'predictive rates: it has no gamma function');
  const { present, missing } = gaps(graph, value);
  const events = product(graph, present, cells, width, classes);
  const back = graph.node('MatMul', [missing, graph.doubles(cells.map(Math.exp), width, classes)]);
  return graph.node('Add', [events, back]);
}

const terms: EachTerm<[graph: Graph, vector: GraphVector, classes: number], string> = {
  linear: ({ weights }, graph, { value, width }, classes) => product(graph, value, weights, width, classes),
  coins: (term, graph, vector, classes) => coins(graph, term, vector, classes),
  table: (term, graph, vector, classes) => table(graph, term, vector, classes),
  bells: (term, graph, vector, classes) => bellScores(graph, term, vector, classes),
  poisson: (term, graph, vector, classes) => poisson(graph, term, vector, classes),
  kernels: (term, graph, vector, classes) => kernelScores(graph, term, vector, classes),
  planes: (term, graph, vector, classes) =>
    withMarginals(graph, term.marginals, vector, planeScores(graph, term, vector, classes)),
  quadrics: (term, graph, vector) => withMarginals(graph, term.marginals, vector, quadricScores(graph, term, vector)),
  shift({ weights, constant }, graph, { value, width }) {
    return graph.node('Sub', [graph.node('MatMul', [value, graph.doubles(weights, width, 1)]), graph.double(constant)]);
  },
  tree: (term, graph, { value }, classes) => treeScores(graph, term, value, classes),
  urns: () => cannotTranslate('ONNX', "Pólya's urns: it has no gamma function"),
  aode: (term, graph, { value }, classes) => ensembleScores(graph, term, value, classes),
  contexts: (term, graph, { value }, classes) => contextScores(graph, term, value, classes),
};

/** What a term adds to the scores, as a table of rows × classes (or one column for all classes alike). */
export function graphTerm(graph: Graph, term: PlanTerm, vector: GraphVector, classes: number): string {
  return terms[term.op](term as never, graph, vector, classes);
}
