import { cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Classifier, CountVectorizer, MultinomialNB, makePipeline, Random } from '../../../src/index.ts';
import { type Example, serveModel } from '../../../src/server/model/served-model.ts';
import { openStore } from '../../../src/server/store/index.ts';
import { newFolder } from './subjects.ts';

/** Texts of a few words out of many, as served models of ordinary size have. */
function draw(random: Random, words: number, count: number): Example[] {
  return Array.from({ length: count }, () => {
    const length = 3 + random.integer(20);
    const instance = Array.from({ length }, () => `w${random.integer(words)}`).join(' ');
    return { instance, label: `class${random.integer(4)}` };
  });
}

const fitted = (rows: readonly Example[]) =>
  makePipeline(new CountVectorizer(), new MultinomialNB()).fit(
    rows.map(({ instance }) => instance as string),
    rows.map(({ label }) => label),
  );

test.each([300, 2000, 6000])(
  'random learning, unlearning and snapshots of %i words: a copy reopened after each step is the live model, byte by byte',
  { timeout: 120_000 },
  async (words) => {
    const random = new Random(words);
    const rows = draw(random, words, words / 4);
    const folder = newFolder();
    const store = await openStore(folder, new Map([['text', fitted(rows).toBytes()]]));
    for (let step = 0; step < 24; step++) {
      const act = random.integer(5);
      if (act === 0) await store.snapshot('text');
      else if (act < 3) {
        const some = draw(random, words, 1 + random.integer(12));
        rows.push(...some);
        await store.learn('text', some);
      } else {
        const some = Array.from(
          { length: 1 + random.integer(6) },
          () => rows.splice(random.integer(rows.length), 1)[0],
        );
        await store.unlearn('text', some);
      }
      const live = store.get('text')!;
      expect(Buffer.compare(live.model.toBytes(), fitted(rows).toBytes()), `step ${step}: a fresh fit`).toBe(0);
      const copy = newFolder();
      cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
      const again = await openStore(copy);
      expect(Buffer.compare(again.get('text')!.model.toBytes(), live.model.toBytes()), `step ${step}: a copy`).toBe(0);
      expect(again.get('text')!.version).toBe(live.version);
      await again.close();
    }
    await store.close();
  },
);

test('the default model of polya fit is served, learns and unlearns, and a copy that is reopened is the same', {
  timeout: 120_000,
}, async () => {
  const random = new Random(3);
  const record = ({ instance, label }: Example) => ({ text: instance, label });
  const rows = draw(random, 400, 120).map((row) => ({ ...row, instance: `${row.instance} ${row.label}word` }));
  const model = Classifier.fit(rows.map(record), { target: 'label', features: ['text'], evaluate: false });
  const folder = newFolder();
  const store = await openStore(folder, new Map([['auto', model.toBytes()]]));
  expect(store.get('auto')!.model.learns).toBe(true);
  const added = draw(random, 400, 12).map((row) => ({ ...row, instance: { text: row.instance as string } }));
  await store.learn('auto', added);
  const after = store.get('auto')!.model.toBytes();
  await store.unlearn('auto', added.slice(0, 5));
  await store.learn('auto', added.slice(0, 5));
  const live = store.get('auto')!.model;
  const probe = [{ text: 'w1 w2 class1word' }, { text: 'w5 class3word' }];
  const relearned = live.predictLogProba(probe).data;
  const expected = serveModel(after).predictLogProba(probe).data;
  for (const [k, value] of relearned.entries()) expect(value).toBeCloseTo(expected[k], 9);
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
  const again = await openStore(copy);
  expect(Buffer.compare(again.get('auto')!.model.toBytes(), live.toBytes())).toBe(0);
  await again.close();
  await store.close();
});
