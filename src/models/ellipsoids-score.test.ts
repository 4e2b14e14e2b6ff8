import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { Random } from '../math/random.ts';
import { scoreByBlocks, scoreByClasses, scoreEllipsoids } from './ellipsoids-score.ts';
import type { Ellipsoids } from './quadratic-discriminant.ts';

const cases = fc
  .record({
    features: fc.integer({ min: 1, max: 18 }),
    classes: fc.integer({ min: 1, max: 4 }),
    rows: fc.constantFrom(1, 3, 64, 700),
    triangular: fc.boolean(),
    seed: fc.nat(),
  })
  .map(({ features, classes, rows, triangular, seed }) => {
    const random = new Random(seed);
    const draw = (length: number) => Float64Array.from({ length }, () => random.uniform() - 0.5);
    const whitenings = Array.from({ length: classes }, (_, c) => {
      if (c === 2) return undefined;
      const matrix = draw(features * features);
      if (triangular) matrix.forEach((_, cell) => void (cell % features > cell / features && (matrix[cell] = 0)));
      return { features, rank: features, rows: matrix, logDeterminant: c, complete: true, margin: 1 };
    });
    const ellipsoids: Ellipsoids = {
      ...{ classes, features, whitenings, logPrior: draw(classes), means: draw(classes * features) },
      covariances: [],
    };
    return { ellipsoids, rows, x: draw(rows * features) };
  });

test.prop([cases])('scores by blocks of rows are scores by classes, bit for bit', ({ ellipsoids, rows, x }) => {
  const [blocks, classes, chosen] = [0, 1, 2].map(() => new Float64Array(rows * ellipsoids.classes));
  expect(scoreByBlocks(ellipsoids, rows, x, blocks)).toBe(true);
  scoreByClasses(ellipsoids, rows, x, classes);
  scoreEllipsoids(ellipsoids, rows, x, chosen);
  expect(blocks).toEqual(classes);
  expect(chosen).toEqual(classes);
});
