import type { TreeTerm } from '../plan.ts';
import type { Graph } from './graph.ts';
import { unlessMissing } from './vectors.ts';

/**
 * ln p(x | c) along a tree of levels. From the leaves to the root every feature tells its parent, in a table of rows × classes ×
 * levels of the parent, how well each of these explains what lies below: the face of its level where the cell is there, and the sum
 * over its levels where it is missing.
 */
export function treeScores(graph: Graph, term: TreeTerm, x: string, classes: number): string {
  const { order, parents } = term;
  const below = new Map<number, Below>();
  const roots: string[] = [];
  for (let step = order.length - 1; step >= 0; step--) {
    const j = order[step];
    const own = messageOf(graph, term, j, x, below.get(j), classes);
    const parent = parents[j];
    if (parent < 0) roots.push(graph.node('Squeeze', [own.message, graph.integers(2)]));
    else below.set(parent, together(graph, below.get(parent), own));
  }
  return roots.reduce((sum, root) => graph.node('Add', [sum, root]));
}

/** What lies below a feature, and whether any of it is there. */
interface Below {
  readonly message: string;
  readonly speaks: string; // rows × 1 × 1
}

function together(graph: Graph, a: Below | undefined, b: Below): Below {
  if (!a) return b;
  return { message: graph.node('Add', [a.message, b.message]), speaks: graph.node('Or', [a.speaks, b.speaks]) };
}

/** rows × classes × (levels of the parent and one for unknown ones): ln p(at j and below | level of the parent, c). */
function messageOf(
  graph: Graph,
  { levels, parents, dice }: TreeTerm,
  j: number,
  x: string,
  below: Below | undefined,
  classes: number,
): Below {
  const sizes = { classes, above: parents[j] < 0 ? 1 : levels[parents[j]] + 1, own: levels[j] + 1 };
  const value = graph.node('Gather', [x, graph.integers(j)], { axis: 1 });
  const bounded = graph.node('Min', [value, graph.double(levels[j])]);
  const index = graph.cast(unlessMissing(graph, value, bounded, graph.double(0)), 'int64');
  const known = knownMessage(graph, dice[j], sizes, index, below?.message);
  const gap = graph.node('Unsqueeze', [graph.node('IsNaN', [value]), graph.integers(2)]);
  const there = graph.node('Not', [gap]);
  if (!below) return { message: graph.node('Where', [gap, graph.double(0), known]), speaks: there };
  const summed = missingMessage(graph, dice[j], below.message, sizes);
  const speaks = graph.node('Or', [there, below.speaks]);
  const message = graph.node('Where', [gap, summed, known]);
  return { message: graph.node('Where', [speaks, message, graph.double(0)]), speaks };
}

interface Sizes {
  readonly classes: number;
  readonly above: number;
  readonly own: number;
}

/** A die with its own level first: level × class × level of the parent. */
function turnedDie(die: Float64Array, classes: number, above: number, own: number): Float64Array {
  const turned = new Float64Array(die.length);
  for (let v = 0; v < own; v++) {
    for (let k = 0; k < classes * above; k++) turned[v * classes * above + k] = die[k * own + v];
  }
  return turned;
}

/** The face of the level that is there, and what lies below that level. */
function knownMessage(graph: Graph, die: Float64Array, sizes: Sizes, index: string, below: string | undefined): string {
  const { above, own, classes } = sizes;
  const flat = graph.node('Squeeze', [index, graph.integers(1)]);
  const faces = graph.doubles(turnedDie(die, classes, above, own), own, classes, above);
  const face = graph.node('Gather', [faces, flat], { axis: 0 });
  if (!below) return face;
  const places = graph.node('Unsqueeze', [index, graph.integers(1)]); // rows × 1 × 1
  const levels = graph.constant({
    type: 'int64',
    shape: [1, 1, own],
    values: Array.from({ length: own }, (_, v) => v),
  });
  const chosen = graph.node('Where', [graph.node('Equal', [places, levels]), below, graph.double(0)]);
  return graph.node('Add', [face, graph.node('ReduceSum', [chosen, graph.integers(2)], { keepdims: 1 })]);
}

/** ln Σᵥ p(v | u, c) exp(below at v) over the levels that were learned; a level on no list is no answer for a missing cell. */
function missingMessage(graph: Graph, die: Float64Array, below: string, { classes, above, own }: Sizes): string {
  const learned = die.map((face, k) => (k % own === own - 1 ? -Infinity : face));
  const wide = graph.node('Unsqueeze', [below, graph.integers(2)]); // rows × classes × 1 × levels
  const each = graph.node('Add', [graph.doubles(learned, 1, classes, above, own), wide]);
  return graph.node('ReduceLogSumExp', [each, graph.integers(3)], { keepdims: 0 });
}
