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
  expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes));
});
