import type { Axis, Moves } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';

/** The arrays of a statistic and the axes along which they extend. */
export type Layout = Readonly<Record<string, readonly Axis[]>>;

/** Only the shape, without other properties of the object. */
export function shapeOf({ classes, features, levels, missing, given, parts }: Shape): Shape {
  return {
    classes,
    features,
    ...(levels && { levels }),
    ...(missing && { missing }),
    ...(given && { given }),
    ...(parts && { parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, shapeOf(part)])) }),
  };
}

/** The length of an axis. */
export function axisLength(axis: Axis, { classes, features, levels, missing }: Shape): number {
  if (axis === 'classes') return classes;
  if (axis === 'features') return features;
  if (axis === 'gaps') return missing ? features : 0;
  if (axis === 'triangle') return (features * (features + 1)) / 2;
  return levels ? levels.reduce((sum, count) => sum + count, 0) : 0;
}

/** The number of cells of an array. */
export function cellCount(axes: readonly Axis[], shape: Shape): number {
  return axes.reduce((product, axis) => product * axisLength(axis, shape), 1);
}

/** The index of the pair of features j ≥ k in a triangle. */
export function triangleCell(j: number, k: number): number {
  return (j * (j + 1)) / 2 + k;
}

/** The offset of each feature's levels; one more entry than features. */
export function levelOffsets(levels: Int32Array): Int32Array {
  const offsets = new Int32Array(levels.length + 1);
  for (let j = 0; j < levels.length; j++) offsets[j + 1] = offsets[j] + levels[j];
  return offsets;
}

/** Calls `move(from, to)` for every cell of an array that remains after a change of shape. */
export function moveCells(
  axes: readonly Axis[],
  shape: Shape,
  target: Shape,
  moves: Moves,
  move: (from: number, to: number) => void,
): void {
  moveRuns(axes, shape, target, moves, (from, to, length) => {
    for (let k = 0; k < length; k++) move(from + k, to + k);
  });
}

/** Calls `move(from, to, length)` for all cells that remain after a change of shape, in runs of adjacent cells. */
export function moveRuns(
  axes: readonly Axis[],
  shape: Shape,
  target: Shape,
  moves: Moves,
  move: (from: number, to: number, length: number) => void,
): void {
  const along = axes.map((axis) => ({
    length: axisLength(axis, shape),
    stride: axisLength(axis, target),
    runs: runsOf(axisLength(axis, shape), axisMoves(axis, moves)),
  }));
  const walk = (axis: number, from: number, to: number): void => {
    const { length, stride, runs } = along[axis];
    for (const run of runs) {
      const [source, place] = [from * length + run.from, to * stride + run.to];
      if (axis === along.length - 1) move(source, place, run.length);
      else for (let k = 0; k < run.length; k++) walk(axis + 1, source + k, place + k);
    }
  };
  if (along.length === 0) move(0, 0, 1);
  else walk(0, 0, 0);
}

/** The new indices of an axis as runs; entries without an index are left out. */
function runsOf(length: number, place: Int32Array | undefined): { from: number; to: number; length: number }[] {
  if (!place) return [{ from: 0, to: 0, length }];
  const runs: { from: number; to: number; length: number }[] = [];
  for (let from = 0; from < length; ) {
    const start = from++;
    const to = place[start];
    if (to < 0) continue;
    while (from < length && place[from] === to + from - start) from++;
    runs.push({ from: start, to, length: from - start });
  }
  return runs;
}

const axisMoves = (axis: Axis, moves: Moves) => moves[axis === 'gaps' ? 'features' : axis];

/** Adds the moves of feature pairs to those of features, for statistics with pairs. */
export function withTriangle(moves: Moves, features: number): Moves {
  const place = moves.features;
  if (!place) return moves;
  const triangle = new Int32Array(triangleCell(features, 0));
  for (let j = 0; j < features; j++) {
    for (let k = 0; k <= j; k++) {
      const [high, low] = [Math.max(place[j], place[k]), Math.min(place[j], place[k])];
      triangle[triangleCell(j, k)] = low < 0 ? -1 : triangleCell(high, low);
    }
  }
  return { ...moves, triangle };
}
