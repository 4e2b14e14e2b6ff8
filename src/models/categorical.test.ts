import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batches, reorder } from '../../test/batches.ts';
import { expectClose, refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { count, score } from '../core/model.ts';
import { batch, sliceBatch } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { leaveOneOut } from '../estimators/leave-one-out.ts';
import { parameterPosterior } from '../estimators/parameter-posterior.ts';
import { restore } from '../estimators/restore.ts';
import { histogram } from '../stats/histogram.ts';
import { categorical, levelsLeaveOneOut } from './categorical.ts';

law.prop([
  batches('levels', { weights: fc.double({ min: 0.1, max: 3, noNaN: true }), missing: true }),
  fc.constantFrom(0, 0.5, 1),
])('leaving one row out scores it as the model of all other rows does', (whole, alpha) => {
  const out = new Float64Array(whole.rows * whole.classes);
  levelsLeaveOneOut(count(histogram, whole), { alpha }, whole, out);
  for (let i = 0; i < whole.rows; i++) {
    const others = reorder(
      whole,
      [...whole.y.keys()].filter((k) => k !== i),
    );
    const model = categorical.estimate(count(histogram, others), { alpha });
    const expected = score(categorical, model, sliceBatch(whole, i, i + 1));
    expectClose(out.subarray(i * whole.classes, (i + 1) * whole.classes), expected, 1e-9, 1);
  }
});

test('by hand: three of four rows of a class are at level 1 of 2', () => {
  const counts = count(histogram, batch([[1], [1], [1], [0]], [0, 0, 0, 0], undefined, { levels: Int32Array.of(2) }));
  const faces = (alpha: number) => categorical.estimate(counts, { alpha }).logFaces.map(Math.exp);
  expectClose(faces(0), [1 / 4, 3 / 4], 1e-15);
  expectClose(faces(1), [2 / 6, 4 / 6], 1e-15);
});

test('as scikit-learn: with min_categories [3, 4] the query [0, 3] is answered 0.6 to 0.4', () => {
  const X = [
    [0, 0],
    [0, 1],
    [0, 0],
    [1, 1],
  ]; // prettier-ignore
  const model = new CategoricalNB({ minCategories: [3, 4] }).fit(X, [1, 1, 2, 2]);
  expectClose(model.predictProba([[0, 3]]).data, [0.6, 0.4], 1e-15);
  expect([...model.nCategories]).toEqual([3, 4]);
  expect(model.categoryCount[1].toArray()).toEqual([
    [1, 1, 0, 0],
    [1, 1, 0, 0],
  ]); // prettier-ignore
  expect(refusalOf(() => new CategoricalNB({ minCategories: [3] }).fit(X, [1, 1, 2, 2])).code).toBe('E_PARAM');
});

const weather = [
  ['sunny', true, 0],
  ['sunny', false, 2],
  ['rain', false, 1],
  ['snow', true, 1],
];
const play = ['yes', 'yes', 'no', 'no'];

describe('words are levels as they come', () => {
  const model = new CategoricalNB().fit(weather, play);

  test('in the order of code points, with booleans as words and numbers as numbers', () => {
    expect(model.categories).toEqual([
      ['rain', 'snow', 'sunny'],
      ['false', 'true'],
      [0, 1, 2],
    ]);
    expect(model.categoryCount[0].toArray()).toEqual([
      [1, 1, 0],
      [0, 0, 2],
    ]); // prettier-ignore
    expectClose(model.featureLogProb[0].row(1).map(Math.exp), [1 / 5, 1 / 5, 3 / 5], 1e-15);
    expect(model.predict([['sunny', true, 0]])).toEqual(['yes']);
  });

  test('in rows, records and columns alike', () => {
    const records = weather.map(([sky, wind, rides]) => ({ sky, wind, rides }));
    const byName = new CategoricalNB().fit(records, play);
    const columns = { sky: weather.map(([sky]) => sky), wind: weather.map(([, wind]) => wind), rides: [0, 2, 1, 1] };
    expect(new CategoricalNB().fit(columns as never, play).toBytes()).toEqual(byName.toBytes());
    const answer = byName.predictProba([{ rides: 1, wind: true, sky: 'snow' }]);
    expect(answer).toEqual(model.predictProba([['snow', true, 1]]));
    expect(refusalOf(() => byName.predict([{ rides: 1, wind: true }])).code).toBe('E_FEATURE_MISSING');
  });

  test('draws can be converted to words', () => {
    const { X } = model.sample(50, { class: 'no', seed: 2 });
    const skies = new Set(model.decode(X).map(([sky]) => sky));
    expect([...skies].every((sky) => ['rain', 'snow', 'sunny'].includes(sky as string))).toBe(true);
    expect(skies.size).toBeGreaterThan(1);
  });

  test('words of Object.prototype are words', () => {
    const odd = new CategoricalNB().fit([['__proto__'], ['constructor'], ['']], ['a', 'b', 'c']);
    expect(odd.categories).toEqual([['', '__proto__', 'constructor']]);
    expect((load(odd.toBytes()) as CategoricalNB).predict([['constructor'], ['']])).toEqual(['b', 'c']);
  });
});

describe('levels come and go with the rows that have them', () => {
  const words = fc.constantFrom('b', 'a', 'é', '', '__proto__');
  const lessons = fc.array(fc.tuple(words, words, fc.constantFrom('x', 'y')), { minLength: 2, maxLength: 9 });
  const taught = (rows: string[][]) => learn(new CategoricalNB(), rows);
  const learn = (model: CategoricalNB, rows: string[][]) =>
    rows.length === 0
      ? model
      : model.partialFit(
          rows.map(([a, b]) => [a, b]),
          rows.map(([, , label]) => label),
        );

  law.prop([lessons, fc.nat()])('parts, merging and unlearning give what the rows alone give', (rows, where) => {
    const at = 1 + (where % (rows.length - 1));
    const [left, right] = [rows.slice(0, at), rows.slice(at)];
    const whole = taught(rows).toBytes();
    expect(learn(taught(right), left).toBytes()).toEqual(whole);
    expect(taught(left).merge(taught(right)).toBytes()).toEqual(whole);
    expect(taught(right).merge(taught(left)).toBytes()).toEqual(whole);
    const rest = taught(rows).unlearn(
      right.map(([a, b]) => [a, b]),
      right.map(([, , label]) => label),
    );
    expect(rest.toBytes()).toEqual(taught(left).toBytes());
    expect(load(whole).toBytes()).toEqual(whole);
  });

  test('a new level leaves earlier counts as they are, and a row of weight zero brings none', () => {
    const model = new CategoricalNB().fit(weather, play);
    const before = model.categoryCount[0].toArray();
    model.partialFit([['hail', true, 5]], ['no']);
    expect(model.categories[0]).toEqual(['hail', 'rain', 'snow', 'sunny']);
    expect(model.categoryCount[0].toArray().map((row) => row.slice(1))).toEqual(before);
    expect([...model.nCategories]).toEqual([4, 2, 6]);
    const ghost = new CategoricalNB().fit([...weather, ['fog', true, 9]], [...play, 'no'], {
      sampleWeight: [1, 1, 1, 1, 0],
    });
    expect(ghost.toBytes()).toEqual(new CategoricalNB().fit(weather, play).toBytes());
  });

  test('words and numbers in one column do not go together', () => {
    const model = new CategoricalNB().fit(weather, play);
    const before = model.toBytes();
    expect(refusalOf(() => model.partialFit([[3, true, 0]], ['no']))).toMatchObject({
      code: 'E_TYPE',
      details: { row: 0, column: 0 },
    });
    expect(refusalOf(() => new CategoricalNB().fit([['a'], [1]], ['x', 'y'])).code).toBe('E_TYPE');
    expect(refusalOf(() => model.merge(new CategoricalNB().fit([[1, true, 0]], ['no']))).code).toBe('E_MERGE_MISMATCH');
    expect(refusalOf(() => model.unlearn([['fog', true, 0]], ['no'])).code).toBe('E_UNLEARN_UNDERFLOW');
    expect(model.toBytes()).toEqual(before);
  });
});

describe('a level that was never learned', () => {
  const X = [['a'], ['a'], ['b'], ['b'], ['b']]; // prettier-ignore
  const y = [0, 0, 1, 1, 1];

  test('under smooth counts as an empty face of every die', () => {
    const model = new CategoricalNB({ alpha: 0.5 }).fit(X, y);
    const joint = [0.4 * (0.5 / 3), 0.6 * (0.5 / 4)];
    expectClose(model.predictJointLogProba([['c']]).data.map(Math.exp), joint, 1e-14);
    const [{ contributions }] = model.explain([['c']]);
    expectClose(contributions[0].byClass.map(Math.exp), [0.5 / 3, 0.5 / 4], 1e-14);
    const numbers = new CategoricalNB({ alpha: 0.5 }).fit([[0], [0], [1], [1], [1]], y);
    expect(numbers.predictJointLogProba([[9]])).toEqual(model.predictJointLogProba([['c']]));
  });

  test('under ignore it says nothing, under error it is refused', () => {
    expectClose(new CategoricalNB({ unknown: 'ignore' }).fit(X, y).predictProba([['c']]).data, [0.4, 0.6], 1e-15);
    const strict = new CategoricalNB({ unknown: 'error' }).fit(X, y);
    expect(refusalOf(() => strict.predict([['a'], ['c']]))).toMatchObject({
      code: 'E_CATEGORY_UNKNOWN',
      details: { row: 1, column: 0 },
    });
  });

  test('without smoothing the row is impossible under every class and gets the prior', () => {
    const model = new CategoricalNB({ alpha: 0 }).fit(X, y);
    expect(model.classPosterior([['c']]).impossible).toEqual([0]);
    expectClose(model.predictProba([['c']]).data, [0.4, 0.6], 1e-15);
  });
});

test('a missing cell drops out: its score is the sum over all levels', () => {
  const model = new CategoricalNB({ missing: 'ignore' }).fit(
    [
      ['a', 'x'],
      ['b', null],
      [null, 'y'],
    ],
    [0, 0, 1],
  ); // prettier-ignore
  const all = ['a', 'b'].map((level) => model.predictJointLogProba([[level, 'x']]).data);
  const missing = model.predictJointLogProba([[null, 'x']]).data;
  expectClose(
    missing.map(Math.exp),
    [0, 1].map((c) => Math.exp(all[0][c]) + Math.exp(all[1][c])),
    1e-14,
  );
  const late = new CategoricalNB({ missing: 'ignore' }).fit([[null, 'x']], [0]).partialFit([['a', 'x']], [0]);
  expect(late.categories).toEqual([['a'], ['x']]);
  expect(refusalOf(() => new CategoricalNB().fit([['a', null]], [0])).code).toBe('E_TYPE');
  const blind = new CategoricalNB({ missing: 'ignore' }).fit([[null], [null]], [0, 1]); // prettier-ignore
  expectClose(blind.predictProba([['a']]).data, [0.5, 0.5], 1e-15);
  expect(blind.sample(1, { seed: 1 }).X.data[0]).toBeNaN();
});

describe('where scikit-learn 1.9.1 errs, CategoricalNB does not', () => {
  const X = [
    [0, 0],
    [1, 1],
    [2, 0],
  ]; // prettier-ignore
  const y = ['a', 'b', 'b'];

  test('defect 1, silent relabelling: a label outside the closed list is refused', () => {
    const model = new CategoricalNB().partialFit(X, y, { classes: ['a', 'b'] });
    expect(refusalOf(() => model.partialFit(X, ['a', 'b', 'c'])).code).toBe('E_CLASS_UNKNOWN');
    expect([...model.classCount]).toEqual([1, 2]);
  });

  test('defect 5: the number of categories does not shrink in later parts', () => {
    const model = new CategoricalNB().partialFit(X, y).partialFit([[0, 4]], ['a']);
    expect([...model.nCategories]).toEqual([3, 5]);
    expect(model.categoryCount.map(({ cols }) => cols)).toEqual([3, 5]);
    expect([...model.partialFit([[0, 0]], ['a']).nCategories]).toEqual([3, 5]);
  });

  test('defect 6: duplicate classes and impossible priors are refused', () => {
    expect(refusalOf(() => new CategoricalNB().partialFit(X, y, { classes: ['a', 'a', 'b'] })).code).toBe('E_PARAM');
    expect(refusalOf(() => new CategoricalNB({ classPrior: [-2, 3] })).code).toBe('E_PARAM');
    expect(refusalOf(() => new CategoricalNB({ classPrior: [1] }).fit(X, y)).code).toBe('E_PARAM');
  });

  test('fractions are refused, not cut off; so are negative and boundless numbers, and sparse rows', () => {
    expect(refusalOf(() => new CategoricalNB().fit([[0.9]], ['a']))).toMatchObject({
      code: 'E_VALUE_RANGE',
      details: { row: 0, column: 0 },
    });
    expect(refusalOf(() => new CategoricalNB().fit(Matrix.from([[1], [1.5]]), ['a', 'b'])).code).toBe('E_VALUE_RANGE');
    expect(refusalOf(() => new CategoricalNB().fit([[-1]], ['a'])).code).toBe('E_NEGATIVE');
    expect(refusalOf(() => new CategoricalNB().fit([[2 ** 20]], ['a'])).code).toBe('E_VALUE_RANGE');
    expect(refusalOf(() => new CategoricalNB().fit([['\ud800']], ['a'])).code).toBe('E_UNICODE');
    const sparse = SparseMatrix.fromRows([[[0, 1]]], 2);
    expect(refusalOf(() => new CategoricalNB().fit(sparse, ['a'])).code).toBe('E_TYPE');
  });

  test('a category beyond the table is answered, not an index error', () => {
    const [[a, b]] = new CategoricalNB()
      .fit(X, y)
      .predictProba([[5, 5]])
      .toArray();
    expect(a + b).toBeCloseTo(1, 14);
  });
});

test('what is known of a level is the Beta marginal of a Dirichlet distribution', () => {
  const model = new CategoricalNB().fit(weather, play);
  const posterior = parameterPosterior(model, { class: 'yes', feature: 0, level: 'sunny' });
  expect(posterior).toMatchObject({ distribution: 'beta', parameters: { a: 3, b: 2 }, mean: 0.6 });
  expect(parameterPosterior(model, { class: 'no', feature: 1, level: true }).parameters).toEqual({ a: 2, b: 2 });
  const hail = () => parameterPosterior(model, { class: 'no', feature: 0, level: 'hail' });
  expect(refusalOf(hail).code).toBe('E_CATEGORY_UNKNOWN');
});

describe("alpha: 'auto'", () => {
  const rows = Array.from({ length: 40 }, (_, i) => [
    `${(i * i) % 7}`,
    `${(i * 3 + (i % 4)) % 5}`,
    `${i % 6 === 0 ? i : 'x'}`,
  ]);
  const labels = rows.map((_, i) => (i % 4 < 2 ? 'p' : 'q'));
  const model = new CategoricalNB({ alpha: 'auto' }).fit(rows, labels);

  test('has the least leave-one-out log-loss', () => {
    const loss = (alpha: number) => leaveOneOut(new CategoricalNB({ alpha }), rows, labels).logLoss;
    for (const factor of [0.5, 0.9, 1.1, 2]) {
      if (model.alpha * factor <= 100) expect(loss(model.alpha)).toBeLessThanOrEqual(loss(model.alpha * factor) + 1e-9);
    }
  });

  test('is saved beside the levels, and both survive learning, merging and unlearning', () => {
    const loaded = load(model.toBytes()) as CategoricalNB;
    expect(loaded.toBytes()).toEqual(model.toBytes());
    const { alpha, categories } = model;
    loaded.partialFit([['new', '0', 'x']], ['p']);
    expect(loaded.categories[0]).toContain('new');
    expect(loaded.alpha).toBe(alpha);
    loaded.unlearn([['new', '0', 'x']], ['p']);
    expect(loaded.categories).toEqual(categories);
    expect(loaded.toBytes()).toEqual(model.toBytes());
    const [a, b] = [0, 1].map((k) =>
      new CategoricalNB({ alpha: 'auto' }).fit(rows.slice(20 * k, 20 * k + 20), labels.slice(20 * k, 20 * k + 20)),
    );
    const [low, high] = [Math.min(a.alpha, b.alpha), Math.max(a.alpha, b.alpha)];
    a.merge(b);
    expect(a.alpha >= low && a.alpha <= high).toBe(true);
    expect(a.categories).toEqual(model.categories);
  });

  test('a file that claims another, or other levels, is refused', () => {
    const state = model.toState();
    const levels = (state.learned.schema as { levels: never }).levels;
    const forged = (schema: unknown) => ({ ...state, learned: { ...state.learned, schema: schema as never } });
    for (const schema of [
      { levels, alpha: 0 },
      { levels: [], alpha: 1 },
      { alpha: 1 },
      { levels: [['b', 'a']], alpha: 1 },
    ]) {
      const attempt = () => restore(new CategoricalNB({ alpha: 'auto' }), forged(schema));
      expect(refusalOf(attempt).code, JSON.stringify(schema)).toBe('E_MODEL_CORRUPT');
    }
    expect(refusalOf(() => restore(new CategoricalNB(), forged({ levels, alpha: 1 }))).code).toBe('E_MODEL_CORRUPT');
  });
});

test('columns of levels do not move', () => {
  const model = new CategoricalNB().fit(weather, play);
  expect(refusalOf(() => model.moveFeatures(4, Int32Array.of(0, 1, 2))).code).toBe('E_FEATURE_COUNT');
  expect(new CategoricalNB().moveFeatures(4, Int32Array.of(0))).toBeInstanceOf(CategoricalNB);
});
