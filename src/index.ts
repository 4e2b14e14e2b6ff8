/**
 * The entry point `polya`: classifiers, transformers, metrics and data, for Node and browsers, without dependencies.
 * @module polya
 */

export { type Classification, Classifier, type ClassifierExplanation, type LabelIn } from './auto/classifier.ts';
export type { CalibrateOptions, RowOptions } from './auto/classifier-learning.ts';
export type { ClassifierOptions } from './auto/classifier-options.ts';
export type {
  ClassifierInformativeOptions,
  ClassifierNomogram,
  ClassifierNomogramOptions,
  ClassifierReport,
  Evaluation,
} from './auto/classifier-report.ts';
export { columnInformation } from './auto/column-scores.ts';
export type { ClassifierInformative } from './auto/informative.ts';
export type { ClassifierColumn, ClassifierSchema } from './auto/learner-columns.ts';
export { classifierModels, type ModelName } from './auto/learner-families.ts';
export { type LoadedModel, load } from './auto/load.ts';
export { type ProfileOptions, profileRows, type TableProfile, TableProfiler } from './auto/profile.ts';
export type { RecordOptions } from './auto/record-check.ts';
export { type ColumnKind, inferSchema, type Schema, type SchemaColumn } from './auto/schema.ts';
export type { Warning } from './auto/warnings.ts';
export type { Savable, SaveOptions, State, StateOptions } from './core/artifact.ts';
export { inspectModel, type ModelCard } from './core/card.ts';
export type { ParameterPosterior } from './core/distributions.ts';
export { count, type Model, type Moves, type Statistic, score, type Terms } from './core/model.ts';
export type { Posterior } from './core/posterior.ts';
export type { Background, ClassPrior, Prior } from './core/prior.ts';
export type { Provenance } from './core/provenance.ts';
export { type Batch, batch, type Rows, type Shape } from './data/batch.ts';
export type { CellFormat, FormatOptions } from './data/cell-format.ts';
export { parseCsv, readCsv } from './data/csv.ts';
export { formatCsv } from './data/csv-format.ts';
export type { CsvOptions } from './data/csv-options.ts';
export { type TextEncoding, textEncodings } from './data/encoding.ts';
export { type FastTextOptions, parseFastText, readFastText } from './data/fasttext.ts';
export type { BadRow } from './data/faults.ts';
export type { Features } from './data/input.ts';
export { type JsonLines, type JsonLinesOptions, parseJsonLines, readJsonLines } from './data/jsonl.ts';
export type { Label } from './data/labels.ts';
export type { LineOptions } from './data/line-rows.ts';
export type { Mail } from './data/mail.ts';
export { Matrix } from './data/matrix.ts';
export { type MboxOptions, readMbox } from './data/mbox.ts';
export { SoftLabels, softLabels } from './data/soft-labels.ts';
export type { Source } from './data/source.ts';
export { SparseMatrix } from './data/sparse.ts';
export { recordsOf, rowsOf, type Table } from './data/table.ts';
export type { Weights } from './data/weights.ts';
export { loadCareers } from './datasets/careers.ts';
export { loadChinaJapan } from './datasets/china-japan.ts';
export type { Dataset } from './datasets/dataset.ts';
export { loadHouses } from './datasets/houses.ts';
export { loadIris } from './datasets/iris.ts';
export { loadPostings } from './datasets/postings.ts';
export { loadTitanic } from './datasets/titanic.ts';
export { loadWeather } from './datasets/weather.ts';
export type { CountOptions } from './engines/engine.ts';
export { memory } from './engines/memory.ts';
export { type ErrorCode, type ErrorDetails, PolyaError, refusals } from './errors.ts';
export {
  AveragedOneDependenceNB,
  type AveragedOneDependenceNBOptions,
} from './estimators/averaged-one-dependence-nb.ts';
export { BernoulliNB, type BernoulliNBOptions } from './estimators/bernoulli-nb.ts';
export { CalibratedClassifierCV, type CalibratedClassifierCVOptions } from './estimators/calibrated-classifier-cv.ts';
export { CategoricalNB, type CategoricalNBOptions } from './estimators/categorical-nb.ts';
export { type ChooseFamiliesOptions, chooseFamilies } from './estimators/choose-families.ts';
export type { ColumnRoute, ColumnStep } from './estimators/column-transformer.ts';
export { ColumnTransformer, type ColumnTransformerOptions } from './estimators/column-transformer.ts';
export { type CompareModelsOptions, compareModels, type ModelComparison } from './estimators/compare-models.ts';
export { ComplementNB, type ComplementNBOptions } from './estimators/complement-nb.ts';
export { bagOfWords, CountVectorizer, type CountVectorizerOptions, setOfWords } from './estimators/count-vectorizer.ts';
export {
  type CredibleIntervalOptions,
  type CredibleIntervals,
  credibleInterval,
} from './estimators/credible-interval.ts';
export {
  type CrossValidateOptions,
  type CrossValidation,
  type CrossValidations,
  crossValidate,
  crossValPredict,
  crossValScore,
  type PredictMethod,
} from './estimators/cross-validation.ts';
export {
  type CurveScores,
  type LearningCurve,
  type LearningCurveOptions,
  learningCurve,
  type ValidationCurveOptions,
  validationCurve,
} from './estimators/curves.ts';
export {
  DirichletMultinomialNB,
  type DirichletMultinomialNBOptions,
  type LikelihoodOptions,
} from './estimators/dirichlet-multinomial-nb.ts';
export {
  DiscriminativeMultinomialNB,
  type DiscriminativeMultinomialNBOptions,
} from './estimators/discriminative-multinomial-nb.ts';
export { type DoubleCounting, type DoubleCountingOptions, doubleCounting } from './estimators/double-counting.ts';
export type { Explanation } from './estimators/explanation.ts';
export type { FittedModel, FittedWith, ModelInput } from './estimators/fitted-model.ts';
export type { Candidate, CrossValidator, FoldOptions } from './estimators/fold-learning.ts';
export { GaussianNB, type GaussianNBOptions } from './estimators/gaussian-nb.ts';
export { HashingVectorizer, type HashingVectorizerOptions } from './estimators/hashing-vectorizer.ts';
export type { Fitted, Names } from './estimators/inside.ts';
export { KDependenceNB, type KDependenceNBOptions } from './estimators/k-dependence-nb.ts';
export { KBinsDiscretizer, type KBinsDiscretizerOptions } from './estimators/kbins-discretizer.ts';
export { KernelNB, type KernelNBOptions } from './estimators/kernel-nb.ts';
export type { CovarianceEstimator } from './estimators/kinds/discriminant-options.ts';
export { LabelBinarizer, LabelEncoder, MultiLabelBinarizer } from './estimators/label-encoders.ts';
export type { Capabilities, LearnOptions, PartialFitOptions } from './estimators/learning.ts';
export { type LeaveOneOutResult, leaveOneOut } from './estimators/leave-one-out.ts';
export {
  LinearDiscriminantAnalysis,
  type LinearDiscriminantAnalysisOptions,
} from './estimators/linear-discriminant-analysis.ts';
export type { Estimator } from './estimators/load.ts';
export { logLikelihood, logSumExp } from './estimators/log-likelihood.ts';
export { LogisticRegression, type LogisticRegressionOptions } from './estimators/logistic-regression.ts';
export { type MakeScorerOptions, makeScorer } from './estimators/make-scorer.ts';
export { MdlpDiscretizer, type MdlpDiscretizerOptions } from './estimators/mdlp-discretizer.ts';
export { type MixedFeatures, MixedNB, type MixedNBOptions } from './estimators/mixed-nb.ts';
export { type Informative, type MostInformativeOptions, mostInformative } from './estimators/most-informative.ts';
export { MultiOutputClassifier } from './estimators/multi-output-classifier.ts';
export { MultinomialNB, type MultinomialNBOptions } from './estimators/multinomial-nb.ts';
export { type Nomogram, type NomogramOptions, nomogram } from './estimators/nomogram.ts';
export { OneHotEncoder, type OneHotEncoderOptions } from './estimators/one-hot-encoder.ts';
export { OneVsRestClassifier } from './estimators/one-vs-rest-classifier.ts';
export { OrdinalEncoder, type OrdinalEncoderOptions } from './estimators/ordinal-encoder.ts';
export { type LocatedPosterior, type PosteriorQuery, parameterPosterior } from './estimators/parameter-posterior.ts';
export {
  type PermutationTest,
  type PermutationTestOptions,
  permutationTestScore,
} from './estimators/permutation-test.ts';
export { makePipeline, Pipeline } from './estimators/pipeline.ts';
export type { PipelineOptions } from './estimators/pipeline-learning.ts';
export type { Step } from './estimators/pipeline-step.ts';
export { PoissonNB, type PoissonNBOptions } from './estimators/poisson-nb.ts';
export {
  Binarizer,
  FunctionTransformer,
  Normalizer,
  SimpleImputer,
  VarianceThreshold,
} from './estimators/preprocessing.ts';
export {
  QuadraticDiscriminantAnalysis,
  type QuadraticDiscriminantAnalysisOptions,
} from './estimators/quadratic-discriminant-analysis.ts';
export {
  RegularizedDiscriminantAnalysis,
  type RegularizedDiscriminantAnalysisOptions,
} from './estimators/regularized-discriminant-analysis.ts';
export { restore } from './estimators/restore.ts';
export {
  type FilterVerdict,
  RobinsonFisherFilter,
  type RobinsonFisherFilterOptions,
} from './estimators/robinson-fisher-filter.ts';
export type { Scorer, Scoring, ScoringName, Scorings } from './estimators/scoring.ts';
export {
  type CvResults,
  GridSearchCV,
  type ParamDistributions,
  ParameterGrid,
  type ParamGrid,
  RandomizedSearchCV,
  type RandomizedSearchOptions,
  type SearchOptions,
} from './estimators/search.ts';
export {
  type SelectByPValueOptions,
  SelectFdr,
  SelectFpr,
  SelectFwe,
  SelectKBest,
  type SelectKBestOptions,
  SelectPercentile,
  type SelectPercentileOptions,
} from './estimators/select.ts';
export {
  fitSemiSupervised,
  type SemiSupervisedOptions,
  type SemiSupervisedReport,
} from './estimators/semi-supervised.ts';
export { StandardScaler, type StandardScalerOptions } from './estimators/standard-scaler.ts';
export { TfidfTransformer, type TfidfTransformerOptions } from './estimators/tfidf-transformer.ts';
export { sqrtTf, TfidfVectorizer, type TfidfVectorizerOptions } from './estimators/tfidf-vectorizer.ts';
export {
  FixedThresholdClassifier,
  type FixedThresholdOptions,
  TunedThresholdClassifierCV,
  type TunedThresholdOptions,
} from './estimators/threshold-classifiers.ts';
export { type TextTopWordsOptions, type TopWords, type TopWordsOptions, topWords } from './estimators/top-words.ts';
export { TransformerCache } from './estimators/transformer-cache.ts';
export { TreeAugmentedNB, type TreeAugmentedNBOptions } from './estimators/tree-augmented-nb.ts';
export { type WhatIf, whatIf } from './estimators/what-if.ts';
export type { Params } from './estimators/with-params.ts';
export * from './evaluate/index.ts';
export { bernoulliInformation } from './features/coins.ts';
export type { Numbers } from './features/columns.ts';
export { EmpiricalCovariance, LedoitWolf, OAS, ShrunkCovariance } from './features/covariance.ts';
export type { Category } from './features/encode.ts';
export {
  chi2OfTable,
  chi2PerClass,
  documentInformation,
  type EventOptions,
  type Events,
  informationFromSums,
  informationOfTable,
  informationPerClass,
  wordInformation,
} from './features/events.ts';
export {
  chi2FromHistogram,
  gainRatio,
  gainRatioFromHistogram,
  informationFromHistogram,
  informationGain,
} from './features/gain.ts';
export type { UnitOptions } from './features/information.ts';
export { type MutualInfoOptions, mutualInfoClassif } from './features/mutual-information.ts';
export type { ColumnChoice } from './features/routes.ts';
export type { ScoreFunction } from './features/scorers.ts';
export { chi2, chi2FromSums, fClassif, fFromMoments, type ScoreOptions, type Scores } from './features/scores.ts';
export type { TableRows } from './features/table.ts';
export { Random } from './math/random.ts';
export { aode } from './models/aode.ts';
export { bernoulli } from './models/bernoulli.ts';
export { categorical } from './models/categorical.ts';
export { checkModel, type ModelTrial } from './models/check-model.ts';
export {
  beta,
  exponential,
  gamma,
  lognormal,
  vonmises,
  zeroinflatedgamma,
  zeroinflatedlognormal,
  zeroinflatedpoisson,
} from './models/column-distributions.ts';
export {
  type ColumnDistribution,
  type ColumnModel,
  columnModel,
  type SumDistribution,
  type ValueDistribution,
} from './models/column-model.ts';
export { complement } from './models/complement.ts';
export { discriminative } from './models/discriminative.ts';
export { gaussian } from './models/gaussian.ts';
export { kdb } from './models/kdb.ts';
export { kernel } from './models/kernel.ts';
export { linearDiscriminant } from './models/linear-discriminant.ts';
export { mixed, registerFamily } from './models/mixed.ts';
export { multinomial } from './models/multinomial.ts';
export { poisson } from './models/poisson.ts';
export { quadraticDiscriminant } from './models/quadratic-discriminant.ts';
export { robinsonFisher } from './models/robinson-fisher.ts';
export { tree } from './models/tree.ts';
export { urn } from './models/urn.ts';
export { negativebinomial, studentt, zeroinflatednegativebinomial } from './models/value-distributions.ts';
export { bursts } from './stats/bursts.ts';
export { contexts } from './stats/contexts.ts';
export { histogram } from './stats/histogram.ts';
export { moments } from './stats/moments.ts';
export { pairs } from './stats/pairs.ts';
export { quartic } from './stats/quartic.ts';
export { gappedScatter, scatter } from './stats/scatter.ts';
export { sums } from './stats/sums.ts';
export { values } from './stats/values.ts';
export { fitAsync, partialFitAsync, transformAsync } from './text/async-documents.ts';
export type { AsyncDocuments, Document, Documents } from './text/documents.ts';
export { inverseTransform } from './text/inverse.ts';
export { chineseTokenizer, loadJieba } from './text/jieba.ts';
export type { TokenFunction } from './text/options.ts';
export type { PruneOptions } from './text/prune.ts';
export { prune } from './text/pruning.ts';
export { loadStemmer, type StemLanguage, snowballStemmer, stemLanguages } from './text/stem.ts';
export { type StopWordLanguage, stopWordLanguages, stopWords } from './text/stop-words.ts';
