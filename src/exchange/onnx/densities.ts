import type { BellTerm, KernelTerm } from '../plan.ts';
import type { Graph } from './graph.ts';
import { type GraphVector, unlessMissing } from './vectors.ts';

/** Terms of every class and feature, added up over the features; missing cells add nothing. */
function overFeatures(graph: Graph, x: string, terms: (wide: string) => string): string {
  const wide = graph.node('Unsqueeze', [x, graph.integers(1)]);
  const each = unlessMissing(graph, wide, terms(wide), graph.double(0));
  return graph.node('ReduceSum', [each, graph.integers(2)], { keepdims: 0 });
}

/** Normal curves and Student's. */
export function bellScores(
  graph: Graph,
  { mean, variance, df, logPeak }: BellTerm,
  { value, width }: GraphVector,
  classes: number,
): string {
  const grid = (values: Float64Array) => graph.doubles(values, classes, width);
  return overFeatures(graph, value, (wide) => {
    const apart = graph.node('Sub', [wide, grid(mean)]);
    const square = graph.node('Div', [graph.node('Mul', [apart, apart]), grid(variance)]);
    const normal = graph.node('Mul', [square, graph.double(-0.5)]);
    const fall = df.every((own) => own === Infinity)
      ? normal
      : graph.node('Where', [flags(graph, df, classes, width), normal, tail(graph, square, df, classes, width)]);
    return graph.node('Add', [grid(logPeak), fall]);
  });
}

const flags = (graph: Graph, df: Float64Array, classes: number, width: number) =>
  graph.constant({ type: 'bool', shape: [classes, width], values: Array.from(df, (own) => own === Infinity) });

/** −½ (df + 1) ln(1 + z² / df). */
function tail(graph: Graph, square: string, df: Float64Array, classes: number, width: number): string {
  const finite = df.map((own) => (own === Infinity ? 1 : own));
  const share = graph.node('Div', [square, graph.doubles(finite, classes, width)]);
  const log = graph.node('Log', [graph.node('Add', [share, graph.double(1)])]);
  return graph.node('Mul', [
    log,
    graph.doubles(
      finite.map((own) => -0.5 * (own + 1)),
      classes,
      width,
    ),
  ]);
}

/** All points of all kernels side by side, filled up with points of no weight. */
export function kernelScores(
  graph: Graph,
  { kernels: own }: KernelTerm,
  { value, width }: GraphVector,
  classes: number,
): string {
  const most = Math.max(1, ...own.map((kernel) => kernel?.points.length ?? 0));
  const points = new Float64Array(own.length * most);
  const logWeights = new Float64Array(own.length * most).fill(-Infinity);
  const bandwidth = new Float64Array(own.length).fill(1);
  const constant = new Float64Array(own.length);
  own.forEach((kernel, cell) => {
    if (!kernel) {
      logWeights[cell * most] = 0;
      return;
    }
    points.set(kernel.points, cell * most);
    logWeights.set(kernel.weights.map(Math.log), cell * most);
    bandwidth[cell] = kernel.bandwidth;
    constant[cell] = -Math.log(kernel.total) - Math.log(kernel.bandwidth) - 0.5 * Math.log(2 * Math.PI);
  });
  const empty = graph.constant({ type: 'bool', shape: [classes, width], values: own.map((kernel) => kernel === null) });
  return overFeatures(graph, value, (wide) => {
    const deep = graph.node('Unsqueeze', [wide, graph.integers(3)]);
    const apart = graph.node('Sub', [deep, graph.doubles(points, classes, width, most)]);
    const z = graph.node('Div', [apart, graph.doubles(bandwidth, classes, width, 1)]);
    const fall = graph.node('Mul', [graph.node('Mul', [z, z]), graph.double(-0.5)]);
    const exponents = graph.node('Add', [fall, graph.doubles(logWeights, classes, width, most)]);
    const density = graph.node('ReduceLogSumExp', [exponents, graph.integers(3)], { keepdims: 0 });
    const log = graph.node('Add', [density, graph.doubles(constant, classes, width)]);
    return graph.node('Where', [empty, graph.double(0), log]);
  });
}
