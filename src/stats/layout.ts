import type { Axis, Moves } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';

/** The arrays of a statistic and the axes along which they extend. */
export type Layout = Readonly<Record<string, readonly Axis[]>>;

/** The shape alone, without whatever else the object carries. */
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

/** How long an axis is. */
export function axisLength(axis: Axis, { classes, features, levels, missing }: Shape): number {
  if (axis === 'classes') return classes;
  if (axis === 'features') return features;
  if (axis === 'gaps') return missing ? features : 0;
  if (axis === 'triangle') return (features * (features + 1)) / 2;
  return levels ? levels.reduce((sum, count) => sum + count, 0) : 0;
}

/** How many cells an array has. */
export function cellCount(axes: readonly Axis[], shape: Shape): number {
  return axes.reduce((product, axis) => product * axisLength(axis, shape), 1);
}

/** Where the cell of the pair j ≥ k of features stands in a triangle. */
export function triangleCell(j: number, k: number): number {
  return (j * (j + 1)) / 2 + k;
}

/** Where the levels of each feature begin; one entry more than features. */
export function levelOffsets(levels: Int32Array): Int32Array {
  const offsets = new Int32Array(levels.length + 1);
  for (let j = 0; j < levels.length; j++) offsets[j + 1] = offsets[j] + levels[j];
  return offsets;
}

/** Calls `move(from, to)` for every cell of an array that survives a change of shape. */
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

/** Calls `move(from, to, length)` for all cells that survive a change of shape, run by run: cells that stay side by side. */
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

/** Places of an axis as runs; what has no place is left out. */
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

/** Moves of features with those of their pairs; a statistic that has pairs asks for them. */
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
