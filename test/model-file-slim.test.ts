import { describe, expect, test } from 'vitest';
import { decodeTensors } from '../src/data/safetensors.ts';
import { PolyaError } from '../src/errors.ts';
import { estimators } from '../src/estimators/load.ts';
import * as polya from '../src/index.ts';
import { sampleModels } from './fixtures/models/models.ts';

const samples = sampleModels(polya);

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof PolyaError) return error.code;
    throw error;
  }
  return 'none';
};

/** The common methods of classifiers, whatever their rows are. */
interface Learner {
  readonly kind: string;
  readonly classes: unknown[];
  toBytes(options?: polya.SaveOptions): Uint8Array<ArrayBuffer>;
  predict(X: unknown): unknown;
  predictJointLogProba(X: unknown): polya.Matrix;
  explain(X: unknown): unknown;
  partialFit(X: unknown, y: unknown): unknown;
  unlearn(X: unknown, y: unknown): unknown;
  merge(other: unknown): unknown;
  decay(halfLife: number): unknown;
  fit(X: unknown, y: unknown): unknown;
}

const counts = [
  [2, 0, 1],
  [0, 3, 0],
  [1, 1, 2],
  [0, 4, 1],
  [0, 0, 5],
  [3, 1, 0],
];
const labels = ['b', 'a', 'b', 'a', 'c', 'c'];
const gaps = counts.map((row, i) => row.map((x, j) => ((i + j) % 4 === 0 ? Number.NaN : x + Math.sin(i + j))));
const words = counts.map((row) => row.map((x) => (x > 2 ? 'many' : `n${x}`)));
const wordsWithGaps = words.map((row, i) => row.map((word, j) => ((i + j) % 4 === 0 ? null : word)));
const bits = gaps.map((row) => row.map((x) => (Number.isNaN(x) ? x : Number(x > 1))));
const wide = [...gaps, ...gaps].map((row, i) => row.map((x, j) => (Number.isNaN(x) ? i - j : x + Math.cos(i * j))));
const twice = [...labels, ...labels];

const columns = {
  size: counts.map(([a]) => a / 3),
  kind: words.map(([word]) => word),
  big: counts.map(([a]) => a > 1),
  words: polya.Matrix.from(counts),
};

const variants: Record<string, [estimator: unknown, X: unknown, y: unknown]> = {
  'Bernoulli, gaps, no smoothing': [new polya.BernoulliNB({ missing: 'ignore', alpha: 0 }), bits, labels],
  'categorical, gaps': [new polya.CategoricalNB({ missing: 'ignore' }), wordsWithGaps, labels],
  'categorical, no smoothing': [new polya.CategoricalNB({ alpha: 0 }), words, labels],
  'complement, no smoothing': [new polya.ComplementNB({ alpha: 0 }), counts, labels],
  'urns of complements': [new polya.DirichletMultinomialNB({ complement: true }), counts, labels],
  'urns, EDCM': [new polya.DirichletMultinomialNB({ method: 'edcm' }), counts, labels],
  'Gaussian, gaps': [new polya.GaussianNB({ missing: 'ignore' }), gaps, labels],
  'Gaussian, predictive': [
    new polya.GaussianNB({ rule: 'bayes', prior: { mean: 0, kappa: 1, a: 2, b: 1 } } as never),
    wide,
    twice,
  ],
  'kernel, gaps': [new polya.KernelNB({ missing: 'ignore' } as never), gaps, labels],
  'linear, shrunk': [new polya.LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 'auto' }), wide, twice],
  'multinomial, background': [new polya.MultinomialNB({ smoothing: 'dirichlet' }), counts, labels],
  'multinomial, no smoothing': [new polya.MultinomialNB({ alpha: 0 }), counts, labels],
  'Poisson, predictive': [new polya.PoissonNB({ rule: 'bayes', predictive: true } as never), counts, labels],
  'quadratic, regularised': [new polya.QuadraticDiscriminantAnalysis({ regParam: 0.5 }), wide, twice],
  'k-dependence, gaps': [new polya.KDependenceNB({ missing: 'ignore', k: 2 }), wordsWithGaps, labels],
  'tree, gaps': [new polya.TreeAugmentedNB({ missing: 'ignore' }), wordsWithGaps, labels],
  'one-dependence, weighted': [new polya.AveragedOneDependenceNB({ weighted: true }), words, labels],
  'mixed, with a block of words': [new polya.MixedNB(), columns, labels],
  'one class': [new polya.GaussianNB(), counts, labels.map(() => 'only')],
};

test('every family is among the samples', () => {
  const kinds = new Set(samples.map(({ model }) => (model as { kind?: string }).kind));
  expect(Object.keys(estimators).filter((kind) => !kinds.has(kind))).toEqual([]);
});

describe.each(Object.entries(variants))('%s', (_, [estimator, X, y]) => {
  test('slim, it scores and explains bit for bit as before, and saves as it did', () => {
    const model = estimator as Learner;
    model.fit(X, y);
    const bytes = model.toBytes({ slim: true });
    const slim = polya.load<Learner>(bytes);
    expect(slim.predictJointLogProba(X)).toEqual(model.predictJointLogProba(X));
    expect(slim.predict(X)).toEqual(model.predict(X));
    expect(slim.explain(X)).toEqual(model.explain(X));
    expect(slim.toBytes()).toEqual(bytes);
  });

  test('slim, it cannot learn, unlearn or merge, and is not changed by trying', () => {
    const model = estimator as Learner;
    model.fit(X, y);
    const bytes = model.toBytes({ slim: true });
    const slim = polya.load<Learner>(bytes);
    const full = polya.load<Learner>(model.toBytes());
    const attempts = [
      () => slim.partialFit(X, y),
      () => slim.unlearn(X, y),
      () => slim.merge(full),
      () => slim.decay(2),
      () => full.merge(slim),
    ];
    expect(attempts.map(refusal)).toEqual(attempts.map(() => 'E_CONFLICT'));
    expect(slim.toBytes()).toEqual(bytes);
    expect(full.toBytes()).toEqual(model.toBytes());
  });

  test('slim, it can be fitted again and is then complete', () => {
    const model = estimator as Learner;
    model.fit(X, y);
    const slim = polya.load<Learner>(model.toBytes({ slim: true }));
    slim.fit(X, y);
    expect(slim.toBytes()).toEqual(model.toBytes());
  });
});

describe('rounding to float32', () => {
  test.each(samples)('$name reports the largest change of a log-parameter', ({ model, answer }) => {
    const [full, bytes] = [model.toBytes({ slim: true }), model.toBytes({ slim: true, float32: true })];
    const card = polya.inspectModel(bytes);
    const exact = decodeTensors(full).tensors;
    let most = 0;
    for (const [name, { data }] of decodeTensors(bytes).tensors) {
      const before = exact.get(name)!.data;
      if (!(data instanceof Float32Array)) expect(data).toEqual(before);
      else
        for (const [k, value] of data.entries())
          if (value !== before[k]) most = Math.max(most, Math.abs(value - before[k]));
    }
    expect(card.largestError ?? 0).toBe(most);
    expect(most).toBeLessThan(1e-5);
    expect(bytes.length).toBeLessThanOrEqual(full.length + 40);
    const rounded = polya.load(bytes);
    expect(rounded.toBytes()).toEqual(bytes);
    answer(rounded as never);
  });

  test('halves the tables of a text model, and scores change by at most the error times the words', () => {
    const texts = ['win a prize now', 'meet me at noon', 'a prize for you', 'lunch at noon then'];
    const model = polya
      .makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB())
      .fit(texts, ['s', 'h', 's', 'h']);
    const [slim, less] = [model.toBytes({ slim: true }), model.toBytes({ slim: true, float32: true })];
    const table = (bytes: Uint8Array) =>
      polya.inspectModel(bytes).arrays.find(({ name }) => name === '1/params.weights');
    expect(table(less)).toMatchObject({ dtype: 'F32', bytes: table(slim)!.bytes / 2 });
    const { largestError } = polya.inspectModel(less);
    const [a, b] = [model, polya.load<typeof model>(less)].map((own) => own.predictJointLogProba(texts).data);
    const off = Math.max(...a.map((score, k) => Math.abs(score - b[k])));
    expect(off).toBeGreaterThan(0);
    expect(off).toBeLessThanOrEqual(5 * largestError!);
  });

  test('needs slim', () => {
    expect(refusal(() => samples[0].model.toBytes({ float32: true }))).toBe('E_PARAM');
  });
});

test('a slim vectorizer transforms, but cannot learn, merge or return counts', () => {
  const full = new polya.TfidfVectorizer().fit(['a cat sat', 'the dog sat']);
  const slim = polya.load<polya.TfidfVectorizer>(full.toBytes({ slim: true }));
  expect(slim.transform(['cat dog'])).toEqual(full.transform(['cat dog']));
  expect(slim.documentFrequency).toEqual(full.documentFrequency);
  const words = polya.load<polya.CountVectorizer>(
    new polya.CountVectorizer().fit(['a cat sat']).toBytes({ slim: true }),
  );
  const attempts = [
    () => slim.partialFit(['more']),
    () => slim.unlearn(['a cat sat']),
    () => full.merge(slim),
    () => slim.merge(full),
    () => slim.termFrequency,
    () => words.documentFrequency,
    () => words.partialFit(['more']),
  ];
  expect(attempts.map(refusal)).toEqual(attempts.map(() => 'E_CONFLICT'));
});

test('a slim selector selects and has its scores, but cannot learn further', () => {
  const full = new polya.SelectKBest({ k: 2, scoreFunc: polya.chi2 }).fit(counts, labels);
  const slim = polya.load<polya.SelectKBest>(full.toBytes({ slim: true }));
  expect(slim.transform(counts)).toEqual(full.transform(counts));
  expect([slim.scores, slim.pvalues]).toEqual([full.scores, full.pvalues]);
  const attempts = [() => slim.partialFit(counts, labels), () => slim.merge(full), () => full.merge(slim)];
  expect(attempts.map(refusal)).toEqual(attempts.map(() => 'E_CONFLICT'));
});

test('a slim pipeline cannot learn, with its vocabulary frozen or not', () => {
  const texts = ['win a prize', 'meet me at noon'];
  const full = polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()).fit(texts, ['s', 'h']);
  const slim = polya.load<typeof full>(full.toBytes({ slim: true }));
  const bytes = slim.toBytes();
  const attempts = [
    () => slim.partialFit(texts, ['s', 'h']),
    () => slim.partialFit(texts, ['s', 'h'], { freeze: true }),
    () => slim.unlearn(texts, ['s', 'h']),
    () => slim.merge(full),
    () => full.merge(slim),
  ];
  expect(attempts.map(refusal)).toEqual(attempts.map(() => 'E_CONFLICT'));
  expect(slim.toBytes()).toEqual(bytes);
});

test('a model with classes without rows can be slim if its parameters are numbers', () => {
  const model = new polya.MultinomialNB().partialFit(counts, labels, { classes: ['a', 'b', 'c', 'd'] });
  const slim = polya.load<polya.MultinomialNB>(model.toBytes({ slim: true }));
  expect(slim.predictJointLogProba(counts)).toEqual(model.predictJointLogProba(counts));
});

test('counts of a slim model are an error that says what to do', () => {
  const slim = polya.load<polya.MultinomialNB>(new polya.MultinomialNB().fit(counts, labels).toBytes({ slim: true }));
  expect(slim.featureLogProb.rows).toBe(3);
  expect(() => slim.featureCount).toThrow(/saved slim.*load the full file/);
});
