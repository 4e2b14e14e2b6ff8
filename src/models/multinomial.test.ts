import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batches, reorder } from '../../test/batches.ts';
import { expectClose, refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { count, score } from '../core/model.ts';
import type { Background, ClassPrior, Prior } from '../core/prior.ts';
import { batch, sliceBatch, toSparse } from '../data/batch.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { leaveOneOut } from '../estimators/leave-one-out.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { parameterPosterior } from '../estimators/parameter-posterior.ts';
import { restore } from '../estimators/restore.ts';
import { Random } from '../math/random.ts';
import { sums } from '../stats/sums.ts';
import { background, multinomial } from './multinomial.ts';
import { multinomialInsight } from './multinomial-insight.ts';

// Manning, Raghavan & Schütze, table 13.1: Chinese Beijing Chinese · Chinese Chinese Shanghai · Chinese Macao · Tokyo Japan
// Chinese, with the words Beijing, Chinese, Japan, Macao, Shanghai, Tokyo
const X = [
  [1, 2, 0, 0, 0, 0],
  [0, 2, 0, 0, 1, 0],
  [0, 1, 0, 1, 0, 0],
  [0, 1, 1, 0, 0, 1],
];
const y = ['china', 'china', 'china', 'japan'];
const query = [[0, 3, 1, 0, 0, 1]];

const rules: (Prior | Background)[] = [
  { rule: 'mle' },
  { rule: 'bayes', a: 0.5 },
  { rule: 'jelinek-mercer', lambda: 0.3 },
  { rule: 'dirichlet', mu: 2 },
  { rule: 'absolute', delta: 0.7 },
];
const classPriors: ClassPrior[] = ['empirical', 'uniform', { a: 1 }];

describe('leaving one row out', () => {
  law.prop([
    batches('counts', { weights: fc.double({ min: 0.1, max: 3, noNaN: true }) }),
    fc.constantFrom(...rules),
    fc.constantFrom(...classPriors),
  ])('scores every row as the model of all other rows does', (whole, prior, classPrior) => {
    const out = new Float64Array(whole.rows * whole.classes);
    multinomialInsight.leaveOneOut!(count(sums, whole), { prior, classPrior }, whole, out, multinomial);
    for (let i = 0; i < whole.rows; i++) {
      const others = reorder(
        whole,
        [...whole.y.keys()].filter((k) => k !== i),
      );
      const model = multinomial.estimate(count(sums, others), { prior, classPrior });
      const expected = score(multinomial, model, sliceBatch(whole, i, i + 1));
      expectClose(out.subarray(i * whole.classes, (i + 1) * whole.classes), expected, 1e-9, 1);
    }
  });

  test('the estimators agree with learning anew, and the only row of a class has no chance', () => {
    const { logProba, accuracy } = leaveOneOut(new MultinomialNB(), X, y);
    for (let i = 0; i < 3; i++) {
      const others = new MultinomialNB().fit(X.toSpliced(i, 1), y.toSpliced(i, 1));
      expectClose(logProba.row(i), others.predictLogProba([X[i]]).data, 1e-12, 1);
    }
    expect([...logProba.row(3)]).toEqual([0, -Infinity]);
    expect(accuracy).toBe(3 / 4);
  });
});

describe('MultinomialNB agrees with scikit-learn 1.9.1 and with the book', () => {
  const model = new MultinomialNB().fit(X, y);

  test('on the documents of China and Japan', () => {
    expectClose(model.predictJointLogProba(query).data, [-8.107690312843907, -8.906681345001262], 1e-14);
    expectClose(model.predictProba(query).data, [0.6897586117634678, 0.31024138823653186], 1e-14);
    expect(model.predict(query)).toEqual(['china']);
  });

  test('on the joint probabilities of the fifth document', () => {
    expectClose(model.predictJointLogProba(query).data.map(Math.exp), [0.0003012138, 0.0001354807], 1e-6);
  });

  test('in its learned attributes', () => {
    expect([...model.classCount]).toEqual([3, 1]);
    expect(model.featureCount.toArray()).toEqual([
      [1, 5, 0, 1, 1, 0],
      [0, 1, 1, 0, 0, 1],
    ]);
    expectClose(
      model.featureLogProb.row(0).map(Math.exp),
      [2, 6, 1, 2, 2, 1].map((n) => n / 14),
      1e-15,
    );
    expectClose(model.classLogPrior.map(Math.exp), [3 / 4, 1 / 4], 1e-15);
    expect(model.alpha).toBe(1);
  });

  test('an empty document gets the prior, and unseen classes of a closed list no chance', () => {
    expectClose(model.predictProba([[0, 0, 0, 0, 0, 0]]).data, [3 / 4, 1 / 4], 1e-15);
    const closed = new MultinomialNB().partialFit(X, y, { classes: ['china', 'japan', 'korea'] });
    expectClose(closed.predictProba(query).data, [0.6897586117634678, 0.31024138823653186, 0], 1e-14);
  });
});

describe('smoothing', () => {
  test('alpha may be one number, one per feature, or one per class and feature, nested or flat', () => {
    const perFeature = [1, 2, 3, 4, 5, 6];
    const given = [perFeature, perFeature.map((a) => a / 2)];
    const nested = new MultinomialNB({ alpha: given as never }).fit(X, y);
    const flat = new MultinomialNB({ alpha: given.flat() }).fit(X, y);
    expect(nested.toBytes()).toEqual(flat.toBytes());
    const shares = (row: number[], alpha: number[]) => {
      const cells = row.map((n, j) => n + alpha[j]);
      return cells.map((n) => n / cells.reduce((sum, cell) => sum + cell, 0));
    };
    expectClose(nested.featureLogProb.row(0).map(Math.exp), shares([1, 5, 0, 1, 1, 0], given[0]), 1e-14);
    expectClose(nested.featureLogProb.row(1).map(Math.exp), shares([0, 1, 1, 0, 0, 1], given[1]), 1e-14);
    const byFeature = new MultinomialNB({ alpha: perFeature }).fit(X, y);
    expectClose(byFeature.featureLogProb.row(1).map(Math.exp), shares([0, 1, 1, 0, 0, 1], perFeature), 1e-14);
    expect(refusalOf(() => new MultinomialNB({ alpha: [1, 2] }).fit(X, y)).code).toBe('E_PARAM');
    expect(nested.alpha).toEqual(given.flat());
  });

  test('the three backgrounds by hand', () => {
    const counts = count(
      sums,
      batch(
        [
          [3, 1, 0],
          [0, 2, 2],
        ],
        [0, 1],
      ),
    ); // prettier-ignore
    const q = [3 / 8, 3 / 8, 2 / 8].map((share) => 0.999 * share + 0.001 / 3);
    expectClose(background(counts), q, 1e-15);
    const die = (prior: Background) =>
      [0, 1, 2].map((j) => Math.exp(multinomial.estimate(counts, { prior }).weights[2 * j]));
    expectClose(
      die({ rule: 'jelinek-mercer', lambda: 0.2 }),
      [0.75, 0.25, 0].map((p, j) => 0.8 * p + 0.2 * q[j]),
      1e-14,
    );
    expectClose(
      die({ rule: 'dirichlet', mu: 4 }),
      [3, 1, 0].map((n, j) => (n + 4 * q[j]) / 8),
      1e-14,
    );
    expectClose(
      die({ rule: 'absolute', delta: 0.5 }),
      [2.5, 0.5, 0].map((n, j) => (n + q[j]) / 4),
      1e-14,
    );
  });

  law.prop([batches('counts'), fc.constantFrom(...rules.slice(1))])('every die sums to one', (whole, prior) => {
    const { classes, features, weights } = multinomial.estimate(count(sums, whole), { prior });
    for (let c = 0; c < classes; c++) {
      let total = 0;
      for (let j = 0; j < features; j++) total += Math.exp(weights[j * classes + c]);
      expectClose([total], [1], 1e-12);
    }
  });

  test('a class that has only seen empty rows is the background itself', () => {
    const model = new MultinomialNB({ smoothing: 'absolute' }).fit(
      [
        [1, 3],
        [0, 0],
      ],
      ['a', 'b'],
    ); // prettier-ignore
    expectClose(
      model.featureLogProb.row(1).map(Math.exp),
      [0.25, 0.75].map((p) => 0.999 * p + 0.0005),
      1e-14,
    );
  });

  test('without smoothing an unseen word is impossible, and where all is impossible the prior stands', () => {
    const model = new MultinomialNB({ alpha: 0 }).fit(
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ],
      ['a', 'b', 'c'],
    ); // prettier-ignore
    expect([...model.predictProba([[1, 0, 0]]).data]).toEqual([1, 0, 0]);
    expectClose(
      model.predictProba([
        [1, 1, 0],
        [0, 0, 5],
      ]).data,
      Array(6).fill(1 / 3),
      1e-15,
    ); // prettier-ignore
    expect(model.classPosterior([[1, 1, 0]]).impossible).toEqual([0]);
  });

  test('the prior of a class may have a pseudo-count, as in Spark', () => {
    const model = new MultinomialNB({ priorAlpha: 0.5 }).fit(X, y);
    expectClose(model.classLogPrior.map(Math.exp), [3.5 / 5, 1.5 / 5], 1e-15);
    const closed = new MultinomialNB({ priorAlpha: 1 }).partialFit(X, y, { classes: ['china', 'japan', 'korea'] });
    expectClose(closed.classLogPrior.map(Math.exp), [4 / 7, 2 / 7, 1 / 7], 1e-15);
  });
});

describe('what is known of a parameter', () => {
  test('is the Beta marginal of a Dirichlet distribution', () => {
    const model = new MultinomialNB().fit(X, y);
    const posterior = parameterPosterior(model, { class: 'china', feature: 1 });
    expect(posterior).toMatchObject({ distribution: 'beta', parameters: { a: 6, b: 8 } });
    expect(posterior.mean).toBeCloseTo(6 / 14, 15);
    // scipy.stats.beta(6, 8).ppf([.025, .975])
    expectClose(posterior.interval(), [0.19223244180128798, 0.6842223970859369], 1e-12);
    expect(refusalOf(() => posterior.interval(1)).code).toBe('E_PARAM');
    expect(refusalOf(() => parameterPosterior(model, { class: 'korea', feature: 1 })).code).toBe('E_CLASS_UNKNOWN');
    expect(refusalOf(() => parameterPosterior(model, { class: 'china', feature: 6 })).code).toBe('E_FEATURE_UNKNOWN');
    expect(refusalOf(() => parameterPosterior(model, { class: 'china', feature: 'x' })).code).toBe('E_FEATURE_UNKNOWN');
  });

  test('has the mean that is used, also towards a background, and none under rules that are no priors', () => {
    const model = new MultinomialNB({ smoothing: 'dirichlet', mu: 3 }).fit(X, y);
    const { mean } = parameterPosterior(model, { class: 'japan', feature: 2 });
    expect(mean).toBeCloseTo(Math.exp(model.featureLogProb.at(1, 2)), 14);
    const mixed = new MultinomialNB({ smoothing: 'jelinek-mercer' }).fit(X, y);
    expect(refusalOf(() => parameterPosterior(mixed, { class: 'japan', feature: 2 })).code).toBe('E_PARAM');
  });
});

describe('where scikit-learn 1.9.1 errs, MultinomialNB does not', () => {
  test('defect 1, silent relabelling: a label outside the closed list is refused, not counted for another class', () => {
    const model = new MultinomialNB().partialFit([[1], [2], [3]], [0, 1, 1], { classes: [0, 1] });
    expect(refusalOf(() => model.partialFit([[1], [2]], [1, 2])).code).toBe('E_CLASS_UNKNOWN');
    expect([...model.classCount]).toEqual([1, 2]);
  });

  test('defect 6, duplicate classes and impossible priors are refused with the parameter named', () => {
    const twice = () => new MultinomialNB().partialFit(X, y, { classes: ['china', 'japan', 'japan'] });
    expect(refusalOf(twice)).toMatchObject({ code: 'E_PARAM', details: { name: 'classes' } });
    expect(refusalOf(() => new MultinomialNB({ classPrior: [-2, 3] }))).toMatchObject({
      code: 'E_PARAM',
      details: { name: 'classPrior' },
    });
    expect(refusalOf(() => new MultinomialNB({ classPrior: [0.5, 0.2, 0.3] }).fit(X, y)).code).toBe('E_PARAM');
    expect(refusalOf(() => new MultinomialNB({ classPrior: [0.6, 0.6] }).fit(X, y)).code).toBe('E_PARAM');
  });

  test('a negative count is refused in prediction too', () => {
    const model = new MultinomialNB().fit(X, y);
    expect(refusalOf(() => model.predict([[0, -1, 0, 0, 0, 0]])).code).toBe('E_NEGATIVE');
  });
});

test('rows of any magnitude have probabilities', () => {
  const model = new MultinomialNB().fit(X, y);
  for (const size of [1e-300, 1e150, Number.MAX_VALUE]) {
    const proba = model.predictProba([[0, size, size, 0, 0, 0]]).data;
    expect(proba.every((p) => p >= 0 && p <= 1)).toBe(true);
  }
});

test('drawn documents have the words of their class', () => {
  const model = new MultinomialNB({ alpha: 0 }).fit(X, y);
  const { X: drawn } = model.sample(2000, { class: 'china', seed: 5 });
  const totals = drawn.toArray().reduce((sum, row) => sum.map((n, j) => n + row[j]));
  const all = totals.reduce((sum, n) => sum + n);
  expect(Math.abs(all / 2000 - 11 / 4)).toBeLessThan(0.15);
  totals.forEach((n, j) => {
    expect(Math.abs(n / all - [1, 5, 0, 1, 1, 0][j] / 8)).toBeLessThan(0.03);
  });
});

test('a fitted model keeps its counts and one table of parameters, no more', () => {
  const [classes, words] = [20, 5000];
  const rows = Array.from({ length: 40 }, (_, i) => [[(i * 97) % words, 1 + (i % 3)]] as [number, number][]);
  const model = new MultinomialNB().fit(
    SparseMatrix.fromRows(rows, words),
    rows.map((_, i) => i % classes),
  );
  model.predict(SparseMatrix.fromRows(rows, words));
  const buffers = new Set<ArrayBufferLike>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(model);
  const size = [...buffers].reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  expect(size).toBeLessThanOrEqual(2.2 * classes * words * 8);
});

test('learning one more row makes no array of the size of the model', () => {
  const [classes, words] = [20, 50_000];
  const row = SparseMatrix.fromRows([[[7, 1]]], words);
  const model = new MultinomialNB().fit(
    SparseMatrix.fromRows(
      Array.from({ length: classes }, (_, c) => [[c, 1]] as [number, number][]),
      words,
    ),
    Array.from({ length: classes }, (_, c) => c),
  );
  const made: number[] = [];
  const Plain = globalThis.Float64Array;
  globalThis.Float64Array = new Proxy(Plain, {
    construct(target, args, self) {
      const array = Reflect.construct(target, args, self) as Float64Array;
      if (!(args[0] instanceof ArrayBuffer)) made.push(array.length);
      return array;
    },
  });
  try {
    model.partialFit(row, [3]);
  } finally {
    globalThis.Float64Array = Plain;
  }
  expect(made.length).toBeGreaterThan(0);
  expect(Math.max(...made)).toBeLessThan(100);
});

test('dense and sparse batches of the model itself score alike', () => {
  const dense = batch(X, [0, 0, 0, 1]);
  const params = multinomial.estimate(count(sums, dense), { prior: { rule: 'bayes', a: 1 } });
  expect(score(multinomial, params, toSparse(dense))).toEqual(score(multinomial, params, dense));
});

describe("alpha: 'auto'", () => {
  const random = new Random(11);
  const labels = Array.from({ length: 60 }, (_, i) => 'xyz'[i % 3]);
  const rows = labels.map((_, i) => Array.from({ length: 30 }, (_, j) => random.poisson(j % 3 === i % 3 ? 0.4 : 0.1)));
  const model = new MultinomialNB({ alpha: 'auto' }).fit(rows, labels);
  const loss = (alpha: number) => leaveOneOut(new MultinomialNB({ alpha }), rows, labels).logLoss;

  test('has the least leave-one-out log-loss', () => {
    const chosen = model.alpha as number;
    expect(leaveOneOut(new MultinomialNB({ alpha: 'auto' }), rows, labels).logLoss).toBe(loss(chosen));
    for (const factor of [0.01, 0.3, 0.8, 1.25, 3, 100]) {
      expect(loss(chosen)).toBeLessThanOrEqual(loss(chosen * factor) + 1e-9);
    }
  });

  test('is part of what was learned: it is saved, stays while learning goes on, and does not depend on the order', () => {
    const loaded = load(model.toBytes());
    expect(loaded.toBytes()).toEqual(model.toBytes());
    expect(loaded.predictProba(rows)).toEqual(
      new MultinomialNB({ alpha: model.alpha }).fit(rows, labels).predictProba(rows),
    );
    const { alpha } = model;
    expect((loaded as MultinomialNB).partialFit(rows, labels).alpha).toBe(alpha);
    const turned = new MultinomialNB({ alpha: 'auto' }).fit([...rows].reverse(), [...labels].reverse());
    expect(turned.toBytes()).toEqual(model.toBytes());
  });

  test('of two models together is between theirs, whichever comes first', () => {
    const parts = () => [
      new MultinomialNB({ alpha: 'auto' }).fit(rows.slice(0, 20), labels.slice(0, 20)),
      new MultinomialNB({ alpha: 'auto' }).fit(rows.slice(20), labels.slice(20)),
    ];
    const [a, b] = parts();
    const between = [a.alpha, b.alpha] as number[];
    const merged = a.merge(b).alpha as number;
    expect(merged).toBeGreaterThanOrEqual(Math.min(...between));
    expect(merged).toBeLessThanOrEqual(Math.max(...between));
    const [c, d] = parts();
    expect(d.merge(c).toBytes()).toEqual(a.toBytes());
    expect(a.merge(new MultinomialNB({ alpha: 'auto' })).alpha).toBe(merged);
  });

  test('is 1 where every alpha is as good: one class, or no row that another of its class could answer for', () => {
    expect(
      new MultinomialNB({ alpha: 'auto' }).fit(
        rows,
        rows.map(() => 'x'),
      ).alpha,
    ).toBe(1); // prettier-ignore
    expect(
      new MultinomialNB({ alpha: 'auto' }).fit(
        [
          [1, 0],
          [0, 1],
        ],
        ['a', 'b'],
      ).alpha,
    ).toBe(1); // prettier-ignore
    expect(new MultinomialNB({ alpha: 'auto', smoothing: 'dirichlet' }).fit(rows, labels).alpha).toBe(1);
  });

  test('a file that claims another is refused', () => {
    const state = model.toState();
    const forged = (schema: unknown) => ({ ...state, learned: { ...state.learned, schema: schema as never } });
    for (const schema of [{ alpha: -1 }, { alpha: 'much' }, 3, [1], {}]) {
      const attempt = () => restore(new MultinomialNB({ alpha: 'auto' }), forged(schema));
      expect(refusalOf(attempt).code).toBe('E_MODEL_CORRUPT');
    }
    const unasked = () => restore(new MultinomialNB(), forged({ alpha: 1 }));
    expect(refusalOf(unasked).code).toBe('E_MODEL_CORRUPT');
  });
});
