import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import { fixture, type Iris } from '../../test/reference/gaussian/fixtures.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { KFold, StratifiedKFold } from '../evaluate/folds.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import { RepeatedStratifiedKFold } from '../evaluate/repeated-folds.ts';
import { selectRows } from '../evaluate/rows.ts';
import { TimeSeriesSplit } from '../evaluate/time-splits.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { crossValidate, crossValPredict, crossValScore } from './cross-validation.ts';
import { DirichletMultinomialNB } from './dirichlet-multinomial-nb.ts';
import { DiscriminativeMultinomialNB } from './discriminative-multinomial-nb.ts';
import { addsUp, type Candidate } from './fold-learning.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { KernelNB } from './kernel-nb.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { MixedNB } from './mixed-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline } from './pipeline.ts';
import { PoissonNB } from './poisson-nb.ts';
import { QuadraticDiscriminantAnalysis } from './quadratic-discriminant-analysis.ts';
import type { ScoringName } from './scoring.ts';
import { SelectKBest } from './select.ts';
import { TreeAugmentedNB } from './tree-augmented-nb.ts';

const iris = fixture<Iris>('iris');
const code = (attempt: () => unknown) => refusalOf(attempt).code;

interface Lesson {
  readonly X: number[][];
  readonly y: string[];
  readonly w: number[];
}

/** Four to twelve rows of two features. */
const lessons = (cell: fc.Arbitrary<number>): fc.Arbitrary<Lesson> =>
  fc
    .array(fc.tuple(fc.tuple(cell, cell), fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 })), {
      minLength: 4,
      maxLength: 12,
    })
    .map((rows) => ({ X: rows.map(([x]) => x), y: rows.map(([, y]) => y), w: rows.map(([, , w]) => w + 1) }));

/** Every fold learned from scratch, by hand. */
function refitted(
  make: () => GaussianNB,
  { X, y, w }: Lesson,
  splits: [number[], number[]][],
  classes: Label[],
): Matrix {
  const out = new Matrix(X.length, classes.length, new Float64Array(X.length * classes.length).fill(-Infinity));
  for (const [train, rows] of splits) {
    const model = make().fit(selectRows(X, train), selectRows(y, train), { sampleWeight: selectRows(w, train) });
    const said = model.predictLogProba(selectRows(X, rows));
    rows.forEach((i, k) => {
      model.classes.forEach((label, c) => {
        out.row(i)[classes.indexOf(label)] = said.at(k, c);
      });
    });
  }
  return out;
}

const bits = fc.constantFrom(0, 1);
const counts = fc.integer({ min: 0, max: 5 });
const levels = fc.integer({ min: 0, max: 2 });
const quarters = fc.integer({ min: -20, max: 20 }).map((n) => n / 4);
/** Each family with its cells; 0 where what is learned is whole counts. */
const families: [make: () => Candidate, cells: fc.Arbitrary<number>, rounding: number][] = [
  [() => new BernoulliNB(), bits, 0],
  [() => new MultinomialNB({ alpha: 0.3 }), counts, 0],
  [() => new ComplementNB(), counts, 0],
  [() => new CategoricalNB(), levels, 0],
  [() => new TreeAugmentedNB(), levels, 0],
  [() => new PoissonNB(), counts, 0],
  [() => new DirichletMultinomialNB(), counts, 1e-9], // urns are fitted by iteration
  [() => new KernelNB(), quarters, 1e-9],
  [() => new MixedNB(), quarters, 1e-9],
  [() => new GaussianNB(), quarters, 1e-9],
  [() => new GaussianNB({ reproducible: true }), quarters, 0],
];

describe('one counting pass for all folds', () => {
  for (const [make, cells, rounding] of families) {
    check.prop([lessons(cells), fc.integer({ min: 2, max: 4 }), fc.nat()])(
      `${make().kind}: the sum of the other folds says what a refit says`,
      (lesson, nSplits, seed) => {
        expect(addsUp(make())).toBe(true);
        const { X, y, w } = lesson;
        const cv = new KFold({ nSplits, shuffle: true, randomState: seed });
        const classes = [...new Set(y)].sort();
        const options = { cv, sampleWeight: w, method: 'predictLogProba' } as const;
        const fast = crossValPredict(make() as GaussianNB, X, y, options).data;
        const slow = refitted(make as () => GaussianNB, lesson, [...cv.split(X)], classes).data;
        if (rounding === 0) expect(fast).toEqual(slow);
        else expectClose(fast, slow, rounding, 1);
      },
    );
  }

  test('a row far off in one fold costs the others no digit, as a subtraction would', () => {
    const X = iris.X.map((row, i) => (i === 3 ? row.map((x) => x * 1e9) : row));
    const splits = [...new StratifiedKFold({ nSplits: 5 }).split(X, iris.y)];
    const lesson = { X, y: iris.y as unknown as string[], w: iris.y.map(() => 1) };
    const slow = refitted(() => new GaussianNB(), lesson, splits, [0, 1, 2]);
    expectClose(crossValPredict(new GaussianNB(), X, iris.y, { method: 'predictLogProba' }).data, slow.data, 1e-9, 1);
  });

  test('what does not add up is learned from scratch', () => {
    expect(addsUp(new MultinomialNB({ alpha: 'auto' }))).toBe(false);
    expect(addsUp(new DiscriminativeMultinomialNB())).toBe(false);
    expect(addsUp(makePipeline(new CountVectorizer(), new MultinomialNB()))).toBe(false);
    const auto = () => new MultinomialNB({ alpha: 'auto' });
    const splits = [...new StratifiedKFold({ nSplits: 3 }).split(iris.X, iris.y)];
    const byHand = splits.map(([train, rows]) =>
      auto()
        .fit(selectRows(iris.X, train), selectRows(iris.y, train))
        .score(selectRows(iris.X, rows), selectRows(iris.y, rows)),
    );
    expect(crossValScore(auto(), iris.X, iris.y, { cv: 3 })).toEqual(byHand);
  });

  test('folds that refuse what the whole accepts are learned from scratch', () => {
    const priors = [0.2, 0.3, 0.5];
    const cv = new KFold({ nSplits: 3 }); // iris stands by class: a fold holds one class, and three priors do not fit it
    const found = crossValidate(new GaussianNB({ priors }), iris.X, iris.y, { cv: new KFold({ nSplits: 10 }) });
    expect(found.testScore).toHaveLength(10);
    expect(code(() => crossValidate(new GaussianNB({ priors }), iris.X, iris.y, { cv }))).toBe('E_PARAM');
  });
});

describe('against scikit-learn 1.9.1', () => {
  const sets = {
    iris: { X: iris.X, y: iris.y },
    two: { X: iris.X.slice(50), y: iris.y.slice(50).map((label) => label - 1) },
  };
  const kinds = {
    GaussianNB: new GaussianNB(),
    MultinomialNB: new MultinomialNB(),
    ComplementNB: new ComplementNB(),
    BernoulliNB: new BernoulliNB({ binarize: 1.5 }),
    LinearDiscriminantAnalysis: new LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis: new QuadraticDiscriminantAnalysis(),
  };
  const cases = recorded('estimators.json');
  const setOf = (name: string) => sets[name as keyof typeof sets];
  const kindOf = (name: string) => kinds[name as keyof typeof kinds] as GaussianNB;
  const inName = (name: string) => name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

  test('scores of every name, of test and of training rows', () => {
    const all = cases.filter(({ fn }) => fn === 'crossValidate');
    for (const { set, kind, cv, scoring, test: tests, train } of all) {
      const { X, y } = setOf(set);
      const names: ScoringName[] = scoring;
      const found = crossValidate(kindOf(kind), X, y, { cv, scoring: names, returnTrainScore: true });
      for (const name of names) {
        expectAlike(found[`test${inName(name)}`], tests[name], 1e-9);
        expectAlike(found[`train${inName(name)}`], train[name], 1e-9);
      }
    }
    expect(all.length).toBe(24);
  });

  test('labels and probabilities of every row', () => {
    for (const { set, kind, cv, labels, proba } of cases.filter(({ fn }) => fn === 'crossValPredict')) {
      const { X, y } = setOf(set);
      expect(crossValPredict(kindOf(kind), X, y, { cv })).toEqual(labels);
      const said = crossValPredict(kindOf(kind), X, y, { cv, method: 'predictProba' }).toArray();
      expectAlike(
        said.filter((_, i) => i % 7 === 0),
        proba,
        1e-9,
        1e-6,
      );
    }
  });
});

describe('no row is scored by a model that learned it', () => {
  const noise = Array.from({ length: 60 }, (_, i) => `w${i} w${(7 * i) % 60}`);
  const labels = noise.map((_, i) => (i % 2 ? 'odd' : 'even'));

  test('a vocabulary and a selection are learned from training rows alone', () => {
    const selecting = makePipeline(new CountVectorizer(), new SelectKBest({ k: 20 }), new MultinomialNB());
    const found = crossValidate(selecting, noise, labels, { cv: 3, returnEstimator: true, returnIndices: true });
    found.estimator?.forEach((pipeline, k) => {
      const words = new Set(found.indices?.train[k].flatMap((i) => noise[i].split(' ')));
      expect(new Set(pipeline.steps[0].getFeatureNamesOut())).toEqual(words);
    });
    // Each row has a word of its own, so only a model that was fitted to the row can know its label.
    const rare = noise.map((_, i) => `only${i}`);
    const scores = crossValScore(makePipeline(new CountVectorizer(), new MultinomialNB()), rare, labels, { cv: 5 });
    expect(scores.reduce((a, b) => a + b) / 5).toBe(0.5);
  });

  test('rows may be documents, sparse, dense, arrays, records or columns', () => {
    const records = iris.X.map(([a, b, c, d]) => ({ a, b, c, d }));
    const columns = Object.fromEntries(['a', 'b', 'c', 'd'].map((name, j) => [name, iris.X.map((row) => row[j])]));
    const sparse = SparseMatrix.fromRows(
      iris.X.map((row) => row.map((x, j) => [j, x])),
      4,
    );
    const expected = crossValScore(new MultinomialNB(), iris.X, iris.y);
    for (const X of [Matrix.from(iris.X), sparse, records, columns]) {
      expect(crossValScore(new MultinomialNB(), X, iris.y)).toEqual(expected);
    }
  });
});

describe('options', () => {
  test('own scores, several at once, times, estimators and rows on request', () => {
    const found = crossValidate(new GaussianNB(), iris.X, iris.y, {
      scoring: { right: (model, X, y) => accuracyScore(y, model.predict(X)), loss: 'neg_log_loss' },
      cv: 3,
    });
    expect(Object.keys(found)).toEqual(['testRight', 'testLoss']);
    expect(found.testRight).toEqual(crossValScore(new GaussianNB(), iris.X, iris.y, { cv: 3 }));
    const all = crossValidate(new GaussianNB(), iris.X, iris.y, { returnTimes: true, returnEstimator: true });
    expect(all.fitTime?.every((time) => time >= 0) && all.scoreTime?.length === 5).toBe(true);
    expect(all.estimator?.[0].classCount).toEqual(Float64Array.of(40, 40, 40));
    const plain = crossValidate(new GaussianNB(), iris.X, iris.y);
    expect(plain).toEqual(crossValidate(new GaussianNB(), iris.X, iris.y));
    expect(Object.keys(plain)).toEqual(['testScore']);
  });

  test('progress is reported fold by fold, and an abort stops the work', () => {
    const steps: number[][] = [];
    crossValidate(new GaussianNB(), iris.X, iris.y, { cv: 3, onProgress: (...step) => steps.push(step) });
    expect(steps).toEqual([[1, 3], [2, 3], [3, 3]]); // biome-ignore format: a list of pairs
    for (const model of [new GaussianNB(), new MultinomialNB({ alpha: 'auto' })]) {
      const stop = new AbortController();
      const onProgress = () => stop.abort();
      expect(code(() => crossValScore(model, iris.X, iris.y, { signal: stop.signal, onProgress }))).toBe('E_CANCELLED');
    }
  });

  test('weights count in learning and in scores', () => {
    const sampleWeight = iris.y.map((label) => (label === 0 ? 0 : 1));
    const [X, y] = [iris.X.slice(50), iris.y.slice(50)];
    const weighted = crossValScore(new GaussianNB(), iris.X, iris.y, { sampleWeight });
    expect(weighted).toEqual(crossValScore(new GaussianNB(), X, y));
  });

  test('splitters of all kinds, and row numbers', () => {
    const repeated = new RepeatedStratifiedKFold({ nSplits: 2, nRepeats: 3, randomState: 1 });
    expect(crossValScore(new GaussianNB(), iris.X, iris.y, { cv: repeated })).toHaveLength(6);
    expect(code(() => crossValPredict(new GaussianNB(), iris.X, iris.y, { cv: repeated }))).toBe('E_PARAM');
    const rows = [...iris.y.keys()];
    const cv = [[rows, [0, 149]]] as [number[], number[]][];
    expect(crossValScore(new GaussianNB(), iris.X, iris.y, { cv })).toEqual([1]);
    expect(code(() => crossValPredict(new GaussianNB(), iris.X, iris.y, { cv: new TimeSeriesSplit() }))).toBe(
      'E_PARAM',
    );
  });

  test('a class that a fold has not learned has probability 0 there', () => {
    const cv = new KFold({ nSplits: 3 });
    const said = crossValPredict(new GaussianNB(), iris.X, iris.y, { cv, method: 'predictProba' });
    expect(said.at(0, 0)).toBe(0);
    expect(crossValScore(new GaussianNB(), iris.X, iris.y, { cv, scoring: 'neg_log_loss' })[0]).toBeCloseTo(
      Math.log(2 ** -52),
      9,
    );
  });

  test('refusals', () => {
    const refused = (options: object, X: number[][] = iris.X) =>
      code(() => crossValidate(new GaussianNB(), X, iris.y, options));
    expect(refused({ scoring: 'acuracy' })).toBe('E_PARAM');
    expect(refused({ scoring: [] })).toBe('E_PARAM');
    expect(refused({ scoring: () => 'good' })).toBe('E_TYPE');
    expect(refused({ cv: 1 })).toBe('E_PARAM');
    expect(refused({ cv: 51 })).toBe('E_CLASS_TOO_SMALL');
    expect(refused({ cv: 'prefit' })).toBe('E_PARAM');
    expect(refused({ cv: [] })).toBe('E_PARAM');
    expect(refused({ cv: [[[0, 1], [150]]] })).toBe('E_PARAM');
    expect(refused({ cv: [[[0, 1], []]] })).toBe('E_PARAM');
    expect(refused({ folds: 5 })).toBe('E_PARAM');
    expect(refused({ sampleWeight: [1] })).toBe('E_WEIGHT_SHAPE');
    expect(refused({ scoring: 'f1' })).toBe('E_PARAM');
    expect(refused({}, iris.X.slice(1))).toBe('E_SHAPE');
    const mute = {
      kind: 'Mute',
      classes: [0, 1, 2],
      clone: () => mute,
      fit: () => mute,
      predict: (X: number[][]) => X.map(() => 0),
    };
    expect(crossValScore(mute, iris.X, iris.y, { cv: 3 })).toEqual([0.34, 0.34, 0.32]);
    expect(code(() => crossValScore(mute, iris.X, iris.y, { scoring: 'neg_log_loss' }))).toBe('E_PARAM');
    expect(code(() => crossValPredict(mute, iris.X, iris.y, { method: 'predictProba' }))).toBe('E_PARAM');
  });
});
