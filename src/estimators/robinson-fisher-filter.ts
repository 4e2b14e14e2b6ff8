import type { OptionValues } from '../core/options.ts';
import { mapCells, type Rows, toSparse } from '../data/batch.ts';
import type { Features, Input } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { combineTokens, type robinsonFisher, type Tokens } from '../models/robinson-fisher.ts';
import type { Sums } from '../stats/sums.ts';
import { CountingClassifier } from './classifier.ts';
import { robinsonFisherKind, settingsOf } from './kinds/robinson-fisher.ts';
import type { Capabilities } from './learning.ts';

/** Parameters of `RobinsonFisherFilter`. */
export type RobinsonFisherFilterOptions = Partial<OptionValues<typeof robinsonFisherKind.spec>>;

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
export class RobinsonFisherFilter extends CountingClassifier<typeof robinsonFisherKind.spec, Sums, Tokens> {
  declare readonly model: typeof robinsonFisher;

  constructor(options: RobinsonFisherFilterOptions = {}) {
    super(robinsonFisherKind, options);
    const { hamCutoff, spamCutoff } = settingsOf(this.params);
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
    const { hamCutoff, spamCutoff } = settingsOf(this.params);
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

  protected override toRows({ rows }: Input): Rows {
    return mapCells(rows, () => 1);
  }
}
