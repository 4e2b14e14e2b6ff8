import type { PlaneTerm, QuadricTerm } from '../plan-terms.ts';
import type { Graph } from './graph.ts';
import { type GraphVector, turned } from './vectors.ts';

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
