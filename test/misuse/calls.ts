import { join } from 'node:path';
import * as polya from '../../src/index.ts';

/**
 * A valid call of every public function, by name. `options` marks the last argument as an object of options, whose names
 * must be checked. A list is made anew for every call, because calls may change their arguments.
 */
export type Call = () => readonly unknown[];

const yTrue = ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'];
const yPred = ['a', 'b', 'b', 'b', 'a', 'a', 'a', 'b'];
const other = ['a', 'a', 'a', 'b', 'b', 'b', 'a', 'b'];
const sampleWeight = [1, 2, 1, 1, 3, 1, 1, 1];
const labels = ['a', 'b'];
const scores = [0.1, 0.9, 0.4, 0.8, 0.2, 0.3, 0.35, 0.7];
const proba = scores.map((p) => [1 - p, p]);
const groups = [0, 0, 1, 1, 2, 2, 3, 3];
const posLabel = 'b';
const signal = new AbortController().signal;
const onProgress = () => undefined;

export const counts = [
  [2, 0, 1],
  [0, 3, 0],
  [1, 1, 2],
  [0, 4, 1],
  [3, 0, 5],
  [1, 2, 0],
  [3, 1, 1],
  [0, 2, 3],
];
export const numbers = counts.map((row, i) => row.map((x, j) => 1.25 * x + Math.sin(7 * i + 3 * j)));
export const levels = counts.map(([a, b, c]) => [a > 1 ? 'yes' : 'no', `l${b % 2}`, `m${c % 3}`]);
export const documents = [
  'the meeting is at noon',
  'win money now',
  'lunch at noon',
  'money prize act today',
  'the report after the meeting',
  'win the big prize now',
  'see you at lunch',
  'act now and win',
];
export const records = Array.from({ length: 24 }, (_, i) => ({
  size: counts[i % 8][0] + (i % 5) / 4,
  colour: ['red', 'green', 'blue'][(i * 7) % 3],
  note: documents[i % 8],
  kind: yTrue[i % 8],
}));
export { groups, labels, yTrue };

const fitted = () => new polya.MultinomialNB().fit(counts, yTrue);
const gaussian = () => new polya.GaussianNB().fit(numbers, yTrue);
const vectorizer = () => new polya.CountVectorizer().fit(documents);
const sums = () =>
  polya.count(
    polya.sums,
    polya.batch(
      counts,
      groups.map((g) => g % 2),
    ),
  );
const levelCounts = () =>
  polya.count(
    polya.histogram,
    polya.batch(
      counts.map((row) => row.map((x) => x % 2)),
      groups.map((g) => g % 2),
      undefined,
      { levels: Int32Array.of(2, 2, 2) },
    ),
  );
const moments = () =>
  polya.count(
    polya.moments,
    polya.batch(
      numbers,
      groups.map((g) => g % 2),
    ),
  );
const confusion = () => polya.countConfusion(yTrue, yPred);
const csv = 'a,b\n1,x\n2,y\n';

export const calls: Readonly<Record<string, Call>> = {
  abstentionThreshold: () => [yTrue, proba, { errorRate: 0.3, labels }],
  accuracyOf: () => [confusion()],
  accuracyScore: () => [yTrue, yPred, { normalize: true, sampleWeight }],
  adaptiveCalibrationError: () => [yTrue, scores, { nBins: 3, posLabel, sampleWeight }],
  applyCalibration: () => [polya.fitCalibration(proba, yTrue), proba],
  auc: () => [
    [0, 0.5, 1],
    [0, 0.8, 1],
  ],
  averagePrecisionScore: () => [yTrue, scores, { average: 'macro', posLabel, sampleWeight }],
  bagOfWords: () => [{ lowercase: true }],
  balancedAccuracyScore: () => [yTrue, yPred, { adjusted: true, sampleWeight }],
  batch: () => [counts, [0, 1, 0, 1, 0, 1, 0, 1], sampleWeight, { classes: 2 }],
  bernoulliInformation: () => [
    {
      classLogPrior: [Math.log(0.5), Math.log(0.5)],
      featureLogProb: polya.Matrix.from([
        [-0.1, -2],
        [-2, -0.1],
      ]),
    },
    { unit: 'bits' },
  ],
  bestThreshold: () => [yTrue, scores, { maximize: 'f1', posLabel, sampleWeight }],
  bootstrapInterval: () => [
    (weights: Float64Array) => weights.reduce((sum, w, i) => sum + w * i, 0),
    8,
    { method: 'percentile', nResamples: 20, randomState: 1, level: 0.9 },
  ],
  brierDecomposition: () => [yTrue, scores, { nBins: 3, posLabel, sampleWeight, strategy: 'uniform' }],
  brierScoreLoss: () => [yTrue, scores, { posLabel, sampleWeight, scaleByHalf: 'auto' }],
  calibrationBins: () => [yTrue, scores, { nBins: 3, posLabel, strategy: 'uniform' }],
  calibrationCurve: () => [yTrue, scores, { nBins: 3, posLabel, strategy: 'uniform' }],
  classLikelihoodRatios: () => [yTrue, yPred, { sampleWeight }],
  d2BrierScore: () => [yTrue, scores, { sampleWeight, posLabel }],
  d2LogLossScore: () => [yTrue, scores, { sampleWeight }],
  dcgScore: () => [counts, numbers, { k: 2, ignoreTies: true, logBase: 2 }],
  hingeLoss: () => [yTrue, scores, { sampleWeight }],
  logLikelihood: () => [fitted(), counts, yTrue, { sampleWeight }],
  logSumExp: () => [Float64Array.of(1, 2)],
  makeScorer: () => [polya.accuracyScore, { greaterIsBetter: true, responseMethod: 'predict' }],
  multilabelConfusionMatrix: () => [yTrue, yPred, { labels, sampleWeight }],
  ndcgScore: () => [counts, numbers, { k: 2, ignoreTies: true }],
  permutationTestScore: () => [new polya.MultinomialNB(), counts, yTrue, { cv: 2, nPermutations: 2, randomState: 1 }],
  chi2: () => [counts, yTrue, { sampleWeight }],
  chi2FromHistogram: () => [levelCounts()],
  chi2FromSums: () => [sums()],
  chi2OfTable: () => [{ n00: 1, n01: 2, n10: 3, n11: 4 }],
  chi2PerClass: () => [sums(), { events: 'words', unit: 'nats' }],
  chineseTokenizer: () => [{ cut: (text: string) => text.split('') }],
  classificationReport: () => [
    yTrue,
    yPred,
    { digits: 3, labels, outputDict: true, sampleWeight, targetNames: ['A', 'B'], zeroDivision: 0 },
  ],
  clopperPearsonInterval: () => [3, 8, { level: 0.9 }],
  cohenKappaScore: () => [yTrue, yPred, { labels, weights: 'linear', sampleWeight, replaceUndefinedBy: 0 }],
  compareModels: () => [
    new polya.MultinomialNB(),
    new polya.BernoulliNB(),
    counts,
    yTrue,
    { cv: 2, scoring: 'accuracy', names: ['one', 'two'], significance: 0.05 },
  ],
  confusionMatrix: () => [yTrue, yPred, { labels, normalize: 'true', sampleWeight }],
  correctedResampledTTest: () => [
    [0.8, 0.7, 0.9],
    [0.6, 0.7, 0.8],
    { nTest: 3, nTrain: 6, names: ['one', 'two'], significance: 0.05 },
  ],
  checkModel: () => [
    polya.exponential,
    counts,
    [0, 1, 0, 1, 0, 1, 0, 1],
    { options: { poolWeight: 1 }, shape: { missing: true }, tolerance: 1e-9 },
  ],
  chooseFamilies: () => [numbers, yTrue, { cv: 2, maxRows: 100 }],
  registerFamily: () => [{ ...polya.gamma, name: 'amounts' }],
  columnModel: () => [
    {
      name: 'rayleigh',
      support: 'positive',
      statistics: { square: (x: number) => x * x },
      signed: [],
      parameters: ['variance'],
      estimate: ([square]: number[]) => [square / 2],
      logDensity: ([variance]: number[], x: number) => Math.log(x / variance) - (x * x) / (2 * variance),
      sample: ([variance]: number[], random: polya.Random) => Math.sqrt(-2 * variance * Math.log(random.uniform())),
      mean: ([variance]: number[]) => Math.sqrt((Math.PI / 2) * variance),
    },
  ],
  count: () => [
    polya.sums,
    polya.batch(
      counts,
      groups.map((g) => g % 2),
    ),
  ],
  countConfusion: () => [yTrue, yPred, { labels, sampleWeight }],
  credibleInterval: () => [gaussian(), numbers, { draws: 10, level: 0.9, seed: 1 }],
  crossValidate: () => [
    new polya.MultinomialNB(),
    counts,
    yTrue,
    {
      cv: 2,
      scoring: 'accuracy',
      returnEstimator: true,
      returnIndices: true,
      returnTimes: false,
      returnTrainScore: true,
      sampleWeight,
      onProgress,
      signal,
    },
  ],
  crossValPredict: () => [new polya.MultinomialNB(), counts, yTrue, { cv: 2, method: 'predictProba', sampleWeight }],
  crossValScore: () => [new polya.MultinomialNB(), counts, yTrue, { cv: 2, scoring: 'accuracy', sampleWeight }],
  cumulativeGainCurve: () => [yTrue, scores, { posLabel, sampleWeight }],
  decide: () => [fitted(), counts, { reject: 0.6, margin: 0.1, top: 1 }],
  detCurve: () => [yTrue, scores, { dropIntermediate: true, posLabel, sampleWeight }],
  documentInformation: () => [counts, yTrue, { unit: 'bits', sampleWeight }],
  doubleCounting: () => [fitted(), counts, yTrue, { k: 2, names: ['x', 'y', 'z'] }],
  evaluateSets: () => [yTrue.map((label) => [label]), yTrue],
  expectedCalibrationError: () => [yTrue, scores, { nBins: 3, posLabel, sampleWeight, strategy: 'quantile' }],
  f1Score: () => [yTrue, yPred, { average: 'macro', labels, sampleWeight, zeroDivision: 0 }],
  fbetaScore: () => [yTrue, yPred, { beta: 2, average: 'macro', labels, sampleWeight, zeroDivision: 0 }],
  fClassif: () => [numbers, yTrue, { sampleWeight }],
  fFromMoments: () => [moments()],
  fitAsync: () => [new polya.CountVectorizer(), documents, { signal }],
  fitCalibration: () => [proba, yTrue, { labels, method: 'sigmoid', sampleWeight }],
  fitConformal: () => [proba, yTrue, { alpha: 0.2, classConditional: true, labels, method: 'lac' }],
  fitIsotonic: () => [scores, yTrue, { posLabel, sampleWeight }],
  fitSemiSupervised: () => [
    new polya.MultinomialNB(),
    counts,
    [...yTrue.slice(0, 4), ...yTrue.slice(4).map(() => null)],
    { maxIter: 2, tol: 1e-3, weight: 0.5, signal },
  ],
  fitSigmoid: () => [scores, yTrue, { posLabel, sampleWeight }],
  fitTemperature: () => [proba, yTrue, { labels, sampleWeight }],
  formatCsv: () => [[['a', 'b']], ';', '\n'],
  gainRatio: () => [counts, yTrue],
  gainRatioFromHistogram: () => [levelCounts()],
  hammingLoss: () => [yTrue, yPred, { sampleWeight }],
  columnInformation: () => [records, 'kind', polya.inferSchema(records, { target: 'kind' }).columns],
  inferSchema: () => [records, { target: 'kind', features: ['size'] }],
  informationFromHistogram: () => [levelCounts(), { unit: 'bits' }],
  informationFromSums: () => [sums(), { unit: 'bits', events: 'words' }],
  informationGain: () => [counts, yTrue, { unit: 'bits' }],
  informationOfTable: () => [{ n00: 1, n01: 2, n10: 3, n11: 4 }, { unit: 'bits' }],
  informationPerClass: () => [sums(), { unit: 'bits', events: 'words' }],
  inspectModel: () => [fitted().toBytes()],
  inverseTransform: () => [vectorizer(), vectorizer().transform(documents)],
  isotonicRegression: () => [[1, 3, 2], { increasing: true, sampleWeight: [1, 1, 2] }],
  jaccardScore: () => [yTrue, yPred, { average: 'macro', labels, sampleWeight, zeroDivision: 0 }],
  learningCurve: () => [
    new polya.MultinomialNB(),
    counts,
    yTrue,
    { cv: 2, trainSizes: [0.5, 1], shuffle: true, randomState: 1, scoring: 'accuracy' },
  ],
  leaveOneOut: () => [new polya.MultinomialNB(), counts, yTrue, { sampleWeight, signal }],
  liftCurve: () => [yTrue, scores, { posLabel, sampleWeight }],
  linearDiscriminant: () => [0.1],
  load: () => [fitted().toBytes()],
  loadCareers: () => [],
  loadChinaJapan: () => [],
  loadHouses: () => [],
  loadIris: () => [],
  loadJieba: () => [],
  loadPostings: () => [],
  loadStemmer: () => ['english'],
  loadTitanic: () => [],
  loadWeather: () => [],
  logLoss: () => [yTrue, proba, { labels, normalize: true, sampleWeight }],
  makePipeline: () => [new polya.CountVectorizer(), new polya.MultinomialNB()],
  matthewsCorrcoef: () => [yTrue, yPred, { sampleWeight }],
  mcnemarTest: () => [yTrue, yPred, other, { names: ['one', 'two'], significance: 0.05 }],
  mostInformative: () => [fitted(), { k: 2, class: 'a', names: ['x', 'y', 'z'] }],
  mutualInfoClassif: () => [numbers, yTrue, { discreteFeatures: false, nNeighbors: 2, randomState: 1 }],
  nomogram: () => [fitted(), { k: 2, names: ['x', 'y', 'z'] }],
  noveltyThreshold: () => [[-1, -2, -3, -4], 0.25],
  parameterPosterior: () => [fitted(), { class: 'a', feature: 0 }],
  parseCsv: () => [csv, { delimiter: ',', header: true, maxColumns: 10 }],
  parseFastText: () => ['__label__a one two\n', { prefix: '__label__' }],
  parseJsonLines: () => ['{"a":1}\n', { duplicates: 'last', maxDepth: 4 }],
  partialFitAsync: () => [new polya.CountVectorizer(), documents, { signal }],
  precisionRecallCurve: () => [yTrue, scores, { dropIntermediate: true, posLabel, sampleWeight }],
  precisionRecallFscoreSupport: () => [
    yTrue,
    yPred,
    { beta: 1, average: 'macro', labels, sampleWeight, zeroDivision: 0 },
  ],
  precisionScore: () => [yTrue, yPred, { average: 'macro', labels, sampleWeight, zeroDivision: 0 }],
  predictIsotonic: () => [polya.fitIsotonic(scores, yTrue, { posLabel }), scores],
  predictSets: () => [polya.fitConformal(proba, yTrue, { alpha: 0.3 }), proba, { allowEmpty: true }],
  predictSigmoid: () => [polya.fitSigmoid(scores, yTrue, { posLabel }), scores],
  predictTemperature: () => [0.9, proba],
  prequentialScores: () => [yTrue, yPred, { fading: 0.9, window: 3 }],
  profileRows: () => [records, { target: 'kind' }],
  prune: () => [vectorizer(), { minDf: 1, maxDf: 8, maxFeatures: 5 }],
  quadraticDiscriminant: () => [0.1],
  readCsv: () => [csv, { delimiter: ',', header: true, signal }],
  readFastText: () => ['__label__a one two\n', { prefix: '__label__', signal }],
  readJsonLines: () => ['{"a":1}\n', { duplicates: 'last', signal }],
  readMbox: () => ['From a@b Thu Jan  4 12:00:00 2024\nSubject: b\n\ntext\n', { signal }],
  recallScore: () => [yTrue, yPred, { average: 'macro', labels, sampleWeight, zeroDivision: 0 }],
  recordsOf: () => [polya.parseCsv(csv), ['a']],
  restore: () => [new polya.MultinomialNB(), fitted().toBytes()],
  rocAucScore: () => [yTrue, scores, { average: 'macro', labels, maxFpr: 0.5, multiClass: 'raise', sampleWeight }],
  rocCurve: () => [yTrue, scores, { dropIntermediate: true, posLabel, sampleWeight }],
  rowsOf: () => [polya.parseCsv(csv)],
  score: () => {
    const stats = sums();
    const params = polya.multinomial.estimate(stats, { prior: { rule: 'bayes', a: 1 } });
    return [polya.multinomial, params, polya.batch(counts)];
  },
  selectRows: () => [counts, [0, 2]],
  setOfWords: () => [{ lowercase: true }],
  snowballStemmer: () => [{ newStemmer: () => ({ stem: (word: string) => word }) }, 'english'],
  softLabels: () => [proba, labels],
  sqrtTf: () => [{ lowercase: true }],
  stopWords: () => ['english'],
  topKAccuracyScore: () => [yTrue, scores, { k: 1, labels, normalize: true, sampleWeight }],
  topWords: () => [new polya.BernoulliNB().fit(counts, yTrue), { k: 2, unit: 'bits', names: ['x', 'y', 'z'] }],
  trainTestSplit: () => [counts, yTrue, { testSize: 0.25, shuffle: true, randomState: 1, stratify: yTrue }],
  transformAsync: () => [vectorizer(), documents],
  validationCurve: () => [
    new polya.MultinomialNB(),
    counts,
    yTrue,
    { paramName: 'alpha', paramRange: [0.1, 1], cv: 2, scoring: 'accuracy' },
  ],
  whatIf: () => [fitted(), counts, { names: ['x', 'y', 'z'] }],
  wilsonInterval: () => [3, 8, { level: 0.9 }],
  withInterval: () => [
    polya.accuracyScore,
    yTrue,
    yPred,
    { method: 'auto', nResamples: 20, randomState: 1, level: 0.9 },
  ],
  wordInformation: () => [counts, yTrue, { unit: 'bits', sampleWeight }],
  zeroOneLoss: () => [yTrue, yPred, { normalize: true, sampleWeight }],
};

/** The same of polya/exchange. */
export const exchangeCalls: Readonly<Record<string, Call>> = {
  planOf: () => [fitted()],
  toJavaScript: () => [fitted()],
  toJson: () => [fitted()],
  toOnnx: () => [fitted(), { float: true }],
  toPmml: () => [fitted(), { target: 'class', columns: ['x', 'y', 'z'] }],
  toSql: () => [fitted(), { dialect: 'duckdb', table: 't' }],
};

/** The same of polya/node, with files in a folder of their own. */
export const nodeCalls = (folder: string): Readonly<Record<string, Call>> => {
  const [data, model] = [join(folder, 'data.csv'), join(folder, 'model.polya')];
  return {
    inspectTable: () => [data, { target: 'b' }],
    openFile: () => [data, { unpack: true }],
    openTable: () => [data, { format: 'csv', header: true, maxBadRows: 0 }],
    readModel: () => [model],
    readTable: () => [data, { format: 'csv', header: true, maxBadRows: 0 }],
  };
};
