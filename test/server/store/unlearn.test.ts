import { expect, test } from 'vitest';
import {
  BernoulliNB,
  Classifier,
  ComplementNB,
  CountVectorizer,
  load,
  MultinomialNB,
  makePipeline,
  Random,
} from '../../../src/index.ts';
import type { Example } from '../../../src/server/model/served-model.ts';
import { openStore } from '../../../src/server/store/index.ts';
import { asText, drawTexts, SIZES } from '../../laws/texts.ts';
import { ask, serve } from '../harness.ts';
import { codeOf, newFolder } from './subjects.ts';

const draw = (seed: number, count: number): Example[] =>
  drawTexts(new Random(seed), count, SIZES['a few hundred texts']).map((row) => ({
    instance: asText(row),
    label: row.label,
    weight: row.weight,
  }));

type Savable = { toBytes(): Uint8Array };

/** A model that has learned rows at once. */
function learned(classifier: MultinomialNB | ComplementNB | BernoulliNB, rows: readonly Example[]): Savable {
  const [texts, labels] = [rows.map(({ instance }) => String(instance)), rows.map(({ label }) => label)];
  const sampleWeight = rows.map(({ weight = 1 }) => weight);
  return makePipeline(new CountVectorizer(), classifier as MultinomialNB).fit(texts, labels, { sampleWeight });
}

/** Models on both sides of the sizes at which texts are counted in another way. */
const models = {
  multinomial: { texts: 200, classifier: () => new MultinomialNB() },
  complement: { texts: 255, classifier: () => new ComplementNB() },
  bernoulli: { texts: 1100, classifier: () => new BernoulliNB() },
  records: { texts: 200, classifier: () => new MultinomialNB() },
} as const;
type Name = keyof typeof models;
const names = Object.keys(models) as Name[];

function modelFile(name: Name, rows: readonly Example[]): Uint8Array {
  if (name !== 'records') return learned(models[name].classifier(), rows).toBytes();
  return Classifier.fit(
    rows.map(({ instance, label, weight }) => ({ text: instance, label, weight })),
    { target: 'label', features: ['text'], weight: 'weight', model: 'multinomial', evaluate: false },
  ).save();
}

/** What counts in a model file: a classifier also reports what it found in its first rows. */
function counts(name: Name, bytes: Uint8Array): Uint8Array {
  return (name === 'records' ? Classifier.load(bytes).estimator! : load<Savable>(bytes)).toBytes();
}

test('models of hundreds of texts learn and unlearn, and every restart finds them as they were', async () => {
  const first = Object.fromEntries(names.map((name, k) => [name, draw(k, models[name].texts)]));
  const [one, few, many] = [draw(11, 1), draw(12, 5), draw(13, 300)];
  const folder = newFolder();
  let server = await serve({
    store: await openStore(folder, new Map(names.map((name) => [name, modelFile(name, first[name])]))),
  });
  const post = async (verb: 'learn' | 'unlearn', name: Name, examples: Example[]) => {
    const { status, body } = await ask(server, `/v1/models/${name}/${verb}`, { examples });
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const expectRows = (rows: (name: Name) => readonly Example[]) => {
    for (const name of names) {
      const expected = counts(name, modelFile(name, rows(name)));
      const actual = counts(name, server.store.get(name)!.model.toBytes());
      expect(Buffer.compare(actual, expected), name).toBe(0);
    }
  };
  const restart = async () => {
    await server.close();
    server = await serve({ store: await openStore(folder) });
  };

  for (const name of names) {
    await post('learn', name, one);
    await post('learn', name, few);
    await post('unlearn', name, one);
  }
  expectRows((name) => [...first[name], ...few]);
  await restart();
  expectRows((name) => [...first[name], ...few]);

  for (const name of names) {
    await post('learn', name, many);
    await post('unlearn', name, [...first[name].slice(0, 10), ...many.slice(0, 200)]);
    await post('unlearn', name, few);
  }
  await restart();
  expectRows((name) => [...first[name].slice(10), ...many.slice(200)]);
});

test.each(names)('%s: unlearning all rows is refused, and nothing changes', async (name) => {
  const folder = newFolder();
  const rows = draw(21, 20);
  const store = await openStore(folder, new Map([[name, modelFile(name, rows)]]));
  const before = store.get(name)!.model.toBytes();
  expect(await codeOf(store.unlearn(name, rows))).toBe('E_CONFLICT');
  expect(await codeOf(store.unlearn(name, [...rows, ...rows]))).toBe('E_UNLEARN_UNDERFLOW');
  expect(Buffer.compare(store.get(name)!.model.toBytes(), before)).toBe(0);
  expect(await codeOf(store.unlearn(name, rows.slice(1)))).toBe('accepted');
  await store.close();
  const again = await openStore(folder);
  expect(again.get(name)!.version).toBe(2);
  expect(again.get(name)!.model.classes).toEqual([rows[0].label]);
  await again.close();
});
