import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import { fixture, type Iris } from '../../test/reference/gaussian/fixtures.ts';
import { load } from '../auto/load.ts';
import { decodeState, encodeState, type State } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import { KFold, LeaveOneOut, StratifiedKFold } from '../evaluate/folds.ts';
import { logLoss } from '../evaluate/probability-metrics.ts';
import { CalibratedClassifierCV } from './calibrated-classifier-cv.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { crossValScore } from './cross-validation.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline } from './pipeline.ts';
import { QuadraticDiscriminantAnalysis } from './quadratic-discriminant-analysis.ts';
import type { Wrapped } from './wrapper.ts';

const iris = fixture<Iris>('iris');
const { X, y } = iris;
const methods = ['sigmoid', 'isotonic', 'temperature'] as const;
const code = (attempt: () => unknown) => refusalOf(attempt).code;
const even = <T>(rows: readonly T[]) => rows.filter((_, i) => i % 2 === 0);
const odd = <T>(rows: readonly T[]) => rows.filter((_, i) => i % 2 === 1);
const some = <T>(rows: readonly T[]) => rows.filter((_, i) => i % 7 === 0);
const bytesOf = (model: { toBytes(): Uint8Array }) => Buffer.from(model.toBytes());
/** L-BFGS-B stops at a gradient of 1e-6, and a minimum by values is known to half the digits. */
const CURVES = 1e-5;

describe('against scikit-learn 1.9.1', () => {
  const cases = recorded('estimators.json');
  const sets = { iris: { X, y }, two: { X: X.slice(50), y: y.slice(50).map((label) => label - 1) } };
  const kinds = {
    GaussianNB: new GaussianNB(),
    MultinomialNB: new MultinomialNB(),
    LinearDiscriminantAnalysis: new LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis: new QuadraticDiscriminantAnalysis(),
  };

  test('row 70 of iris, fitted on the even rows and calibrated on the odd ones, as scikit-learn answers it', () => {
    const fitted = new GaussianNB().fit(even(X), even(y));
    const row = (method: (typeof methods)[number]) =>
      new CalibratedClassifierCV(fitted, { method, cv: 'prefit' }).fit(odd(X), odd(y)).predictProba([X[70]]).data;
    expectClose(row('sigmoid'), [0.02035477676661618, 0.11323058286700881, 0.866414640366375], 1e-6);
    expectClose(row('isotonic'), [1.4302025871033778e-148, 0.5, 0.5]);
    expectClose(row('temperature'), [4.69e-8, 0.31871248187557016, 0.68128747125478495], 1e-3); // printed to 3 digits
    expectClose(row('temperature').subarray(1), [0.31871248187557016, 0.68128747125478495], 1e-6);
  });

  test('classifiers that were fitted before', () => {
    const fitted = new GaussianNB().fit(even(X), even(y));
    for (const { method, expected } of cases.filter(({ fn }) => fn === 'prefit')) {
      const model = new CalibratedClassifierCV(fitted, { method, cv: 'prefit' }).fit(odd(X), odd(y));
      expectAlike(some(model.predictProba(X).toArray()), expected, CURVES, 1);
    }
  });

  test('by five folds and by given ones, together and as one, with probabilities and with decisions', () => {
    const all = cases.filter(({ fn }) => fn === 'calibrated');
    for (const { set, kind, method, ensemble, cv, expected } of all) {
      const data = sets[set as keyof typeof sets];
      const inner = kinds[kind as keyof typeof kinds] as GaussianNB;
      const model = new CalibratedClassifierCV(inner, { method, ensemble, cv }).fit(data.X, data.y);
      expectAlike(some(model.predictProba(data.X).toArray()), expected, CURVES, 1);
    }
    expect(all.length).toBe(78);
  });

  test('weights count in learning and in curves', () => {
    for (const { method, cv, weights, expected } of cases.filter(({ fn }) => fn === 'weighted')) {
      const model = new CalibratedClassifierCV(new GaussianNB(), { method, cv }).fit(X, y, { sampleWeight: weights });
      expectAlike(some(model.predictProba(X).toArray()), expected, CURVES, 1);
    }
  });
});

describe('the contract', () => {
  test('it constructs without arguments, and its parameters make it again', () => {
    const model = new CalibratedClassifierCV(new MultinomialNB({ alpha: 0.5 }), {
      method: 'isotonic',
      ensemble: false,
    });
    const params = model.getParams();
    expect(new CalibratedClassifierCV(params).getParams()).toEqual(params);
    expect(new CalibratedClassifierCV().getParams()).toMatchObject({ method: 'sigmoid', cv: 5, ensemble: 'auto' });
    expect(model.clone().getParams().estimator).not.toBe(params.estimator);
    expect(model.clone().getParams().estimator.getParams()).toEqual(params.estimator.getParams());
    expect(new CalibratedClassifierCV(new GaussianNB(), { cv: null } as object).getParams().cv).toBe(5);
    for (const options of [{ method: 'magic' }, { cv: 1 }, { cv: 'all' }, { ensemble: 1 }, { folds: 3 }]) {
      expect(code(() => new CalibratedClassifierCV(new GaussianNB(), options as object))).toBe('E_PARAM');
    }
    expect(code(() => new CalibratedClassifierCV({} as GaussianNB))).toBe('E_PARAM');
    for (const ask of ['predict', 'predictProba', 'predictLogProba'] as const) {
      expect(code(() => new CalibratedClassifierCV()[ask](X))).toBe('E_NOT_FITTED');
    }
  });

  test.each(methods)('%s: fit twice is fit once, and saving gives the same model and the same bytes', (method) => {
    for (const options of [{ cv: 3 }, { cv: 3, ensemble: false }, { cv: 'prefit' }] as const) {
      const inner = new GaussianNB().fit(even(X), even(y));
      const model = new CalibratedClassifierCV(inner, { method, ...options }).fit(odd(X), odd(y));
      const bytes = bytesOf(model);
      expect(bytesOf(model.fit(odd(X), odd(y)))).toEqual(bytes);
      const loaded = load<CalibratedClassifierCV>(bytes);
      expect(loaded).toBeInstanceOf(CalibratedClassifierCV);
      expect(bytesOf(loaded)).toEqual(bytes);
      expect(loaded.predictProba(X).data).toEqual(model.predictProba(X).data);
      expect(loaded.classes).toEqual([0, 1, 2]);
      const again = model.clone().restore(decodeState(bytes));
      expect(again.predictProba(X).data).toEqual(model.predictProba(X).data);
      expect(bytesOf(load<CalibratedClassifierCV>(bytesOf(model.clone())))).toEqual(bytesOf(model.clone()));
    }
  });

  test('files that 0.1 wrote say null where the folds were a splitter', () => {
    const model = new CalibratedClassifierCV(new GaussianNB(), { cv: 3 }).fit(X, y);
    const state = model.toState();
    const loaded = load<CalibratedClassifierCV>(encodeState({ ...state, params: { ...state.params, cv: null } }));
    expect(loaded.getParams().cv).toBe(5);
    expect(loaded.predictProba(X).data).toEqual(model.predictProba(X).data);
  });

  test('a splitter is not saved, and what it has taught is', () => {
    const cv = new StratifiedKFold({ nSplits: 4 });
    const model = new CalibratedClassifierCV(new GaussianNB(), { cv }).fit(X, y);
    const loaded = load<CalibratedClassifierCV>(model.toBytes());
    expect(loaded.getParams().cv).toBe(5);
    expect(loaded.calibratedClassifiers).toHaveLength(4);
    expect(loaded.predictProba(X).data).toEqual(model.predictProba(X).data);
  });

  test('a pipeline over documents is calibrated and saved as a whole', () => {
    const documents = y.map((label, i) => `word${label} word${(label + (i % 3 === 0 ? 1 : 0)) % 3} common`);
    const labels: Label[] = y.map((label) => `class ${label}`);
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB());
    const model = new CalibratedClassifierCV(pipeline, { method: 'isotonic', cv: 3 }).fit(documents, labels);
    const again = new CalibratedClassifierCV(pipeline, { method: 'isotonic' }).restore(decodeState(model.toBytes()));
    expect(again.predictProba(documents).data).toEqual(model.predictProba(documents).data);
    expect(model.predict(documents.slice(0, 1))).toEqual(['class 0']);
    const loaded = load<typeof model>(model.toBytes());
    expect(loaded.predictProba(documents).data).toEqual(model.predictProba(documents).data);
    expect(bytesOf(loaded)).toEqual(bytesOf(model));
    expect(crossValScore(new CalibratedClassifierCV(pipeline, { cv: 3 }), documents, labels, { cv: 3 })).toHaveLength(
      3,
    );
  });

  test('probabilities sum to one, rows do not depend on each other, and prediction changes nothing', () => {
    for (const method of methods) {
      const model = new CalibratedClassifierCV(new GaussianNB(), { method, cv: 3 }).fit(X, y);
      const before = bytesOf(model);
      const whole = model.predictProba(X);
      for (let i = 0; i < X.length; i++) {
        expect(model.predictProba([X[i]]).row(0)).toEqual(whole.row(i));
        expect(Math.abs(whole.row(i).reduce((a, b) => a + b) - 1)).toBeLessThan(3e-15);
      }
      expect(bytesOf(model)).toEqual(before);
      expect(model.score(X, y)).toBeGreaterThan(0.9);
      expectClose(model.predictLogProba(X).data.map(Math.exp), whole.data, 1e-12, 1e-300);
    }
  });

  test('it improves overconfident probabilities on new rows', () => {
    const twice = X.map((row) => [...row, ...row, ...row]); // the same evidence three times over
    const loss = (model: Wrapped) => crossValScore(model as GaussianNB, twice, y, { scoring: 'neg_log_loss', cv: 5 });
    const mean = (values: number[]) => values.reduce((a, b) => a + b) / values.length;
    const plain = mean(loss(new GaussianNB()));
    expect(mean(loss(new CalibratedClassifierCV(new GaussianNB(), { method: 'temperature' })))).toBeGreaterThan(plain);
    expect(-logLoss(y, new GaussianNB().fit(twice, y).predictProba(twice))).toBeLessThan(0);
  });

  test('what was fitted before is copied: neither side changes the other', () => {
    const inner = new GaussianNB().fit(even(X), even(y));
    const before = bytesOf(inner);
    const model = new CalibratedClassifierCV(inner, { cv: 'prefit' }).fit(odd(X), odd(y));
    const said = model.predictProba(X).data;
    expect(bytesOf(inner)).toEqual(before);
    inner.fit(X.slice(50), y.slice(50));
    expect(model.predictProba(X).data).toEqual(said);
  });

  test('all or nothing', () => {
    const model = new CalibratedClassifierCV(new GaussianNB(), { cv: 3 }).fit(X, y);
    const before = bytesOf(model);
    const attempts: [string, () => unknown][] = [
      ['E_SHAPE', () => model.fit(X, y.slice(1))],
      ['E_CLASS_TOO_SMALL', () => model.fit(X.slice(0, 102), y.slice(0, 102))],
      ['E_CLASSES_TOO_FEW', () => model.fit(X.slice(0, 50), y.slice(0, 50))],
      ['E_NOT_FINITE', () => model.fit([[Number.NaN, 1, 1, 1], ...X.slice(1)], y)],
      ['E_CANCELLED', () => model.fit(X, y, { signal: AbortSignal.abort() })],
    ];
    for (const [expected, attempt] of attempts) expect(code(attempt)).toBe(expected);
    expect(bytesOf(model)).toEqual(before);
  });

  test('a class with fewer rows than folds is refused, as by scikit-learn', () => {
    const few = [...y.slice(0, 100), 2, 2];
    for (const cv of [5, new StratifiedKFold({ nSplits: 5 })]) {
      const { code: refused, details } = refusalOf(() =>
        new CalibratedClassifierCV(new GaussianNB(), { cv }).fit(X.slice(0, 102), few),
      );
      expect([refused, details.class, details.actual, details.limit]).toEqual(['E_CLASS_TOO_SMALL', 2, 2, 5]);
    }
    const lacking = new KFold({ nSplits: 3 }); // iris stands by class: each training set lacks one
    expect(code(() => new CalibratedClassifierCV(new GaussianNB(), { cv: lacking }).fit(X, y))).toBe(
      'E_CLASS_TOO_SMALL',
    );
    expect(code(() => new CalibratedClassifierCV(new GaussianNB(), { cv: new LeaveOneOut() }).fit(X, y))).toBe(
      'E_PARAM',
    );
    const stranger = new CalibratedClassifierCV(new GaussianNB().fit(X.slice(0, 100), y.slice(0, 100)), {
      cv: 'prefit',
    });
    expect(code(() => stranger.fit(X, y))).toBe('E_CLASS_UNKNOWN');
    expect(code(() => new CalibratedClassifierCV(new GaussianNB(), { cv: 'prefit' }).fit(X, y))).toBe('E_NOT_FITTED');
  });

  test('damaged files are refused', () => {
    for (const method of methods) {
      const state = new CalibratedClassifierCV(new GaussianNB(), { method, cv: 3 }).fit(X, y).toState();
      const name = Object.keys(state.arrays)[0];
      const wrong: State[] = [
        { ...state, steps: [] },
        { ...state, steps: state.steps!.slice(0, 2) },
        { ...state, steps: state.steps!.map((step) => ({ ...step, learned: {}, arrays: {} })) },
        { ...state, learned: {} },
        { ...state, learned: { classes: [0, 1] } },
        { ...state, learned: { ...state.learned, more: 1 } },
        { ...state, params: { ...state.params, method: 'binning' } },
        { ...state, arrays: { ...state.arrays, stranger: state.arrays[name] } },
        { ...state, arrays: { ...state.arrays, [name]: { shape: [1], data: Float64Array.of(Number.NaN) } } },
        { ...state, arrays: { ...state.arrays, [name]: { shape: [0], data: new Float64Array(0) } } },
      ];
      for (const each of wrong) expect(code(() => load(encodeState(each)))).toBe('E_MODEL_CORRUPT');
    }
    const falling = new CalibratedClassifierCV(new GaussianNB(), { method: 'isotonic', cv: 3 }).fit(X, y).toState();
    const heights = falling.arrays['0.0.y'].data as Float64Array;
    const arrays = { ...falling.arrays, '0.0.y': { shape: [heights.length], data: heights.slice().reverse() } };
    expect(code(() => load(encodeState({ ...falling, arrays })))).toBe('E_MODEL_CORRUPT');
  });
});
