import { fc, test } from '@fast-check/vitest';
import { describe, expect, test as plain } from 'vitest';
import { count } from '../../src/core/model.ts';
import { sliceBatch } from '../../src/data/batch.ts';
import { memory } from '../../src/engines/memory.ts';
import { statistics } from '../../src/stats/index.ts';
import { sums } from '../../src/stats/sums.ts';
import { batches, type CellKind, cut } from '../batches.ts';
import { refusalOf } from '../close.ts';

const kindOf: Record<string, CellKind> = { sums: 'counts', histogram: 'levels', pairs: 'levels' };

describe('memory', () => {
  for (const [name, statistic] of Object.entries(statistics)) {
    test.prop([batches(kindOf[name] ?? 'reals'), fc.nat()])(
      `counts ${name} as count does, in one batch or streamed`,
      async (batch, where) => {
        expect(await memory.count(statistic, batch, batch)).toEqual(count(statistic, batch));
        const parts = cut(batch, where);
        const stream = (async function* () {
          yield* parts;
        })();
        expect(await memory.count(statistic, batch, stream)).toEqual(count(statistic, parts));
        expect(await memory.count(statistic, batch, [])).toEqual(statistic.empty(batch));
      },
    );
  }

  const [large] = fc.sample(
    batches('counts').filter(({ rows }) => rows > 5),
    { numRuns: 1, seed: 1 },
  ); // prettier-ignore
  const many = Array.from({ length: 2000 }, () => large);

  plain('reports how many rows were counted', async () => {
    const counted: number[] = [];
    await memory.count(sums, large, many, { onProgress: (rows) => counted.push(rows) });
    expect(counted.at(-1)).toBe(2000 * large.rows);
    expect(counted).toEqual([...counted].sort((a, b) => a - b));
  });

  plain('stops when aborted', async () => {
    const controller = new AbortController();
    const counting = memory.count(sums, large, many, {
      signal: controller.signal,
      onProgress: (rows) => rows > 100 && controller.abort(),
    });
    await expect(counting).rejects.toMatchObject({ code: 'E_CANCELLED' });
  });

  plain('a large batch is counted in slices', () => {
    const rows = 10_000;
    const batch = {
      ...large,
      rows,
      x: new Float64Array(rows * large.features).fill(1),
      y: new Int32Array(rows),
      w: new Float64Array(rows).fill(1),
    };
    expect(refusalOf(() => count(sums, sliceBatch(batch, 0, rows))).code).toBe('accepted');
    return expect(memory.count(sums, large, batch)).resolves.toEqual(count(sums, batch));
  });
});
