import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { Random } from '../math/random.ts';
import { moments } from './moments.ts';
import { countRows, addRowsFast as fastMoments, type LabelledRows, addRows as plainMoments } from './moments-rows.ts';
import { scatter } from './scatter.ts';
import { addRowsFast as fastScatter, addRows as plainScatter } from './scatter-rows.ts';

interface Case extends LabelledRows {
  readonly classes: number;
  readonly features: number;
}

/** Enough rows for the kernels, in some cases more than fit one block. */
const cases = fc
  .record({
    classes: fc.integer({ min: 1, max: 4 }),
    features: fc.integer({ min: 1, max: 9 }),
    more: fc.constantFrom(0, 1, 7, 2000),
    seed: fc.nat(),
    offset: fc.constantFrom(0, 1e6, -1e12),
  })
  .map(({ classes, features, more, seed, offset }): Case => {
    const random = new Random(seed);
    const rows = 8 * classes + more;
    return {
      classes,
      features,
      rows,
      x: Float64Array.from({ length: rows * features }, () => offset + random.uniform() - 0.5),
      y: Int32Array.from({ length: rows }, () => random.integer(classes)),
      w: Float64Array.from({ length: rows }, () => (random.integer(3) === 0 ? random.uniform() : 1)),
    };
  });

describe('rows added in WebAssembly are rows added by plain loops, bit for bit', () => {
  test.prop([cases, fc.nat()])('in moments, with cells that are missing', (drawn, gap) => {
    drawn.x[gap % drawn.x.length] = Number.NaN;
    const [fast, plain] = [moments.empty(drawn), moments.empty(drawn)];
    for (const stats of [fast, plain]) countRows(stats, drawn);
    expect(fastMoments(fast, drawn)).toBe(true);
    plainMoments(plain, drawn);
    expect(fast).toEqual(plain);
    expect(fast.s2.every((square) => square >= 0)).toBe(true);
  });

  test.prop([cases])('in scatter', (drawn) => {
    const [fast, plain] = [scatter.empty(drawn), scatter.empty(drawn)];
    for (const stats of [fast, plain]) countRows(stats, drawn);
    expect(fastScatter(fast, drawn)).toBe(true);
    plainScatter(plain, drawn);
    expect(fast).toEqual(plain);
  });
});
