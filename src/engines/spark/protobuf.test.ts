import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage, type FieldValue } from './protobuf.ts';

const field = fc.integer({ min: 1, max: 2000 });
const value: fc.Arbitrary<FieldValue> = fc.oneof(
  fc.maxSafeNat(),
  fc.boolean(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 300 }),
);

const written = (each: FieldValue) =>
  typeof each === 'string' || each instanceof Uint8Array ? Buffer.from(each as string) : Number(each);

test('fields are written and read back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(field, value)), (fields) => {
      expect([...decodeMessage(encodeMessage(fields))]).toEqual(fields.map(([key, each]) => [key, written(each)]));
    }),
  );
});

test('the bytes are those of the protocol-buffer specification', () => {
  expect(encodeMessage([[1, 150]]).toString('hex')).toBe('089601');
  expect(encodeMessage([[2, 'testing']]).toString('hex')).toBe('120774657374696e67');
  expect(encodeMessage([[3, encodeMessage([[1, 150]])]]).toString('hex')).toBe('1a03089601');
  expect(encodeMessage([[4, undefined]])).toHaveLength(0);
});

test('numbers of fixed width are skipped, and truncated input is an error', () => {
  const fixed = Buffer.from('0d0000803f11000000000000f03f1801', 'hex');
  expect([...decodeMessage(fixed)]).toEqual([[3, 1]]);
  for (const broken of ['08', '1205aa', '0d00', '0b', 'ffffffffffffffffffffffff']) {
    expect(() => [...decodeMessage(Buffer.from(broken, 'hex'))]).toThrow('not a protocol buffer');
  }
});
