import { expect, test } from 'vitest';
import { asStored, numbersLater } from './stored.ts';

test('an array stays as it was stored until somebody asks for its numbers, which may then change', () => {
  const data = Uint8Array.of(1, 2, 250);
  const holder = { features: 3 } as { features: number; s: Float64Array };
  numbersLater(holder, 's', { shape: [3], data });
  expect(asStored(holder, 's')).toEqual(Uint8Array.of(1, 2, 250));
  expect(Object.keys(holder)).toEqual(['features', 's']);
  holder.s[0] += 1000;
  expect(holder.s).toEqual(Float64Array.of(1001, 2, 250));
  expect(asStored(holder, 's')).toBe(holder.s);
  const copy = { ...holder };
  expect(copy.s).toBe(holder.s);
  expect(asStored(copy, 's')).toBe(holder.s);
});

test('a copy has the numbers, and the original as well', () => {
  const holder = {} as { s: Float64Array; t: Float64Array };
  numbersLater(holder, 's', { shape: [1], data: Uint16Array.of(300) });
  numbersLater(holder, 't', { shape: [1], data: Uint32Array.of(70_000) });
  const { s } = { ...holder };
  expect(s).toBe(holder.s);
  expect(asStored(holder, 't')).toEqual(Float64Array.of(70_000));
});
