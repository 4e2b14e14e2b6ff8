import { levelOffsets } from '../../stats/layout.ts';
import type { AodeTerm } from '../plan-terms.ts';
import type { Graph } from './graph.ts';
import { rowSum, unlessMissing } from './vectors.ts';

/**
 * Every feature in turn as the parent of all others. Levels are numbered over all features; behind them stand one number for the
 * unknown levels of each feature and one for missing cells, which say nothing as children and are no parents.
 */
export function ensembleScores(graph: Graph, term: AodeTerm, x: string, classes: number): string {
  const offsets = levelOffsets(term.levels);
  const features = term.levels.length;
  const size = offsets[features];
  const width = size + features + 1;
  const numbers = levelNumbers(graph, term.levels, offsets, x);
  const qualified = graph.node('Gather', [graph.doubles(qualifying(term, width)), numbers], { axis: 0 });
  const shares = shareOf(graph, term, qualified);
  const parents = graph.node('Min', [numbers, graph.constant({ type: 'int64', shape: [], values: [size - 1] })]);
  const sums = graph.node('Add', [
    graph.node('Gather', [graph.doubles(levelMajor(term.logJoint, classes, size), size, classes), parents], {
      axis: 0,
    }),
    childrenOf(graph, { ...term, size, width, classes, features }, parents, numbers),
  ]);
  const logShares = graph.node('Unsqueeze', [graph.node('Log', [shares]), graph.integers(2)]);
  const averaged = graph.node('ReduceLogSumExp', [graph.node('Add', [sums, logShares]), graph.integers(1)], {
    keepdims: 0,
  });
  const any = graph.node('Greater', [rowSum(graph, qualified), graph.double(0)]);
  return graph.node('Where', [any, averaged, naive(graph, term, numbers, classes, width)]);
}

/** The number of every cell among all levels. */
function levelNumbers(graph: Graph, levels: Int32Array, offsets: Int32Array, x: string): string {
  const features = levels.length;
  const size = offsets[features];
  const own = graph.node('Add', [x, graph.doubles(Float64Array.from(levels, (_, j) => offsets[j]))]);
  const known = graph.node('Less', [x, graph.doubles(Float64Array.from(levels))]);
  const unknown = graph.doubles(Float64Array.from(levels, (_, j) => size + j));
  const number = graph.node('Where', [known, own, unknown]);
  return graph.cast(unlessMissing(graph, x, number, graph.double(size + features)), 'int64');
}

/** 1 for the levels that may be parents. */
function qualifying({ frequency, minimumFrequency }: AodeTerm, width: number): Float64Array {
  return Float64Array.from({ length: width }, (_, u) => Number(frequency[u] > 0 && frequency[u] >= minimumFrequency));
}

/** How much each feature counts as the parent; where no weight is left, those that qualify count alike. */
function shareOf(graph: Graph, { weights }: AodeTerm, qualified: string): string {
  const weighted = graph.node('Mul', [qualified, graph.doubles(weights)]);
  const total = rowSum(graph, weighted);
  const alike = graph.node('Div', [qualified, rowSum(graph, qualified)]);
  return graph.node('Where', [
    graph.node('Greater', [total, graph.double(0)]),
    graph.node('Div', [weighted, total]),
    alike,
  ]);
}

/** A class-major table of levels as rows of levels. */
function levelMajor(values: Float64Array, classes: number, size: number): Float64Array {
  return Float64Array.from({ length: values.length }, (_, k) => values[(k % classes) * size + Math.floor(k / classes)]);
}

interface Pairs extends AodeTerm {
  readonly size: number;
  readonly width: number;
  readonly classes: number;
  readonly features: number;
}

/** Σ{j ≠ i} ln p(xⱼ | c, xᵢ) for every parent i: rows × parents × classes. */
function childrenOf(graph: Graph, pairs: Pairs, parents: string, numbers: string): string {
  const { size, width, classes, features, logGiven, logUnseen } = pairs;
  const table = new Float64Array(size * width * classes);
  for (let c = 0; c < classes; c++) {
    for (let u = 0; u < size; u++) {
      for (let v = 0; v < size; v++) table[(u * width + v) * classes + c] = logGiven[(c * size + u) * size + v];
      for (let j = 0; j < features; j++) {
        table[(u * width + size + j) * classes + c] = logUnseen[(c * size + u) * features + j];
      }
    }
  }
  const rows = graph.node('Mul', [parents, graph.constant({ type: 'int64', shape: [], values: [width] })]);
  const index = graph.node('Add', [
    graph.node('Unsqueeze', [rows, graph.integers(2)]),
    graph.node('Unsqueeze', [numbers, graph.integers(1)]),
  ]);
  const found = graph.node('Gather', [graph.doubles(table, size * width, classes), index], { axis: 0 });
  const same = Array.from({ length: features * features }, (_, k) => k % features === Math.floor(k / features));
  const itself = graph.constant({ type: 'bool', shape: [features, features, 1], values: same });
  const others = graph.node('Where', [itself, graph.double(0), found]);
  return graph.node('ReduceSum', [others, graph.integers(2)], { keepdims: 0 });
}

/** ln p(c) + Σ ln p(xⱼ | c), where no feature qualifies as the parent. */
function naive(graph: Graph, term: AodeTerm, numbers: string, classes: number, width: number): string {
  const { logAlone, logUnseenAlone, logPrior, levels } = term;
  const size = width - levels.length - 1;
  const table = new Float64Array(width * classes);
  for (let c = 0; c < classes; c++) {
    for (let v = 0; v < size; v++) table[v * classes + c] = logAlone[c * size + v];
    for (let j = 0; j < levels.length; j++) table[(size + j) * classes + c] = logUnseenAlone[c * levels.length + j];
  }
  const found = graph.node('Gather', [graph.doubles(table, width, classes), numbers], { axis: 0 });
  const sum = graph.node('ReduceSum', [found, graph.integers(1)], { keepdims: 0 });
  return graph.node('Add', [sum, graph.doubles(logPrior)]);
}
