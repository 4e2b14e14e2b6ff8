import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { count, score } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { Random } from '../math/random.ts';
import { sums } from '../stats/sums.ts';
import { bernoulli } from './bernoulli.ts';

const fourRows = count(
  sums,
  batch(
    [
      [1, 0, 1],
      [1, 1, 1],
      [0, 1, 0],
      [0, 0, 1],
    ],
    [0, 0, 1, 1],
  ),
); // prettier-ignore

test('four rows by hand: with a = 1 the joint of (1, 0, 0) is 3/64 and 2/64', () => {
  const coins = bernoulli.estimate(fourRows, { prior: { rule: 'bayes', a: 1 } });
  expectClose(score(bernoulli, coins, batch([[1, 0, 0]])), [Math.log(3 / 64), Math.log(2 / 64)], 1e-12);
});

test('the three rules: MLE, MAP with a = 2, and the posterior mean with a = 1', () => {
  const heads = (prior: Parameters<typeof bernoulli.estimate>[1]['prior']) =>
    Array.from(bernoulli.estimate(fourRows, { prior }).logOdds.slice(0, 3), (odds) => 1 / (1 + Math.exp(-odds)));
  expectClose(heads({ rule: 'mle' }), [1, 1 / 2, 1], 1e-15);
  expectClose(heads({ rule: 'map', a: 2 }), [3 / 4, 1 / 2, 3 / 4], 1e-15);
  expectClose(heads({ rule: 'bayes', a: 1 }), [3 / 4, 1 / 2, 3 / 4], 1e-15);
  expect(refusalOf(() => heads({ rule: 'map', a: 0.5 })).code).toBe('E_PARAM');
});

test('the black swan: under MLE a coin that never failed makes a failure impossible, not undefined', () => {
  const coins = bernoulli.estimate(fourRows, { prior: { rule: 'mle' } });
  expect([...score(bernoulli, coins, batch([[0, 1, 1]]))]).toEqual([-Infinity, Math.log(1 / 2) + Math.log(1 / 4)]);
  expect([...score(bernoulli, coins, batch([[1, 1, 0]]))]).toEqual([-Infinity, -Infinity]);
  const { terms, rest } = bernoulli.terms(coins, batch([[0, 1, 1]]), 0);
  expect([terms[0], rest[0]]).toEqual([-Infinity, 0]);
});

test('a missing toss drops out: its score is the sum over both faces', () => {
  const coins = bernoulli.estimate(fourRows, { prior: { rule: 'bayes', a: 1 } });
  const [missing] = [score(bernoulli, coins, batch([[1, Number.NaN, 0]]))];
  const faces = [0, 1].map((face) => score(bernoulli, coins, batch([[1, face, 0]])));
  expectClose(
    missing,
    [0, 1].map((c) => Math.log(Math.exp(faces[0][c]) + Math.exp(faces[1][c]))),
    1e-12,
  ); // prettier-ignore
});

test('explanations of wide rows list the heads and sum up the tails', () => {
  const random = new Random(3);
  const X = Array.from({ length: 8 }, () => Array.from({ length: 1500 }, () => (random.uniform() < 0.02 ? 1 : 0)));
  for (const alpha of [1, 0]) {
    const estimator = new BernoulliNB({ alpha }).fit(X, [0, 1, 0, 1, 0, 1, 0, 1]);
    const joint = estimator.predictJointLogProba(X);
    estimator.explain(X).forEach(({ prior, contributions, rest, score }, i) => {
      expect(contributions.length).toBe(X[i].filter((x) => x === 1).length);
      expectClose(score, joint.row(i), 1e-12);
      const sum = contributions.reduce((total, { byClass }) => total + byClass[0], prior[0] + rest[0]);
      expectClose([sum], [score[0]], 1e-12);
    });
  }
});

test('drawn rows have the frequencies of the model', () => {
  const X = [
    [1, 1],
    [1, 0],
    [1, 0],
    [1, 0],
    [0, 1],
  ]; // prettier-ignore
  const estimator = new BernoulliNB({ alpha: 0 }).fit(X, ['a', 'a', 'a', 'a', 'b']);
  const { X: drawn } = estimator.sample(4000, { class: 'a', seed: 1 });
  const shares = [0, 1].map((j) => drawn.toArray().reduce((sum, row) => sum + row[j], 0) / 4000);
  expect(shares[0]).toBe(1);
  expect(Math.abs(shares[1] - 0.25)).toBeLessThan(0.03);
});

describe('BernoulliNB agrees with scikit-learn 1.9.1', () => {
  // the China/Japan documents of Manning, Raghavan & Schütze, table 13.1, as presence of words
  const X = [
    [1, 1, 0, 0, 0, 0],
    [0, 1, 0, 0, 1, 0],
    [0, 1, 0, 1, 0, 0],
    [0, 1, 1, 0, 0, 1],
  ]; // prettier-ignore
  const query = [[0, 1, 1, 0, 0, 1]];
  const estimator = new BernoulliNB().fit(X, [0, 0, 0, 1]);

  test('on the documents of China and Japan', () => {
    expectClose(estimator.predictJointLogProba(query).data, [-5.262178319932163, -3.8190850097688767], 1e-14);
    expectClose(estimator.predictProba(query).data, [0.1910667887616527, 0.8089332112383473], 1e-14);
    expectClose(estimator.predictJointLogProba(query).data.map(Math.exp), [0.005184, 0.0219478738], 1e-8);
    expect(estimator.predict(query)).toEqual([1]);
  });

  test('in its learned attributes', () => {
    expect([...estimator.classCount]).toEqual([3, 1]);
    expect(estimator.featureCount.toArray()).toEqual([
      [1, 3, 0, 1, 1, 0],
      [0, 1, 1, 0, 0, 1],
    ]); // prettier-ignore
    expectClose(estimator.classLogPrior, [Math.log(3 / 4), Math.log(1 / 4)], 1e-15);
    expectClose(
      estimator.featureLogProb.row(0),
      [2, 4, 1, 2, 2, 1].map((n) => Math.log(n / 5)),
      1e-14,
    ); // prettier-ignore
  });

  test('cells above the threshold count as present, at fit and at predict', () => {
    const grown = new BernoulliNB({ binarize: 3 }).fit(
      X.map((row) => row.map((x) => 3 + x)),
      [0, 0, 0, 1],
    ); // prettier-ignore
    expect(grown.predictProba([query[0].map((x) => 3 + x)])).toEqual(estimator.predictProba(query));
  });
});

describe('where scikit-learn 1.9.1 errs, BernoulliNB does not', () => {
  const X = Matrix.from([
    [1, 0, 1],
    [1, 1, 0],
    [0, 1, 1],
  ]); // prettier-ignore
  const y = ['a', 'a', 'b'];

  test('one alpha per feature smooths each coin with its own pseudo-count', () => {
    const estimator = new BernoulliNB({ alpha: [0.5, 1, 2] }).fit(X, y);
    const expected = [2.5 / 3, 2 / 4, 3 / 6, 0.5 / 2, 2 / 3, 3 / 5];
    expectClose(estimator.featureLogProb.data.map(Math.exp), expected, 1e-14);
    expect(refusalOf(() => new BernoulliNB({ alpha: [1, 2] }).fit(X, y)).code).toBe('E_PARAM');
  });

  test('an unseen label is not counted for another class', () => {
    const estimator = new BernoulliNB().partialFit(X, y, { classes: ['a', 'b'] });
    expect(refusalOf(() => estimator.partialFit(X, ['c', 'c', 'c'])).code).toBe('E_CLASS_UNKNOWN');
    expect([...estimator.classCount]).toEqual([2, 1]);
  });

  test('rows impossible under every class get the prior and are marked, or refused on request', () => {
    const estimator = new BernoulliNB({ alpha: 0 }).fit([[1], [1]], ['a', 'b'], { sampleWeight: [3, 1] });
    expectClose(estimator.predictProba([[0]]).data, [0.75, 0.25], 1e-15);
    expect(estimator.classPosterior([[1], [0]]).impossible).toEqual([1]);
    const strict = new BernoulliNB({ alpha: 0, zeroEvidence: 'error' }).fit([[1]], ['a']);
    expect(refusalOf(() => strict.predict([[1], [0]]))).toMatchObject({ code: 'E_ZERO_EVIDENCE', details: { row: 1 } });
  });

  test('class priors must be probabilities', () => {
    expect(refusalOf(() => new BernoulliNB({ classPrior: [-2, 3] })).code).toBe('E_PARAM');
    expect(refusalOf(() => new BernoulliNB({ classPrior: [0.5, 0.6] }).fit(X, y)).code).toBe('E_PARAM');
    expect(refusalOf(() => new BernoulliNB({ classPrior: [1] }).fit(X, y)).code).toBe('E_PARAM');
    const given = new BernoulliNB({ classPrior: [0.9, 0.1] }).fit(X, y);
    expectClose(given.classLogPrior.map(Math.exp), [0.9, 0.1], 1e-15);
    expectClose(new BernoulliNB({ fitPrior: false }).fit(X, y).classLogPrior.map(Math.exp), [0.5, 0.5], 1e-15);
  });

  test('without a threshold, cells other than 0 and 1 are refused instead of giving probabilities above 1', () => {
    expect(refusalOf(() => new BernoulliNB({ binarize: null }).fit([[2]], ['a'])).code).toBe('E_VALUE_RANGE');
    expect(new BernoulliNB({ binarize: null }).fit([[1], [0]], ['a', 'b']).predict([[1]])).toEqual(['a']);
  });

  test('alpha below 1e-10 is lifted only without forceAlpha', () => {
    const [forced, lifted] = [true, false].map((forceAlpha) =>
      new BernoulliNB({ alpha: 0, forceAlpha }).fit([[0], [1]], ['a', 'b']),
    );
    expect(forced.featureLogProb.data[0]).toBe(-Infinity);
    expectClose([lifted.featureLogProb.data[0]], [Math.log(1e-10 / (1 + 2e-10))], 1e-12);
  });
});

test('an estimator knows how many features there are and what they are called', () => {
  expect(new BernoulliNB().fit([[1, 0]], ['a']).nFeaturesIn).toBe(2);
  expect(new BernoulliNB().fit([[1, 0]], ['a']).featureNamesIn).toBeUndefined();
  expect(new BernoulliNB().fit([{ x: 1, y: 0 }], ['a']).featureNamesIn).toEqual(['x', 'y']);
});
