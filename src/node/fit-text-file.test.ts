import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { ComplementNB } from '../estimators/complement-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline } from '../estimators/pipeline.ts';
import { Random } from '../math/random.ts';
import { fitTextFile } from './fit-text-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'polya-words-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Documents of words with falling frequency, some of them foreign; large enough for several threads. */
function corpus(documents: number) {
  const random = new Random(1);
  const word = () => `${random.uniform() < 0.02 ? 'é' : 'w'}${Math.floor(random.uniform() ** 3 * 20_000)}`;
  return Array.from({ length: documents }, (_, i) => ({
    id: i,
    label: i % 3,
    text: Array.from({ length: 60 }, word).join(i % 7 === 0 ? '\n"' : ' '),
  }));
}

const rows = corpus(30_000);
const file = join(folder, 'corpus.jsonl');
writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const [texts, labels] = [rows.map(({ text }) => text), rows.map(({ label }) => label)];

describe('a text file counted directly', () => {
  test.each([
    ['one thread', 1],
    ['two threads', 2],
    ['three threads', 3],
  ])('equals the pipeline fitted to all texts, with %s', async (_, threads) => {
    const plain = makePipeline(new CountVectorizer(), new MultinomialNB({ alpha: 0.5 })).fit(texts, labels);
    const seen: number[] = [];
    const onProgress = (read: number) => void seen.push(read);
    const fast = await fitTextFile(file, { classifier: new MultinomialNB({ alpha: 0.5 }), threads, onProgress });
    expect(Buffer.compare(fast.toBytes(), plain.toBytes())).toBe(0);
    expect(seen.length).toBeGreaterThan(1);
  });

  test.each([new ComplementNB(), new BernoulliNB()])('counts documents for %s', async (classifier) => {
    const options = { binary: true, stopWords: ['w0', 'é1'], tokenizer: 'auto' } as const;
    const plain = makePipeline(new CountVectorizer(options), classifier.clone()).fit(texts, labels);
    const fast = await fitTextFile(file, { vectorizer: new CountVectorizer(options), classifier, threads: 2 });
    expect(Buffer.compare(fast.toBytes(), plain.toBytes())).toBe(0);
  });

  test.each([
    [{ ngramRange: [1, 2], minDf: 3 }, new MultinomialNB()],
    [{ analyzer: 'char_wb', ngramRange: [2, 3], maxFeatures: 500 }, new ComplementNB()],
    [{}, new BernoulliNB()],
  ] as const)('takes every option of the vectorizer: %o', async (options, classifier) => {
    const some = rows.slice(0, 3000);
    const small = join(folder, 'some.jsonl');
    writeFileSync(small, some.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const plain = makePipeline(new CountVectorizer(options), classifier.clone());
    plain.fit(
      some.map(({ text }) => text),
      some.map(({ label }) => label),
    );
    const fast = await fitTextFile(small, { vectorizer: new CountVectorizer(options), classifier, threads: 2 });
    expect(Buffer.compare(fast.toBytes(), plain.toBytes())).toBe(0);
  });

  test('a thread whose first texts are empty learns further ones', async () => {
    const wordless = rows.map((row) => ({ ...row, text: '! ?'.repeat(80) }));
    const some = [...rows.slice(0, 100), ...wordless, ...rows.slice(0, 100)];
    const part = join(folder, 'wordless.jsonl');
    writeFileSync(part, some.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const [one, three] = [await fitTextFile(part, { threads: 1 }), await fitTextFile(part, { threads: 3 })];
    expect(Buffer.compare(three.toBytes(), one.toBytes())).toBe(0);
    expect(three.steps[0].documentCount).toBe(some.length);
  });

  test('it can learn further', async () => {
    const small = join(folder, 'small.jsonl');
    writeFileSync(small, '{"kind":"spam","body":"win a prize"}\n{"kind":"ham","body":"see you at lunch"}\n');
    const model = await fitTextFile(small, { text: 'body', label: 'kind' });
    expect(model.partialFit(['lunch prize'], ['ham']).predict(['prize', 'win', 'lunch'])).toEqual([
      'ham',
      'spam',
      'ham',
    ]);
  });
});

describe('refusals', () => {
  const refused = async (content: string, options: object = {}) => {
    const bad = join(folder, 'bad.jsonl');
    writeFileSync(bad, content);
    return fitTextFile(bad, options).then(
      () => 'nothing',
      (error: { code?: string }) => error.code,
    );
  };

  test.each([
    ['', {}, 'E_EMPTY_INPUT'],
    ['{"label":1,"text":""}', {}, 'E_EMPTY_INPUT'],
    ['{"label":1,"text":"aa"}\n{"label":"1","text":"aa"}', {}, 'E_LABEL_TYPE'],
    ['{"label":1.5,"text":"aa"}', {}, 'E_LABEL_TYPE'],
    ['{"label":[1],"text":"aa"}', {}, 'E_LABEL_TYPE'],
    ['{"label":1,"text":"aa"', {}, 'E_FORMAT'],
    ['{"label":1,"text":"aa"}', { vectorizer: new CountVectorizer({ minDf: 2 }) }, 'E_PARAM'],
    ['{"label":1,"text":"aa"}', { classifier: new MultinomialNB({ alpha: 'auto' }) }, 'E_PARAM'],
    ['{"label":1,"text":"aa"}', { classifier: new MultinomialNB({ reproducible: true }) }, 'E_PARAM'],
    ['label,txt\na,b\n', {}, 'E_FEATURE_MISSING'],
  ])('%j with %o', async (content, options, code) => {
    expect(await refused(content, options)).toBe(code);
  });

  test('a missing file, and a cancelled fit', async () => {
    await expect(fitTextFile(join(folder, 'none.jsonl'))).rejects.toMatchObject({ code: 'E_PATH' });
    const gone = fitTextFile(file, { signal: AbortSignal.timeout(1), threads: 2 });
    await expect(gone).rejects.toMatchObject({ code: 'E_CANCELLED' });
  });
});
