import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeTensors } from '../src/data/safetensors.ts';
import * as polya from '../src/index.ts';
import { sampleModels } from './fixtures/models/models.ts';

const samples = sampleModels(polya);
const widths: Record<string, number> = { F64: 8, F32: 4, I32: 4, U32: 4, U16: 2, U8: 1 };

interface Entry {
  readonly dtype: string;
  readonly shape: number[];
  readonly data_offsets: [number, number];
}

// https://github.com/huggingface/safetensors#format, read without any of our own readers.
describe('the published layout of safetensors, byte by byte', () => {
  const kept = [{}, { slim: true }, { slim: true, float32: true }] as const;
  test.each(samples.flatMap((sample) => kept.map((options) => ({ ...sample, options }))))(
    '$name $options',
    ({ model, options }) => {
      const bytes = model.toBytes(options);
      const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
      expect(length).toBeLessThan(100_000_000);
      expect((8 + length) % 8).toBe(0);
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(8, 8 + length));
      expect(text).toMatch(/^\{.*\} *$/s);
      const { __metadata__: words, ...entries } = JSON.parse(text) as Record<string, Entry> & {
        __metadata__: Record<string, string>;
      };
      expect(Object.keys(words)).toEqual(['format', 'version', 'sha256', 'provenance', 'model']);
      expect(Object.values(words).every((word) => typeof word === 'string')).toBe(true);
      let end = 0;
      const order = Object.values(entries).sort((a, b) => a.data_offsets[0] - b.data_offsets[0]);
      for (const { dtype, shape, data_offsets: offsets } of order.filter(({ shape }) => !shape.includes(0))) {
        expect(offsets[0]).toBe(end);
        expect(offsets[0] % widths[dtype]).toBe(0);
        end = offsets[1];
        expect(end - offsets[0]).toBe(shape.reduce((product, side) => product * side, widths[dtype]));
      }
      expect(8 + length + end).toBe(bytes.length);
      const blank = Buffer.from(bytes).toString('latin1').replace(words.sha256, '0'.repeat(64));
      expect(createHash('sha256').update(blank, 'latin1').digest('hex')).toBe(words.sha256);
    },
  );
});

const READER = `
import json, sys
from safetensors import safe_open
arrays = {}
with safe_open(sys.argv[1], framework="numpy") as file:
    for name in file.keys():
        tensor = file.get_tensor(name)
        arrays[name] = [str(tensor.dtype), list(tensor.shape), [repr(float(x)) for x in tensor.ravel()]]
    print(json.dumps({"metadata": file.metadata(), "arrays": arrays}))
`;

/** A Python with the official reader, if POLYA_PYTHON names one. */
const python = process.env.POLYA_PYTHON;

test.skipIf(!python)(
  'the official reader of safetensors reads the same arrays and metadata',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'polya-'));
    try {
      for (const { name, model } of samples) {
        const file = join(folder, `${name}.safetensors`);
        const bytes = model.toBytes({ slim: name.length % 2 === 0 });
        writeFileSync(file, bytes);
        const said = execFileSync(python!, ['-c', READER, file], { encoding: 'utf8', maxBuffer: 2 ** 28 });
        const { metadata, arrays } = JSON.parse(said) as {
          metadata: Record<string, string>;
          arrays: Record<string, [string, number[], string[]]>;
        };
        const own = decodeTensors(bytes);
        expect(metadata).toEqual(Object.fromEntries(own.metadata));
        expect(Object.keys(arrays).sort()).toEqual([...own.tensors.keys()].sort());
        for (const [array, { shape, data }] of own.tensors) {
          const [dtype, theirShape, theirs] = arrays[array];
          expect(`${dtype}array`).toBe(data.constructor.name.toLowerCase());
          expect(theirShape).toEqual(shape);
          expect(theirs.map((word) => Number(word.replace('inf', 'Infinity')))).toEqual(Array.from(data));
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);

if (!python) console.info('skipped: the official safetensors reader (name a Python that has it in POLYA_PYTHON)');
