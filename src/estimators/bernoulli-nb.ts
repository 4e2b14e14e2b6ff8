import type { OptionValues } from '../core/options.ts';
import { mapCells, type Rows } from '../data/batch.ts';
import type { Input } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { softplus } from '../math/logs.ts';
import { type BernoulliParameters, type bernoulli, coinsLeaveOneOut } from '../models/bernoulli.ts';
import type { Sums } from '../stats/sums.ts';
import { alphaChoice } from './auto-alpha.ts';
import { CountingClassifier } from './classifier.ts';
import { bernoulliKind, coinOptions } from './kinds/bernoulli.ts';
import type { FirstChoice } from './learning.ts';
import { alphaInUse, requireChoosable } from './options.ts';

/** Parameters of `BernoulliNB`. */
export type BernoulliNBOptions = Partial<OptionValues<typeof bernoulliKind.spec>>;

/**
 * Naive Bayes for features that are present or absent: words of a document, yes/no answers. Absence counts as evidence. Agrees with
 * scikit-learn's class of this name; it also takes one alpha per feature.
 */
export class BernoulliNB extends CountingClassifier<typeof bernoulliKind.spec, Sums, BernoulliParameters> {
  declare readonly model: typeof bernoulli;
  protected override readonly estimatesLater = true;
  protected override readonly firstChoice: FirstChoice<Sums> | undefined = alphaChoice(
    this.params.alpha === 'auto',
    coinsLeaveOneOut,
    (alpha) => coinOptions(this.params, alpha),
  );

  constructor(options: BernoulliNBOptions = {}) {
    super(bernoulliKind, options);
    requireChoosable('BernoulliNB', this.params);
  }

  /** The pseudo-counts in use: as given, or as chosen. */
  get alpha(): number | readonly number[] {
    return alphaInUse(this.params, this.fitted().schema);
  }

  /** How often each feature was present in each class. */
  get featureCount(): Matrix {
    const { classes, features, s } = this.rounded(this.fitted());
    return new Matrix(classes, features, s.slice());
  }

  /** ln p(xⱼ = 1 | c). */
  get featureLogProb(): Matrix {
    const { classes, features, logOdds } = this.parameters();
    return new Matrix(
      classes,
      features,
      logOdds.map((odds) => -softplus(-odds)),
    );
  }

  protected override toRows({ rows }: Input): Rows {
    const { binarize } = this.params;
    return mapCells(rows, (value, column) => {
      if (Number.isNaN(value)) return value;
      if (binarize === null) return value === 1 ? 1 : refuseToss(value, column);
      return value > binarize ? 1 : 0;
    });
  }
}

function refuseToss(value: number, column: number): never {
  return refuse('E_VALUE_RANGE', `column ${column} holds ${value}; with binarize: null every cell is 0 or 1`, {
    column,
    actual: value,
  });
}
