import { choice, integer, type OptionValues, optional, real } from '../../core/options.ts';
import { refuse } from '../../errors.ts';
import { type RobinsonFisherOptions, robinsonFisher, type Tokens } from '../../models/robinson-fisher.ts';
import type { Sums } from '../../stats/sums.ts';
import { common } from '../options.ts';
import type { Kind } from './kind.ts';

/** The settings of a filter: those of its model, and the indicators between which it is unsure. */
export interface FilterSettings extends RobinsonFisherOptions {
  readonly hamCutoff: number;
  readonly spamCutoff: number;
}

/**
 * The settings of two filters. SpamAssassin turns I into points rather than into a decision; its cut-offs here are the bounds of its rule
 * BAYES_50, which gives no points.
 */
const presets = {
  bogofilter: {
    strength: 0.0178,
    assumed: 0.52,
    minDeviation: 0.375,
    tokens: Infinity,
    hamCutoff: 0.45,
    spamCutoff: 0.99,
  },
  spamassassin: {
    strength: 0.03,
    assumed: 0.538,
    minDeviation: 0.346,
    tokens: 150,
    hamCutoff: 0.4,
    spamCutoff: 0.6,
  },
} as const;

/** A share, or null for the one of the preset. */
const share = optional(real({ default: 0, min: 0, max: 1 }));

const spec = {
  /** The filter whose settings are the defaults. */
  preset: choice(['bogofilter', 'spamassassin'], { default: 'bogofilter' }),
  /** The weight, in messages, of the assumption about an unknown token. Default: null, that of the preset. */
  strength: optional(real({ default: 0, min: 1e-9 })),
  /** The probability of spam assumed for an unknown token. Default: null, that of the preset. */
  assumed: optional(real({ default: 0.5, min: 1e-9, max: 1 - 1e-9 })),
  /** Tokens closer to 0.5 than this are ignored. Default: null, that of the preset. */
  minDeviation: share,
  /** The most tokens that count; those farthest from 0.5 are taken. Default: null, that of the preset. */
  tokens: optional(integer({ default: 1, min: 1 })),
  /** Up to this indicator a message is ham. Default: null, that of the preset. */
  hamCutoff: share,
  /** From this indicator on a message is spam. Default: null, that of the preset. */
  spamCutoff: share,
  ...common,
} as const;

/** `RobinsonFisherFilter` as data. */
export const robinsonFisherKind: Kind<typeof spec, Sums, Tokens, RobinsonFisherOptions> = {
  name: 'RobinsonFisherFilter',
  spec,
  model: () => robinsonFisher,
  accepts: () => ({ sparse: true, nonNegative: true }),
  modelOptions(params, { classes }) {
    if (classes > 2) {
      refuse('E_CLASS_UNKNOWN', `a filter separates two classes, and these are ${classes}`, {
        limit: 2,
        actual: classes,
      });
    }
    return settingsOf(params);
  },
};

/** The preset with what was given in its place. */
export function settingsOf({ preset, ...given }: OptionValues<typeof spec>): FilterSettings {
  const known = presets[preset];
  return {
    strength: given.strength ?? known.strength,
    assumed: given.assumed ?? known.assumed,
    minDeviation: given.minDeviation ?? known.minDeviation,
    tokens: given.tokens ?? known.tokens,
    hamCutoff: given.hamCutoff ?? known.hamCutoff,
    spamCutoff: given.spamCutoff ?? known.spamCutoff,
  };
}
