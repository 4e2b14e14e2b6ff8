import { type OptionValues, optional, real } from '../core/options.ts';
import { betaSides, pseudoCount, requirePseudoLength } from '../core/prior.ts';
import { mapCells, type Rows, type Shape } from '../data/batch.ts';
import type { Input } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { softplus } from '../math/logs.ts';
import { type BernoulliOptions, type BernoulliParameters, bernoulli, coinsLeaveOneOut } from '../models/bernoulli.ts';
import type { Sums } from '../stats/sums.ts';
import { alphaChoice } from './auto-alpha.ts';
import { CountingClassifier } from './classifier.ts';
import type { Accepts, FirstChoice } from './learning.ts';
import {
  alphaChosen,
  alphaInUse,
  atLeast,
  classPriorOf,
  estimate,
  gapOptions,
  priorOf,
  pseudoCounts,
  requireChoosable,
  smoothing,
} from './options.ts';

const spec = {
  ...smoothing,
  /** Pseudo-count of absence, if it differs from that of presence: the prior is then Beta(alpha, alphaAbsent). Default: null, alpha. */
  alphaAbsent: optional(pseudoCounts),
  /** The point estimate: posterior mean, posterior mode, or maximum likelihood. Default: 'mean'. */
  estimate,
  /** A cell counts as present above this value; null: cells are 0 or 1. Default: 0. */
  binarize: {
    ...optional(real({ default: 0, min: 0 })),
    default: 0,
  },
  ...gapOptions,
} as const;

/** Parameters of `BernoulliNB`. */
export type BernoulliNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes for features that are present or absent: words of a document, yes/no answers. Absence counts as evidence. Agrees with
 * scikit-learn's class of this name; it also takes one alpha per feature.
 */
export class BernoulliNB extends CountingClassifier<typeof spec, Sums, BernoulliParameters> {
  readonly model: typeof bernoulli = bernoulli;
  protected override readonly accepts: Accepts = { sparse: true };
  protected override readonly estimatesLater = true;
  protected override readonly firstChoice: FirstChoice<Sums> | undefined = alphaChoice(
    this.params.alpha === 'auto',
    coinsLeaveOneOut,
    (alpha) => this.optionsWith(alpha),
  );

  constructor(options: BernoulliNBOptions = {}) {
    super('BernoulliNB', spec, options);
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

  protected modelOptions(shape: Shape, schema?: JsonValue): BernoulliOptions {
    const options = this.optionsWith(alphaChosen(this.params, this.settles, shape, schema));
    const [, tails] = betaSides(options.prior).map(pseudoCount);
    requirePseudoLength(tails, shape.classes, shape.features, 'alphaAbsent');
    return options;
  }

  private optionsWith(chosen: number): BernoulliOptions {
    const { alphaAbsent, forceAlpha } = this.params;
    const prior = priorOf(this.params, chosen);
    const classPrior = classPriorOf(this.params);
    if (alphaAbsent === null || prior.rule === 'mle') return { prior, classPrior };
    return { prior: { ...prior, b: atLeast(alphaAbsent, forceAlpha) }, classPrior };
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
