import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { DiscriminativeMultinomialNB } from '../estimators/discriminative-multinomial-nb.ts';

/** Weka's DMNBtext, written down once more without any cleverness: r[c] of every query after one pass in order. */
function weka(X: number[][], y: string[], queries: number[][], passes = 1): number[][] {
  const V = X[0].length;
  const start = Math.log(Math.max(2, V));
  const classes = [...new Set(y)].sort();
  const byClass = classes.map((target) => {
    const word = [0, 1].map(() => new Array<number>(V).fill(start));
    const total = [V * start, V * start];
    const rows = [1, 1];
    const odds = (x: number[]) => {
      const perWord = Math.log(total[0] / total[1]);
      return x.reduce((r, f, j) => r + f * (Math.log(word[0][j] / word[1][j]) - perWord), Math.log(rows[0] / rows[1]));
    };
    for (let pass = 0; pass < passes; pass++) {
      X.forEach((x, i) => {
        const side = y[i] === target ? 0 : 1;
        const p = 1 / (1 + Math.exp(side === 0 ? -odds(x) : odds(x)));
        x.forEach((f, j) => {
          word[side][j] += (1 - p) * f;
          total[side] += (1 - p) * f;
        });
        rows[side] += 1 - p;
      });
    }
    return odds;
  });
  return queries.map((x) => byClass.map((odds) => odds(x)));
}

const bags = fc.tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 10 })).chain(([words, rows]) =>
  fc.record({
    X: fc.array(fc.array(fc.constantFrom(0, 1, 1, 2, 5), { minLength: words, maxLength: words }), {
      minLength: rows,
      maxLength: rows,
    }),
    y: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: rows, maxLength: rows }),
  }),
);
const plain = { shuffle: false, weighting: 'frequency' } as const;

describe('one document by hand', () => {
  const estimator = new DiscriminativeMultinomialNB({ shuffle: false }).fit([[1, 0]], ['a']);
  const a = Math.log(2);

  test('its probability was one half, so half of it is counted', () => {
    expectClose(estimator.classLogOdds, [Math.log(1.5)], 1e-15);
    const perWord = Math.log((2 * a + 0.5) / (2 * a));
    expectClose(estimator.featureLogOdds.data, [Math.log((a + 0.5) / a) - perWord, -perWord], 1e-14);
  });

  test('a class that comes later knows it as one of the others', () => {
    const late = new DiscriminativeMultinomialNB().partialFit([[1, 0]], ['a']).partialFit([[0, 1]], ['b']);
    const listed = new DiscriminativeMultinomialNB().partialFit([[1, 0]], ['a'], { classes: ['a', 'b'] });
    expect(listed.partialFit([[0, 1]], ['b']).featureLogOdds).toEqual(late.featureLogOdds);
    expect([...late.classCount]).toEqual([1, 1]);
  });
});

describe('laws', () => {
  check.prop([bags, fc.constantFrom(1, 3)])('the scores are those of Weka', ({ X, y }, passes) => {
    const classes = new Set(y).size;
    const estimator = new DiscriminativeMultinomialNB({ ...plain, passes }).fit(X, y);
    const expected = weka(X, y, X, passes)
      .flat()
      .map((r) => (classes === 2 ? r / 2 : r)); // prettier-ignore
    expectClose(estimator.predictJointLogProba(X).data, expected, 1e-10, 1); // sums of totals in another order
  });

  check.prop([bags])('with two classes the posterior is the probability that was learned from', ({ X, y }) => {
    const two = y.map((label) => (label === 'a' ? 'a' : 'b'));
    if (new Set(two).size < 2) return;
    const estimator = new DiscriminativeMultinomialNB(plain).fit(X, two);
    const odds = weka(X, two, X).map(([r]) => 1 / (1 + Math.exp(-r)));
    expectClose(
      estimator
        .predictProba(X)
        .toArray()
        .map(([p]) => p),
      odds,
      1e-9,
    ); // prettier-ignore
  });

  check.prop([bags])('presence counts a word once', ({ X, y }) => {
    const bits = X.map((row) => row.map((x) => (x > 0 ? 1 : 0)));
    const [words, flat] = [
      new DiscriminativeMultinomialNB(),
      new DiscriminativeMultinomialNB({ weighting: 'frequency' }),
    ];
    expect(words.fit(X, y).predictJointLogProba(X)).toEqual(flat.fit(bits, y).predictJointLogProba(bits));
  });

  check.prop([bags])('without shuffling, fit is partialFit row by row', ({ X, y }) => {
    const whole = new DiscriminativeMultinomialNB({ shuffle: false }).fit(X, y);
    const stream = new DiscriminativeMultinomialNB({ shuffle: false });
    for (const [i, row] of X.entries()) stream.partialFit([row], [y[i]]);
    expect(stream.toBytes()).toEqual(whole.toBytes());
  });
});

test('the seed decides the order, and the order decides the outcome', () => {
  const X = Array.from({ length: 30 }, (_, i) => [i % 2, i % 3 === 0 ? 1 : 0, 1]);
  const y = X.map((_, i) => (i < 15 ? 'a' : 'b'));
  const fitted = (seed: number) => new DiscriminativeMultinomialNB({ seed }).fit(X, y).featureLogOdds;
  expect(fitted(1)).toEqual(fitted(1));
  expect(fitted(1)).not.toEqual(fitted(2));
});

test('learning may be stopped between two passes, and nothing has changed', () => {
  const stopper = new AbortController();
  const estimator = new DiscriminativeMultinomialNB({ passes: 5 }).fit([[1, 0]], ['a']);
  const before = estimator.toBytes();
  const onProgress = (rows: number) => rows >= 4 && stopper.abort();
  const attempt = () =>
    estimator.fit(
      [
        [1, 0],
        [0, 1],
      ],
      ['a', 'b'],
      { signal: stopper.signal, onProgress },
    ); // prettier-ignore
  expect(refusalOf(attempt).code).toBe('E_CANCELLED');
  expect(estimator.toBytes()).toEqual(before);
});

test('new words and columns that move keep what was learned', () => {
  const estimator = new DiscriminativeMultinomialNB().fit(
    [
      [1, 0],
      [0, 1],
    ],
    ['a', 'b'],
  ); // prettier-ignore
  const wider = load(estimator.toBytes()) as DiscriminativeMultinomialNB;
  wider.moveFeatures(3, Int32Array.of(2, 0));
  const [a] = wider.featureLogOdds.toArray();
  expect(Math.sign(a[2])).toBe(1);
  expect(Math.sign(a[0])).toBe(-1);
  expect(
    wider.predict([
      [0, 0, 1],
      [1, 0, 0],
    ]),
  ).toEqual(['a', 'b']); // prettier-ignore
});

test('magnitudes of 1e150 give numbers', () => {
  const X = [
    [1e150, 1],
    [1e-150, 2],
    [3, 0.5],
  ]; // prettier-ignore
  const estimator = new DiscriminativeMultinomialNB({ weighting: 'frequency', passes: 3 }).fit(X, ['a', 'b', 'c']);
  for (const p of estimator.predictProba(X).data) expect(Number.isFinite(p)).toBe(true);
  expect(refusalOf(() => estimator.fit([[1e151]], ['a'])).code).toBe('E_VALUE_RANGE');
});
