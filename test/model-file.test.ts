import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { version } from '../src/core/version.ts';
import * as polya from '../src/index.ts';
import { type Sample, sampleModels, toText } from './fixtures/models/models.ts';

/** The saved files of each format, and the predictions of their models at that time. */
const saved = ['v1', 'v2', 'v2-slim'].map((name) => {
  const folder = new URL(`./fixtures/models/${name}/`, import.meta.url);
  const [formatVersion, slim] = [Number(name[1]), name.endsWith('slim')];
  const answers = JSON.parse(readFileSync(new URL('answers.json.txt', folder), 'utf8')) as Record<string, unknown>;
  const names = readdirSync(folder).flatMap((name) => (name.endsWith('.polya') ? [name.slice(0, -6)] : []));
  return { formatVersion, slim, folder, answers, names };
});
const samples = sampleModels(polya);
const plain = (value: unknown) => JSON.parse(toText(value)) as unknown;
const ask = ({ answer }: Sample, model: unknown) => plain(answer(model as never));

test('the version that files name is that of the package', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  expect(version).toBe((JSON.parse(text) as { version: string }).version);
});

test('every kind of model that a file can hold is among the samples, and every fixture has its sample', () => {
  const [first, ...others] = saved;
  const expected = samples.map(({ name }) => name).sort();
  expect(first.names.filter((name) => !expected.includes(name))).toEqual([]);
  for (const { names } of others) expect(names.sort()).toEqual(expected);
});

describe.each(saved)('a file of format $formatVersion, slim: $slim', ({ formatVersion, folder, answers, names }) => {
  test.each(samples.filter(({ name }) => names.includes(name)))('$name predicts as when it was written', (sample) => {
    const bytes = new Uint8Array(readFileSync(new URL(`${sample.name}.polya`, folder)));
    const provenance = formatVersion === 1 ? undefined : expect.anything();
    expect(polya.inspectModel(bytes)).toMatchObject({ formatVersion, provenance });
    if (formatVersion === 1) expect(polya.inspectModel(bytes).slim).toBe(false);
    const opened = polya.load(bytes);
    const now = ask(sample, opened);
    expectNear(now, answers[sample.name]);
    expect(ask(sample, polya.load(opened.toBytes()))).toEqual(now);
  });
});

/** The same predictions, except for the last digits of numbers: sums may be added in another order now. */
function expectNear(now: unknown, then: unknown): void {
  if (typeof now === 'number' && typeof then === 'number') {
    const close = Object.is(now, then) || Math.abs(now - then) <= 1e-12 * Math.max(1, Math.abs(then));
    expect(close, `${now} was ${then}`).toBe(true);
  } else if (typeof now === 'object' && now !== null && typeof then === 'object' && then !== null) {
    expect(Object.keys(now)).toEqual(Object.keys(then));
    for (const [key, value] of Object.entries(now)) expectNear(value, (then as Record<string, unknown>)[key]);
  } else expect(now).toEqual(then);
}

const expectSame = (now: unknown, then: unknown) => expect(now).toEqual(then);

describe('format 2', () => {
  test.each(samples)('$name round-trips: it predicts and saves identically', (sample) => {
    const bytes = sample.model.toBytes();
    const loaded = polya.load(bytes);
    expect(ask(sample, loaded)).toEqual(ask(sample, sample.model));
    expect(loaded.toBytes()).toEqual(bytes);
    expect(sample.model.toBytes()).toEqual(bytes);
  });

  test.each(samples)('$name, slim, predicts and saves identically', (sample) => {
    const bytes = sample.model.toBytes({ slim: true });
    const loaded = polya.load(bytes);
    const isOfText = ['text-pool', 'classifier'].includes(sample.name); // weights of terms are added in another order than counts
    (isOfText ? expectNear : expectSame)(ask(sample, loaded), ask(sample, sample.model));
    expect(loaded.toBytes()).toEqual(bytes);
    expect(loaded.toBytes({ slim: true })).toEqual(bytes);
  });
});

describe('provenance', () => {
  const model = new polya.GaussianNB().fit([[1], [2]], ['a', 'b']);
  const provenance = {
    dataHash: 'ab'.repeat(32),
    rows: 2,
    choice: { model: 'gaussian', tried: ['gaussian', 'kernel'] },
    created: '2026-01-01',
    notes: 'für die Nachwelt',
  };

  test('by default, a file has the version of the library and no time', () => {
    expect(polya.inspectModel(model.toBytes()).provenance).toEqual({ version });
  });

  test('is returned as given, in any order, and saved identically', () => {
    const bytes = model.toBytes({ provenance });
    const back = polya.inspectModel(bytes).provenance;
    expect(back).toEqual({ version, ...provenance });
    const turned = Object.fromEntries(Object.entries(provenance).reverse());
    expect(model.toBytes({ provenance: turned })).toEqual(bytes);
    expect(polya.load(bytes).toBytes({ provenance: back! })).toEqual(bytes);
  });

  test.each([{ dataHash: 'x' }, { rows: -1 }, { rows: 1.5 }, { notes: 7 }, { author: 'me' }, { notes: '\ud800' }])(
    '%j is an error',
    (bad) => {
      expect(() => model.toBytes({ provenance: bad as never })).toThrow(
        expect.objectContaining({ code: 'E_PARAM', details: { name: Object.keys(bad)[0] } }),
      );
    },
  );
});

test('the card of a text pipeline has kind, classes, words, sizes and steps', () => {
  const texts = ['a cat sat', 'the dog sat', 'dogs and cats'];
  const model = polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()).fit(texts, ['x', 'y', 'x']);
  const bytes = model.toBytes();
  const card = polya.inspectModel(bytes.buffer);
  expect(card).toMatchObject({
    kind: 'Pipeline',
    formatVersion: 2,
    bytes: bytes.length,
    slim: false,
    largestError: undefined,
    classes: ['x', 'y'],
    features: 7,
    steps: [
      { kind: 'CountVectorizer', features: 7, classes: undefined, steps: [] },
      { kind: 'MultinomialNB', features: 7, classes: ['x', 'y'], params: { alpha: 1 } },
    ],
  });
  expect(card.sha256).toMatch(/^[\da-f]{64}$/);
  expect(card.arrays).toContainEqual({ name: '1/stats.s', dtype: 'U8', shape: [2, 7], bytes: 14 });
  expect(polya.inspectModel(model.toBytes({ slim: true }))).toMatchObject({ slim: true });
});

test.each(samples)('the card of $name has the classes and features of the model', ({ model }) => {
  const card = polya.inspectModel(model.toBytes());
  const { classes, kind } = model as { classes?: polya.Label[]; kind?: string };
  expect(card.kind).toBe(kind ?? 'Classifier');
  if (!/^Select/.test(card.kind)) expect(card.classes).toEqual(classes); // a selector counts by class and has no classes
  expect(card.features).toEqual(kind === 'HashingVectorizer' ? undefined : expect.any(Number));
  const total = card.arrays.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total).toBeLessThan(card.bytes);
});

test('counts are stored in the fewest bytes that hold them exactly', () => {
  const stored = (most: number) => {
    const bytes = new polya.PoissonNB().fit([[most], [0]], ['a', 'b']).toBytes();
    expect(polya.load<polya.PoissonNB>(bytes).featureCount.toArray()).toEqual([[most], [0]]);
    return polya.inspectModel(bytes).arrays.find(({ name }) => name === 'stats.s')?.dtype;
  };
  expect([1, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 0.5].map(stored)).toEqual([
    'U8',
    'U8',
    'U16',
    'U16',
    'U32',
    'U32',
    'F64',
    'F64',
  ]);
});
