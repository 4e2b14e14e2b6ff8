import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as polya from '../src/index.ts';
import { refusalOf } from './close.ts';

const counts = [
  [1, 0],
  [0, 2],
  [2, 1],
  [0, 1],
  [3, 0],
  [0, 3],
];
const rows = counts.map((row, i) => row.map((x, j) => x + Math.sin(3 * i + 7 * j)));
const levels = counts.map((row) => row.map(String));
const texts = ['a cat', 'a dog', 'cat cat', 'dog dog', 'the cat', 'the dog'];
const y = ['a', 'b', 'a', 'b', 'a', 'b'];

/** The common methods of every estimator. */
interface Anything {
  readonly kind: string;
  getParams(): Record<string, unknown>;
  setParams(params: unknown): Anything;
  clone(): Anything;
  fit(...given: unknown[]): Anything;
  partialFit?(...given: unknown[]): unknown;
  unlearn?(...given: unknown[]): unknown;
  fitTransform?(...given: unknown[]): unknown;
  score?(...given: unknown[]): unknown;
  predict?(X: unknown): unknown;
  transform?(X: unknown): unknown;
}

const subjects: readonly (readonly [make: () => object, X: unknown, params: object, labels: 'needed' | 'none'])[] = [
  [() => new polya.GaussianNB(), rows, { varSmoothing: 0.5 }, 'needed'],
  [() => new polya.MultinomialNB(), counts, { alpha: 0.5 }, 'needed'],
  [() => new polya.ComplementNB(), counts, { alpha: 0.5 }, 'needed'],
  [() => new polya.BernoulliNB(), counts, { alpha: 0.5 }, 'needed'],
  [() => new polya.PoissonNB(), counts, { rate: 0.5 }, 'needed'],
  [() => new polya.KernelNB(), rows, { bandwidth: 'scott' }, 'needed'],
  [() => new polya.DirichletMultinomialNB(), counts, { tol: 0.5 }, 'needed'],
  [() => new polya.RobinsonFisherFilter(), counts, { strength: 0.5 }, 'needed'],
  [() => new polya.MixedNB(), rows, { alpha: 0.5 }, 'needed'],
  [() => new polya.LinearDiscriminantAnalysis(), rows, { tol: 0.5 }, 'needed'],
  [() => new polya.QuadraticDiscriminantAnalysis(), rows, { regParam: 0.5 }, 'needed'],
  [() => new polya.RegularizedDiscriminantAnalysis(), rows, { gamma: 0.5 }, 'needed'],
  [() => new polya.CategoricalNB(), levels, { alpha: 0.5 }, 'needed'],
  [() => new polya.TreeAugmentedNB(), levels, { alpha: 0.5 }, 'needed'],
  [() => new polya.AveragedOneDependenceNB(), levels, { alpha: 0.5 }, 'needed'],
  [() => new polya.KDependenceNB(), levels, { k: 1 }, 'needed'],
  [() => new polya.DiscriminativeMultinomialNB(), counts, { passes: 2 }, 'needed'],
  [() => new polya.LogisticRegression(), rows, { C: 0.5 }, 'needed'],
  [() => new polya.StandardScaler(), rows, { withMean: false }, 'none'],
  [() => new polya.SelectFpr(), counts, { alpha: 0.5 }, 'needed'],
  [() => new polya.VarianceThreshold(), rows, { threshold: 0.01 }, 'none'],
  [() => new polya.SimpleImputer(), rows, { strategy: 'median' }, 'none'],
  [() => new polya.SelectKBest({ k: 1 }), counts, { k: 2 }, 'needed'],
  [() => new polya.SelectPercentile(), counts, { percentile: 50 }, 'needed'],
  [() => new polya.MdlpDiscretizer(), rows, { missing: 'bin' }, 'needed'],
  [() => new polya.KBinsDiscretizer(), rows, { nBins: 2 }, 'none'],
  [() => new polya.OneHotEncoder(), levels, { sparseOutput: false }, 'none'],
  [() => new polya.OrdinalEncoder(), levels, { minFrequency: 2 }, 'none'],
  [() => new polya.TfidfTransformer(), counts, { useIdf: false }, 'none'],
  [() => new polya.CountVectorizer(), texts, { binary: true }, 'none'],
  [() => new polya.TfidfVectorizer(), texts, { useIdf: false }, 'none'],
  [() => new polya.HashingVectorizer(), texts, { nFeatures: 8 }, 'none'],
  [() => new polya.ColumnTransformer([['a', new polya.OneHotEncoder(), [0]]]), levels, { a__drop: 'first' }, 'none'],
  [
    () => polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()),
    texts,
    { multinomialnb__alpha: 0.5 },
    'needed',
  ],
  [
    () => new polya.CalibratedClassifierCV(new polya.GaussianNB(), { cv: 2 }),
    rows,
    { estimator__varSmoothing: 0.5 },
    'needed',
  ],
  [() => new polya.OneVsRestClassifier(new polya.MultinomialNB()), counts, { estimator__alpha: 0.5 }, 'needed'],
  [() => new polya.FixedThresholdClassifier(new polya.GaussianNB()), rows, { threshold: 0.3 }, 'needed'],
  [
    () => new polya.TunedThresholdClassifierCV(new polya.GaussianNB(), { cv: 2 }),
    rows,
    { estimator__varSmoothing: 0.5 },
    'needed',
  ],
  [() => new polya.GridSearchCV(new polya.GaussianNB(), { rule: ['mle'] }, { cv: 2 }), rows, { cv: 3 }, 'needed'],
  [
    () => new polya.RandomizedSearchCV(new polya.GaussianNB(), { rule: ['mle'] }, { cv: 2 }),
    rows,
    { nIter: 3 },
    'needed',
  ],
];

/** They take several labels for a row. */
const multilabel = new Set(['OneVsRestClassifier']);

/** Invalid values for labels. */
const noLabels = [undefined, null, 'ab', 7, new Set(y), () => y, {}, new Map()];

describe.each(
  subjects.map(
    ([make, X, params, labels]) => [(make() as Anything).kind, make as () => Anything, X, params, labels] as const,
  ),
)('%s', (_, make, X, params, labels) => {
  const methods = (['fit', 'fitTransform', 'partialFit', 'unlearn', 'score'] as const).filter((name) => make()[name]);
  /** Calls a method of a fitted estimator; `fit` on a new one. */
  const call = (method: (typeof methods)[number], ...given: unknown[]) => {
    const estimator = method === 'fit' ? make() : make().fit(X, y);
    return refusalOf(() => estimator[method]!(...given));
  };

  test.each(methods)('%s rejects unknown options', (method) => {
    const known = method === 'unlearn' && make().kind === 'DiscriminativeMultinomialNB' ? 'E_CONFLICT' : 'E_PARAM';
    for (const options of [{ sample_weight: y.map(() => 1) }, y.map(() => 1), new Float64Array(6), { foo: 1 }, null]) {
      expect(call(method, X, y, options).code, `${method} with ${JSON.stringify(options)}`).toBe(known);
    }
    const advice = () => (method === 'fit' ? make() : make().fit(X, y))[method]!(X, y, { sample_weight: 1 });
    if (known === 'E_PARAM') expect(advice).toThrow(/sampleWeight/);
  });

  test.runIf(labels === 'needed').each(methods)('%s rejects labels that are not a list', (method) => {
    for (const given of noLabels) {
      expect(call(method, X, given).code, `${method} with ${String(given)}`).toMatch(/^E_/);
    }
  });

  test.runIf(labels === 'none').each(methods)('%s rejects options where labels belong', (method) => {
    expect(call(method, X, { sampleWeight: y.map(() => 1) }).code).toBe('E_PARAM');
    expect(refusalOf(() => make().fit(X)[method]!(X, y, new Set())).code).toBe('E_PARAM');
  });

  test.runIf(labels === 'needed' && 'score' in make())('score rejects missing and nested labels', () => {
    const model = make().fit(X, y);
    for (const missing of [undefined, null, Number.NaN]) {
      expect(
        refusalOf(() =>
          model.score!(
            X,
            y.map(() => missing),
          ),
        ).code,
      ).toBe('E_LABEL_MISSING');
    }
    if (!multilabel.has(model.kind))
      expect(
        refusalOf(() =>
          model.score!(
            X,
            y.map((label) => [label]),
          ),
        ).code,
      ).toMatch(/^E_(SHAPE|LABEL_TYPE)$/);
  });

  test('console.log prints one line about it, and JSON.stringify refuses it', () => {
    for (const estimator of [make(), make().fit(X, y)]) {
      const printed = inspect(estimator);
      expect(printed.startsWith(estimator.kind), printed).toBe(true);
      expect(printed).not.toContain('\n');
      expect(refusalOf(() => JSON.stringify({ estimator })).code).toBe('E_TYPE');
    }
    const fitted = make().fit(X, y) as { classes?: readonly string[] };
    if (labels === 'needed' && fitted.classes) expect(inspect(fitted)).toContain('classes: a, b');
  });

  test('setParams replaces parameters, discards the fit and rejects unknown names', () => {
    const estimator = make().fit(X, y);
    expect(estimator.setParams(params)).toBe(estimator);
    const [[name, value]] = Object.entries(params);
    const inner = name.split('__').at(-1)!;
    expect(JSON.stringify(parametersIn(estimator))).toContain(`${JSON.stringify(inner)}:${JSON.stringify(value)}`);
    if (estimator.kind !== 'HashingVectorizer') {
      const ask = () => (estimator.predict ?? estimator.transform)!.call(estimator, X);
      expect(refusalOf(ask).code).toBe('E_NOT_FITTED');
    }
    estimator.fit(X, y);
    for (const wrong of [{ foo_bar: 1 }, null, [1]]) {
      expect(refusalOf(() => estimator.setParams(wrong)).code).toBe('E_PARAM');
    }
  });
});

/** Estimators of numbers or levels, by columns without and with names. */
const ofColumns = subjects.filter(([, X]) => X !== texts);

test.each(ofColumns.map(([make, X]) => [(make() as Anything).kind, make, X as unknown[][]] as const))(
  '%s has the number and the names of its columns',
  (_, make, X) => {
    const columnsOf = (given: unknown) => {
      const { nFeaturesIn, featureNamesIn } = (make() as Anything).fit(given, y) as unknown as Record<string, unknown>;
      return { nFeaturesIn, featureNamesIn };
    };
    expect(columnsOf(X)).toEqual({ nFeaturesIn: 2, featureNamesIn: undefined });
    // columns of term counts have the names of the vectorizer before them
    const featureNamesIn = (make() as Anything).kind === 'TfidfTransformer' ? undefined : ['u', 'v'];
    expect(columnsOf(X.map(([u, v]) => ({ u, v })))).toEqual({ nFeaturesIn: 2, featureNamesIn });
    const unfitted = () => (make() as unknown as { nFeaturesIn: number }).nFeaturesIn;
    expect(refusalOf(unfitted).code).toBe('E_NOT_FITTED');
  },
);

/** All parameters, including those of parts. */
function parametersIn(estimator: unknown): unknown {
  const { getParams } = Object(estimator) as Partial<Anything>;
  if (Array.isArray(estimator)) return estimator.map(parametersIn);
  if (!getParams) return estimator;
  const own = Object.entries(getParams.call(estimator as Anything));
  return Object.fromEntries(own.map(([name, value]) => [name, parametersIn(value)]));
}

/** Learning functions outside of estimators, with the arguments before their options. */
const functions: readonly (readonly [
  name: string,
  call: (y: unknown, ...options: unknown[]) => unknown,
  weights: boolean,
])[] = [
  ...(['chi2', 'fClassif', 'documentInformation', 'wordInformation'] as const).map(
    (name) => [name, (given: unknown, ...options: unknown[]) => call(name, counts, given, ...options), true] as const,
  ),
  ...(['mutualInfoClassif', 'informationGain', 'gainRatio'] as const).map(
    (name) => [name, (given: unknown, ...options: unknown[]) => call(name, counts, given, ...options), false] as const,
  ),
  ...(['leaveOneOut', 'fitSemiSupervised', 'crossValidate', 'crossValPredict', 'learningCurve'] as const).map(
    (name) =>
      [
        name,
        (given: unknown, ...options: unknown[]) => call(name, new polya.MultinomialNB(), counts, given, ...options),
        true,
      ] as const,
  ),
  ['topWords', (given, ...options) => polya.topWords(texts, given as string[], ...(options as [])), false],
];

function call(name: keyof typeof polya, ...given: unknown[]): unknown {
  return (Object(polya)[name] as (...given: unknown[]) => unknown)(...given);
}

describe.each(functions)('%s', (_, learn, weights) => {
  test('rejects unknown options', () => {
    for (const options of [{ sample_weight: y.map(() => 1) }, y.map(() => 1), new Float64Array(6), { foo: 1 }, null]) {
      expect(refusalOf(() => learn(y, options)).code, JSON.stringify(options)).toBe('E_PARAM');
    }
    if (weights) expect(() => learn(y, { sample_weight: 1 })).toThrow(/sampleWeight/);
  });

  test('rejects labels that are not a list', () => {
    for (const given of noLabels) expect(refusalOf(() => learn(given)).code, String(given)).toMatch(/^E_/);
  });
});

test('parameterPosterior rejects an unknown parameter', () => {
  const model = new polya.MultinomialNB().fit(counts, y);
  for (const query of [{ klass: 'a' }, [1], null]) {
    expect(refusalOf(() => polya.parameterPosterior(model, query as never)).code).toBe('E_PARAM');
  }
  const ask = polya.parameterPosterior as (...given: unknown[]) => unknown;
  expect(refusalOf(() => ask(model, { class: 'a', feature: 0 }, { level: 1 })).code).toBe('E_PARAM');
});

test('covariances and label encoders reject unknown options', () => {
  const covariances = [polya.EmpiricalCovariance, polya.ShrunkCovariance, polya.LedoitWolf, polya.OAS];
  for (const Covariance of covariances) {
    for (const given of [[{ sampleWeight: [1] }], [y, y], [y, { foo: 1 }]]) {
      expect(refusalOf(() => new Covariance().fit(rows, ...(given as []))).code).toBe('E_PARAM');
    }
  }
  for (const Encoder of [polya.LabelEncoder, polya.LabelBinarizer]) {
    for (const options of [[1, 1], { foo: 1 }, null]) {
      expect(refusalOf(() => new Encoder().fit(y, options as object)).code).toBe('E_PARAM');
      expect(refusalOf(() => new Encoder().fitTransform(y, options as object)).code).toBe('E_PARAM');
    }
  }
});
