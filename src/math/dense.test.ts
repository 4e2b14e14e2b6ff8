import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileKernels, entries, kernelModule } from '../../scripts/kernels.ts';
import { denseKernels, lay } from './dense.ts';

test('regions follow one another, and the memory grows to hold them', () => {
  const kernels = denseKernels()!;
  const [a, b] = lay(kernels, 3, 50_000)!;
  expect([a.length, b.length]).toEqual([3, 50_000]);
  expect(b.byteOffset).toBe(a.byteOffset + 24);
  b.fill(1);
  expect(lay(kernels, 1, 2)![0].buffer).toBe(kernels.memory.buffer);
});

test('more memory than there can be is refused, not thrown', () => {
  expect(lay(denseKernels()!, 2 ** 40)).toBeUndefined();
});

test('what is shipped is what kernels/dense.ts says', async () => {
  const shipped = readFileSync(new URL('./dense-bytes.ts', import.meta.url), 'utf8');
  expect(kernelModule(await compileKernels('dense'), 'dense')).toBe(shipped);
  expect(entries.dense.file).toMatch(/dense-bytes\.ts$/);
});
