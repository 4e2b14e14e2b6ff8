/** The public names of this folder. */
export { type BootstrapOptions, bootstrapInterval, type WeightedStatistic } from './bootstrap.ts';
export {
  applyCalibration,
  type Calibration,
  type FitCalibrationOptions,
  fitCalibration,
} from './calibrate.ts';
export type { ClassScoreOptions, NoAverage, PerClass } from './class-scores.ts';
export {
  type FbetaScoreOptions,
  f1Score,
  fbetaScore,
  jaccardScore,
  type PrecisionRecallOptions,
  precisionRecallFscoreSupport,
  precisionScore,
  recallScore,
} from './class-scores.ts';
export {
  type CorrectedTTestOptions,
  correctedResampledTTest,
  type McNemarVerdict,
  mcnemarTest,
} from './compare.ts';
export {
  type Conformal,
  type ConformalOptions,
  evaluateSets,
  fitConformal,
  type PredictSetsOptions,
  predictSets,
  type SetQuality,
} from './conformal.ts';
export {
  type Confusion,
  type ConfusionMatrixOptions,
  type CountConfusionOptions,
  confusionMatrix,
  countConfusion,
} from './confusion.ts';
export {
  auc,
  type CurveOptions,
  cumulativeGainCurve,
  detCurve,
  type GainOptions,
  liftCurve,
  precisionRecallCurve,
  rocCurve,
} from './curves.ts';
export { type Decider, type Decision, type DecisionOptions, decide } from './decide.ts';
export type { Costs } from './decision-rule.ts';
export {
  type AbstentionThreshold,
  type AbstentionThresholdOptions,
  abstentionThreshold,
  type BestThresholdOptions,
  bestThreshold,
  type DecisionThreshold,
  type NoveltyThreshold,
  noveltyThreshold,
  type ThresholdGoal,
} from './decision-threshold.ts';
export {
  KFold,
  type KFoldOptions,
  LeaveOneOut,
  type RandomState,
  type Split,
  type Splitter,
  StratifiedKFold,
} from './folds.ts';
export {
  type D2Options,
  type DcgOptions,
  d2BrierScore,
  d2LogLossScore,
  dcgScore,
  hingeLoss,
  ndcgScore,
} from './gain-metrics.ts';
export { GroupKFold, StratifiedGroupKFold } from './group-folds.ts';
export { clopperPearsonInterval, type Interval, type IntervalOptions, wilsonInterval } from './intervals.ts';
export {
  fitIsotonic,
  type Isotonic,
  type IsotonicRegressionOptions,
  isotonicRegression,
  predictIsotonic,
} from './isotonic.ts';
export type { Answers, LabelRows } from './label-rows.ts';
export { LeaveOneGroupOut, LeavePOut, PredefinedSplit } from './leave-out.ts';
export {
  accuracyOf,
  accuracyScore,
  type BalancedAccuracyOptions,
  balancedAccuracyScore,
  type CohenKappaOptions,
  cohenKappaScore,
  hammingLoss,
  matthewsCorrcoef,
  type ShareOptions,
  type WeightOptions,
  zeroOneLoss,
} from './metrics.ts';
export {
  classLikelihoodRatios,
  type LikelihoodRatioOptions,
  type MultilabelConfusionOptions,
  multilabelConfusionMatrix,
} from './multilabel-metrics.ts';
export type { CurveMethod } from './posterior-calibration.ts';
export {
  Prequential,
  type PrequentialOptions,
  type PrequentialScores,
  prequentialScores,
  type StreamScores,
} from './prequential.ts';
export {
  type BrierScoreLossOptions,
  brierScoreLoss,
  type LogLossOptions,
  logLoss,
  type TopKAccuracyOptions,
  topKAccuracyScore,
} from './probability-metrics.ts';
export {
  type AveragePrecisionOptions,
  averagePrecisionScore,
  type RocAucOptions,
  rocAucScore,
} from './ranking-scores.ts';
export {
  type AdaptiveErrorOptions,
  adaptiveCalibrationError,
  type BrierDecomposition,
  type BrierDecompositionOptions,
  brierDecomposition,
  type CalibrationBin,
  type CalibrationCurveOptions,
  type CalibrationErrorOptions,
  calibrationBins,
  calibrationCurve,
  expectedCalibrationError,
} from './reliability.ts';
export { type RepeatedFoldOptions, RepeatedKFold, RepeatedStratifiedKFold } from './repeated-folds.ts';
export {
  type ClassificationReportOptions,
  classificationReport,
  type ReportDict,
  type ReportLine,
} from './report.ts';
export { type PartOf, type Splittable, selectRows } from './rows.ts';
export type { Scores } from './scores.ts';
export { GroupShuffleSplit, ShuffleSplit, type ShuffleSplitOptions, StratifiedShuffleSplit } from './shuffle-splits.ts';
export {
  type CalibratorOptions,
  fitSigmoid,
  predictSigmoid,
  type ShrinkOptions,
  type Sigmoid,
  type SigmoidOptions,
} from './sigmoid.ts';
export { type TrainTestSplitOptions, trainTestSplit } from './split.ts';
export { type ColumnOptions, fitTemperature, predictTemperature, type TemperatureOptions } from './temperature.ts';
export { TimeSeriesSplit, type TimeSeriesSplitOptions } from './time-splits.ts';
export type { Naming, Verdict } from './verdict.ts';
export { type Metric, type WithIntervalOptions, withInterval } from './with-interval.ts';
