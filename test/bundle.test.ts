import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { toJson } from '../src/exchange.ts';
import * as polya from '../src/index.ts';
import { launch } from './browser.ts';

const entry = new URL('../src/index.ts', import.meta.url).pathname;
const predict = new URL('../src/predict.ts', import.meta.url).pathname;
const built = new URL('../dist/lib/index.js', import.meta.url).pathname;
const builtPredict = new URL('../dist/lib/predict.js', import.meta.url).pathname;

/** Packages that are loaded only when asked for by name. */
const optional = ['snowball-stemmers', '@node-rs/jieba', '@node-rs/jieba/dict.js'];

/** The chunks of a program for the browser: the program itself first. */
async function chunksOf(program: string, from: string) {
  const build = await rolldown({
    input: 'program',
    platform: 'browser',
    external: optional,
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : id === 'polya' ? from : null),
        load: (id) => (id === 'program' ? program : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  return output;
}

/** Bundles a program for the browser; whatever it imports must be inside. */
async function bundle(program: string, from = entry): Promise<string> {
  const output = await chunksOf(program, from);
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  return output[0].code;
}

const program = `
  const X = [[1, 0, 1], [1, 1, 1], [0, 1, 0], [0, 0, 1]];
  const nb = new polya.BernoulliNB({ alpha: 0.5 }).fit(X, ['a', 'a', 'b', 'b']);
  return { proba: Array.from(polya.load(nb.toBytes()).predictProba(X).data), bytes: Array.from(nb.toBytes()) };
`;

/**
 * The size of CountVectorizer and MultinomialNB alone in a browser, minified and compressed, plus 2 %. 13,000 bytes of it are the kernels
 * that read, count and score text in WebAssembly (8,700) and their reader (4,300), 3,300 those that score rows; the kernels for tables
 * are not in it.
 */
const MOST_BYTES = 48_000;

/** The size of a page that reads a pipeline from its file with `restore`; `load` would bring every kind of model along. */
const MOST_RESTORING_BYTES = 65_300;

const texts = [
  'Win a free prize now',
  'free entry, call 2 win',
  'see you at the café',
  'lunch tomorrow?',
  '今天 天气 很好',
];
const y = ['spam', 'spam', 'ham', 'ham', 'ham'];

/** Numbers and strings of any container. */
const plain = (value: unknown): unknown => (value instanceof Object && 'data' in value ? value.data : value);

/** A bundle as a module. */
async function imported<Module = typeof polya>(code: string): Promise<Module> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-'));
  try {
    writeFileSync(join(folder, 'bundle.mjs'), code);
    return (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'bundle.mjs')).href)) as Module;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as polya.PolyaError).toJSON();
  }
}

test('a bundle of a vectorizer and a classifier stays small, and nothing of their faces is missing in it', async () => {
  const code = await bundle("export { CountVectorizer, MultinomialNB } from 'polya';");
  const size = gzipSync(code).length;
  console.info(`minified and compressed, CountVectorizer and MultinomialNB alone are ${(size / 1000).toFixed(1)} kB`);
  expect(size).toBeLessThanOrEqual(MOST_BYTES);
  const small = await imported(code);
  const readings: polya.CountVectorizerOptions[] = [
    {},
    { stopWords: 'english', ngramRange: [1, 2], minDf: 1, maxFeatures: 9 },
    { analyzer: 'char_wb', ngramRange: [2, 3], binary: true },
    { tokenizer: 'auto', stripAccents: 'unicode', normalize: 'NFKC' },
    { tokenPattern: '(?u)\\b\\w+\\b', stemmer: (word) => word.slice(0, 4) },
  ];
  const models: polya.MultinomialNBOptions[] = [
    { alpha: 'auto' },
    { reproducible: true, priorAlpha: 1 },
    { smoothing: 'dirichlet', mu: 5, classPrior: [0.5, 0.5] },
  ];
  for (const reading of readings) {
    for (const options of models) expect(faces(small, reading, options)).toEqual(faces(polya, reading, options));
  }
});

test('the built library is one module, and a bundle still has only what a program needs of it', async () => {
  const code = await bundle("export { CountVectorizer, MultinomialNB } from 'polya';", built);
  expect(gzipSync(code).length).toBeLessThanOrEqual(MOST_BYTES);
  const small = await imported(code);
  expect(faces(small, {}, {})).toEqual(faces(polya, {}, {}));
});

/** Everything that the two can do, as plain data. */
function faces(
  { CountVectorizer, MultinomialNB }: Pick<typeof polya, 'CountVectorizer' | 'MultinomialNB'>,
  reading: polya.CountVectorizerOptions,
  options: polya.MultinomialNBOptions,
): unknown {
  const words = new CountVectorizer(reading).partialFit(texts.slice(0, 3)).partialFit(texts.slice(3));
  words.merge(new CountVectorizer(reading).fit(['zebras graze'])).unlearn(['zebras graze']);
  const X = words.transform(texts);
  const half = new MultinomialNB(options).fit(X.slice(0, 3), y.slice(0, 3));
  const model = half
    .clone()
    .fit(X, y)
    .decay(2)
    .partialFit(X.slice(0, 1), y.slice(0, 1))
    .unlearn(X.slice(0, 1), y.slice(0, 1));
  const { X: drawn, y: classes } = model.sample(3, { seed: 7 });
  return {
    names: words.getFeatureNamesOut(),
    rows: new CountVectorizer(reading).fitTransform(texts).toArray(),
    params: [Object.keys(words.getParams()), model.getParams()],
    answers: [model.predict(X), model.predictProba(X), model.predictJointLogProba(X), model.logEvidence(X)].map(plain),
    score: [model.score(X, y), model.merge(half).classCount, model.classLogPrior, model.featureLogProb].map(plain),
    explanation: model.explain(X),
    drawn: [drawn.toArray(), classes],
    bytes: [words.toBytes(), model.toBytes()],
    refused: refusal(() => model.fit([[-1]], ['a'])),
  };
}

const sizeOf = (code: string) => gzipSync(code).length;

test('a page reads the file of a pipeline without the code of other models', async () => {
  const code = await bundle("export { CountVectorizer, MultinomialNB, makePipeline, restore } from 'polya';");
  expect(sizeOf(code)).toBeLessThanOrEqual(MOST_RESTORING_BYTES);
  const small = await imported(code);
  const model = polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()).fit(texts, y);
  const blank = small.makePipeline(new small.CountVectorizer(), new small.MultinomialNB());
  const restored = small.restore(blank, model.toBytes());
  expect(restored.predictProba(texts).data).toEqual(model.predictProba(texts).data);
});

/** The size of a page that only predicts, with any model exported as JSON. */
const MOST_PREDICTING_BYTES = 21_000;

test('a page that only predicts has none of the code that learns', async () => {
  const code = await bundle("export { openModel } from 'polya';", predict);
  expect(sizeOf(code)).toBeLessThanOrEqual(MOST_PREDICTING_BYTES);
  const small = await imported<Pick<typeof import('../src/predict.ts'), 'openModel'>>(code);
  const model = polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()).fit(texts, y);
  const json = JSON.stringify(toJson(model));
  expect(small.openModel(json).predictLogProba(texts).data).toEqual(model.predictLogProba(texts).data);
});

/** The size of a page that opens model files, without and with the family of a file; columns of mixed kinds bring most families along. */
const MOST_OPENING_BYTES = { page: 51_000, family: 68_000, mixed: 80_000 };

test.each([
  ['the sources', predict],
  ['the package', builtPredict],
])('a page that opens model files with %s loads the code of their family alone', async (_, from) => {
  const output = await chunksOf("export { openModelFile } from 'polya';", from);
  const chunks = new Map(output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk] as const] : [])));
  const loaded = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    for (const other of chunks.get(name)?.imports ?? []) loaded(other, seen.add(name));
    return seen.add(name);
  };
  const sizeWith = (names: Iterable<string>) => {
    const all = new Set([...names].flatMap((name) => [...loaded(name)]));
    return [...all].reduce((size, name) => size + sizeOf(chunks.get(name)?.code ?? ''), 0);
  };
  const page = output[0].fileName;
  expect(sizeWith([page])).toBeLessThanOrEqual(MOST_OPENING_BYTES.page);
  const later = [...chunks.values()].filter((chunk) => chunk.isDynamicEntry);
  expect(later.length).toBeGreaterThan(15);
  for (const { name, fileName } of later) {
    const most = name === 'mixed' ? MOST_OPENING_BYTES.mixed : MOST_OPENING_BYTES.family;
    expect(sizeWith([page, fileName]), name).toBeLessThanOrEqual(most);
  }
});

test.each([
  ['polya', built, entry],
  ['polya/predict', builtPredict, predict],
])('the built module %s exports what its source exports', async (_, module, source) => {
  const [there, here] = await Promise.all([import(/* @vite-ignore */ module), import(/* @vite-ignore */ source)]);
  expect(Object.keys(there).sort()).toEqual(Object.keys(here).sort());
});

/** What a page does; `bytes` is a model file. */
const page = `
  const texts = ${JSON.stringify(texts)};
  const y = ${JSON.stringify(y)};
  const model = polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()).fit(texts.slice(0, 4), y.slice(0, 4));
  model.partialFit(texts.slice(4), y.slice(4)).partialFit(['a free café'], ['tea']).unlearn(['a free café'], ['tea']);
  const [explanation] = model.explain(['free lunch at the café']);
  const loaded = polya.load(Uint8Array.from(bytes));
  const asked = ['free prize', 'lunch', '今天'];
  return {
    labels: model.predict(asked),
    names: model.getFeatureNamesOut(),
    features: explanation.contributions.map(({ feature }) => feature),
    proba: Array.from(model.predictProba(asked).data),
    loaded: Array.from(loaded.predictProba(asked).data),
  };
`;

test('a page learns, forgets, predicts, explains and reads a file', async () => {
  const code = await bundle("import * as polya from 'polya'; globalThis.polya = polya;");
  expect(code).not.toMatch(/['"]node:|require\(/);
  const bytes = [...polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()).fit(texts, y).toBytes()];
  const body = `const bytes = ${JSON.stringify(bytes)}; ${page}`;
  type PageResult = Record<'labels' | 'names' | 'features', string[]> & Record<'proba' | 'loaded', number[]>;
  const there = await inBrowser<PageResult>(code, body);
  const here = new Function('polya', body)(polya) as PageResult;
  expect([there.labels, there.names, there.features]).toEqual([here.labels, here.names, here.features]);
  for (const name of ['proba', 'loaded'] as const) {
    expect(there[name]).toHaveLength(here[name].length);
    there[name].forEach((p, i) => {
      expect(Math.abs(p - here[name][i])).toBeLessThanOrEqual(1e-12);
    });
  }
}, 120_000);

/** What a function body answers in a browser whose page has run a bundle that leaves `polya` behind. */
async function inBrowser<T>(code: string, body: string): Promise<T> {
  const server = createServer((request, response) => {
    const script = request.url === '/bundle.js';
    response.setHeader('content-type', script ? 'text/javascript; charset=utf-8' : 'text/html');
    response.end(
      script ? code : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/bundle.js"></script>',
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const browser = await launch();
  try {
    const opened = await browser.newPage();
    await opened.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await opened.waitForFunction('globalThis.polya !== undefined');
    return await opened.evaluate<T>(`(() => {${body}})()`);
  } finally {
    await browser.close();
    server.close();
  }
}

test('the core bundle has no dependency, nothing from node:, and says the same in a browser', async () => {
  const code = await bundle("import * as polya from 'polya'; globalThis.polya = polya;");
  expect(code).not.toMatch(/['"]node:|require\(/);
  console.info(`minified and compressed, all of it is ${(gzipSync(code).length / 1000).toFixed(1)} kB`);

  const there = await inBrowser<{ proba: number[]; bytes: number[] }>(code, program);
  const here = new Function('polya', program)(polya) as typeof there;
  expect(there.bytes).toEqual(here.bytes);
  there.proba.forEach((p, i) => {
    expect(Math.abs(p - here.proba[i])).toBeLessThanOrEqual(1e-12);
  });
}, 120_000);
