import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batches, reorder } from '../../test/batches.ts';
import { expectClose, refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { count, score } from '../core/model.ts';
import { sliceBatch } from '../data/batch.ts';
import { ComplementNB } from '../estimators/complement-nb.ts';
import { leaveOneOut } from '../estimators/leave-one-out.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { parameterPosterior } from '../estimators/parameter-posterior.ts';
import { sums } from '../stats/sums.ts';
import { complement, complementLeaveOneOut } from './complement.ts';

// Manning, Raghavan & Schütze, table 13.1; the words are Beijing, Chinese, Japan, Macao, Shanghai, Tokyo
const X = [
  [1, 2, 0, 0, 0, 0],
  [0, 2, 0, 0, 1, 0],
  [0, 1, 0, 1, 0, 0],
  [0, 1, 1, 0, 0, 1],
];
const y = [0, 0, 0, 1];
const query = [[0, 3, 1, 0, 0, 1]];
const rows = fc.array(fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 8 });

law.prop([rows, fc.constantFrom(0.1, 1, 3)])(
  'of two classes each is the complement of the other: it answers as MultinomialNB without a class prior',
  (X, alpha) => {
    const labels = X.map((_, i) => i % 2);
    const other = new MultinomialNB({ alpha, fitPrior: false }).fit(X, labels);
    expectClose(
      new ComplementNB({ alpha }).fit(X, labels).predictLogProba(X).data,
      other.predictLogProba(X).data,
      1e-12,
      1,
    );
  },
);

law.prop([
  batches('counts', { weights: fc.double({ min: 0.1, max: 3, noNaN: true }) }),
  fc.constantFrom(0, 0.5, 1),
  fc.boolean(),
])('leaving one row out scores it as the model of all other rows does', (whole, a, norm) => {
  const options = { prior: { rule: 'bayes', a }, norm } as const;
  const out = new Float64Array(whole.rows * whole.classes);
  complementLeaveOneOut(count(sums, whole), options, whole, out);
  for (let i = 0; i < whole.rows; i++) {
    const others = reorder(
      whole,
      [...whole.y.keys()].filter((k) => k !== i),
    );
    const expected = score(complement, complement.estimate(count(sums, others), options), sliceBatch(whole, i, i + 1));
    expectClose(out.subarray(i * whole.classes, (i + 1) * whole.classes), expected, 1e-9, 1);
  }
});

describe('ComplementNB agrees with scikit-learn 1.9.1 and with its formula', () => {
  const [plain, normalised] = [false, true].map((norm) => new ComplementNB({ norm }).fit(X, y));

  test('on the documents of China and Japan', () => {
    expectClose(plain.predictJointLogProba(query).data, [7.520386983881371, 7.820008240392129], 1e-14);
    expect(plain.predict(query)).toEqual([1]);
  });

  test('with normalised weights the answer flips', () => {
    expectClose(normalised.predictJointLogProba(query).data, [0.6772740183931831, 0.6536750636605131], 1e-14);
    expect(normalised.predict(query)).toEqual([0]);
    expectClose(
      normalised.featureLogProb.toArray().map((row) => row.reduce((sum, w) => sum + w)),
      [1, 1],
      1e-14,
    );
  });

  test('in its weights, in the order Beijing, Chinese, Japan, Macao, Shanghai, Tokyo', () => {
    const [rare, common, once] = [2.1972246, 1.5040774, 1.5040774];
    expectClose(plain.featureLogProb.row(0), [rare, common, once, rare, rare, once], 1e-7);
    const [seldom, often, never] = [1.9459101, 0.8472979, 2.6390573];
    expectClose(plain.featureLogProb.row(1), [seldom, often, never, seldom, seldom, never], 1e-7);
    expect([...plain.featureAll]).toEqual([1, 6, 1, 1, 1, 1]);
    expectClose(plain.classLogPrior.map(Math.exp), [3 / 4, 1 / 4], 1e-15);
  });

  test('TWCNB by hand: log(1 + tf), log(N / df), unit length, normalised weights', () => {
    const idf = [1, 4, 1, 1, 1, 1].map((df) => Math.log(4 / df));
    const transform = (row: number[]) => {
      const weighted = row.map((tf, j) => Math.log(1 + tf) * idf[j]);
      const length = Math.hypot(...weighted);
      return weighted.map((cell) => cell / length);
    };
    const model = new ComplementNB({ norm: true }).fit(X.map(transform), y);
    // the paper predicts the least of Σ t w with w < 0 over Σ |w|, so its largest score is the largest share here
    expectClose(model.predictJointLogProba(query).data, [0.8170545, 0.9893926], 1e-7);
    expectClose(model.predictJointLogProba(query.map(transform)).data, [0.1896586, 0.2798425], 1e-6);
  });

  test('one class has probability 1 whatever the row, and its prior of ln 1 is added', () => {
    const only = new ComplementNB({ classPrior: [1] }).fit(X, [5, 5, 5, 5]);
    expect([...only.predictProba(query).data]).toEqual([1]);
    expectClose(only.predictJointLogProba(query).data, [5 * Math.log(6)], 1e-14);
  });

  test('an empty row has equal scores: there is no class prior to fall back on', () => {
    expect([...plain.predictProba([[0, 0, 0, 0, 0, 0]]).data]).toEqual([0.5, 0.5]);
  });
});

describe('without smoothing nothing is undefined', () => {
  test('a word that only one class uses decides, two such words share, an unused word has no effect', () => {
    const model = new ComplementNB({ alpha: 0 }).fit(
      [
        [2, 0, 1, 0],
        [0, 1, 1, 0],
      ],
      ['a', 'b'],
    ); // prettier-ignore
    expect(
      model
        .predictProba([
          [1, 0, 1, 0],
          [0, 3, 0, 0],
          [1, 1, 0, 0],
        ])
        .toArray(),
    ).toEqual([
      [1, 0],
      [0, 1],
      [0.5, 0.5],
    ]); // prettier-ignore
    expect(model.predictProba([[0, 0, 1, 9]])).toEqual(model.predictProba([[0, 0, 1, 0]]));
    expect(model.predict([[1, 0, 0, 0]])).toEqual(['a']);
  });

  test('normalised weights are the limit of small alphas', () => {
    const rows = [
      [2, 0, 1],
      [0, 1, 1],
      [1, 1, 0],
    ]; // prettier-ignore
    const weights = (alpha: number) => new ComplementNB({ alpha, norm: true }).fit(rows, [0, 1, 1]).featureLogProb.data;
    // the limit is approached as 1 / ln alpha
    expectClose(weights(0), weights(1e-300), 0.01, 1);
    expect([...new ComplementNB({ alpha: 0, norm: true }).fit([[3]], ['a']).featureLogProb.data]).toEqual([1]);
    expect([...new ComplementNB({ norm: true }).fit([[3], [1]], ['a', 'b']).featureLogProb.data]).toEqual([1, 1]); // prettier-ignore
  });

  test('an empty complement is uniform', () => {
    const model = new ComplementNB({ alpha: 0 }).fit([[1, 2, 3]], ['only']);
    expectClose(model.featureLogProb.data, [Math.log(3), Math.log(3), Math.log(3)], 1e-15);
  });
});

test("alpha: 'auto' has the least leave-one-out log-loss and is saved", () => {
  const docs = Array.from({ length: 45 }, (_, i) =>
    Array.from({ length: 12 }, (_, j) => ((i * 7 + j * 5) % 11 < 2 ? 1 : 0) + (j % 3 === i % 3 && (i + j) % 2 ? 2 : 0)),
  );
  const labels = docs.map((_, i) => i % 3);
  const model = new ComplementNB({ alpha: 'auto' }).fit(docs, labels);
  const loss = (alpha: number) => leaveOneOut(new ComplementNB({ alpha }), docs, labels).logLoss;
  const chosen = model.alpha as number;
  for (const factor of [0.5, 0.9, 1.1, 2]) {
    if (chosen * factor >= 1e-5 && chosen * factor <= 100)
      expect(loss(chosen)).toBeLessThanOrEqual(loss(chosen * factor) + 1e-9);
  }
  expect(load(model.toBytes()).toBytes()).toEqual(model.toBytes());
});

test('what is known of a complement is a Beta distribution', () => {
  const model = new ComplementNB().fit(X, y);
  expect(parameterPosterior(model, { class: 0, feature: 1 })).toMatchObject({ parameters: { a: 2, b: 7 } });
  const { mean } = parameterPosterior(model, { class: 1, feature: 0 });
  expect(mean).toBeCloseTo(Math.exp(-model.featureLogProb.at(1, 0)), 14);
  const empty = new ComplementNB({ alpha: 0 }).fit(X, [0, 0, 0, 0]);
  expect(refusalOf(() => parameterPosterior(empty, { class: 0, feature: 1 })).code).toBe('E_PARAM');
});

test('a drawn row is one word, likelier where the others use it less', () => {
  const model = new ComplementNB().fit(X, y);
  const { X: drawn } = model.sample(500, { class: 1, seed: 3 });
  const words = drawn.toArray().map((row) => row.indexOf(1));
  expect(drawn.data.reduce((sum, n) => sum + n)).toBe(500);
  expect(words.filter((j) => j === 5).length).toBeGreaterThan(words.filter((j) => j === 1).length);
});
