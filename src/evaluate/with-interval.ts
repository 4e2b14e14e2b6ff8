import { choice, type GivenOptions, type OptionSpec, readOptions, unchecked } from '../core/options.ts';
import { requireKind } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { bootstrapInterval, resampleOptions } from './bootstrap.ts';
import { classScoreSpec, precisionScore, readTotals, recallScore } from './class-scores.ts';
import { clopperPearsonInterval, type Interval, levelOption, wilsonInterval } from './intervals.ts';
import { accuracyScore, countHits, hammingLoss, zeroOneLoss } from './metrics.ts';
import { topKAccuracyScore } from './probability-metrics.ts';
import type { Scores } from './scores.ts';
import { readRowWeights } from './targets.ts';

/** A metric of true labels and predictions or scores. */
export type Metric<P, O> = (yTrue: ArrayLike<Label>, yOther: P, options?: O) => number;

/** The options that a metric may share with every other. */
type Given = { readonly sampleWeight?: Weights | null; readonly [name: string]: unknown };

const methods = ['auto', 'wilson', 'clopper-pearson', 'percentile', 'bca'] as const;
const spec = {
  ...levelOption,
  /** The method of the interval; 'auto' chooses the exact one for the metric. Default: 'auto'. */
  method: choice(methods, { default: 'auto' }),
  ...resampleOptions,
  options: unchecked<Given>(),
} satisfies OptionSpec;

/** The method ('auto' unless given), and the options of the metric itself. */
export type WithIntervalOptions<O> = Omit<GivenOptions<typeof spec>, 'options'> & {
  /** Options of the metric. Default: none. */
  readonly options?: O | undefined;
};

type Trials = readonly [successes: number, n: number];
type Labels = ArrayLike<Label>;

/** Successes and trials of binary precision and recall. */
function classTrials(yTrue: Labels, yPred: Labels, options: Given, part: 'predicted' | 'actual'): Trials | undefined {
  const read = readOptions('withInterval', classScoreSpec, options);
  if (read.average !== 'binary') return undefined;
  const totals = readTotals(yTrue, yPred, read);
  return [totals.right[0], totals[part][0]];
}

/** Metrics that are a share of rows, and so have successes and trials. */
const shares = new Map<unknown, (yTrue: Labels, yOther: never, options: Given) => Trials | undefined>([
  [accuracyScore, (yTrue, yPred: Labels) => countHits(yTrue, yPred, null)],
  [zeroOneLoss, (yTrue, yPred: Labels) => misses(yTrue, yPred)],
  [hammingLoss, (yTrue, yPred: Labels) => misses(yTrue, yPred)],
  [
    topKAccuracyScore,
    (yTrue, yScore: Scores, options) => [
      topKAccuracyScore(yTrue, yScore, { ...options, normalize: false }),
      yTrue.length,
    ],
  ],
  [precisionScore, (yTrue, yPred: Labels, options) => classTrials(yTrue, yPred, options, 'predicted')],
  [recallScore, (yTrue, yPred: Labels, options) => classTrials(yTrue, yPred, options, 'actual')],
]);

function misses(yTrue: Labels, yPred: Labels): Trials {
  const [right, all] = countHits(yTrue, yPred, null);
  return [all - right, all];
}

/** Successes and trials of a metric, if it is a share of rows of equal weight. */
function trialsOf(metric: unknown, yTrue: Labels, yOther: unknown, options: Given): Trials | undefined {
  if (options.sampleWeight != null || options.normalize === false) return undefined;
  return shares.get(metric)?.(yTrue, yOther as never, options);
}

/**
 * A metric with its confidence interval, by name: `withInterval(f1Score, yTrue, yPred, { options: { average: 'macro' } })`.
 *
 * Shares of rows (accuracy, top-k accuracy, binary precision and recall, zero-one loss) get Wilson's interval, all others, and whatever
 * has weights, the BCa bootstrap of 1000 resamples. `method` chooses another; one that does not fit the metric is E_PARAM. Rows count as independent draws.
 */
export function withInterval<P, O>(
  metric: Metric<P, O>,
  yTrue: ArrayLike<Label>,
  yOther: P,
  options: WithIntervalOptions<O> = {},
): Interval {
  const read = readOptions('withInterval', spec, options);
  requireKind(metric, 'a metric such as accuracyScore', 'function');
  const given = read.options ?? {};
  const trials = trialsOf(metric, yTrue, yOther, given);
  const method = read.method === 'auto' ? (trials ? 'wilson' : 'bca') : read.method;
  if (method === 'wilson' || method === 'clopper-pearson') {
    if (!trials) refuse('E_PARAM', `'${method}' is for shares of rows of equal weight`, { name: 'method' });
    const interval = method === 'wilson' ? wilsonInterval : clopperPearsonInterval;
    return { ...interval(trials[0], trials[1], { level: read.level }), value: metric(yTrue, yOther, given as O) };
  }
  const base = readRowWeights(given.sampleWeight ?? null, yTrue.length);
  const weighted = (counts: Float64Array) =>
    metric(yTrue, yOther, { ...given, sampleWeight: counts.map((count, i) => count * base[i]) } as O);
  const { level: confidence, nResamples, randomState: state } = read;
  return bootstrapInterval(weighted, yTrue.length, { level: confidence, method, nResamples, randomState: state });
}
