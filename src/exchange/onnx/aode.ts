import { levelOffsets } from '../../stats/layout.ts';
import type { AodeTerm } from '../plan.ts';
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
  const gap = graph.node('IsNaN', [x]);
  const frequent = qualifying(term, width);
  const some = Float64Array.from(term.levels, (_, j) => Math.max(0, ...frequent.subarray(offsets[j], offsets[j + 1])));
  const known = graph.node('Gather', [graph.doubles(frequent), numbers], { axis: 0 });
  const qualified = graph.node('Where', [gap, graph.doubles(some), known]);
  const shares = shareOf(graph, term, qualified);
  const parents = graph.node('Min', [numbers, graph.constant({ type: 'int64', shape: [], values: [size - 1] })]);
  const pairs = pairTable(graph, { ...term, size, width, classes, features });
  const joint = graph.doubles(levelMajor(term.logJoint, classes, size), size, classes);
  const present = graph.node('Add', [
    graph.node('Gather', [joint, parents], { axis: 0 }),
    childrenOf(graph, pairs, parents, numbers),
  ]);
  const sums = graph.node('Where', [
    graph.node('Unsqueeze', [gap, graph.integers(2)]),
    missingParents(graph, pairs, joint, offsets, numbers),
    present,
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

/** A table of pairs of levels, and its sizes. */
interface PairTable {
  readonly table: string; // (level · width + level) × classes
  readonly size: number;
  readonly width: number;
  readonly features: number;
}

/** ln p(v | c, u) of all pairs of levels; behind the levels of all features those on no list, and behind these what is missing. */
function pairTable(graph: Graph, pairs: Pairs): PairTable {
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
  return { table: graph.doubles(table, size * width, classes), size, width, features };
}

/** ln Σᵤ p(c, u) Πⱼ p(xⱼ | c, u) over the levels of every feature, for rows in which it is missing: rows × features × classes. */
function missingParents(
  graph: Graph,
  { table, size, width, features }: PairTable,
  joint: string,
  offsets: Int32Array,
  numbers: string,
): string {
  const starts = Array.from({ length: size }, (_, u) => u * width);
  const index = graph.node('Add', [
    graph.constant({ type: 'int64', shape: [1, size, 1], values: starts }),
    graph.node('Unsqueeze', [numbers, graph.integers(1)]),
  ]);
  const found = graph.node('Gather', [table, index], { axis: 0 }); // rows × levels × features × classes
  const children = graph.node('ReduceSum', [found, graph.integers(2)], { keepdims: 0 });
  const sums = graph.node('Unsqueeze', [graph.node('Add', [children, joint]), graph.integers(1)]);
  const own = Array.from({ length: features * size }, (_, k) => {
    const [j, u] = [Math.floor(k / size), k % size];
    return u >= offsets[j] && u < offsets[j + 1];
  });
  const levels = graph.constant({ type: 'bool', shape: [1, features, size, 1], values: own });
  // a feature without levels has no share, and any number will do for it
  const each = graph.node('Where', [levels, sums, graph.double(-1e300)]);
  return graph.node('ReduceLogSumExp', [each, graph.integers(2)], { keepdims: 0 });
}

/** Σ{j ≠ i} ln p(xⱼ | c, xᵢ) for every parent i: rows × parents × classes. */
function childrenOf(graph: Graph, { table, width, features }: PairTable, parents: string, numbers: string): string {
  const rows = graph.node('Mul', [parents, graph.constant({ type: 'int64', shape: [], values: [width] })]);
  const index = graph.node('Add', [
    graph.node('Unsqueeze', [rows, graph.integers(2)]),
    graph.node('Unsqueeze', [numbers, graph.integers(1)]),
  ]);
  const found = graph.node('Gather', [table, index], { axis: 0 });
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
