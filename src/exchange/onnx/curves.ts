import type { CalibratedMember, Line } from '../plan.ts';
import type { Graph } from './graph.ts';
import { rowSum } from './vectors.ts';

/** The height of a rising line at each number of a column: the piece that it falls in, by counting points below it. */
export function heights(graph: Graph, column: string, { x, y }: Line): string {
  const last = x.length - 1;
  const below = graph.cast(graph.node('Less', [graph.doubles(x, 1, x.length), column]), 'double');
  const piece = graph.cast(rowSum(graph, below), 'int64');
  const slope = Float64Array.from({ length: x.length + 1 }, (_, k) =>
    k === 0 || k > last ? 0 : (y[k] - y[k - 1]) / (x[k] - x[k - 1]),
  );
  const before = (values: Float64Array) => slope.map((_, k) => values[Math.max(0, Math.min(k - 1, last))]);
  const at = (values: Float64Array) => graph.node('Gather', [graph.doubles(values), piece], { axis: 0 });
  const moved = graph.node('Sub', [column, at(before(x))]);
  return graph.node('Add', [at(before(y)), graph.node('Mul', [at(slope), moved])]);
}

/** A curve for each class, normalised; or one for the second of two classes. */
function curved(graph: Graph, scores: string, curves: number, height: (column: string, k: number) => string): string {
  const column = (c: number) => graph.node('Gather', [scores, graph.integers(c)], { axis: 1 });
  if (curves === 1) {
    const p = height(column(1), 0);
    return graph.node('Concat', [graph.node('Sub', [graph.double(1), p]), p], { axis: 1 });
  }
  const columns = Array.from({ length: curves }, (_, c) => height(column(c), c));
  const all = graph.node('Concat', columns, { axis: 1 });
  const total = rowSum(graph, all);
  const none = graph.node('Equal', [total, graph.double(0)]);
  return graph.node('Where', [none, graph.double(1 / curves), graph.node('Div', [all, total])]);
}

/** Calibrated probabilities from scores. */
export function calibrated(graph: Graph, scores: string, { over, curve }: CalibratedMember): string {
  const values = over === 'probabilities' ? graph.node('Exp', [scores]) : scores;
  if (curve.method === 'temperature') {
    const lifted = () => graph.node('Log', [graph.node('Add', [values, graph.double(1e-12)])]);
    const logits = over === 'probabilities' ? lifted() : values;
    return graph.node('Softmax', [graph.node('Mul', [logits, graph.double(curve.beta)])], { axis: 1 });
  }
  if (curve.method === 'isotonic') {
    return curved(graph, values, curve.lines.length, (column, k) => heights(graph, column, curve.lines[k]));
  }
  return curved(graph, values, curve.a.length, (column, k) => {
    const line = graph.node('Add', [graph.node('Mul', [column, graph.double(curve.a[k])]), graph.double(curve.b[k])]);
    return graph.node('Sigmoid', [graph.node('Neg', [line])]);
  });
}
