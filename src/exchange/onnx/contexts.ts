import type { ContextDepth, ContextFeature, ContextTerm } from '../plan.ts';
import type { Graph } from './graph.ts';
import { cannotTranslate } from './refusal.ts';

/** Tables of places hold every context with every level; more cells than this would make files of hundreds of megabytes. */
const MOST_PLACES = 2 ** 24;

/**
 * Σ ln p(xⱼ | c, parents). All tensors are rows × combinations of the levels of missing parents: as many combinations as the row of
 * the batch with the most of them has, and one where no parent is missing. Contexts and values are numbered from 1 at each depth, and
 * 0 is one that was not counted.
 */
export function contextScores(graph: Graph, term: ContextTerm, x: string, classes: number): string {
  const { features } = term;
  requireFewPlaces(term);
  const { values, combinations, place } = combined(graph, term, x);
  const parts = features.map((own) => featureScores(graph, term, own, values, classes));
  const sums = parts.reduce((sum, part) => graph.node('Add', [sum, part]));
  const real = graph.node('Unsqueeze', [graph.node('Less', [place, combinations]), graph.integers(2)]);
  const each = graph.node('Where', [real, sums, graph.double(-Infinity)]);
  return graph.node('ReduceLogSumExp', [each, graph.integers(1)], { keepdims: 0 });
}

function requireFewPlaces({ features, levels }: ContextTerm): void {
  const places = features.reduce(
    (sum, { feature, parents, depths }) =>
      depths.reduce((all, { contexts }, d) => {
        const below = d < parents.length ? levels[parents[d]] + 1 : 0;
        return all + (contexts.length + 1) * (levels[feature] + 1 + below);
      }, sum),
    0,
  );
  if (places > MOST_PLACES) cannotTranslate('ONNX', `contexts with ${places} places; ${MOST_PLACES} are the most`);
}

/** The cells of a batch with every combination of what is missing. */
interface Combined {
  /** rows × 1 or rows × combinations: the value of every feature, NaN where it is missing and not summed over. */
  readonly values: ReadonlyMap<number, string>;
  /** rows × 1: how many combinations each row has. */
  readonly combinations: string;
  /** 1 × combinations: their numbers. */
  readonly place: string;
}

function combined(graph: Graph, { features, levels, mostCombinations }: ContextTerm, x: string): Combined {
  const cells = new Map(
    [...new Set(features.flatMap(({ feature, parents }) => [feature, ...parents]))].map((j) => [
      j,
      graph.node('Gather', [x, graph.integers(j)], { axis: 1 }),
    ]),
  );
  const missing = new Map([...cells].map(([j, cell]) => [j, graph.node('IsNaN', [cell])]));
  const needed = neededIn(graph, features, missing);
  const one = graph.node('Where', [missing.get(features[0].feature)!, graph.double(1), graph.double(1)]);
  let [product, total] = [one, one];
  const open = new Map<number, { readonly is: string; readonly stride: string }>();
  for (const { feature: j } of features) {
    const own = needed.get(j);
    if (own === undefined) continue;
    const times = (of: string, where: string) =>
      graph.node('Where', [where, graph.node('Mul', [of, graph.double(levels[j])]), of]);
    product = times(product, own);
    const is = graph.node('And', [own, graph.node('LessOrEqual', [product, graph.double(mostCombinations)])]);
    open.set(j, { is, stride: total });
    total = times(total, is);
  }
  const all = graph.node('Concat', [total, graph.doubles([1], 1, 1)], { axis: 0 });
  const most = graph.node('ReduceMax', [all], { keepdims: 0 });
  const range = graph.node('Range', [graph.double(0), most, graph.double(1)]);
  const place = graph.node('Unsqueeze', [range, graph.integers(0)]);
  const values = new Map(
    [...cells].map(([j, cell]) => {
      const own = open.get(j);
      if (!own) return [j, cell];
      const digits = graph.node('Floor', [graph.node('Div', [place, own.stride])]);
      const turns = graph.node('Floor', [graph.node('Div', [digits, graph.double(levels[j])])]);
      const digit = graph.node('Sub', [digits, graph.node('Mul', [turns, graph.double(levels[j])])]);
      return [j, graph.node('Where', [own.is, digit, cell])];
    }),
  );
  return { values, combinations: total, place };
}

/** Which features are missing while others that are there depend on them, directly or through others that are missing. */
function neededIn(
  graph: Graph,
  features: readonly ContextFeature[],
  missing: ReadonlyMap<number, string>,
): Map<number, string> {
  const needed = new Map<number, string>();
  for (const { feature, parents } of [...features].reverse()) {
    const there = graph.node('Not', [missing.get(feature)!]);
    const own = needed.get(feature);
    const counts = own === undefined ? there : graph.node('Or', [there, own]);
    for (const parent of parents) {
      const asked = graph.node('And', [missing.get(parent)!, counts]);
      const before = needed.get(parent);
      needed.set(parent, before === undefined ? asked : graph.node('Or', [before, asked]));
    }
  }
  return needed;
}

/** ln p(xⱼ | c, parents): rows × combinations × classes, 0 where the feature is missing. */
function featureScores(
  graph: Graph,
  { levels }: ContextTerm,
  { feature, parents, depths }: ContextFeature,
  values: ReadonlyMap<number, string>,
  classes: number,
): string {
  const places = (j: number) => {
    const value = values.get(j)!;
    const known = graph.node('Less', [value, graph.double(levels[j])]);
    return graph.cast(graph.node('Where', [known, value, graph.double(levels[j])]), 'int64');
  };
  const own = places(feature);
  let context = graph.constant({ type: 'int64', shape: [1, 1], values: [1] });
  let logs = graph.double(-Math.log(levels[feature]));
  depths.forEach((depth, d) => {
    if (d > 0) {
      const j = parents[d - 1];
      const above = depths[d - 1].contexts.length;
      context = found(graph, context, places(j), numbered(depth.contexts, above, levels[j]), levels[j]);
    }
    const { contexts, values: counted } = depth;
    const value = found(graph, context, own, numbered(counted, contexts.length, levels[feature]), levels[feature]);
    const lost = graph.node('Gather', [graph.doubles(lostLogs(depth, classes), contexts.length + 1, classes), context]);
    const shares = graph.node('Gather', [
      graph.doubles([...new Float64Array(classes), ...depth.shares.map(Math.log)], counted.length + 1, classes),
      value,
    ]);
    const is = graph.node('Unsqueeze', [
      graph.node('Greater', [value, graph.constant({ type: 'int64', shape: [], values: [0] })]),
      graph.integers(2),
    ]);
    logs = graph.node('Where', [is, shares, graph.node('Add', [logs, lost])]);
  });
  const gap = graph.node('Unsqueeze', [graph.node('IsNaN', [values.get(feature)!]), graph.integers(2)]);
  return graph.node('Where', [gap, graph.double(0), logs]);
}

/** The number of (context, level) in a table of contexts × levels. */
function found(graph: Graph, context: string, level: string, table: Float64Array, levels: number): string {
  const width = graph.constant({ type: 'int64', shape: [], values: [levels + 1] });
  const index = graph.node('Add', [graph.node('Mul', [context, width]), level]);
  return graph.node('Gather', [graph.constant({ type: 'int64', shape: [table.length], values: table }), index]);
}

/** A table with a row for no context and for each of some, and in a row a place for every level and for those on no list. */
function numbered(keys: Float64Array, contexts: number, levels: number): Float64Array {
  const table = new Float64Array((contexts + 1) * (levels + 1));
  keys.forEach((key, k) => {
    const above = Math.floor(key / levels);
    table[(above + 1) * (levels + 1) + (key - above * levels)] = k + 1;
  });
  return table;
}

/** ln m / (N + m) of every context and class, 0 where the class was not counted; in front of them no context. */
function lostLogs({ concentration: m, weights }: ContextDepth, classes: number): Float64Array {
  const logs = new Float64Array(weights.length + classes);
  weights.forEach((weight, k) => {
    if (weight > 0) logs[classes + k] = Math.log(m / (weight + m));
  });
  return logs;
}
