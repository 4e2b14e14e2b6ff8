import { choice, integer, type OptionValues, optional, real } from '../core/options.ts';
import { mapCells, type Rows, type Shape, toSparse } from '../data/batch.ts';
import type { Features, Input } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { combineTokens, type RobinsonFisherOptions, robinsonFisher, type Tokens } from '../models/robinson-fisher.ts';
import type { Sums } from '../stats/sums.ts';
import { CountingClassifier } from './classifier.ts';
import type { Accepts, Capabilities } from './learning.ts';
import { common } from './options.ts';

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

/** Parameters of `RobinsonFisherFilter`. */
export type RobinsonFisherFilterOptions = Partial<OptionValues<typeof spec>>;

/** The result of the filter for a message, and the tokens it is based on. */
export interface FilterVerdict {
  /** The class, or null if the filter is unsure. */
  readonly label: Label | null;
  /** I = (1 + S − H)/2, from 0 for the first class to 1 for the last. */
  readonly indicator: number;
  /** S and H: the evidence for each side. */
  readonly spam: number;
  readonly ham: number;
  /** The tokens used, with the probability f that each gives to the last class. */
  readonly tokens: readonly { readonly feature: string | number; readonly probability: number }[];
}

/**
 * A spam filter as bogofilter and SpamAssassin are: Robinson's token probabilities, combined by Fisher's method. Of its two
 * classes the last in order is the one to be filtered (ham before spam, false before true). `filter` answers with a class or
 * null for unsure; `predict` and `predictProba` take the indicator for the probability of the last class.
 */
export class RobinsonFisherFilter extends CountingClassifier<typeof spec, Sums, Tokens> {
  readonly model: typeof robinsonFisher = robinsonFisher;
  protected override readonly accepts: Accepts = { sparse: true, nonNegative: true };

  constructor(options: RobinsonFisherFilterOptions = {}) {
    super('RobinsonFisherFilter', spec, options);
    const { hamCutoff, spamCutoff } = this.settings();
    if (hamCutoff > spamCutoff) {
      refuse('E_PARAM', `hamCutoff ${hamCutoff} is above spamCutoff ${spamCutoff}; between them the filter is unsure`, {
        name: options.hamCutoff == null ? 'spamCutoff' : 'hamCutoff',
      });
    }
  }

  /** What this estimator can do. */
  override get capabilities(): Capabilities {
    return Object.freeze({ ...super.capabilities, multiclass: false });
  }

  /** f of every token: the probability that it gives to the last class. */
  get tokenProbability(): Float64Array {
    return this.parameters().spam.slice();
  }

  /** Classifies messages; null is unsure. */
  filter(X: Features): FilterVerdict[] {
    const rows = toSparse(this.readRows(X));
    const { classes, names } = this.fitted();
    const { hamCutoff, spamCutoff } = this.settings();
    const tokens = this.parameters();
    return Array.from({ length: rows.rows }, (_, i) => {
      const { indicator, spam, ham, heard } = combineTokens(tokens, rows, i);
      const side = indicator >= spamCutoff ? classes.length - 1 : indicator <= hamCutoff ? 0 : -1;
      return {
        label: side < 0 ? null : classes[side],
        indicator,
        spam,
        ham,
        tokens: heard.map((k) => {
          const j = rows.indices[k];
          return { feature: names?.[j] ?? j, probability: tokens.spam[j] };
        }),
      };
    });
  }

  /** The preset with what was given in its place. */
  private settings() {
    const { preset, ...given } = this.params;
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

  protected modelOptions({ classes }: Shape): RobinsonFisherOptions {
    if (classes > 2) {
      refuse('E_CLASS_UNKNOWN', `a filter separates two classes, and these are ${classes}`, {
        limit: 2,
        actual: classes,
      });
    }
    return this.settings();
  }

  protected override toRows({ rows }: Input): Rows {
    return mapCells(rows, () => 1);
  }
}
