import { readFileSync } from 'node:fs';
import { fc, test as prop } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { compileKernels, entries, kernelModule } from '../../scripts/kernels.ts';
import { plainKernels } from './kernel-bodies.ts';
import { codesIn, lastingWorkspace, mapRows, rowsAtOnce, workspace } from './kernels.ts';
import { Random } from './random.ts';

test('arrays have the requested lengths, and the memory grows to hold them', () => {
  const { arrays, kernels } = workspace(3, 50_000);
  expect(kernels).not.toBe(plainKernels);
  expect(arrays.map(({ length }) => length)).toEqual([3, 50_000]);
  expect(arrays[1].byteOffset).toBe(arrays[0].byteOffset + 24);
  arrays[1].fill(1);
  expect(workspace(1, 2).arrays[0].buffer).toBe(arrays[0].buffer);
});

test('a separate workspace is not overwritten by the next', () => {
  const [own] = lastingWorkspace(2)!.arrays;
  own.set([1, 2]);
  workspace(2).arrays[0].set([3, 4]);
  expect([...own]).toEqual([1, 2]);
  expect(lastingWorkspace(2 ** 40)).toBeUndefined();
});

test('the compiled bytes match kernels/dense.ts', async () => {
  const shipped = readFileSync(new URL('./dense-bytes.ts', import.meta.url), 'utf8');
  expect(kernelModule(await compileKernels('dense'), 'dense')).toBe(shipped);
  expect(entries.dense.file).toMatch(/dense-bytes\.ts$/);
});

/** Sizes from one row of one cell to more than one block of rows. */
const sizes = fc.record({
  rows: fc.constantFrom(1, 7, 8, 19, 64),
  features: fc.integer({ min: 1, max: 19 }),
  columns: fc.integer({ min: 1, max: 21 }),
  seed: fc.nat(),
});

const drawer = (seed: number) => {
  const random = new Random(seed);
  const draw = (length: number) => Float64Array.from({ length }, () => random.uniform() - 0.5);
  return { random, draw };
};

/** The arrays after a kernel has run on copies of them, in WebAssembly and in TypeScript. */
function bothBodies(
  arrays: readonly Float64Array[],
  run: (kernels: typeof plainKernels, arrays: readonly Float64Array[]) => void,
): (readonly Float64Array[])[] {
  const fast = workspace(...arrays.map(({ length }) => length));
  const plain = { kernels: plainKernels, arrays: arrays.map(({ length }) => new Float64Array(length)) };
  return [fast, plain].map((bench) => {
    for (const [k, array] of arrays.entries()) bench.arrays[k].set(array);
    run(bench.kernels, bench.arrays);
    return bench.arrays.map((array) => array.slice());
  });
}

describe('both bodies of a kernel give the same numbers, bit for bit', () => {
  prop.prop([sizes, fc.constantFrom('affine', 'normal')])(
    'of dense rows',
    ({ rows, features, columns, seed }, kernel) => {
      const { draw } = drawer(seed);
      const room = (rows + 7) & ~7;
      const cells = columns * features;
      const first = kernel === 'affine' ? features : cells;
      const arrays = [room * features, first, cells, columns, 8 * features, room * columns].map(draw);
      const [fast, plain] = bothBodies(arrays, (kernels, [x, a, b, start, d, out]) =>
        kernels[kernel](rows, features, columns, x, a, b, start, d, out),
      );
      expect(fast[5].subarray(0, rows * columns)).toEqual(plain[5].subarray(0, rows * columns));
    },
  );

  prop.prop([sizes, fc.constantFrom('moments', 'scatter'), fc.boolean()])(
    'of sums by class',
    ({ rows, features, columns: classes, seed }, kernel, gap) => {
      const { random, draw } = drawer(seed);
      const size = kernel === 'moments' ? features : (features * (features + 1)) / 2;
      const y = Uint32Array.from({ length: rows }, () => random.integer(classes));
      const lengths = [rows * features, rows, rows, classes * features, classes * features, classes * size, features];
      const arrays = lengths.map(draw);
      if (gap && kernel === 'moments') arrays[0][random.integer(arrays[0].length)] = Number.NaN;
      const [fast, plain] = bothBodies(arrays, (kernels, [x, codes, w, shift, s1, s2, d]) => {
        const own = codesIn(codes);
        own.set(y);
        kernels[kernel](rows, features, x, own, w, shift, s1, s2, d);
      });
      expect([fast[4], fast[5]]).toEqual([plain[4], plain[5]]);
    },
  );

  prop.prop([sizes])('of sparse rows', ({ rows, features, columns: classes, seed }) => {
    const { random, draw } = drawer(seed);
    const cells = Array.from({ length: rows }, () => [...Array(features).keys()].filter(() => random.integer(3) === 0));
    const ends = Uint32Array.from(cells, () => 0);
    for (let i = 0; i < rows; i++) ends[i] = (ends[i - 1] ?? 0) + cells[i].length;
    const lengths = [rows, ends[rows - 1], ends[rows - 1], features * classes, classes, rows * classes];
    const [fast, plain] = bothBodies(lengths.map(draw), (kernels, [room, places, values, weights, start, out]) => {
      const [ownEnds, indices] = [codesIn(room), codesIn(places)];
      ownEnds.set(ends);
      indices.set(cells.flat());
      kernels.linear(rows, classes, ownEnds, indices, values, weights, start, out);
    });
    expect(fast[5]).toEqual(plain[5]);
  });
});

test('rows give the same results in one block or several', () => {
  const { draw } = drawer(1);
  const [features, columns, rows] = [3, 2, 2 * rowsAtOnce(3) + 5];
  const x = draw(rows * features);
  const map = {
    kernel: 'affine',
    features,
    columns,
    parameters: [draw(features), draw(columns * features), draw(columns)],
  } as const;
  const whole = new Float64Array(rows * columns);
  mapRows(map, rows, x, (from, some, out) => whole.set(out.subarray(0, some * columns), from * columns));
  for (const i of [0, rowsAtOnce(3), rows - 1]) {
    mapRows(map, 1, x.subarray(i * features, (i + 1) * features), (_from, _rows, out) => {
      expect(out.slice(0, columns)).toEqual(whole.slice(i * columns, (i + 1) * columns));
    });
  }
});
