import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { Random } from '../math/random.ts';
import { type Images, imagesFast, imagesPlain, type Seen } from './images.ts';
import type { Whitening } from './whitening.ts';

const cases = fc
  .record({
    features: fc.integer({ min: 1, max: 18 }),
    missing: fc.integer({ min: 0, max: 3 }),
    rows: fc.constantFrom(0, 1, 17, 1000),
    start: fc.integer({ min: 0, max: 3 }),
    seed: fc.nat(),
  })
  .map(({ features, missing, rows, start, seed }) => {
    const random = new Random(seed);
    const draw = (length: number) => Float64Array.from({ length }, () => random.uniform() - 0.5);
    const rank = Math.max(0, features - missing);
    const whitening: Whitening = {
      features,
      rank,
      rows: draw(rank * features),
      logDeterminant: 0,
      complete: true,
      margin: 1,
    };
    return { whitening, seen: { rows, x: draw(rows * features), origin: draw(start + features), start } };
  });

/** The images of all rows and their squares. */
function all(run: typeof imagesFast | typeof imagesPlain, whitening: Whitening, seen: Seen) {
  const z = new Float64Array(seen.rows * whitening.rank);
  const squares = new Float64Array(seen.rows);
  run(whitening, seen, (images: Images) => {
    for (let i = 0; i < images.rows; i++) {
      const row = images.z.subarray(i * images.width, i * images.width + whitening.rank);
      z.set(row, (images.from + i) * whitening.rank);
      squares[images.from + i] = images.squares[i];
    }
  });
  return { z, squares };
}

test.prop([cases])('images in WebAssembly are images of plain loops, bit for bit', ({ whitening, seen }) => {
  expect(imagesFast(whitening, seen, () => undefined)).toBe(true);
  expect(all(imagesFast, whitening, seen)).toEqual(all(imagesPlain, whitening, seen));
});
