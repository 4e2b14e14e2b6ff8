import { type OptionValues, optional, real } from '../../core/options.ts';
import { type Family, type MixedOptions, type Mixture, mixed, rangeOf } from '../../models/mixed.ts';
import type { Blocks } from '../../stats/blocks.ts';
import { blocksOf, columnFamilies, columnsOf, requireSchema } from '../mixed-columns.ts';
import { classPriorOf, classPriors, common, kernelWidths, levelOptions } from '../options.ts';
import type { Kind } from './kind.ts';

const spec = {
  /** The family of each column, by name or in order. Default: inferred from the cells. */
  columns: columnFamilies,
  /** Pseudo-count of every level, toss and word. Default: 1. */
  alpha: real({ default: 1, min: 0 }),
  /** Pseudo-count of every word. Default: null, alpha. */
  wordAlpha: optional(real({ default: 1, min: 0 })),
  /** The share of the largest variance that is added to every variance. Default: 1e-9. */
  varSmoothing: real({ default: 1e-9, min: 0 }),
  /** Shape of the Gamma prior of every rate. Default: 1. */
  shape: real({ default: 1, min: 0 }),
  /** Rate of the Gamma prior of every rate. Default: 1. */
  rate: real({ default: 1, min: 0 }),
  /** How many rows the columns of all classes together count for in each class, in columns of other distributions. Default: 1. */
  poolWeight: real({ default: 1, min: 0 }),
  ...kernelWidths,
  ...classPriors,
  /** An unknown level: counted zero times ('smooth'), a missing cell ('ignore'), or an error ('error'). Default: 'smooth'. */
  unknown: levelOptions.unknown,
  ...common,
} as const;

/** `MixedNB` as data. */
export const mixedKind: Kind<typeof spec, Blocks, Mixture, MixedOptions> = {
  name: 'MixedNB',
  spec,
  model: () => mixed,
  accepts: () => ({ missing: true }),
  cellRange: rangeOf,
  modelOptions(params, shape, schema) {
    const classPrior = classPriorOf(params, shape.classes);
    requireSchema(schema, shape);
    const blocks = [...blocksOf(columnsOf(schema))].map(
      ([name, { family, places }]) => [name, { options: familyOptions(params, family), places }] as const,
    );
    return { classPrior, blocks: Object.fromEntries(blocks) };
  },
};

/** What a family is estimated with, under these parameters. */
export function familyOptions(params: OptionValues<typeof spec>, family: Family): object {
  const { alpha, wordAlpha, varSmoothing, shape, rate, poolWeight, bandwidth, leastBandwidth } = params;
  const options: Readonly<Record<string, object>> = {
    gaussian: { rule: { rule: 'mle', varSmoothing } },
    bernoulli: { prior: { rule: 'bayes', a: alpha } },
    categorical: { alpha },
    poisson: { prior: { rule: 'bayes', shape, rate } },
    multinomial: { prior: { rule: 'bayes', a: wordAlpha ?? alpha } },
    kernel: { bandwidth, leastBandwidth },
  };
  return Object.hasOwn(options, family) ? options[family] : { poolWeight };
}
