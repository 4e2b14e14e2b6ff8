import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { encodeState } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { columnModel } from '../models/column-model.ts';
import { registerFamily } from '../models/mixed.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { credibleInterval } from './credible-interval.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { type MixedFeatures, MixedNB } from './mixed-nb.ts';
import { mostInformative } from './most-informative.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { PoissonNB } from './poisson-nb.ts';

interface Patient {
  age: number | null;
  sex: string | null;
  smokes: boolean | null;
  visits: number;
  words: number[];
}

const patient = fc.record<Patient>({
  age: fc.option(fc.integer({ min: -20, max: 20 }).map((n) => n / 4)),
  sex: fc.option(fc.constantFrom('f', 'm', '')),
  smokes: fc.option(fc.boolean()),
  visits: fc.nat(4),
  words: fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
});
const patients = fc
  .array(fc.tuple(patient, fc.constantFrom('ill', 'well')), { minLength: 1, maxLength: 12 })
  .map((rows) => ({ X: rows.map(([row]) => row), y: rows.map(([, label]) => label) }));

const columns = {
  age: 'gaussian',
  sex: 'categorical',
  smokes: 'bernoulli',
  visits: 'poisson',
  words: 'multinomial',
} as const;
const make = (options = {}) => new MixedNB({ columns, ...options });
const fields = (X: readonly Patient[]) => X as unknown as MixedFeatures;

describe('a mixture is the sum of its parts', () => {
  check.prop([patients, patients])('with the prior once', ({ X, y }, { X: others }) => {
    const column = <T>(pick: (row: Patient) => T) => [X.map(pick), others.map(pick)] as const;
    const [ages, ageTests] = column(({ age }) => [age]);
    const [sexes, sexTests] = column(({ sex }) => [sex]);
    const [smokers, smokeTests] = column(({ smokes }) => [smokes === null ? null : Number(smokes)]);
    const [visits, visitTests] = column((row) => [row.visits]);
    const [words, wordTests] = column((row) => row.words);
    const parts = [
      new GaussianNB({ missing: 'ignore' }).fit(ages, y).predictJointLogProba(ageTests),
      new CategoricalNB({ missing: 'ignore' }).fit(sexes, y).predictJointLogProba(sexTests),
      new BernoulliNB({ missing: 'ignore' }).fit(smokers, y).predictJointLogProba(smokeTests),
      new PoissonNB().fit(visits, y).predictJointLogProba(visitTests),
      new MultinomialNB().fit(words, y).predictJointLogProba(wordTests),
    ];
    const estimator = make().fit(fields(X), y);
    const prior = estimator.classLogPrior;
    const scores = estimator.predictJointLogProba(fields(others));
    const expected = scores.data.map((_, cell) => {
      const once = prior[cell % prior.length];
      return parts.reduce((sum, { data }) => sum + data[cell] - once, once);
    });
    expectClose(scores.data, expected, 1e-12, 100);
  });

  check.prop([patients])('in every container', ({ X, y }) => {
    const byRow = make().fit(fields(X), y);
    const byColumn = {
      age: X.map(({ age }) => age),
      sex: X.map(({ sex }) => sex),
      smokes: X.map(({ smokes }) => smokes),
      visits: X.map((row) => row.visits),
      words: SparseMatrix.fromRows(
        X.map(({ words }) => [...words.entries()]),
        3,
      ),
    };
    const blocks = make().fit(byColumn, y);
    expect(blocks.toBytes()).toEqual(byRow.toBytes());
    expect(blocks.predictJointLogProba(byColumn)).toEqual(byRow.predictJointLogProba(fields(X)));
    const dense = make().fit({ ...byColumn, words: Matrix.from(X.map(({ words }) => words)) }, y);
    expect(dense.toBytes()).toEqual(byRow.toBytes());
  });

  check.prop([patients])('leaving a row out is learning without it', ({ X, y }) => {
    const estimator = make();
    const { logProba, classes } = leaveOneOut(estimator, fields(X), y);
    const all = make().fit(fields(X), y);
    for (let i = 0; i < X.length; i++) {
      if (y.filter((label) => label === y[i]).length === 1) continue; // its class would be gone
      const same = X.findIndex((row, k) => k !== i && row.sex === X[i].sex);
      if (same < 0) continue; // its level would be gone, which leave-one-out keeps on the list
      const rest = all
        .clone()
        .merge(all)
        .unlearn([X[i]] as never, [y[i]]);
      expect(rest.classes).toEqual(classes);
      expectClose(logProba.row(i), rest.predictLogProba([X[i]] as never).data, 1e-9, 1);
    }
  });
});

describe('learning', () => {
  check.prop([patients, fc.nat()])('in parts, merged, and unlearned is learning at once', ({ X, y }, where) => {
    const at = where % (X.length + 1);
    const [left, right] = [
      { X: fields(X.slice(0, at)), y: y.slice(0, at) },
      { X: fields(X.slice(at)), y: y.slice(at) },
    ];
    if (left.y.length === 0 || right.y.length === 0) return;
    const whole = make({ reproducible: true }).fit(fields(X), y).toBytes();
    const part = (rows: typeof left) => make({ reproducible: true }).fit(rows.X, rows.y);
    expect(part(right).partialFit(left.X, left.y).toBytes()).toEqual(whole);
    expect(part(right).merge(part(left)).toBytes()).toEqual(whole);
    const rest = make({ reproducible: true }).fit(fields(X), y).unlearn(right.X, right.y);
    expect(rest.toBytes()).toEqual(part(left).toBytes());
    const loaded = load(whole) as MixedNB;
    expect(loaded.toBytes()).toEqual(whole);
    expect(loaded.partialFit(left.X, left.y).toBytes()).toEqual(
      make({ reproducible: true }).fit(fields(X), y).partialFit(left.X, left.y).toBytes(),
    );
  });

  test('families are inferred from the cells, and a name that a row does not have is a missing cell', () => {
    const rows = [
      { a: 1, b: 'x', c: true, d: [1, 0] },
      { b: 'y', c: false, d: [0, 2], e: 3 },
      { a: 2.5, b: undefined },
    ];
    const estimator = new MixedNB().fit(rows, [0, 1, 1]);
    expect(estimator.columns).toEqual([
      { name: 'a', family: 'gaussian' },
      { name: 'b', family: 'categorical', levels: [['x', 'y']] },
      { name: 'c', family: 'bernoulli' },
      { name: 'd', family: 'multinomial', width: 2 },
      { name: 'e', family: 'gaussian' },
    ]);
    expect(estimator.predict([{}])).toEqual([1]);
    expectClose(estimator.predictProba([{}]).data, [1 / 3, 2 / 3], 1e-12);
    const features = estimator.explain([rows[0]])[0].contributions.map(({ feature }) => feature);
    expect(features).toEqual(['a', 'b', 'c', 'd[0]', 'e']);
  });

  test('a declared column may come later', () => {
    const estimator = new MixedNB({ columns: { b: 'categorical' } }).partialFit([{ a: 1 }], ['x']);
    estimator.partialFit([{ a: 2, b: 'red' }], ['y']);
    expect(estimator.columns[1]).toEqual({ name: 'b', family: 'categorical', levels: [['red']] });
    expect(estimator.predict([{ a: 2, b: 'red' }])).toEqual(['y']);
  });

  test('blocks of levels and of numbers', () => {
    const X = {
      votes: [
        ['y', 'n'],
        ['y', 'y'],
        ['n', null],
      ],
      sizes: Matrix.from([
        [1, 2],
        [2, 1],
        [5, 6],
      ]),
    };
    const estimator = new MixedNB().fit(X, ['a', 'a', 'b']);
    expect(estimator.columns).toEqual([
      {
        name: 'votes',
        family: 'categorical',
        width: 2,
        levels: [
          ['n', 'y'],
          ['n', 'y'],
        ],
      },
      { name: 'sizes', family: 'gaussian', width: 2 },
    ]);
    expect(estimator.predict(X)).toEqual(['a', 'a', 'b']);
    expect((load(estimator.toBytes()) as MixedNB).predictProba(X)).toEqual(estimator.predictProba(X));
  });

  test('a vocabulary that has grown makes room', () => {
    const words = (rows: number[][]) => ({ words: Matrix.from(rows) });
    const options = { columns: { words: 'multinomial' } } as const;
    const narrow = new MixedNB(options).fit(
      words([
        [2, 1],
        [0, 3],
      ]),
      ['a', 'b'],
    );
    expect(refusalOf(() => narrow.partialFit(words([[1, 1, 1]]), ['a'])).code).toBe('E_FEATURE_COUNT');
    expect(refusalOf(() => narrow.moveFeatures(3, Int32Array.of(0, 2))).code).toBe('E_FEATURE_COUNT');
    expect(refusalOf(() => narrow.moveColumn('other', 3, Int32Array.of(0, 2))).code).toBe('E_FEATURE_UNKNOWN');
    narrow.moveColumn('words', 3, Int32Array.of(0, 2));
    expect(narrow.toBytes()).toEqual(
      new MixedNB(options)
        .fit(
          words([
            [2, 0, 1],
            [0, 0, 3],
          ]),
          ['a', 'b'],
        )
        .toBytes(),
    );
  });

  test('a word of another kind, a count below zero and a list of another length are refused by row and column', () => {
    const estimator = make().fit(fields([{ age: 1, sex: 'f', smokes: true, visits: 1, words: [1, 0, 0] }]), ['ill']);
    const refused = (row: object) => refusalOf(() => estimator.predict([{}, row] as never));
    expect(refused({ sex: 3 })).toMatchObject({ code: 'E_TYPE', details: { row: 1, column: 1 } });
    expect(refused({ age: '40' })).toMatchObject({ code: 'E_TYPE', details: { row: 1, column: 0 } });
    expect(refused({ smokes: 2 })).toMatchObject({ code: 'E_VALUE_RANGE', details: { row: 1, column: 2 } });
    expect(refused({ visits: -1 })).toMatchObject({ code: 'E_NEGATIVE', details: { row: 1, column: 3 } });
    expect(refused({ words: [1] })).toMatchObject({ code: 'E_SHAPE', details: { row: 1, column: 4 } });
    expect(refused({ words: 'two words' })).toMatchObject({ code: 'E_TYPE', details: { row: 1, column: 4 } });
    expect(refused({ age: 1e200 }).code).toBe('E_VALUE_RANGE');
    expect(refused({ other: 1 })).toMatchObject({ code: 'E_FEATURE_UNKNOWN', details: { feature: 'other' } });
    expect(refusalOf(() => estimator.predict(new SparseMatrix(1, 1, [0, 0], [], []) as never)).code).toBe('E_TYPE');
    expect(refusalOf(() => estimator.predict({ other: new Matrix(1, 1) })).code).toBe('E_FEATURE_UNKNOWN');
    expect(refusalOf(() => estimator.predict({ age: new Matrix(1, 1) })).code).toBe('E_TYPE');
    expect(refusalOf(() => estimator.predict({ age: [1, 2], words: new Matrix(1, 3) })).code).toBe('E_SHAPE');
    expect(refusalOf(() => new MixedNB().fit([{ a: new Date(0) }], ['x'])).code).toBe('E_TYPE');
    expect(refusalOf(() => estimator.merge(new MixedNB({ columns }).fit([{ age: 1 }], ['ill']))).code).toBe(
      'E_MERGE_MISMATCH',
    );
  });

  test('samples can be read and predicted', () => {
    const { X, y } = fc.sample(patients, { numRuns: 30, seed: 4 }).sort((a, b) => b.y.length - a.y.length)[0];
    const estimator = make().fit(fields(X), y);
    const drawn = estimator.sample(5, { seed: 2 });
    const rows = estimator.decode(drawn.X);
    expect(rows).toHaveLength(5);
    for (const [age, sex, smokes, visits, words] of rows) {
      expect([typeof age, typeof sex, typeof smokes, typeof visits, Array.isArray(words)]).toEqual([
        'number',
        'string',
        'boolean',
        'number',
        true,
      ]);
    }
    expect(estimator.predictProba(drawn.X)).toEqual(estimator.predictProba(rows as never));
  });
});

describe('a file that contradicts itself is refused', () => {
  const { learned, arrays, ...state } = make({ extra: 'ignore' })
    .fit(fields([{ age: 1, sex: 'f', smokes: true, visits: 1, words: [1, 0, 0] }]), ['ill'])
    .toState();
  type Column = Record<string, unknown>;
  const schema = learned.schema as unknown as Column[];
  const parts = learned.parts as Record<string, Record<string, unknown>>;
  const changed = (k: number, change: Column) => ({ ...learned, schema: schema.with(k, { ...schema[k], ...change }) });
  const spoiled: [string, unknown][] = [
    ['no columns', { ...learned, schema: null }],
    ['a column less', { ...learned, schema: schema.slice(1) }],
    ['an unknown family', changed(0, { family: 'normal' })],
    ['another family', changed(0, { family: 'poisson' })],
    ['a width that is none', changed(4, { width: -1 })],
    ['a name twice', changed(0, { name: 'sex' })],
    ['a name that is none', changed(0, { name: 1 })],
    ['something more', changed(0, { color: 'red' })],
    ['levels of a number', changed(0, { levels: [null] })],
    ['other levels', changed(1, { levels: [['f', 'm']] })],
    ['no levels', changed(1, { levels: undefined })],
    ['an unknown block', { ...learned, parts: { ...parts, urn: parts.gaussian } }],
    ['a block with a bad name', { ...learned, parts: { ...parts, 'a.b': parts.gaussian } }],
    ['a block less', { ...learned, parts: { gaussian: parts.gaussian } }],
    ['blocks that are none', { ...learned, parts: [] }],
    ['a block that is none', { ...learned, parts: { ...parts, gaussian: 1 } }],
    ['no blocks', { ...learned, parts: undefined }],
    ['a block of another size', { ...learned, parts: { ...parts, gaussian: { features: 2, missing: true } } }],
    ['a block without gaps', { ...learned, parts: { ...parts, gaussian: { features: 1 } } }],
  ];
  test.each(spoiled)('%s', (_, other) => {
    const bytes = encodeState({ ...state, learned: JSON.parse(JSON.stringify(other)), arrays });
    expect(refusalOf(() => load(bytes)).code).toBe('E_MODEL_CORRUPT');
  });

  test('as it was it loads', () => {
    expect(load(encodeState({ ...state, learned, arrays })).classes).toEqual(['ill']);
  });
});

describe('columns of other distributions', () => {
  const rows = [
    { wait: 0.4, amount: 12, size: 3, angle: 0.1 },
    { wait: 1.1, amount: 30, size: 4, angle: -0.2 },
    { wait: 0, amount: 18, size: 2.5, angle: 0.3 },
    { wait: 5.2, amount: 900, size: 9, angle: 3 },
    { wait: 2.9, amount: null, size: 11, angle: -3 },
    { wait: 9.7, amount: 2400, size: 10, angle: 3.1 },
  ];
  const labels = ['a', 'a', 'a', 'b', 'b', 'b'];
  const columns = { wait: 'exponential', amount: 'lognormal', size: 'gamma', angle: 'vonmises' } as const;
  const model = new MixedNB({ columns }).fit(rows, labels);

  test('are learned, explained, left out and saved', () => {
    expect(model.predict(rows)).toEqual(labels);
    const [{ contributions, prior }] = model.explain([rows[0]]);
    const total = contributions.reduce((sum, { byClass }) => sum + byClass[0], prior[0]);
    expect(total).toBeCloseTo(model.predictJointLogProba([rows[0]]).at(0, 0), 12);
    const slim = load(model.toBytes({ slim: true })) as MixedNB;
    expect(slim.predictJointLogProba(rows).data).toEqual(model.predictJointLogProba(rows).data);
    rows.forEach((row, i) => {
      const others = model.clone().fit(rows, labels).unlearn([row], [labels[i]]);
      expectClose(leaveOneOut(model, rows, labels).logProba.row(i), others.predictLogProba([row]).data, 1e-9);
    });
    const features = mostInformative(model).filter(({ class: label }) => label === 'a');
    expect(features.map(({ feature }) => feature)).toContain('angle');
  });

  test('an angle is the same after a full turn', () => {
    const turned = rows.map((row) => ({ ...row, angle: row.angle + 2 * Math.PI }));
    expectClose(model.predictJointLogProba(turned).data, model.predictJointLogProba(rows).data, 1e-9);
  });

  test('refuse cells outside their support', () => {
    const codeOf = (row: Record<string, number>) => refusalOf(() => model.predict([row])).code;
    expect(codeOf({ amount: 0 })).toBe('E_VALUE_RANGE');
    expect(codeOf({ size: -1 })).toBe('E_NEGATIVE');
    expect(codeOf({ wait: -1 })).toBe('E_NEGATIVE');
    expect(codeOf({ angle: -1 })).toBe('accepted');
    const matrix = { size: Matrix.from([[1, 0]]) };
    expect(refusalOf(() => new MixedNB({ columns: { size: 'gamma' } }).fit(matrix, ['a'])).code).toBe('E_VALUE_RANGE');
  });

  test('refuse what needs the distribution of their parameters', () => {
    expect(refusalOf(() => credibleInterval(model, [rows[0]])).code).toBe('E_CONFLICT');
  });
});

test.each(['Rayleigh', 'toString', 'constructor'])(
  'a family of the name %s is registered, learned, saved and loaded',
  (name) => {
    const family = columnModel({
      name,
      support: 'positive',
      statistics: { square: (x) => x * x },
      parameters: ['variance'],
      estimate: ([square]) => [square / 2],
      logDensity: ([variance], x) => Math.log(x / variance) - (x * x) / (2 * variance),
      sample: ([variance], random) => Math.sqrt(-2 * variance * Math.log(1 - random.uniform())),
    });
    registerFamily(family);
    expect(refusalOf(() => registerFamily({ ...family })).code).toBe('E_CONFLICT');
    const rows = [{ wind: 1 }, { wind: 2 }, { wind: 8 }];
    const model = new MixedNB({ columns: { wind: name } }).fit(rows, ['calm', 'calm', 'storm']);
    const loaded = load<MixedNB>(model.toBytes());
    expect(loaded.predictLogProba([{ wind: 5 }])).toEqual(model.predictLogProba([{ wind: 5 }]));
    loaded.partialFit([{ wind: 3 }], ['storm']).unlearn([{ wind: 3 }], ['storm']);
    expect(loaded.toBytes()).toEqual(model.toBytes());
  },
);
