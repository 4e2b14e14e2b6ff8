import type { Marginals, PlaneTerm, QuadricTerm } from '../plan.ts';
import type { Graph } from './graph.ts';
import { type GraphVector, indicator, rowSum, turned } from './vectors.ts';

/** Linear discriminants, by what they have more than all classes share. */
export function planeScores(
  graph: Graph,
  { rank, rows, origin, centres }: PlaneTerm,
  { value, width }: GraphVector,
  classes: number,
): string {
  const moved = graph.node('Sub', [value, graph.doubles(origin)]);
  const z = graph.node('MatMul', [moved, graph.doubles(turned(rows, rank, width), width, rank)]);
  const linear = graph.node('MatMul', [z, graph.doubles(turned(centres, classes, rank), rank, classes)]);
  const half = Float64Array.from({ length: classes }, (_, c) =>
    centres.subarray(c * rank, (c + 1) * rank).reduce((sum, own) => sum - 0.5 * own * own, 0),
  );
  return graph.node('Add', [linear, graph.doubles(half)]);
}

/** Squared distances, class by class. */
export function quadricScores(graph: Graph, { forms }: QuadricTerm, { value, width }: GraphVector): string {
  const columns = forms.map((form) => {
    const zero = graph.node('Mul', [
      graph.node('ReduceSum', [value, graph.integers(1)], { keepdims: 1 }),
      graph.double(0),
    ]);
    if (!form) return graph.node('Add', [zero, graph.double(-Infinity)]);
    const moved = graph.node('Sub', [value, graph.doubles(form.mean)]);
    const image = graph.node('MatMul', [moved, graph.doubles(turned(form.rows, form.rank, width), width, form.rank)]);
    const z = form.centre ? graph.node('Sub', [image, graph.doubles(form.centre)]) : image;
    const square = graph.node('ReduceSumSquare', [z, graph.integers(1)], { keepdims: 1 });
    return graph.node('Mul', [square, graph.double(-0.5)]);
  });
  return graph.node('Concat', columns, { axis: 1 });
}

/** A feature that those before it determine to this share of its variance adds nothing. */
const LEAST_SHARE = 2 ** -40;

/** The scores of complete rows, and in rows with missing cells those of the marginals over the others. */
export function withMarginals(
  graph: Graph,
  marginals: Marginals | null,
  vector: GraphVector,
  complete: string,
): string {
  if (!marginals) return complete;
  const gaps = rowSum(graph, indicator(graph, graph.node('IsNaN', [vector.value])));
  const none = graph.node('Equal', [gaps, graph.double(0)]);
  return graph.node('Where', [none, complete, marginalScores(graph, marginals, vector)]);
}

/**
 * ln N of the cells that are present, less the peak of a complete row: Gaussian elimination of the covariance, rows × forms × features
 * × features, and of the distances from the means, rows × classes × features, in which missing features are passed over.
 */
function marginalScores(
  graph: Graph,
  { means, covariances, logPeak }: Marginals,
  { value, width }: GraphVector,
): string {
  const [classes, forms] = [logPeak.length, covariances.length];
  const size = width * width;
  const all = new Float64Array(forms * size);
  covariances.forEach((own, f) => {
    for (let k = 0; k < size; k++) all[f * size + k] = own ? own[k] : Number(k % (width + 1) === 0);
  });
  const gap = graph.node('Unsqueeze', [graph.node('IsNaN', [value]), graph.integers(1)]); // rows × 1 × features
  const there = graph.node('Not', [gap]);
  const wide = graph.node('Unsqueeze', [value, graph.integers(1)]);
  const apart = graph.node('Sub', [wide, graph.doubles(means, 1, classes, width)]);
  let distance = graph.node('Where', [gap, graph.double(0), apart]);
  let left = graph.doubles(all, 1, forms, width, width);
  let sum = graph.doubles(
    logPeak.map((peak) => -peak),
    1,
    classes,
  );
  for (let j = 0; j < width; j++) {
    const at = graph.integers(j);
    const column = graph.node('Squeeze', [graph.node('Gather', [left, at], { axis: 3 }), graph.integers(3)]);
    const variance = graph.node('Gather', [column, at], { axis: 2 }); // rows × forms × 1
    const least = Float64Array.from({ length: forms }, (_, f) => LEAST_SHARE * all[f * size + j * (width + 1)]);
    const varies = graph.node('Greater', [variance, graph.doubles(least, 1, forms, 1)]);
    const counts = graph.node('And', [varies, graph.node('Gather', [there, at], { axis: 2 })]);
    const safe = graph.node('Where', [counts, variance, graph.double(1)]);
    const inverse = graph.node('Where', [counts, graph.node('Reciprocal', [safe]), graph.double(0)]);
    const own = graph.node('Gather', [distance, at], { axis: 2 }); // rows × classes × 1
    const square = graph.node('Mul', [graph.node('Mul', [own, own]), inverse]);
    const volume = graph.node('Where', [counts, graph.node('Log', [graph.node('Mul', [safe, graph.double(2 * Math.PI)])]), graph.double(0)]); // biome-ignore format: one line
    const fall = graph.node('Mul', [graph.node('Add', [square, volume]), graph.double(-0.5)]);
    sum = graph.node('Add', [sum, graph.node('Squeeze', [fall, graph.integers(2)])]);
    const ratio = graph.node('Mul', [column, inverse]);
    distance = graph.node('Sub', [distance, graph.node('Mul', [ratio, own])]);
    const [tall, flat] = [3, 2].map((axis, k) =>
      graph.node('Unsqueeze', [k === 0 ? ratio : column, graph.integers(axis)]),
    );
    left = graph.node('Sub', [left, graph.node('Mul', [tall, flat])]);
  }
  const impossible = covariances.map((own) => own === null);
  if (!impossible.includes(true)) return sum;
  const marks = graph.constant({ type: 'bool', shape: [1, classes], values: impossible });
  return graph.node('Where', [marks, graph.double(-Infinity), sum]);
}
