import { describe, expect, test } from 'vitest';
import { encodeTensors, type Tensor } from '../src/data/safetensors.ts';
import { PolyaError } from '../src/errors.ts';
import * as polya from '../src/index.ts';
import { Random } from '../src/math/random.ts';
import { type Sample, sampleModels } from './fixtures/models/models.ts';
import { feed, mutantOf, newOutcomes } from './fuzz/feed.ts';
import { fileOf, withChecksum } from './fuzz/mutants.ts';
import { atMost, processorTime } from './quiet.ts';

// Larger models are fuzzed by `npm run fuzz:models`, which takes longer.
const SMALL = 6000;

const all = newOutcomes();
const samples = sampleModels(polya);
const kept = [{}, { slim: true }, { slim: true, float32: true }] as const;
const files = samples.flatMap((sample) => kept.map((options) => ({ sample, bytes: sample.model.toBytes(options) })));
const small = files.filter(({ bytes }) => bytes.length < SMALL);

const words = { format: 'polya', version: '2', sha256: '0'.repeat(64), provenance: '{}' };

/** The error of some bytes; the test fails if they are a model, or if anything else is thrown. */
function refusal(bytes: Uint8Array): PolyaError {
  try {
    polya.load(bytes);
  } catch (error) {
    if (error instanceof PolyaError) return error;
    throw error;
  }
  throw new Error('these bytes are a model');
}

describe('a model or a PolyaError', () => {
  test.each(samples)('$name: mutants of its files', (sample) => {
    const random = new Random(sample.name.length * 7919);
    for (const { bytes } of files.filter((file) => file.sample === sample)) {
      const inputs = bytes.length < SMALL ? 450 : 40;
      for (let k = 0; k < inputs; k++) feed(mutantOf(random, bytes), sample, all);
    }
  });

  test('every second truncation of every small file is damaged', () => {
    for (const [k, { sample, bytes }] of small.entries()) {
      for (let length = k % 2; length < bytes.length; length += 2) feed(bytes.subarray(0, length), sample, all);
    }
    expect(small.length).toBeGreaterThan(90);
  });

  test('every truncation with a matching checksum is an error', () => {
    const { sample, bytes } = small[0];
    for (let length = 0; length < bytes.length; length++) {
      expect(refusal(withChecksum(bytes.subarray(0, length))).code).toMatch(/^E_MODEL_/);
      feed(withChecksum(bytes.subarray(0, length)), sample, all);
    }
  });

  test('every flipped bit of a small file is an error', () => {
    const { bytes, sample } = files.find(({ sample: { name } }) => name === 'multinomial') as (typeof files)[0];
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      expect(refusal(flipped).code).toMatch(/^E_MODEL_/);
      feed(flipped, sample, all);
    }
  });

  test('at least 100,000 inputs were tried, none took long, and many gave models', () => {
    console.info(
      `${all.inputs} inputs, ${all.models} models, slowest ${all.slowest.toFixed(0)} ms,`,
      Object.fromEntries([...all.codes].sort(([, a], [, b]) => b - a)),
    );
    expect(all.inputs).toBeGreaterThanOrEqual(100_000);
    expect(all.models).toBeGreaterThan(3000);
    expect(all.slowest).toBeLessThan(atMost(1000));
  });
});

describe('bombs', () => {
  const claim = (length: bigint) => {
    const bytes = new Uint8Array(64);
    new DataView(bytes.buffer).setBigUint64(0, length, true);
    return bytes;
  };

  test.each([2n ** 31n, 2n ** 40n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n])('a header of %d bytes', (length) => {
    const before = process.memoryUsage().arrayBuffers;
    expect(refusal(claim(length)).code).toBe('E_MODEL_LIMIT');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 2 ** 20);
  });

  test('an empty header, and one that ends after the file', () => {
    expect(refusal(claim(0n)).code).toBe('E_MODEL_CORRUPT');
    expect(refusal(claim(57n)).code).toBe('E_MODEL_CORRUPT');
    expect(refusal(claim(99_999_999n)).code).toBe('E_MODEL_CORRUPT');
  });

  test('a million tiny arrays', () => {
    const entry = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}';
    const entries = Array.from({ length: 1e6 }, (_, k) => `"${k}":${entry}`);
    const bytes = fileOf(`{${entries.join(',')}}`);
    const spent = processorTime(() => expect(refusal(bytes).code).toBe('E_MODEL_LIMIT'));
    expect(spent).toBeLessThan(atMost(1000));
  });

  test('a million classes without a byte', () => {
    const classes = Array.from({ length: 1e6 }, (_, c) => c);
    const bytes = modelOf({ learned: { classes, closed: false, features: 0 } });
    const spent = processorTime(() => expect(refusal(bytes).code).toBe('E_MODEL_LIMIT'));
    expect(spent).toBeLessThan(atMost(2000));
  });

  test('a hundred thousand steps', () => {
    const steps = Array.from({ length: 1e5 }, () => ({ kind: 'HashingVectorizer', params: {}, learned: {} }));
    const names = steps.map((_, k) => `${k}`);
    expect(refusal(modelOf({ kind: 'Pipeline', params: { names }, steps })).code).toBe('E_MODEL_LIMIT');
  });

  test.each([{ columns: 2 ** 31 - 1 }, { range: [1, 2 ** 31] }, { columns: 7, range: [3, 1e9] }])(
    'a vectorizer of %j still reads documents',
    ({ columns: nFeatures = 8, range: ngramRange = [1, 1] }) => {
      const bytes = modelOf({ kind: 'HashingVectorizer', params: { nFeatures, ngramRange } });
      const { cols, data } = (polya.load(bytes) as polya.HashingVectorizer).transform(['a few words to read']);
      expect(cols).toBe(nFeatures);
      expect(data.every(Number.isFinite)).toBe(true);
    },
  );

  test.each([
    ['DirichletMultinomialNB', { class: Uint32Array.of(0), column: Uint32Array.of(0) }],
    ['KernelNB', {}],
  ])('%s of a billion columns without arrays', (kind, places) => {
    const one = { shape: [1], data: Float64Array.of(1) };
    const arrays = Object.entries(places).map(([name, data]) => [`stats.${name}`, { shape: [1], data }] as const);
    const tensors = new Map<string, Tensor>([['stats.n', one], ['stats.value', one], ['stats.weight', one], ...arrays]);
    const learned = { classes: ['a'], closed: false, features: 1e9 };
    const model = JSON.stringify({ kind, params: {}, learned });
    const metadata = new Map(Object.entries({ ...words, model }));
    expect(refusal(withChecksum(encodeTensors({ tensors, metadata }))).code).toMatch(/^E_MODEL_/);
  });

  test('deeply nested steps', () => {
    let outline: object = { kind: 'MultinomialNB', params: {}, learned: {} };
    for (let k = 0; k < 30; k++)
      outline = { kind: 'Pipeline', params: { names: ['a'] }, learned: {}, steps: [outline] };
    expect(refusal(modelOf(outline)).code).toBe('E_MODEL_CORRUPT');
  });

  test('JSON a hundred thousand brackets deep, outside and inside', () => {
    const deep = `${'['.repeat(1e5)}${']'.repeat(1e5)}`;
    expect(refusal(fileOf(`{"a":${deep}}`)).code).toMatch(/^E_MODEL_/);
    expect(refusal(modelText(`{"kind":"GaussianNB","params":{},"learned":${deep}}`)).code).toBe('E_MODEL_CORRUPT');
  });
});

/** A file that describes a model, with arrays of these bytes if given. */
function modelText(model: string, arrays = '', data?: Uint8Array): Uint8Array {
  return fileOf(`{"__metadata__":${JSON.stringify({ ...words, model })}${arrays}}`, data);
}

const modelOf = (outline: object) =>
  modelText(JSON.stringify({ kind: 'MultinomialNB', params: {}, learned: {}, ...outline }));

describe('inconsistent files', () => {
  const data = new Uint8Array(new Float64Array([1, 2, 3, 4]).buffer);
  const array = (name: string, shape: number[], from: number, to: number, dtype = 'F64') =>
    `,"${name}":{"dtype":"${dtype}","shape":[${shape}],"data_offsets":[${from},${to}]}`;
  const model = '{"kind":"GaussianNB","params":{},"learned":{}}';

  test.each([
    ['arrays out of order', array('b', [2], 16, 32) + array('a', [2], 0, 16)],
    ['a gap', array('a', [1], 0, 8) + array('b', [2], 16, 32)],
    ['an overlap', array('a', [2], 0, 16) + array('b', [3], 8, 32)],
    ['two arrays on the same bytes', array('a', [4], 0, 32) + array('b', [4], 0, 32)],
    ['an array behind the end', array('a', [5], 0, 40)],
    ['an array from its end to its start', array('a', [4], 32, 0)],
    ['bytes that belong to no array', array('a', [3], 0, 24)],
    ['a shape that needs more bytes', array('a', [5], 0, 32)],
    ['a shape whose product overflows', array('a', [2 ** 52, 2 ** 52], 0, 32)],
    ['a negative side', array('a', [-4], 0, 32)],
    ['a fractional side', array('a', [0.5], 0, 32)],
    ['an unknown element type', array('a', [4], 0, 32, 'F128')],
    ['an element type of another width', array('a', [4], 0, 32, 'F32')],
    ['the same array twice', array('a', [4], 0, 32) + array('a', [4], 0, 32)],
    ['an array that nothing asked for', array('a', [4], 0, 32)],
    ['an array of a step that is not there', array('7/a', [4], 0, 32)],
    ['an entry without offsets', ',"a":{"dtype":"F64","shape":[4]}'],
    ['an entry with one key more', ',"a":{"dtype":"F64","shape":[4],"data_offsets":[0,32],"x":1}'],
    ['an array called __proto__', array('__proto__', [4], 0, 32)],
  ])('%s', (_, arrays) => {
    expect(refusal(modelText(model, arrays, data)).code).toBe('E_MODEL_CORRUPT');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  const learned = { classes: ['a', 'b'], closed: false, features: 1 };
  test.each([
    ['an unknown key', { ...learned, x: 1 }],
    ['a key __proto__', JSON.parse('{"classes":["a"],"closed":false,"features":1,"__proto__":{"x":1}}')],
    ['the same label twice', { ...learned, classes: ['a', 'a'] }],
    ['labels out of order', { ...learned, classes: ['b', 'a'] }],
    ['labels of two types', { ...learned, classes: ['a', 1] }],
    ['no labels', { ...learned, classes: [] }],
    ['a number of features that is none', { ...learned, features: -1 }],
    ['more features than numbers', { ...learned, features: 2 ** 40 }],
    ['names of other columns', { ...learned, names: ['a', 'b'] }],
  ])('%s', (_, entries) => {
    expect(refusal(modelOf({ learned: entries })).code).toBe('E_MODEL_CORRUPT');
  });

  test.each([
    ['E_MODEL_CORRUPT', { model: '{"kind":"GaussianNB","kind":"GaussianNB","params":{},"learned":{}}' }],
    ['E_MODEL_CORRUPT', { model: '{"kind":"NoSuchThing","params":{},"learned":{}}' }],
    ['E_MODEL_CORRUPT', { model: '{"kind":"__proto__","params":{},"learned":{}}' }],
    ['E_MODEL_CORRUPT', { provenance: '{"stranger":1}' }],
    ['E_MODEL_CORRUPT', { provenance: '{"rows":-1}' }],
    ['E_MODEL_CORRUPT', { stranger: '1' }],
    ['E_MODEL_CORRUPT', { version: '0' }],
    ['E_MODEL_CORRUPT', { version: '2.0' }],
    ['E_MODEL_VERSION', { version: '3' }],
    ['E_MODEL_MAGIC', { format: 'pt' }],
  ])('%s for the words %j', (code, other) => {
    const said = JSON.stringify({ ...words, model, ...other });
    expect(refusal(fileOf(`{"__metadata__":${said}}`)).code).toBe(code);
  });

  test('NaN, infinities and negative counts', () => {
    const { bytes } = files.find(({ sample: { name } }) => name === 'poisson') as { bytes: Uint8Array; sample: Sample };
    const full = new polya.PoissonNB().fit([[0.5], [2]], ['a', 'b']).toBytes();
    expect(bytes.length).toBeGreaterThan(0);
    const { arrays } = polya.inspectModel(full);
    expect(arrays.find(({ name }) => name === 'stats.s')?.dtype).toBe('F64');
    const length = Number(new DataView(full.buffer).getBigUint64(0, true));
    for (const value of [Number.NaN, Infinity, -Infinity, -1]) {
      const mutant = full.slice();
      new DataView(mutant.buffer).setFloat64(8 + length, value, true); // wide arrays come first
      expect(refusal(withChecksum(mutant)).code).toBe('E_MODEL_CORRUPT');
    }
  });
});
