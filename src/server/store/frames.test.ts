import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrames, encodeSeal, frameAt, readFrames, type SegmentReading } from './frames.ts';

const payloads = fc.array(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify({ text })),
  { minLength: 1, maxLength: 5 },
);

/** Groups of frames, each with its seal. */
function segmentOf(groups: readonly (readonly string[])[]): Buffer {
  let bytes: Buffer = Buffer.alloc(0);
  for (const group of groups) {
    bytes = Buffer.concat([bytes, encodeFrames(group, bytes.length)]);
    bytes = Buffer.concat([bytes, encodeSeal(bytes.length)]);
  }
  return bytes;
}

/** Payloads before the first damage, and all that are intact. */
function read(bytes: Buffer): SegmentReading & { found: string[]; saved: string[] } {
  const [found, saved]: [string[], string[]] = [[], []];
  const reading = readFrames(bytes, (payload, damaged) => {
    if (damaged === 0) found.push(payload.toString());
    saved.push(payload.toString());
  });
  return { ...reading, found, saved };
}

test('frames are read back as they were written', () => {
  fc.assert(
    fc.property(fc.array(payloads, { maxLength: 4 }), (groups) => {
      const bytes = segmentOf(groups);
      expect(read(bytes)).toMatchObject({ found: groups.flat(), end: bytes.length, damaged: 0, sealed: false });
    }),
  );
});

test('a segment that is cut off is read up to its last whole frame, and no seal follows', () => {
  fc.assert(
    fc.property(fc.array(payloads, { minLength: 1, maxLength: 3 }), fc.nat(), (groups, n) => {
      const whole = segmentOf(groups);
      const bytes = whole.subarray(0, n % whole.length);
      const { found, sealed } = read(bytes);
      expect(found).toEqual(groups.flat().slice(0, found.length));
      expect(sealed).toBe(false);
    }),
  );
});

test('a flipped bit is damage before a seal, or takes away nothing but the last seal', () => {
  fc.assert(
    fc.property(fc.array(payloads, { minLength: 1, maxLength: 3 }), fc.nat(), fc.nat(7), (groups, n, bit) => {
      const bytes = segmentOf(groups);
      bytes[n % bytes.length] ^= 1 << bit;
      const { found, saved, end, sealed } = read(bytes);
      expect(end).toBeLessThan(bytes.length);
      expect(sealed || found.length === groups.flat().length).toBe(true);
      expect(saved.length).toBeGreaterThanOrEqual(groups.flat().length - 1);
      for (const payload of saved) expect(groups.flat()).toContain(payload);
    }),
  );
});

test('a frame is valid at its own offset only', () => {
  const bytes = encodeFrames(['{"a":1}'], 100);
  expect(frameAt(bytes, 0)).toBeUndefined();
  expect(frameAt(Buffer.concat([Buffer.alloc(100), bytes]), 100)?.toString()).toBe('{"a":1}');
});
