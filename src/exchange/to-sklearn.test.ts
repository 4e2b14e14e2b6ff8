import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import type { Matrix } from '../data/matrix.ts';
import {
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  CountVectorizer,
  GaussianNB,
  HashingVectorizer,
  KernelNB,
  LinearDiscriminantAnalysis,
  MultinomialNB,
  makePipeline,
  QuadraticDiscriminantAnalysis,
  TfidfTransformer,
  TfidfVectorizer,
} from '../index.ts';
import { Random } from '../math/random.ts';
import type { Exportable } from './plan-of.ts';
import { fromSklearn } from './sklearn.ts';
import { toSklearn } from './to-sklearn.ts';

type Fitted = Exportable & { predictProba(X: never): Matrix };

const random = new Random(11);
const labels = Array.from({ length: 60 }, (_, i) => ['a', 'b', 'c'][i % 3]);
const numbers = labels.map((_, i) => [random.normal() + (i % 3), 3 * random.normal() - (i % 3), random.normal()]);
const counts = labels.map((_, i) => Array.from({ length: 5 }, (_, j) => random.integer(1 + ((i + j) % 4))));
const levels = labels.map((_, i) => [random.integer(3), (i + random.integer(2)) % 4]);
const words = 'the quick brown fox jumps over a lazy dog and café naïve straße x1 y22'.split(' ');
const texts = labels.map((_, i) =>
  Array.from({ length: 9 }, () => words[(random.integer(9) + 2 * (i % 3)) % 15]).join(' '),
);
const asked = [...texts.slice(0, 8), '', 'nothing known here', 'The FOX, the Café!'];
const two = labels.map((label) => label === 'a');

const cases: readonly (readonly [name: string, model: () => Fitted, rows: readonly unknown[]])[] = [
  ['MultinomialNB', () => new MultinomialNB({ alpha: 0.3 }).fit(counts, labels), counts],
  ['MultinomialNB with a chosen alpha', () => new MultinomialNB({ alpha: 'auto' }).fit(counts, labels), counts],
  ['ComplementNB', () => new ComplementNB().fit(counts, labels), counts],
  ['ComplementNB, normalised', () => new ComplementNB({ norm: true }).fit(counts, labels), counts],
  ['BernoulliNB', () => new BernoulliNB({ binarize: 1 }).fit(counts, labels), counts],
  ['CategoricalNB', () => new CategoricalNB().fit(levels, labels), levels],
  ['GaussianNB', () => new GaussianNB().fit(numbers, labels), numbers],
  ['GaussianNB of two classes with priors', () => new GaussianNB({ priors: [0.2, 0.8] }).fit(numbers, two), numbers],
  ['LinearDiscriminantAnalysis', () => new LinearDiscriminantAnalysis().fit(numbers, labels), numbers],
  ['LinearDiscriminantAnalysis of two classes', () => new LinearDiscriminantAnalysis().fit(numbers, two), numbers],
  [
    'LinearDiscriminantAnalysis, shrunk',
    () => new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 'auto' }).fit(numbers, labels),
    numbers,
  ],
  ['QuadraticDiscriminantAnalysis', () => new QuadraticDiscriminantAnalysis().fit(numbers, labels), numbers],
  [
    'QuadraticDiscriminantAnalysis, regularised',
    () => new QuadraticDiscriminantAnalysis({ regParam: 0.3 }).fit(numbers, labels),
    numbers,
  ],
  ['words', () => makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels), asked],
  [
    'pairs without stop words',
    () =>
      makePipeline(
        new CountVectorizer({ ngramRange: [1, 2], stopWords: 'english', stripAccents: 'unicode' }),
        new ComplementNB(),
      ).fit(texts, labels),
    asked,
  ],
  [
    'weighted characters',
    () =>
      makePipeline(
        new TfidfVectorizer({ analyzer: 'char_wb', ngramRange: [2, 3], sublinearTf: true }),
        new MultinomialNB(),
      ).fit(texts, labels),
    asked,
  ],
  [
    'counts, weights and dice',
    () => makePipeline(new CountVectorizer(), new TfidfTransformer(), new MultinomialNB()).fit(texts, labels),
    asked,
  ],
  ['hashes', () => makePipeline(new HashingVectorizer({ nFeatures: 64 }), new BernoulliNB()).fit(texts, labels), asked],
];

test.each(cases)('%s reads back to the same model', (_, make, rows) => {
  const model = make();
  const back = fromSklearn<Fitted>(JSON.stringify(toSklearn(model)));
  expectClose(back.predictProba(rows as never).data, model.predictProba(rows as never).data, 1e-9, 1);
});

const python = process.env.POLYA_PYTHON ?? 'python3';
const hasSklearn = spawnSync(python, ['-c', 'import sklearn']).status === 0;
if (!hasSklearn) console.info(`skipped: scikit-learn, which ${python} does not have`);

const DRIVER = `
import json, sys
sys.path.insert(0, sys.argv[1])
from load_in_sklearn import load
for case in json.load(open(sys.argv[2], encoding="utf-8")):
    model = load(case["model"])
    print(json.dumps([model.classes_.tolist(), model.predict_proba(case["rows"]).tolist(), model.predict(case["rows"]).tolist()]))
`;

describe.skipIf(!hasSklearn)('scikit-learn answers as the model does, within 1e-9', () => {
  const models = cases.map(([, make, rows]) => ({ model: make(), rows }));
  const answers = (() => {
    if (!hasSklearn) return [];
    const folder = mkdtempSync(join(tmpdir(), 'polya-sklearn-'));
    try {
      const file = join(folder, 'cases.json');
      writeFileSync(
        file,
        JSON.stringify(models.map(({ model, rows }) => ({ model: JSON.stringify(toSklearn(model)), rows }))),
      );
      const examples = new URL('../../examples/', import.meta.url).pathname;
      const out = execFileSync(python, ['-B', '-c', DRIVER, examples, file], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      return out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as [unknown[], number[][], unknown[]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  })();

  test.each(cases.map(([name], k) => [name, k] as const))('%s', (_, k) => {
    const { model, rows } = models[k];
    const [classes, proba, predicted] = answers[k];
    expect(classes).toEqual(model.classes);
    const here = model.predictProba(rows as never);
    expectClose(proba.flat(), here.data, 1e-9, 1);
    expect(predicted).toEqual((model as unknown as { predict(X: unknown): unknown[] }).predict(rows));
  });
});

test.each([
  ['another class', () => new KernelNB().fit(numbers, labels)],
  ['levels that are words', () => new CategoricalNB().fit([['x'], ['y']], [0, 1])],
  ['missing cells', () => new GaussianNB({ missing: 'ignore' }).fit([[1], [Number.NaN], [3]], [0, 1, 1])],
  [
    'Student’s bells',
    () => new GaussianNB({ rule: 'bayes', prior: { mean: 1, kappa: 0.5, a: 2, b: 3 } }).fit(numbers, labels),
  ],
  ['segments', () => makePipeline(new CountVectorizer({ tokenizer: 'auto' }), new MultinomialNB()).fit(texts, labels)],
])('%s is refused', (_, make) => {
  expect(refusalOf(() => toSklearn(make())).code).toBe('E_CONFLICT');
});
