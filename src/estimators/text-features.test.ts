import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import * as polya from '../index.ts';
import { fitTextFile, readDocuments } from '../node.ts';

const cases = recorded('features.json');
const of = (what: string) => cases.filter((one) => one.what === what).map((one, k) => [k, one] as const);
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

describe('scikit-learn 1.9.1', () => {
  test.each(of('encoding'))('bytes in an encoding, %i', (_, { encoding, errors, analyzer, raw, terms, counts }) => {
    const documents = (raw as string[]).map(bytesOf);
    const options = { encoding: encoding as 'latin1', decodeError: errors, analyzer, tokenPattern: '(?u)\\w+' };
    const vectorizer = new polya.CountVectorizer(options);
    expect(vectorizer.fitTransform(documents).toArray()).toEqual(counts);
    expect(vectorizer.getFeatureNamesOut()).toEqual(terms);
    const loaded = polya.load(vectorizer.toBytes()) as polya.CountVectorizer;
    expect(loaded.transform(documents).toArray()).toEqual(counts);
    const y = documents.map((_document, i) => i);
    const pipeline = polya.makePipeline(new polya.CountVectorizer(options), new polya.MultinomialNB());
    const rows = new polya.MultinomialNB().fit(counts, y).predictProba(counts);
    expectAlike(pipeline.fit(documents, y).predictProba(documents).toArray(), rows.toArray(), 1e-12);
  });

  test.each(of('idf'))('an idf that is set, %i', (_, { options, texts, idf, rows, counts, weighed }) => {
    const given = { norm: options.norm === undefined ? ('l2' as const) : null, sublinearTf: !!options.sublinear_tf };
    const vectorizer = new polya.TfidfVectorizer({ vocabulary: ['cat', 'dog', 'the'], ...given });
    vectorizer.idf = idf;
    const transformer = new polya.TfidfTransformer(given);
    transformer.idf = idf;
    for (const own of [vectorizer, polya.load(vectorizer.toBytes()) as typeof vectorizer]) {
      expectAlike(own.transform(texts).toArray(), rows, 1e-12);
      expect([...own.idf]).toEqual(idf);
    }
    for (const own of [transformer, polya.load(transformer.toBytes()) as typeof transformer]) {
      expectAlike(own.transform(counts).toArray(), weighed, 1e-12);
    }
  });
});

test('bytes that are no text are refused unless decodeError says otherwise', () => {
  const documents = [new Uint8Array([0x61, 0x62, 0xff])];
  for (const Vectorizer of [polya.CountVectorizer, polya.TfidfVectorizer, polya.HashingVectorizer]) {
    expect(refusalOf(() => new Vectorizer().fitTransform(documents)).code).toBe('E_ENCODING');
    expect(new Vectorizer({ decodeError: 'ignore' }).fitTransform(documents).data.length).toBe(1);
    expect(refusalOf(() => new Vectorizer({ encoding: 'klingon' as never })).code).toBe('E_PARAM');
  }
  const odd = new polya.CountVectorizer({ encoding: 'utf-16le' });
  expect(refusalOf(() => odd.fit(documents)).details).toEqual({ row: 0, encoding: 'utf-16le' });
  expect(new polya.CountVectorizer({ encoding: 'latin1' }).fit(['été']).getFeatureNamesOut()).toEqual(['été']);
});

test('an idf that was set holds until documents are learned, and one number belongs to each column', () => {
  const texts = ['red cat', 'red dog'];
  const vectorizer = new polya.TfidfVectorizer().fit(texts);
  const counted = vectorizer.idf;
  expect(refusalOf(() => void (vectorizer.idf = [1, 2])).code).toBe('E_SHAPE');
  expect(refusalOf(() => void (vectorizer.idf = [1, 2, Number.NaN])).code).toBe('E_SHAPE');
  expect(vectorizer.idf).toEqual(counted);
  vectorizer.idf = [1, 2, 3];
  expect(vectorizer.idf).toEqual(Float64Array.of(1, 2, 3));
  const pipeline = polya.makePipeline(vectorizer, new polya.MultinomialNB());
  expect((polya.load(pipeline.toBytes()) as unknown as typeof pipeline).steps[0].idf).toEqual(vectorizer.idf);
  vectorizer.partialFit(['red cat']);
  expect(vectorizer.idf).toEqual(new polya.TfidfVectorizer().fit([...texts, 'red cat']).idf);
  const without = new polya.TfidfVectorizer({ useIdf: false }).fit(texts);
  expect(refusalOf(() => void (without.idf = [1, 2, 3])).code).toBe('E_PARAM');
  const transformer = new polya.TfidfTransformer().fit([
    [1, 0],
    [2, 1],
  ]);
  transformer.idf = [7, 8];
  expect(transformer.idf).toEqual(Float64Array.of(7, 8));
  expect(transformer.partialFit([[1, 0]]).idf).toEqual(
    new polya.TfidfTransformer().fit([
      [1, 0],
      [2, 1],
      [1, 0],
    ]).idf,
  );
});

test('without addOne a term of all documents weighs nothing', () => {
  const texts = ['red cat', 'red dog', 'red red cat'];
  const options = { addOne: false, smoothIdf: false };
  const vectorizer = new polya.TfidfVectorizer(options).fit(texts);
  expectAlike(vectorizer.idf, [Math.log(3 / 2), Math.log(3), 0], 1e-12);
  const transformer = new polya.TfidfTransformer(options).fit(new polya.CountVectorizer().fitTransform(texts));
  expect(transformer.idf).toEqual(vectorizer.idf);
  expect(vectorizer.transform(['red']).data.length).toBe(0);
});

test('files are documents', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'polya-'));
  try {
    const paths = ['a.txt', 'b.txt', 'c.gz'].map((name) => join(folder, name));
    await writeFile(paths[0], Buffer.from('été chaud', 'latin1'));
    await writeFile(paths[1], '');
    await writeFile(paths[2], gzipSync(Buffer.from('hiver', 'latin1')));
    const documents = await readDocuments(paths);
    const vectorizer = new polya.CountVectorizer({ encoding: 'latin1' }).fit(documents);
    expect(vectorizer.getFeatureNamesOut()).toEqual(['chaud', 'hiver', 'été']);
    await expect(readDocuments([join(folder, 'absent')])).rejects.toMatchObject({ code: 'E_PATH' });
    await expect(readDocuments(paths[0] as never)).rejects.toMatchObject({ code: 'E_TYPE' });
    await expect(fitTextFile(paths[0], { vectorizer })).rejects.toMatchObject({ details: { name: 'encoding' } });
  } finally {
    await rm(folder, { recursive: true });
  }
});
