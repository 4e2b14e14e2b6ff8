import { expect, test } from 'vitest';
import { encodeTensors, type Tensor, tensorParts } from './safetensors.ts';

test('the parts of a file add up to its bytes, and arrays that may change are copied', () => {
  const numbers = Float64Array.of(0.5, 2);
  const tensors = new Map<string, Tensor>([
    ['numbers', { shape: [2], data: numbers }],
    ['counts', { shape: [3], data: Float64Array.of(1, 2, 70_000) }],
    ['narrow', { shape: [2], data: Uint16Array.of(1, 300) }],
    ['none', { shape: [0], data: new Float64Array(0) }],
  ]);
  const file = { tensors, metadata: new Map([['model', 'mail']]) };
  const bytes = encodeTensors(file);
  const parts = tensorParts(file);
  numbers.fill(7);
  expect(Buffer.concat([...parts.all()])).toEqual(Buffer.from(bytes));
  expect(parts.length).toBe(bytes.length);
});

test('a streamed array is written like an array', () => {
  const rows = [Uint16Array.of(1, 300), Uint16Array.of(7, 0), Uint16Array.of(65_535, 2)];
  const streamed = { shape: [3, 2], dtype: 'U16' as const, parts: () => rows };
  const whole: Tensor = { shape: [3, 2], data: Uint16Array.from(rows.flatMap((row) => [...row])) };
  const metadata = new Map([['model', 'mail']]);
  const other: Tensor = { shape: [1], data: Float64Array.of(0.5) };
  const file = (counts: Tensor | typeof streamed) => ({
    tensors: new Map([
      ['counts', counts],
      ['other', other],
    ]),
    metadata,
  });
  expect(encodeTensors(file(streamed))).toEqual(encodeTensors(file(whole)));
  const parts = tensorParts(file(streamed));
  expect(Buffer.concat([...parts.all()])).toEqual(Buffer.concat([...parts.all()]));
});
