import type { BinVector, HotVector, Plan, PlanVector, WeighVector } from '../plan.ts';
import type { Graph } from './graph.ts';
import type { GraphInputs } from './inputs.ts';

/** The vectors of a plan as tables of doubles, one row to each row. */
export function graphVectors(graph: Graph, plan: Plan, inputs: GraphInputs): string[] {
  const done: string[] = [];
  for (const vector of plan.vectors) done.push(graphVector(graph, plan, inputs, vector, done));
  return done;
}

const side = (graph: Graph, parts: readonly string[]) =>
  parts.length === 1 ? parts[0] : graph.node('Concat', parts, { axis: 1 });

function graphVector(
  graph: Graph,
  plan: Plan,
  inputs: GraphInputs,
  vector: PlanVector,
  done: readonly string[],
): string {
  if (vector.op === 'inputs') {
    return side(
      graph,
      vector.inputs.map((k) => inputs.numbers(plan.inputs[k])),
    );
  }
  if (vector.op === 'terms') return inputs.counts(vector);
  if (vector.op === 'join') {
    return side(
      graph,
      vector.from.map((k) => done[k]),
    );
  }
  return changed(graph, vector, done[vector.from]);
}

/** A vector in a graph. */
export interface GraphVector {
  readonly value: string;
  readonly width: number;
}

/** A table of rows × columns as one of columns × rows. */
export function turned(values: Float64Array, classes: number, features: number): Float64Array {
  return Float64Array.from(
    { length: values.length },
    (_, k) => values[(k % classes) * features + Math.floor(k / classes)],
  );
}

/** 1 where a condition holds, else 0. */
export const indicator = (graph: Graph, condition: string): string => graph.cast(condition, 'double');

/** A value, unless the number it is of is missing. */
export function unlessMissing(graph: Graph, x: string, value: string, instead: string): string {
  return graph.node('Where', [graph.node('IsNaN', [x]), instead, value]);
}

/** Σ over the columns, as one column. */
export const rowSum = (graph: Graph, x: string): string =>
  graph.node('ReduceSum', [x, graph.integers(1)], { keepdims: 1 });

type Changed = Exclude<PlanVector, { op: 'inputs' | 'terms' | 'join' }>;

function changed(graph: Graph, vector: Changed, x: string): string {
  switch (vector.op) {
    case 'weigh':
      return weigh(graph, vector, x);
    case 'root-share':
      return graph.node('Sqrt', [graph.node('Div', [x, orOne(graph, rowSum(graph, x))])]);
    case 'pick':
      return graph.node('Gather', [x, graph.columns(vector.columns)], { axis: 1 });
    case 'bin':
      return bin(graph, vector, x);
    case 'equal': {
      const same = indicator(graph, graph.node('Equal', [x, graph.doubles(vector.values)]));
      const compared = graph.constant({
        type: 'bool',
        shape: [vector.width],
        values: Array.from(vector.values, (v) => !Number.isNaN(v)),
      });
      return unlessMissing(graph, x, graph.node('Where', [compared, same, x]), x);
    }
    case 'scale': {
      const moved = graph.node('Sub', [x, graph.doubles(vector.mean)]);
      const scaled = graph.node('Div', [moved, graph.doubles(vector.scale)]);
      return unlessMissing(graph, x, scaled, graph.doubles(vector.fill));
    }
    case 'above':
      return unlessMissing(graph, x, indicator(graph, graph.node('Greater', [x, graph.double(vector.threshold)])), x);
    case 'limit': {
      const levels = graph.doubles(Float64Array.from(vector.levels));
      const beyond = vector.unknown === 'last' ? levels : graph.double(Number.NaN);
      return graph.node('Where', [graph.node('Less', [x, levels]), x, unlessMissing(graph, x, beyond, x)]);
    }
    default:
      return spread(graph, vector, x);
  }
}

/** A divisor: where it is 0, 1. */
function orOne(graph: Graph, value: string): string {
  return graph.node('Where', [graph.node('Equal', [value, graph.double(0)]), graph.double(1), value]);
}

function weigh(graph: Graph, { tf, idf, norm }: WeighVector, x: string): string {
  const one = graph.double(1);
  const nothing = graph.node('Equal', [x, graph.double(0)]);
  const curved = {
    raw: () => x,
    binary: () => graph.node('Where', [nothing, graph.double(0), one]),
    sqrt: () => graph.node('Sqrt', [x]),
    log1p: () => graph.node('Log', [graph.node('Add', [x, one])]),
    sublinear: () => graph.node('Where', [nothing, x, graph.node('Add', [graph.node('Log', [x]), one])]),
  }[tf]();
  const weighted = idf ? graph.node('Mul', [curved, graph.doubles(idf)]) : curved;
  if (norm === null) return weighted;
  const reduce = norm === 'l2' ? 'ReduceL2' : 'ReduceL1';
  const length = graph.node(reduce, [weighted, graph.integers(1)], { keepdims: 1 });
  return graph.node('Div', [weighted, orOne(graph, length)]);
}

/** How many cuts are at or below each number: all cuts of all columns side by side, filled up with Infinity. */
function bin(graph: Graph, { cuts, missing, width }: BinVector, x: string): string {
  const most = Math.max(1, ...cuts.map((own) => own?.length ?? 0));
  const table = new Float64Array(width * most).fill(Infinity);
  cuts.forEach((own, j) => {
    if (own) table.set(own, j * most);
  });
  const wide = graph.node('Unsqueeze', [x, graph.integers(2)]);
  const reached = indicator(graph, graph.node('GreaterOrEqual', [wide, graph.doubles(table, width, most)]));
  const bins = graph.node('ReduceSum', [reached, graph.integers(2)], { keepdims: 0 });
  const cut = graph.constant({ type: 'bool', shape: [width], values: cuts.map((own) => own !== null) });
  const last = graph.doubles(Float64Array.from(cuts, (own) => (own ? own.length + 1 : Number.NaN)));
  return unlessMissing(graph, x, graph.node('Where', [cut, bins, x]), missing === 'last' ? last : x);
}

/** Every number is compared with each of its places. */
function spread(graph: Graph, { widths }: HotVector, x: string): string {
  const columns = Array.from(widths, (count, j) => new Array<number>(count).fill(j)).flat();
  const places = Array.from(widths, (count) => Array.from({ length: count }, (_, v) => v)).flat();
  const repeated = graph.node('Gather', [x, graph.columns(columns)], { axis: 1 });
  return indicator(graph, graph.node('Equal', [repeated, graph.doubles(places)]));
}
