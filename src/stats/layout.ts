import type { Axis, Moves } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';

/** The arrays of a statistic and the axes along which they extend. */
export type Layout = Readonly<Record<string, readonly Axis[]>>;

/** The shape alone, without whatever else the object carries. */
export function shapeOf({ classes, features, levels, missing, parts }: Shape): Shape {
  return {
    classes,
    features,
    ...(levels && { levels }),
    ...(missing && { missing }),
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
  const along = axes.map((axis) => ({
    length: axisLength(axis, shape),
    stride: axisLength(axis, target),
    place: axisMoves(axis, shape, moves),
  }));
  const walk = (axis: number, from: number, to: number): void => {
    if (axis === along.length) {
      move(from, to);
      return;
    }
    const { length, stride, place } = along[axis];
    for (let index = 0; index < length; index++) {
      const moved = place ? place[index] : index;
      if (moved >= 0) walk(axis + 1, from * length + index, to * stride + moved);
    }
  };
  walk(0, 0, 0);
}

function axisMoves(axis: Axis, { features }: Shape, moves: Moves): Int32Array | undefined {
  if (axis === 'gaps') return moves.features;
  if (axis !== 'triangle') return moves[axis];
  const place = moves.features;
  if (!place) return undefined;
  const pairs = new Int32Array((features * (features + 1)) / 2);
  for (let j = 0; j < features; j++) {
    for (let k = 0; k <= j; k++) {
      const [high, low] = [Math.max(place[j], place[k]), Math.min(place[j], place[k])];
      pairs[triangleCell(j, k)] = low < 0 ? -1 : triangleCell(high, low);
    }
  }
  return pairs;
}
