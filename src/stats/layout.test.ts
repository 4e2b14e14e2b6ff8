import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { moveCells, moveRuns } from './layout.ts';

const places = (length: number, size: number) =>
  fc
    .tuple(fc.shuffledSubarray([...Array(size).keys()], { minLength: length, maxLength: length }), fc.nat())
    .map(([drawn, gone]) => Int32Array.from(drawn, (place, k) => (gone % 3 === 0 && k === gone % length ? -1 : place)));

test.prop([places(3, 4), places(6, 9)])(
  'every cell with a new index moves there, and no other',
  (classes, features) => {
    const [shape, target] = [
      { classes: 3, features: 6 },
      { classes: 4, features: 9 },
    ];
    const wanted = new Map<number, number>();
    classes.forEach((c, from) => {
      features.forEach((j, at) => {
        if (c >= 0 && j >= 0) wanted.set(from * 6 + at, c * 9 + j);
      });
    });
    const axes = ['classes', 'features'] as const;
    const cells = new Map<number, number>();
    moveCells(axes, shape, target, { classes, features }, (from, to) => cells.set(from, to));
    expect(cells).toEqual(wanted);
  },
);

test('cells that stay adjacent move together', () => {
  const runs: number[][] = [];
  const features = Int32Array.of(0, 1, 3, 4, -1, 5);
  const shapes = [
    { classes: 1, features: 6 },
    { classes: 1, features: 7 },
  ];
  moveRuns(['classes', 'features'], shapes[0], shapes[1], { features }, (...run) => runs.push(run));
  expect(runs).toEqual([
    [0, 0, 2],
    [2, 3, 2],
    [5, 5, 1],
  ]);
});
