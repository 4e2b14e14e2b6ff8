import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { Random } from '../math/random.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CalibratedClassifierCV } from './calibrated-classifier-cv.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { MixedNB } from './mixed-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline } from './pipeline.ts';
import { SelectKBest } from './select.ts';
import { fitSemiSupervised, type SemiSupervisedOptions } from './semi-supervised.ts';

const random = new Random(5);
const labels = (n: number) => Array.from({ length: n }, (_, i) => i % 2);
const [few, many, fresh] = [labels(4), labels(300), labels(400)];

/** Rows of two classes, drawn cell by cell. */
function rows(draw: (c: number, j: number) => number, features: number): number[][][] {
  return [few, many, fresh].map((y) => y.map((c) => Array.from({ length: features }, (_, j) => draw(c, j))));
}

const heads = [0, 1].map(() => Array.from({ length: 60 }, () => 0.1 + 0.8 * random.uniform()));
const rates = [0, 1].map(() => random.dirichlet(new Float64Array(60).fill(1)).map((p) => 80 * p));
const means = [0, 1].map(() => Array.from({ length: 6 }, () => random.normal()));
const shares = [0, 1].map(() => Array.from({ length: 20 }, () => random.dirichlet(Float64Array.of(1, 1, 1))));

const families = {
  coins: { make: () => new BernoulliNB(), data: rows((c, j) => (random.uniform() < heads[c][j] ? 1 : 0), 60) },
  dice: { make: () => new MultinomialNB({ alpha: 0.1 }), data: rows((c, j) => random.poisson(rates[c][j]), 60) },
  levels: { make: () => new CategoricalNB(), data: rows((c, j) => random.categorical(shares[c][j]), 20) },
  bells: { make: () => new GaussianNB(), data: rows((c, j) => means[c][j] + random.normal(), 6) },
};

/** The few labels, and none for the other rows. */
const labelsFor = (unlabelled: readonly unknown[]) => [...few, ...unlabelled.map(() => null)];

describe.each(Object.entries(families))('EM on %s', (_, { make, data: [X, U, T] }) => {
  const settings: SemiSupervisedOptions[] = [{}, { weight: 0.3 }];
  test.each(settings)('with %j the objective rises at every step and comes to rest', (options) => {
    const estimator = make();
    const { objective, converged } = fitSemiSupervised(estimator as MultinomialNB, [...X, ...U], labelsFor(U), options);
    for (let step = 1; step < objective.length; step++) {
      expect(objective[step]).toBeGreaterThanOrEqual(objective[step - 1] - 1e-9 * Math.abs(objective[step]));
    }
    expect(converged).toBe(true);
    expect(estimator.score(T, fresh)).toBeGreaterThanOrEqual(make().fit(X, few).score(T, fresh));
  });
});

test('documents can be scaled to one length, which keeps the posteriors soft', () => {
  const [X, U, T] = families.dice.data;
  const estimator = new MultinomialNB({ alpha: 0.1 });
  const { objective } = fitSemiSupervised(estimator, [...X, ...U], labelsFor(U), { documentLength: 30 });
  expect(objective).toEqual([...objective].sort((a, b) => a - b));
  expect(estimator.score(T, fresh)).toBeGreaterThan(0.95);
  expect(estimator.featureCount.data.reduce((sum, count) => sum + count, 0)).toBeCloseTo(30 * 304, 6);
});

test('a weight of zero, and a caller who aborts, are refused', () => {
  const [X, U] = families.coins.data;
  expect(refusalOf(() => fitSemiSupervised(new BernoulliNB(), [...X, ...U], labelsFor(U), { weight: 0 })).code).toBe(
    'E_PARAM',
  );
  const aborted = { signal: AbortSignal.abort() };
  expect(refusalOf(() => fitSemiSupervised(new BernoulliNB(), [...X, ...U], labelsFor(U), aborted)).code).toBe(
    'E_CANCELLED',
  );
});

describe('texts with a few labels', () => {
  const words = (c: number) => Array.from({ length: 8 }, () => `w${random.integer(40) + 15 * c}`).join(' ');
  const [texts, tests] = [many, fresh].map((y) => y.map(words));
  const sparse = many.map((c, i) => (i < 6 ? c : i % 2 ? null : undefined));
  const make = () => makePipeline(new CountVectorizer(), new MultinomialNB());

  test('a pipeline learns from texts without a label, their words included', () => {
    const pipeline = make();
    const report = fitSemiSupervised(pipeline, texts, sparse);
    expect(report).toMatchObject({ labelled: 6, unlabelled: 294, converged: true });
    expect(report.objective).toEqual([...report.objective].sort((a, b) => a - b));
    const plain = make().fit(texts.slice(0, 6), many.slice(0, 6));
    expect(pipeline.score(tests, fresh)).toBeGreaterThan(plain.score(tests, fresh) + 0.05);
    expect(pipeline.steps[0].vocabulary.size).toBeGreaterThan(plain.steps[0].vocabulary.size);
    expect(load<typeof pipeline>(pipeline.toBytes()).predictProba(tests)).toEqual(pipeline.predictProba(tests));
    pipeline.partialFit(['something new'], [1]); // it goes on learning
    expect(pipeline.steps[0].vocabulary.has('something')).toBe(true);
  });

  test('the pipeline equals its steps by hand', () => {
    const pipeline = make();
    fitSemiSupervised(pipeline, texts, sparse, { weight: 0.5 });
    const counts = new CountVectorizer().fitTransform(texts);
    const alone = new MultinomialNB();
    fitSemiSupervised(alone, counts, sparse, { weight: 0.5 });
    expect(pipeline.steps[1].toBytes()).toEqual(alone.toBytes());
  });

  test('a step that needs labels learns from the labelled rows', () => {
    const pipeline = makePipeline(new CountVectorizer(), new SelectKBest({ k: 20 }), new MultinomialNB());
    fitSemiSupervised(pipeline, texts, sparse);
    expect(pipeline.steps[2].nFeaturesIn).toBe(20);
  });

  test('sample weights are copies of rows, labelled or not', () => {
    const twice = [...texts.slice(0, 40), ...texts.slice(0, 40)];
    const [a, b] = [make(), make()];
    fitSemiSupervised(a, twice, [...sparse.slice(0, 40), ...sparse.slice(0, 40)], { tol: 0, maxIter: 5 });
    fitSemiSupervised(b, texts.slice(0, 40), sparse.slice(0, 40), { sampleWeight: 2, tol: 0, maxIter: 5 });
    expectClose(a.predictLogProba(tests).data, b.predictLogProba(tests).data, 1e-9, 1);
  });

  test('rows of levels and of mixed columns do as well, and all labels are a plain fit', () => {
    const rows = many.map((c, i) => ({ colour: ['red', 'blue', 'green'][(c + i) % 3], size: c * 2 + random.normal() }));
    const mixed = () => new MixedNB({ columns: { colour: 'categorical', size: 'gaussian' } });
    const model = mixed();
    expect(fitSemiSupervised(model, rows, sparse).converged).toBe(true);
    expect(model.score(rows, many)).toBeGreaterThan(0.7);
    const full = mixed();
    expect(fitSemiSupervised(full, rows, many).objective).toHaveLength(1);
    expect(full.toBytes()).toEqual(mixed().fit(rows, many).toBytes());
  });

  test('no label at all, another number of labels, and a pipeline that cannot are refused', () => {
    const none = texts.map(() => null);
    expect(refusalOf(() => fitSemiSupervised(make(), texts, none)).code).toBe('E_LABEL_MISSING');
    expect(refusalOf(() => fitSemiSupervised(make(), texts, sparse.slice(1))).code).toBe('E_SHAPE');
    const calibrated = makePipeline(new CountVectorizer(), new CalibratedClassifierCV(new MultinomialNB()));
    expect(refusalOf(() => fitSemiSupervised(calibrated, texts, sparse)).code).toBe('E_PARAM');
  });
});
