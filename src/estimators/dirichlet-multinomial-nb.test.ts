import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { lgamma } from '../math/gamma.ts';
import { DirichletMultinomialNB } from './dirichlet-multinomial-nb.ts';

const X = [
  [10, 0, 2, 0],
  [3, 5, 1, 0],
  [0, 0, 7, 0],
  [4, 4, 4, 0],
  [1, 6, 0, 0],
  [0, 1, 0, 9],
  [5, 0, 0, 8],
  [0, 0, 3, 1],
];
const y = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b'];
const fitted = (options: ConstructorParameters<typeof DirichletMultinomialNB>[0]) =>
  new DirichletMultinomialNB(options).fit(X, y);

describe('smoothing', () => {
  const raw = fitted({ smoothing: 'add', epsilon: 0 }).alpha;
  const s = [raw.row(0), raw.row(1)].map((row) => row.reduce((sum, a) => sum + a, 0));

  test('the first class is the urn of T1.3, without its fourth word', () => {
    expectClose(raw.row(0), [0.6787385048, 0.5336827471, 0.6144628683, 0], 1e-8);
    expect(raw.at(1, 0)).toBeGreaterThan(0);
  });

  test('floor gives unseen words a multiple of the smallest parameter', () => {
    const { alpha, precision } = fitted({ smoothing: 'floor', epsilon: 0.1 });
    expectClose([alpha.at(0, 3)], [0.05336827471], 1e-8);
    expectClose([precision[0]], [s[0] + 0.05336827471], 1e-8);
  });

  test('add gives all words a constant', () => {
    expectClose(
      fitted({ smoothing: 'add', epsilon: 0.5 }).alpha.data,
      raw.data.map((a) => a + 0.5),
      1e-15,
    ); // prettier-ignore
  });

  test('background mixes in the mean of the classes and keeps the precision', () => {
    const { alpha, precision } = fitted({ epsilon: 0.2 });
    const mean = [0, 1, 2, 3].map((j) => (0.999 * (raw.at(0, j) / s[0] + raw.at(1, j) / s[1])) / 2 + 0.001 / 4); // prettier-ignore
    expectClose(
      alpha.row(1),
      mean.map((m, j) => 0.8 * raw.at(1, j) + 0.2 * s[1] * m),
      1e-14,
    ); // prettier-ignore
    expectClose(precision, s, 1e-14);
  });

  test('without any, an unseen word is impossible', () => {
    const estimator = fitted({ smoothing: 'floor', epsilon: 0 });
    expect(estimator.predictJointLogProba([[0, 0, 0, 1]]).data[0]).toBe(-Infinity);
    expect(estimator.predict([[0, 0, 0, 1]])).toEqual(['b']);
  });

  test('a class that never spoke draws from the background', () => {
    const estimator = new DirichletMultinomialNB().fit([...X, [0, 0, 0, 0]], [...y, 'silent']);
    expect(estimator.fits[2]).toMatchObject({ form: 'multinomial', precision: 0 });
    expectClose([estimator.precision[2]], [1e6], 1e-12);
    expectClose(estimator.predictProba([[0, 0, 0, 0]]).data, [5 / 9, 3 / 9, 1 / 9], 1e-14);
  });
});

describe('complement', () => {
  test('with two classes, each is scored by the urn of the other', () => {
    const options = { smoothing: 'floor' } as const;
    const [plain, other] = [fitted(options), fitted({ ...options, complement: true })];
    expect(other.alpha.row(0)).toEqual(plain.alpha.row(1));
    const uniform = Math.log(1 / 2);
    const own = fitted({ ...options, fitPrior: false }).predictJointLogProba(X);
    const scores = fitted({ ...options, fitPrior: false, complement: true }).predictJointLogProba(X);
    for (let i = 0; i < X.length; i++) expectClose([scores.at(i, 0)], [2 * uniform - own.at(i, 1)], 1e-13);
  });

  test('the likelihood and drawn rows are those of the classes themselves', () => {
    const [plain, other] = [fitted({}), fitted({ complement: true })];
    expect(other.logLikelihood(X, y)).toBe(plain.logLikelihood(X, y));
    expect(other.sample(5, { seed: 3, class: 'b' })).toEqual(plain.sample(5, { seed: 3, class: 'b' }));
  });

  test('one class alone has no complement and is certain', () => {
    const alone = new DirichletMultinomialNB({ complement: true }).fit([[1, 2]], ['a']);
    expect([...alone.predictProba([[3, 0]]).data]).toEqual([1]);
  });
});

describe('likelihood', () => {
  const toy = X.slice(0, 5).map((row) => row.slice(0, 3));
  const one = new DirichletMultinomialNB({ smoothing: 'floor' }).fit(
    toy,
    toy.map(() => 1),
  ); // prettier-ignore
  const labels = toy.map(() => 1);

  test('T1.3 with and without the coefficient', () => {
    expectClose([one.logLikelihood(toy, labels)], [-19.8331685985], 1e-11);
    expectClose([one.logLikelihood(toy, labels, { coefficient: false })], [-42.6443627623], 1e-11);
    expectClose([one.perplexity(toy, labels)], [Math.exp(42.6443627623 / 47)], 1e-11);
    expectClose([one.logEvidence([[2, 1, 0]])[0]], [-2.3826560199], 1e-9);
  });

  test('weights are copies, and the fast form counts n! alone', () => {
    const twice = one.logLikelihood([...toy, ...toy], [...labels, ...labels]);
    expectClose([one.logLikelihood(toy, labels, { sampleWeight: 2 })], [twice], 1e-14);
    const fast = new DirichletMultinomialNB({ method: 'edcm', smoothing: 'floor' }).fit(toy, labels);
    expectClose([fast.logLikelihood(toy, labels)], [-24.7193018455], 1e-10);
    const orders = toy.reduce((sum, row) => sum + lgamma(row.reduce((n, x) => n + x, 0) + 1), 0);
    expectClose([fast.logLikelihood(toy, labels, { coefficient: false })], [-24.7193018455 - orders], 1e-10);
  });

  test('an unknown class and another number of labels are refused', () => {
    expect(refusalOf(() => one.logLikelihood(toy, [1, 1, 1, 1, 2]))).toMatchObject({
      code: 'E_CLASS_UNKNOWN',
      details: { row: 4 },
    });
    expect(refusalOf(() => one.logLikelihood(toy, [1])).code).toBe('E_SHAPE');
  });
});

test('the urns are fitted again after every lesson, and unlearning brings the old ones back', () => {
  const estimator = new DirichletMultinomialNB().fit(X, y);
  const before = estimator.alpha;
  const more = [[0, 3, 0, 3]];
  expect(estimator.partialFit(more, ['b']).alpha).not.toEqual(before);
  expect(estimator.unlearn(more, ['b']).alpha).toEqual(before);
  expect(refusalOf(() => estimator.unlearn([[10, 0, 2, 1]], ['a'])).code).toBe('E_UNLEARN_UNDERFLOW');
  expect([...estimator.classCount]).toEqual([5, 3]);
  expectClose(estimator.classLogPrior.map(Math.exp), [5 / 8, 3 / 8], 1e-15);
});
