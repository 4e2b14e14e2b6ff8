import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTensors, type TensorData } from '../data/safetensors.ts';
import { CountRows } from './count-rows.ts';

test('rows of any counts are those of a plain table', () => {
  const value = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(127, 254, 255, 256, 2 ** 32, 2 ** 52));
  const step = fc.record({ word: fc.nat(6), c: fc.nat(2), value });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const rows = new CountRows(3, 1);
      const plain = new Float64Array(7 * 3);
      for (const { word, c, value } of steps) {
        rows.reserve(word + 1);
        rows.add(word, c, value);
        plain[word * 3 + c] += value;
      }
      rows.reserve(7);
      const found = new Float64Array(7 * 3);
      for (let word = 0; word < 7; word++) rows.copy(word, found, word, 7);
      const wanted = Float64Array.from({ length: 21 }, (_, k) => plain[(k % 7) * 3 + Math.floor(k / 7)]);
      expect(found).toEqual(wanted);
      const words = Uint32Array.from({ length: 7 }, (_, k) => k);
      expect(rows.table(words, false)).toEqual(wanted);
      const file = (data: TensorData) =>
        encodeTensors({ tensors: new Map([['s', { shape: [21], data }]]), metadata: new Map() });
      expect(file(rows.table(words, true))).toEqual(file(wanted));
    }),
  );
});

test('a word that is seen once takes a byte for each class', () => {
  const rows = new CountRows(20, 10_000);
  for (let word = 0; word < 10_000; word++) rows.add(word, word % 20, 255);
  rows.add(7, 3, 1);
  rows.add(7, 3, 1);
  const bytes = Object.values(rows).reduce((sum, own) => sum + (ArrayBuffer.isView(own) ? own.byteLength : 0), 0);
  expect(bytes).toBeLessThan(10_000 * 25);
  const found = new Float64Array(20);
  rows.copy(7, found, 0, 1);
  expect(found[3]).toBe(2);
  expect(found[7]).toBe(255);
});
