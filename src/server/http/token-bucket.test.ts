import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

test('a burst is served at once, then the rate decides', () => {
  const bucket = new TokenBucket(250, 1000);
  expect(bucket.take(600, 0)).toBe(600);
  expect(bucket.take(600, 0)).toBe(400);
  expect(bucket.take(10, 0)).toBe(0);
  expect(bucket.take(10, 20)).toBe(5);
  expect(bucket.take(5000, 60_000)).toBe(1000);
});
