import type { State } from '../core/artifact.ts';
import { refuse, show } from '../errors.ts';
import { AveragedOneDependenceNB } from './averaged-one-dependence-nb.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CalibratedClassifierCV } from './calibrated-classifier-cv.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { ColumnTransformer } from './column-transformer.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { DirichletMultinomialNB } from './dirichlet-multinomial-nb.ts';
import { DiscriminativeMultinomialNB } from './discriminative-multinomial-nb.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { HashingVectorizer } from './hashing-vectorizer.ts';
import { KDependenceNB } from './k-dependence-nb.ts';
import { KBinsDiscretizer } from './kbins-discretizer.ts';
import { KernelNB } from './kernel-nb.ts';
import { intact } from './learned.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { LogisticRegression } from './logistic-regression.ts';
import { MdlpDiscretizer } from './mdlp-discretizer.ts';
import { MixedNB } from './mixed-nb.ts';
import { MultiOutputClassifier } from './multi-output-classifier.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { OneHotEncoder } from './one-hot-encoder.ts';
import { OneVsRestClassifier } from './one-vs-rest-classifier.ts';
import { OrdinalEncoder } from './ordinal-encoder.ts';
import { Pipeline } from './pipeline.ts';
import { PoissonNB } from './poisson-nb.ts';
import { Binarizer, FunctionTransformer, Normalizer, SimpleImputer, VarianceThreshold } from './preprocessing.ts';
import { QuadraticDiscriminantAnalysis } from './quadratic-discriminant-analysis.ts';
import { RegularizedDiscriminantAnalysis } from './regularized-discriminant-analysis.ts';
import { restore } from './restore.ts';
import { RobinsonFisherFilter } from './robinson-fisher-filter.ts';
import { SelectFdr, SelectFpr, SelectFwe, SelectKBest, SelectPercentile } from './select.ts';
import { StandardScaler } from './standard-scaler.ts';
import { TfidfTransformer } from './tfidf-transformer.ts';
import { TfidfVectorizer } from './tfidf-vectorizer.ts';
import { FixedThresholdClassifier, TunedThresholdClassifierCV } from './threshold-classifiers.ts';
import { TreeAugmentedNB } from './tree-augmented-nb.ts';
import { wrapperOf } from './wrapper.ts';

/** Every estimator by the name that model files use. */
export const estimators = {
  AveragedOneDependenceNB,
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  DirichletMultinomialNB,
  DiscriminativeMultinomialNB,
  GaussianNB,
  KDependenceNB,
  KernelNB,
  LinearDiscriminantAnalysis,
  MixedNB,
  MultinomialNB,
  PoissonNB,
  QuadraticDiscriminantAnalysis,
  RegularizedDiscriminantAnalysis,
  RobinsonFisherFilter,
  TreeAugmentedNB,
} as const;

/** The steps before a classifier, from documents and raw columns to counts, and the one classifier that does not count. */
const transformers = {
  Binarizer,
  CountVectorizer,
  FunctionTransformer,
  HashingVectorizer,
  KBinsDiscretizer,
  LogisticRegression,
  MdlpDiscretizer,
  Normalizer,
  OneHotEncoder,
  OrdinalEncoder,
  SelectFdr,
  SelectFpr,
  SelectFwe,
  SelectKBest,
  SelectPercentile,
  SimpleImputer,
  StandardScaler,
  TfidfTransformer,
  TfidfVectorizer,
  VarianceThreshold,
} as const;

/** Estimators made of others, which are restored first. */
const composed = {
  CalibratedClassifierCV: (state: State) => wrapperOf(CalibratedClassifierCV, state, restoreState),
  ColumnTransformer: (state: State) => ColumnTransformer.fromState(state, restoreState as never),
  FixedThresholdClassifier: (state: State) => wrapperOf(FixedThresholdClassifier, state, restoreState),
  MultiOutputClassifier: (state: State) => wrapperOf(MultiOutputClassifier, state, restoreState),
  OneVsRestClassifier: (state: State) => wrapperOf(OneVsRestClassifier, state, restoreState),
  Pipeline: (state: State) => Pipeline.fromState(state, restoreState as never),
  TunedThresholdClassifierCV: (state: State) => wrapperOf(TunedThresholdClassifierCV, state, restoreState),
} as const;

/** Any classifier of Pólya. */
export type Estimator = InstanceType<(typeof estimators)[keyof typeof estimators]>;

/** Every estimator, transformer and composition of them that a model file may hold. */
export type Restored =
  | Estimator
  | InstanceType<(typeof transformers)[keyof typeof transformers]>
  | ReturnType<(typeof composed)[keyof typeof composed]>;

/** The estimator of a state. */
export function restoreState(state: State): Restored {
  return intact(() => revive(state));
}

function revive(state: State): Restored {
  const { kind, params } = state;
  if (Object.hasOwn(composed, kind)) return composed[kind as keyof typeof composed](state);
  const plain = { ...estimators, ...transformers } as unknown as Readonly<
    Record<string, new (params: unknown) => Restored>
  >;
  if (!Object.hasOwn(plain, kind)) {
    refuse('E_MODEL_CORRUPT', `the model is of the unknown kind ${show(kind)}`, { kind });
  }
  return restore(new plain[kind](params), state);
}
