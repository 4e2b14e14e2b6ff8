import { flag, type GivenOptions, type OptionSpec, readOptions, unchecked } from '../core/options.ts';
import { requireKind } from '../data/arguments.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { attempt, drawCounts, resampleOptions } from './bootstrap.ts';
import { generatorOf } from './folds.ts';
import { quantiles } from './numpy.ts';
import { describeVerdict, namingSpec, type Verdict } from './verdict.ts';
import type { Metric } from './with-interval.ts';

/** The result of a comparison with an interval of the difference. */
export interface BootstrapVerdict extends Verdict {
  readonly low: number;
  readonly high: number;
}

const bootstrapSpec = {
  ...namingSpec,
  options: unchecked<object>(),
  /** Whether a greater value is better. Default: true. */
  greaterIsBetter: flag({ default: true }),
  ...resampleOptions,
} satisfies OptionSpec;

/** Options of `pairedBootstrapTest`. */
export type PairedBootstrapOptions<O> = Omit<GivenOptions<typeof bootstrapSpec>, 'options'> & {
  /** Options of the metric. Default: none. */
  readonly options?: O | undefined;
};

/**
 * Compares any metric of two classifiers on the same rows: rows are drawn with replacement, both are evaluated on the same
 * draws, and the interval holds the middle 95 % (1 − `significance`) of the differences. The p-value is twice the smaller
 * share of differences on either side of 0, with one draw added to each.
 */
export function pairedBootstrapTest<P, O>(
  metric: Metric<P, O>,
  yTrue: ArrayLike<Label>,
  first: P,
  second: P,
  options: PairedBootstrapOptions<O> = {},
): BootstrapVerdict {
  const read = readOptions('pairedBootstrapTest', bootstrapSpec, options);
  requireKind(metric, 'a metric such as accuracyScore', 'function');
  requireLabels(yTrue);
  const sign = read.greaterIsBetter ? 1 : -1;
  const gap = (sampleWeight: Float64Array) => {
    const own = { ...read.options, sampleWeight } as O;
    return sign * (metric(yTrue, first, own) - metric(yTrue, second, own));
  };
  const random = generatorOf(read.randomState);
  const difference = gap(new Float64Array(yTrue.length).fill(1));
  const drawn = Float64Array.from({ length: read.nResamples }, () => attempt(gap, drawCounts(yTrue.length, random)));
  const defined = drawn.filter((value) => !Number.isNaN(value)).sort();
  const tail = read.significance / 2;
  const [low, high] =
    defined.length === 0 ? [Number.NaN, Number.NaN] : quantiles(defined, Float64Array.of(tail, 1 - tail));
  const side = (keep: (value: number) => boolean) => (defined.filter(keep).length + 1) / (defined.length + 1);
  const pValue = Math.min(
    1,
    2 *
      Math.min(
        side((value) => value <= 0),
        side((value) => value >= 0),
      ),
  );
  const method = 'paired bootstrap';
  const evidence = `interval of the difference ${low.toPrecision(3)} to ${high.toPrecision(3)}, ${defined.length} draws`;
  const verdict = describeVerdict(
    { difference, statistic: difference, pValue, method, what: 'metric', evidence },
    read,
  );
  return { ...verdict, low: Math.min(low, difference), high: Math.max(high, difference) };
}
