import * as polya from '../../src/index.ts';
import { type Call, counts, documents, groups, levels, numbers, records, yTrue as y } from './calls.ts';

/** How a class is made and how its methods are called. Every call gets an object of its own. */
export interface Subject {
  readonly name: string;
  /** Valid arguments of the constructor; none where programs do not call it. */
  readonly construct?: Call;
  make(): object;
  readonly methods: Readonly<Record<string, Call>>;
  /** Arguments of static methods. */
  readonly statics?: Readonly<Record<string, Call>>;
}

/** What programs import, by name. */
const named: Readonly<Record<string, unknown>> = { ...polya };

const sampleWeight = [1, 2, 1, 1, 3, 1, 1, 1];
const learning = { sampleWeight, classes: ['a', 'b'] };

/** The methods of a fitted estimator that takes these rows. */
function answering(X: unknown): Record<string, Call> {
  return {
    predict: () => [X],
    predictProba: () => [X],
    predictLogProba: () => [X],
    score: () => [X, y, { sampleWeight }],
    toBytes: () => [{ slim: true, float32: false }],
  };
}

function counting(X: unknown, twin: () => object): Record<string, Call> {
  return {
    ...answering(X),
    fit: () => [X, y, learning],
    partialFit: () => [X, y, learning],
    unlearn: () => [X, y, { sampleWeight: 1 }],
    merge: () => [twin()],
    decay: () => [2, 1],
    predictJointLogProba: () => [X],
    classPosterior: () => [X],
    logEvidence: () => [X],
    explain: () => [X],
    sample: () => [2, { class: 'a', seed: 1 }],
    clone: () => [],
    getParams: () => [],
  };
}

type Maker = (options?: object) => { fit(X: never, y: never): object };

function estimator(name: string, make: Maker, X: unknown, options: object, more: Record<string, Call> = {}): Subject {
  const fitted = () => make(options).fit(X as never, y as never);
  const methods = { ...counting(X, fitted), ...more };
  return { name, construct: () => [options], make: fitted, methods };
}

const nb = (name: keyof typeof polya): Maker => {
  const Class = named[name] as new (options?: object) => ReturnType<Maker>;
  return (options) => new Class(options);
};

function transformer(name: keyof typeof polya, X: unknown, options: object, more: Record<string, Call> = {}): Subject {
  const make = nb(name);
  return {
    name,
    construct: () => [options],
    make: () => make(options).fit(X as never, y as never),
    methods: {
      fit: () => [X, y, { sampleWeight }],
      fitTransform: () => [X, y, { sampleWeight }],
      transform: () => [X],
      toBytes: () => [{}],
      clone: () => [],
      ...more,
    },
  };
}

const names = { getFeatureNamesOut: () => [['u', 'v', 'w']] };
const growing = (X: unknown, twin: () => object): Record<string, Call> => ({
  partialFit: () => [X, y, { sampleWeight }],
  unlearn: () => [X, y, { sampleWeight: 1 }],
  merge: () => [twin()],
});
const splitter = (name: keyof typeof polya, options: object): Subject => {
  const Class = named[name] as new (options?: object) => object;
  return {
    name,
    ...(Object.keys(options).length > 0 && { construct: () => [options] }),
    make: () => new Class(options),
    methods: { split: () => [counts, y, groups], getNSplits: () => [counts, y, groups] },
  };
};
const search = (name: 'GridSearchCV' | 'RandomizedSearchCV', more: object): Subject => {
  const construct = () => [
    new polya.MultinomialNB(),
    { alpha: [0.5, 1] },
    { cv: 2, scoring: 'accuracy', refit: true, returnTrainScore: true, ...more },
  ];
  const Class = named[name] as new (...args: unknown[]) => { fit(X: unknown, y: unknown): object };
  return {
    name,
    construct,
    make: () => new Class(...construct()).fit(counts, y),
    methods: {
      fit: () => [counts, y, { sampleWeight }],
      predict: () => [counts],
      predictProba: () => [counts],
      score: () => [counts, y, { sampleWeight }],
    },
  };
};

/** Methods without some that a class does not have. */
const without = (methods: Readonly<Record<string, Call>>, names: readonly string[]): Record<string, Call> =>
  Object.fromEntries(Object.entries(methods).filter(([name]) => !names.includes(name)));

/** What it has learned does not add up, and draws no rows. */
function discriminative(): Subject {
  const subject = estimator('DiscriminativeMultinomialNB', nb('DiscriminativeMultinomialNB'), counts, {
    passes: 2,
    seed: 1,
  });
  return { ...subject, methods: without(subject.methods, ['unlearn', 'merge', 'decay', 'sample']) };
}

const lists = y.map((label, i) => (i % 3 === 0 ? ['a', 'b'] : [String(label)]));
const rows = records.slice(0, 8);
const record = rows[0];
const classifier = polya.Classifier.fit(records, { target: 'kind', model: 'mixed', evaluate: false });

export const subjects: readonly Subject[] = [
  estimator('AveragedOneDependenceNB', nb('AveragedOneDependenceNB'), levels, { alpha: 1, unknown: 'smooth' }),
  estimator('BernoulliNB', nb('BernoulliNB'), counts, { alpha: 1, binarize: 0, fitPrior: true }),
  estimator('CategoricalNB', nb('CategoricalNB'), levels, { alpha: 1, fitPrior: true }),
  estimator('ComplementNB', nb('ComplementNB'), counts, { alpha: 1, norm: true }),
  estimator(
    'DirichletMultinomialNB',
    nb('DirichletMultinomialNB'),
    counts,
    { fitPrior: true },
    {
      logLikelihood: () => [counts, y],
      perplexity: () => [counts, y],
    },
  ),
  discriminative(),
  estimator('GaussianNB', nb('GaussianNB'), numbers, { varSmoothing: 1e-9, reproducible: false }),
  estimator('KernelNB', nb('KernelNB'), numbers, { bandwidth: 0.5 }),
  estimator(
    'LinearDiscriminantAnalysis',
    nb('LinearDiscriminantAnalysis'),
    numbers,
    { solver: 'lsqr', shrinkage: 0.1 },
    {
      decisionFunction: () => [numbers],
    },
  ),
  estimator(
    'MixedNB',
    nb('MixedNB'),
    records.slice(0, 8).map(({ size, colour }) => ({ size, colour })),
    { alpha: 1, wordAlpha: 0.5 },
  ),
  estimator('MultinomialNB', nb('MultinomialNB'), counts, { alpha: 1, fitPrior: true, classPrior: [0.5, 0.5] }),
  estimator('PoissonNB', nb('PoissonNB'), counts, { fitPrior: true }),
  estimator(
    'QuadraticDiscriminantAnalysis',
    nb('QuadraticDiscriminantAnalysis'),
    numbers,
    { regParam: 0.1 },
    {
      decisionFunction: () => [numbers],
    },
  ),
  estimator(
    'RegularizedDiscriminantAnalysis',
    nb('RegularizedDiscriminantAnalysis'),
    numbers,
    { lambda: 0.3, gamma: 0.1 },
    {
      decisionFunction: () => [numbers],
    },
  ),
  estimator(
    'RobinsonFisherFilter',
    nb('RobinsonFisherFilter'),
    counts,
    { spamCutoff: 0.9 },
    { filter: () => [counts] },
  ),
  estimator('KDependenceNB', nb('KDependenceNB'), levels, { k: 1, concentration: 1, unknown: 'smooth' }),
  estimator('TreeAugmentedNB', nb('TreeAugmentedNB'), levels, { alpha: 1, unknown: 'smooth' }),
  transformer(
    'CountVectorizer',
    documents,
    { lowercase: true, ngramRange: [1, 2], minDf: 1, stopWords: ['the'] },
    {
      ...growing(
        documents,
        () => new polya.CountVectorizer({ lowercase: true, ngramRange: [1, 2], minDf: 1, stopWords: ['the'] }),
      ),
    },
  ),
  transformer(
    'TfidfVectorizer',
    documents,
    { sublinearTf: true, norm: 'l2' },
    {
      ...growing(documents, () => new polya.TfidfVectorizer({ sublinearTf: true, norm: 'l2' })),
    },
  ),
  transformer(
    'HashingVectorizer',
    documents,
    { nFeatures: 32, alternateSign: false },
    {
      partialFit: () => [documents, y, { sampleWeight }],
      unlearn: () => [documents, y, { sampleWeight: 1 }],
    },
  ),
  transformer(
    'TfidfTransformer',
    counts,
    { smoothIdf: true },
    {
      ...growing(counts, () => new polya.TfidfTransformer({ smoothIdf: true })),
      ...names,
    },
  ),
  transformer(
    'KBinsDiscretizer',
    numbers,
    { nBins: 2, encode: 'ordinal' },
    { inverseTransform: () => [counts.map((row) => row.map((x) => x % 2))], ...names },
  ),
  transformer('MdlpDiscretizer', numbers, { encode: 'ordinal' }, names),
  transformer('OneHotEncoder', levels, { handleUnknown: 'ignore' }, names),
  transformer('OrdinalEncoder', levels, { unknownValue: -1, handleUnknown: 'use_encoded_value' }, names),
  transformer(
    'SelectKBest',
    counts,
    { k: 2, scoreFunc: 'chi2' },
    { partialFit: () => [counts, y, { sampleWeight }], getSupport: () => [{ indices: true }], ...names },
  ),
  transformer(
    'SelectPercentile',
    counts,
    { percentile: 50, scoreFunc: 'chi2' },
    { partialFit: () => [counts, y, { sampleWeight }], ...names },
  ),
  {
    name: 'ColumnTransformer',
    construct: () => [[['words', new polya.OneHotEncoder(), [0, 1]]], { remainder: 'drop' }],
    make: () => new polya.ColumnTransformer([['words', new polya.OneHotEncoder(), [0, 1]]]).fit(levels),
    methods: {
      fit: () => [levels, y],
      fitTransform: () => [levels, y],
      transform: () => [levels],
      toBytes: () => [{}],
    },
  },
  {
    name: 'Pipeline',
    construct: () => [
      [
        ['words', new polya.CountVectorizer()],
        ['model', new polya.MultinomialNB()],
      ],
    ],
    make: () => polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()).fit(documents, y),
    methods: {
      ...without(
        counting(documents, () =>
          polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()).fit(documents, y),
        ),
        ['decay', 'sample'],
      ),
      step: () => ['countvectorizer'],
      prune: () => [{ minDf: 1 }],
    },
  },
  {
    name: 'CalibratedClassifierCV',
    construct: () => [new polya.MultinomialNB(), { cv: 2, method: 'sigmoid' }],
    make: () => new polya.CalibratedClassifierCV(new polya.MultinomialNB(), { cv: 2 }).fit(counts, y),
    methods: { ...answering(counts), fit: () => [counts, y, { sampleWeight }] },
  },
  search('GridSearchCV', {}),
  search('RandomizedSearchCV', { nIter: 2, randomState: 1 }),
  transformer('Binarizer', numbers, { threshold: 1 }, names),
  transformer('FunctionTransformer', numbers, { func: null }, { inverseTransform: () => [numbers], ...names }),
  transformer('Normalizer', numbers, { norm: 'l1' }, names),
  transformer('SimpleImputer', numbers, { strategy: 'median', addIndicator: false, fillValue: 1 }, names),
  transformer(
    'StandardScaler',
    numbers,
    { withMean: true, withStd: true },
    { partialFit: () => [numbers, y, { sampleWeight }], inverseTransform: () => [numbers], ...names },
  ),
  transformer('VarianceThreshold', numbers, { threshold: 0 }, { inverseTransform: () => [numbers], ...names }),
  ...(['SelectFdr', 'SelectFpr', 'SelectFwe'] as const).map((name) =>
    transformer(name, counts, { alpha: 1, scoreFunc: 'chi2' }, { getSupport: () => [{ indices: true }], ...names }),
  ),
  {
    name: 'LogisticRegression',
    construct: () => [{ fitIntercept: true, maxIter: 5 }],
    make: () => new polya.LogisticRegression().fit(numbers, y),
    methods: {
      ...answering(numbers),
      fit: () => [numbers, y, { sampleWeight }],
      decisionFunction: () => [numbers],
    },
  },
  ...(['EmpiricalCovariance', 'LedoitWolf', 'OAS', 'ShrunkCovariance'] as const).map((name) => ({
    name,
    construct: () => [{ assumeCentered: false }],
    make: () => (nb(name)() as unknown as polya.OAS).fit(numbers),
    methods: { fit: () => [numbers], mahalanobis: () => [numbers], score: () => [numbers] },
  })),
  {
    name: 'LabelEncoder',
    make: () => new polya.LabelEncoder().fit(y),
    methods: { fit: () => [y], transform: () => [y], fitTransform: () => [y], inverseTransform: () => [[0, 1]] },
  },
  {
    name: 'LabelBinarizer',
    construct: () => [{ negLabel: 0, posLabel: 1 }],
    make: () => new polya.LabelBinarizer().fit(y),
    methods: { fit: () => [y], transform: () => [y], fitTransform: () => [y], inverseTransform: () => [[[0], [1]]] },
  },
  {
    name: 'MultiLabelBinarizer',
    make: () => new polya.MultiLabelBinarizer().fit(lists),
    methods: {
      fit: () => [lists],
      transform: () => [lists],
      fitTransform: () => [lists],
      inverseTransform: () => [[[0, 1]]],
    },
  },
  {
    name: 'OneVsRestClassifier',
    construct: () => [new polya.MultinomialNB()],
    make: () => new polya.OneVsRestClassifier(new polya.MultinomialNB()).fit(counts, lists),
    methods: {
      fit: () => [counts, lists, { sampleWeight }],
      partialFit: () => [counts, lists, { sampleWeight }],
      unlearn: () => [counts, lists, { sampleWeight: 1 }],
      merge: () => [new polya.OneVsRestClassifier(new polya.MultinomialNB()).fit(counts, lists)],
      predict: () => [counts],
      predictLabels: () => [counts],
      predictProba: () => [counts],
      predictLogProba: () => [counts],
      score: () => [counts, lists, { sampleWeight }],
      toBytes: () => [{}],
    },
  },
  {
    name: 'MultiOutputClassifier',
    construct: () => [new polya.MultinomialNB()],
    make: () => new polya.MultiOutputClassifier(new polya.MultinomialNB()).fit(counts, levels),
    methods: {
      fit: () => [counts, levels, { sampleWeight }],
      partialFit: () => [counts, levels, { sampleWeight }],
      predict: () => [counts],
      predictProba: () => [counts],
      score: () => [counts, levels, { sampleWeight }],
      toBytes: () => [{}],
    },
  },
  ...(['FixedThresholdClassifier', 'TunedThresholdClassifierCV'] as const).map((name) => ({
    name,
    construct: () => [
      new polya.GaussianNB(),
      name === 'FixedThresholdClassifier' ? { threshold: 0.4, posLabel: 'b' } : { cv: 2, thresholds: 3, posLabel: 'b' },
    ],
    make: () =>
      name === 'FixedThresholdClassifier'
        ? new polya.FixedThresholdClassifier(new polya.GaussianNB()).fit(numbers, y)
        : new polya.TunedThresholdClassifierCV(new polya.GaussianNB(), { cv: 2, thresholds: 3 }).fit(numbers, y),
    methods: without({ ...answering(numbers), fit: () => [numbers, y, { sampleWeight }] }, ['predictLogProba']),
  })),
  {
    name: 'ParameterGrid',
    make: () => new polya.ParameterGrid({ alpha: [1, 2] }),
    methods: {},
  },
  {
    name: 'TransformerCache',
    make: () => new polya.TransformerCache(),
    methods: { clear: () => [] },
  },
  splitter('ShuffleSplit', { nSplits: 2, testSize: 0.25, randomState: 1 }),
  splitter('StratifiedShuffleSplit', { nSplits: 2, testSize: 0.25, randomState: 1 }),
  splitter('GroupShuffleSplit', { nSplits: 2, testSize: 0.25, randomState: 1 }),
  splitter('LeaveOneGroupOut', {}),
  {
    name: 'LeavePOut',
    construct: () => [2],
    make: () => new polya.LeavePOut(2),
    methods: { split: () => [counts], getNSplits: () => [counts] },
  },
  {
    name: 'PredefinedSplit',
    construct: () => [[0, 1, 0, 1, 0, 1, 0, 1]],
    make: () => new polya.PredefinedSplit([0, 1, 0, 1, 0, 1, 0, 1]),
    methods: { split: () => [counts], getNSplits: () => [counts] },
  },
  splitter('KFold', { nSplits: 2, shuffle: true, randomState: 1 }),
  splitter('StratifiedKFold', { nSplits: 2, shuffle: true, randomState: 1 }),
  splitter('GroupKFold', { nSplits: 2 }),
  splitter('StratifiedGroupKFold', { nSplits: 2 }),
  splitter('LeaveOneOut', {}),
  splitter('RepeatedKFold', { nSplits: 2, nRepeats: 2, randomState: 1 }),
  splitter('RepeatedStratifiedKFold', { nSplits: 2, nRepeats: 2, randomState: 1 }),
  splitter('TimeSeriesSplit', { nSplits: 2, gap: 1, testSize: 1 }),
  {
    name: 'Classifier',
    make: () => classifier.clone(),
    methods: {
      predict: () => [rows, { strict: true }],
      predictProba: () => [rows, { strict: true }],
      predictLogProba: () => [rows, { strict: true }],
      logEvidence: () => [rows, { strict: true }],
      classify: () => [record, { strict: true }],
      classifyAll: () => [rows, { strict: true }],
      explain: () => [record, { strict: true }],
      score: () => [rows, y, { sampleWeight, strict: true }],
      partialFit: () => [rows, { sampleWeight, strict: true }],
      unlearn: () => [rows, { sampleWeight: 1, strict: true }],
      calibrate: () => [records, { method: 'sigmoid', minRows: 0, strict: true }],
      merge: () => [classifier.clone()],
      decay: () => [0.5],
      save: () => [{ slim: true }],
      toBytes: () => [{ slim: true }],
    },
    statics: {
      fit: () => [records, { target: 'kind', model: 'mixed', evaluate: false, features: ['size', 'colour'], seed: 1 }],
      fitStream: () => [[records], { target: 'kind', model: 'mixed', features: ['size', 'colour'] }],
      load: () => [classifier.toBytes()],
    },
  },
  {
    name: 'TableProfiler',
    construct: () => [{ target: 'kind', sampleRows: 10, seed: 1 }],
    make: () => new polya.TableProfiler({ target: 'kind' }),
    methods: { add: () => [records] },
  },
  {
    name: 'Matrix',
    construct: () => [2, 2, Float64Array.of(1, 2, 3, 4)],
    make: () => polya.Matrix.from(counts),
    methods: { toArray: () => [] }, // row, slice and at are called for every cell, and check nothing
    statics: { from: () => [counts] },
  },
  {
    name: 'SparseMatrix',
    construct: () => [2, 3, [0, 1, 2], [0, 2], [1, 1]],
    make: () => new polya.SparseMatrix(2, 3, [0, 1, 2], [0, 2], [1, 1]),
    methods: { toArray: () => [] },
    statics: { fromRows: () => [[new Map([[0, 1]])], 3] },
  },
  {
    name: 'Random',
    construct: () => [1],
    make: () => new polya.Random(1),
    methods: {
      uniform: () => [],
      integer: () => [3],
      normal: () => [],
      permutation: () => [3],
      shuffle: () => [[1, 2]],
    },
  },
  {
    name: 'Prequential',
    construct: () => [{ fading: 0.9, window: 3 }],
    make: () => new polya.Prequential(),
    methods: { update: () => ['a', 'b', 0.5], scores: () => [] },
  },
  { name: 'SoftLabels', make: () => polya.softLabels([[0.5, 0.5]], ['a', 'b']), methods: {} },
  { name: 'PolyaError', make: () => new polya.PolyaError('E_PARAM', 'a sentence'), methods: { toJSON: () => [] } },
];
