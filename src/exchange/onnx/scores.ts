import type { CellGroup, Curved, EachScore, PlanScore, Platt, Share } from '../plan.ts';
import { calibrated, heights } from './curves.ts';
import type { Graph } from './graph.ts';
import { graphTerm } from './terms.ts';
import { type GraphVector, indicator, rowSum } from './vectors.ts';

const softmax = (graph: Graph, scores: string) => graph.node('LogSoftmax', [scores], { axis: 1 });
const wide = (graph: Graph, values: Float64Array) => graph.doubles(values, 1, values.length);

type Inner = (score: PlanScore) => string;

const scores: EachScore<[graph: Graph, inner: Inner, vectors: readonly GraphVector[]], string> = {
  sum: ({ start, terms }, graph, _, vectors) =>
    terms.reduce(
      (sum, term) => graph.node('Add', [sum, graphTerm(graph, term, vectors[term.vector], start.length)]),
      wide(graph, start),
    ),
  add: ({ start, parts }, graph, inner) =>
    parts.reduce(
      (sum, { of, less }) => {
        const part = less ? graph.node('Sub', [inner(of), graph.doubles(less)]) : inner(of);
        return graph.node('Add', [sum, part]);
      },
      wide(graph, start),
    ),
  either: ({ first }, _, inner) => inner(first),
  place: ({ of, places, classes, fill }, graph, inner) => placed(graph, inner(of), places, classes, fill),
  opposed: ({ of }, graph, inner) => graph.node('MatMul', [inner(of), graph.doubles([1, -1, -1, 1], 2, 2)]),
  blank({ of, cells, prior }, graph, inner, vectors) {
    const none = graph.node('Equal', [presentIn(graph, cells, vectors), graph.double(0)]);
    return graph.node('Where', [none, wide(graph, prior), inner(of)]);
  },
  pool({ members, weights, bias, share }, graph, inner, vectors) {
    const own = shareOf(graph, share, vectors);
    const start = between(graph, own, wide(graph, bias), share && wide(graph, share.bias));
    const sum = members.reduce((all, member, m) => {
      const weight = between(graph, own, graph.double(weights[m]), share && graph.double(share.weights[m]));
      return graph.node('Add', [all, graph.node('Mul', [inner(member), weight])]);
    }, start);
    return softmax(graph, sum);
  },
  posterior({ of, prior }, graph, inner) {
    const own = certain(graph, inner(of));
    if (!prior) return softmax(graph, own);
    const impossible = graph.node('Equal', [greatest(graph, own), graph.double(-Infinity)]);
    return softmax(graph, graph.node('Where', [impossible, wide(graph, prior), own]));
  },
  soften({ of, least, tail, unmet, unmetScore, share }, graph, inner, vectors) {
    const bounded = graph.node('Max', [inner(of), graph.double(least)]);
    const own = shareOf(graph, share, vectors);
    const soft = tail === null ? bounded : between(graph, own, bent(graph, bounded, tail), bounded);
    if (!unmet.includes(1)) return soft;
    const marks = graph.constant({ type: 'bool', shape: [unmet.length], values: Array.from(unmet, Boolean) });
    return graph.node('Where', [marks, graph.double(unmetScore), soft]);
  },
  platt: (score, graph, inner) => platt(graph, score, inner(score.of)),
  curve(score, graph, inner, vectors) {
    const logs = inner(score.of);
    return curveBetween(graph, shareOf(graph, score.share, vectors), onCurve(graph, score, logs), logs);
  },
  calibrated({ members }, graph, inner) {
    const answers = members.map((member) => calibrated(graph, inner(member.of), member));
    const sum = answers.reduce((all, own) => graph.node('Add', [all, own]));
    const mean = graph.node('Div', [sum, graph.double(members.length)]);
    return graph.node('Log', [graph.node('Min', [mean, graph.double(1)])]);
  },
};

/** How many cells are present, in one column: numbers that are not missing, and texts with a known term. */
function presentIn(graph: Graph, groups: readonly CellGroup[], vectors: readonly GraphVector[]): string {
  const parts = groups.flatMap(({ vectors: own, text }) => {
    const counts = own.map((k) => {
      const { value } = vectors[k];
      const mark = text ? graph.node('Not', [graph.node('Equal', [value, graph.double(0)])]) : notMissing(graph, value);
      return rowSum(graph, indicator(graph, mark));
    });
    if (!text) return counts;
    const all = counts.reduce((sum, count) => graph.node('Add', [sum, count]));
    return [graph.node('Min', [all, graph.double(1)])];
  });
  return parts.reduce((sum, count) => graph.node('Add', [sum, count]));
}

const notMissing = (graph: Graph, value: string) => graph.node('Not', [graph.node('IsNaN', [value])]);

/** The share of its cells that a row has; undefined where all rows count as complete. */
function shareOf(graph: Graph, share: Share | null, vectors: readonly GraphVector[]): string | undefined {
  if (!share) return undefined;
  const count = presentIn(graph, share.cells, vectors);
  const least = graph.double(share.ordinary === 0 ? 1 : share.ordinary);
  return graph.node('Min', [graph.node('Div', [count, least]), graph.double(1)]);
}

/** Between what was fitted and what it is made of. */
function between(graph: Graph, share: string | undefined, fitted: string, before: string | null): string {
  if (!share || !before) return fitted;
  const rest = graph.node('Sub', [graph.double(1), share]);
  const mixed = graph.node('Add', [graph.node('Mul', [share, fitted]), graph.node('Mul', [rest, before])]);
  return graph.node('Where', [graph.node('GreaterOrEqual', [share, graph.double(1)]), fitted, mixed]);
}

const curveBetween = (graph: Graph, share: string | undefined, fitted: string, before: string) =>
  share ? softmax(graph, between(graph, share, fitted, before)) : fitted;

const greatest = (graph: Graph, own: string) => graph.node('ReduceMax', [own, graph.integers(1)], { keepdims: 1 });

/** Scores in columns of their own, and the fill in the others. */
function placed(graph: Graph, own: string, places: Int32Array, classes: number, fill: number): string {
  const zero = graph.node('Mul', [
    rowSum(graph, graph.node('Exp', [graph.node('Min', [own, graph.double(0)])])),
    graph.double(0),
  ]);
  const filled = graph.node('Concat', [own, graph.node('Add', [zero, graph.double(fill)])], { axis: 1 });
  const columns = new Array<number>(classes).fill(places.length);
  places.forEach((place, c) => {
    columns[place] = c;
  });
  return graph.node('Gather', [filled, graph.columns(columns)], { axis: 1 });
}

/** Where a score is Infinity, those that are share all alike. */
function certain(graph: Graph, own: string): string {
  const infinite = graph.node('Equal', [own, graph.double(Infinity)]);
  const any = graph.node('Equal', [greatest(graph, own), graph.double(Infinity)]);
  const shared = graph.node('Where', [infinite, graph.double(0), graph.double(-Infinity)]);
  return graph.node('Where', [any, shared, own]);
}

/** −tail ln(1 − S / tail). */
function bent(graph: Graph, own: string, tail: number): string {
  const inside = graph.node('Sub', [graph.double(1), graph.node('Div', [own, graph.double(tail)])]);
  return graph.node('Mul', [graph.node('Log', [inside]), graph.double(-tail)]);
}

/** The odds of each class: its logarithm against the log-sum-exp of all others. */
function logOdds(graph: Graph, logs: string, classes: number): string {
  const itself = graph.constant({
    type: 'bool',
    shape: [classes, classes],
    values: Array.from({ length: classes * classes }, (_, k) => k % classes === Math.floor(k / classes)),
  });
  const square = graph.node('Where', [
    itself,
    graph.double(-Infinity),
    graph.node('Unsqueeze', [logs, graph.integers(1)]),
  ]);
  const others = graph.node('ReduceLogSumExp', [square, graph.integers(2)], { keepdims: 0 });
  return graph.node('Sub', [logs, others]);
}

/** Curves over the odds of each class. */
function platt(graph: Graph, { a, b }: Platt, own: string): string {
  const odds = logOdds(graph, softmax(graph, own), a.length);
  const line = graph.node('Add', [graph.node('Mul', [odds, graph.doubles(a)]), graph.doubles(b)]);
  return softmax(graph, graph.node('Neg', [graph.node('Softplus', [line])]));
}

const within = (graph: Graph, value: string, least: number, most: number) =>
  graph.node('Max', [graph.node('Min', [value, graph.double(most)]), graph.double(least)]);

/** Log-odds beyond this, either way, are certain. */
const CERTAIN = 1e4;

/** ln p of every class on its curve, or of both sides of one curve for two classes, normalised. */
function onCurve(graph: Graph, { curve, floor }: Curved, logs: string): string {
  if (curve.method === 'temperature') {
    return softmax(graph, graph.node('Mul', [within(graph, logs, -CERTAIN, CERTAIN), graph.double(curve.beta)]));
  }
  const curves = curve.method === 'sigmoid' ? curve.a.length : curve.lines.length;
  const classes = Math.max(2, curves);
  const odds = within(graph, logOdds(graph, logs, classes), -CERTAIN, CERTAIN);
  const column = (c: number) => graph.node('Gather', [odds, graph.integers(c)], { axis: 1 });
  const sides = (k: number, own: string): [yes: string, no: string] => {
    if (curve.method === 'sigmoid') {
      const line = graph.node('Add', [graph.node('Mul', [own, graph.double(curve.a[k])]), graph.double(curve.b[k])]);
      const fall = (value: string) => graph.node('Neg', [graph.node('Softplus', [value])]);
      return [fall(line), fall(graph.node('Neg', [line]))];
    }
    const p = within(graph, heights(graph, own, curve.lines[k]), floor, 1 - floor);
    return [graph.node('Log', [p]), graph.node('Log', [graph.node('Sub', [graph.double(1), p])])];
  };
  const columns =
    curves === 1 ? sides(0, column(1)).reverse() : Array.from({ length: curves }, (_, c) => sides(c, column(c))[0]);
  return softmax(graph, graph.node('Concat', columns, { axis: 1 }));
}

/** The scores of a plan as a table of rows × classes. */
export function graphScores(graph: Graph, score: PlanScore, vectors: readonly GraphVector[]): string {
  const inner = (own: PlanScore) => graphScores(graph, own, vectors);
  return scores[score.op](score as never, graph, inner, vectors);
}
