import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose as expectRelative } from '../../test/close.ts';
import { count } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { topWords } from '../estimators/top-words.ts';
import { histogram } from '../stats/histogram.ts';
import { sums } from '../stats/sums.ts';
import { bernoulliInformation } from './coins.ts';
import {
  chi2OfTable,
  chi2PerClass,
  documentInformation,
  informationFromSums,
  informationOfTable,
  informationPerClass,
  wordInformation,
} from './events.ts';
import { chi2FromHistogram, informationFromHistogram } from './gain.ts';
import { mutualInfoClassif } from './mutual-information.ts';

/** Small tables of whole numbers with labels. */
const tables = fc.tuple(fc.integer({ min: 2, max: 25 }), fc.integer({ min: 1, max: 4 })).chain(([rows, features]) =>
  fc.record({
    X: fc.array(fc.array(fc.nat(3), { minLength: features, maxLength: features }), {
      minLength: rows,
      maxLength: rows,
    }),
    y: fc.array(fc.nat(2), { minLength: rows, maxLength: rows }),
  }),
);

/** Information is compared on the scale of one nat. */
const expectClose = (actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-12) =>
  expectRelative(actual, expected, tolerance, 1);

describe('information of events', () => {
  const presence = tables.map(({ X, y }) => ({ X: X.map((row) => row.map((value) => (value > 1 ? 1 : 0))), y }));

  law.prop([presence])('with documents as events is the plug-in information of presence', ({ X, y }) => {
    const expected = mutualInfoClassif(X, y, { discreteFeatures: true });
    expectClose(documentInformation(X, y), expected);
    expectClose(informationFromSums(count(sums, batch(X, y))), expected);
    expectClose(informationFromSums(new BernoulliNB().fit(X, y)), expected);
  });

  law.prop([presence])('equals (3.76) of the unsmoothed model', ({ X, y }) => {
    const model = new BernoulliNB({ alpha: 0 }).fit(X, y);
    expectClose(bernoulliInformation(model), documentInformation(X, y));
  });

  law.prop([presence])('per class is that of two classes where there are two', ({ X, y }) => {
    const two = y.map((c) => c % 2);
    const stats = count(sums, batch(X, two, undefined, { classes: 2 }));
    const whole = informationFromSums(stats);
    expectClose(informationPerClass(stats).row(0), whole);
    expectClose(informationPerClass(stats).row(1), whole);
  });

  law.prop([tables])('counts weight k as k rows', ({ X, y }) => {
    const weights = y.map((_, i) => i % 3);
    const repeated = X.flatMap((row, i) => Array.from({ length: weights[i] }, () => row));
    const labels = y.flatMap((c, i) => Array.from({ length: weights[i] }, () => c));
    expectClose(documentInformation(X, y, { sampleWeight: weights }), documentInformation(repeated, labels));
    expectClose(wordInformation(X, y, { sampleWeight: weights }), wordInformation(repeated, labels));
  });

  test('with words as events takes counts: two classes with one word each are fully determined', () => {
    const X = [
      [3, 0],
      [0, 3],
    ];
    expectClose(wordInformation(X, ['a', 'b'], { unit: 'bits' }), [1, 1]);
    expectClose(
      wordInformation(
        [
          [2, 2],
          [1, 1],
        ],
        ['a', 'b'],
      ),
      [0, 0],
    );
  });

  test('leaves missing cells out of documents', () => {
    const X = [[1], [0], [Number.NaN], [1], [0]];
    const y = [0, 1, 1, 0, 1];
    const stats = count(sums, batch(X, y, undefined, { missing: true }));
    expectClose(informationFromSums(stats), documentInformation([[1], [0], [1], [0]], [0, 1, 0, 1]));
  });

  test('refuses counts as documents and unknown words of options', () => {
    const stats = count(sums, batch([[2], [0]], [0, 1]));
    expect(() => informationFromSums(stats)).toThrow(expect.objectContaining({ code: 'E_VALUE_RANGE' }));
    expect(() => informationFromSums(stats, { events: 'lines' as never })).toThrow(/events/);
    expect(() => informationFromSums(stats, { events: 'words', unit: 'dits' as never })).toThrow(/unit/);
    expect(() => documentInformation([[-1]], ['a'])).toThrow(expect.objectContaining({ code: 'E_NEGATIVE' }));
  });
});

describe('a two-by-two table', () => {
  // Manning, Raghavan & Schütze (2008), examples 13.3 and 13.4: "export" and the class poultry in Reuters.
  const poultry = { n11: 49, n10: 27652, n01: 141, n00: 774106 };

  test('of export and poultry has 0.00011053559 bits and chi-square 284.286318', () => {
    expect(informationOfTable(poultry, { unit: 'bits' })).toBeCloseTo(0.00011053559, 11);
    expect(chi2OfTable(poultry)).toBeCloseTo(284.286318, 6);
  });

  test('is the entry of its class in the tables per class', () => {
    const { n11, n10, n01, n00 } = poultry;
    const model = {
      classCount: Float64Array.of(n11 + n01, n10 + n00),
      featureCount: new Matrix(2, 1, Float64Array.of(n11, n10)),
    };
    expectClose(chi2PerClass(model).data, [284.286318, 284.286318], 1e-6);
    expectClose(informationPerClass(model, { unit: 'bits' }).data, [0.00011053559, 0.00011053559], 1e-11);
  });

  test('of four categories by three classes has chi-square by hand', () => {
    // The table [[2, 0], [0, 2]]: every cell expects 1, so chi-square is 4 with one degree of freedom.
    const stats = count(histogram, batch([[0], [0], [1], [1]], [0, 0, 1, 1], undefined, { levels: Int32Array.of(3) }));
    const [statistic, p] = chi2FromHistogram(stats);
    expect(statistic[0]).toBe(4);
    expect(p[0]).toBeCloseTo(0.04550026389635839, 14);
  });

  test('reads the counts of a categorical model as well', () => {
    const counted = {
      classCount: Float64Array.of(2, 2),
      categoryCount: [
        Matrix.from([
          [2, 0],
          [0, 2],
        ]),
      ],
    };
    expectClose(informationFromHistogram(counted, { unit: 'bits' }), [1]);
  });
});

describe("Murphy's table 3.1", () => {
  // Documents with each word among 450 of X windows and 450 of MS windows: plausible counts that give the printed
  // probabilities and, smoothed and unsmoothed, the printed information ("you" in the second class is free, below "but").
  const counts: [string, number, number][] = [
    ['subject', 450, 450],
    ['this', 283, 243],
    ['with', 241, 242],
    ['but', 212, 233],
    ['you', 194, 190],
    ['windows', 56, 288],
    ['microsoft', 6, 107],
    ['dos', 10, 115],
    ['motif', 80, 2],
    ['window', 137, 32],
  ];
  const theta = (n: number, a: number) => Math.log((n + a) / (450 + 2 * a));
  const model = (a: number) => ({
    classes: ['xwindows', 'mswindows'],
    logPrior: [Math.log(0.5), Math.log(0.5)],
    featureLogProb: [counts.map(([, x]) => theta(x, a)), counts.map(([, , m]) => theta(m, a))],
  });
  const names = counts.map(([word]) => word);

  test('has the most probable words of each class beside the most informative ones', () => {
    const table = topWords(model(1), { names, k: 5 });
    const rounded = table.classes.map(({ words }) =>
      words.map(({ word, probability }) => [word, probability.toFixed(4)]),
    );
    expect(rounded).toEqual([
      [
        ['subject', '0.9978'],
        ['this', '0.6283'],
        ['with', '0.5354'],
        ['but', '0.4712'],
        ['you', '0.4314'],
      ],
      [
        ['subject', '0.9978'],
        ['windows', '0.6394'],
        ['this', '0.5398'],
        ['with', '0.5376'],
        ['but', '0.5177'],
      ],
    ]);
    expect(table.classes.map(({ label }) => label)).toEqual(['xwindows', 'mswindows']);
    const informative = table.informative.map(({ word, information }) => [word, information.toFixed(4)]);
    expect(informative).toEqual([
      ['windows', '0.2150'],
      ['microsoft', '0.0955'],
      ['dos', '0.0921'],
      ['motif', '0.0782'],
      ['window', '0.0673'],
    ]);
  });

  test('is made of texts and their labels, too', () => {
    const texts = ['win a prize now', 'free prize, call now', 'call me at home', 'lunch at home now?'];
    const y = ['spam', 'spam', 'ham', 'ham'];
    const words = new CountVectorizer({ binary: true, tokenizer: 'auto' });
    const fitted = new BernoulliNB().fit(words.fitTransform(texts), y);
    const table = topWords(texts, y, { k: 3 });
    expect(table).toEqual(topWords(fitted, { names: words.getFeatureNamesOut(), k: 3 }));
    expect(table.classes.map(({ label }) => label)).toEqual(['ham', 'spam']);
    expect(table.informative.map(({ word }) => word).sort()).toEqual(['at', 'home', 'prize']);
    const pairs = topWords(texts, y, { k: 1, vectorizer: new CountVectorizer({ ngramRange: [2, 2] }) });
    expect(pairs.informative[0].word).toBe('at home');
    expect(() => topWords(texts, y.slice(1))).toThrow(expect.objectContaining({ code: 'E_SHAPE' }));
    expect(() => topWords({} as never)).toThrow(expect.objectContaining({ code: 'E_TYPE' }));
  });

  test('is higher in the third digit without smoothing', () => {
    const bits = bernoulliInformation(model(0), { unit: 'bits' });
    expect(Array.from(bits.subarray(5), (value) => value.toFixed(4))).toEqual([
      '0.2173',
      '0.0984',
      '0.0945',
      '0.0820',
      '0.0684',
    ]);
  });

  test('takes another measure, and numbers for names', () => {
    const table = topWords(model(1), { k: 1, information: counts.map((_, j) => j) });
    expect(table.informative).toEqual([{ word: 'x9', information: 9 }]);
    expect(() => topWords(model(1), { names: ['a'] })).toThrow(expect.objectContaining({ code: 'E_FEATURE_COUNT' }));
    const bad = { logPrior: [0], featureLogProb: [[0], [0]] };
    expect(() => bernoulliInformation(bad)).toThrow(expect.objectContaining({ code: 'E_SHAPE' }));
  });
});
