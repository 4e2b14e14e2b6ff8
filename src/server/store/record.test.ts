import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRecord, encodeRecord, type Record } from './record.ts';

const records: fc.Arbitrary<Record> = fc.record(
  {
    model: fc.constantFrom('news', 'a.b-c_1'),
    version: fc.nat(),
    verb: fc.constantFrom('learn' as const, 'unlearn' as const),
    at: fc.nat(),
    examples: fc.array(
      fc.record(
        {
          instance: fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.double())),
          label: fc.string(),
          weight: fc.nat(),
        },
        { requiredKeys: ['instance', 'label'] },
      ),
    ),
    key: fc.string(),
    hash: fc.string(),
  },
  { requiredKeys: ['model', 'version', 'verb', 'at', 'examples'] },
);

test('a record is written as JSON, whether its examples come as JSON or not, and read again', () => {
  fc.assert(
    fc.property(records, (record) => {
      const { model, version, verb, at, examples, ...rest } = record;
      const ordered = { model, version, verb, at, examples, ...rest };
      const line = JSON.stringify(ordered);
      expect(encodeRecord(ordered)).toBe(line);
      expect(encodeRecord(ordered, JSON.stringify(examples))).toBe(line);
      expect(decodeRecord(line)).toEqual(JSON.parse(line));
    }),
  );
});
