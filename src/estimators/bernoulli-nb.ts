import { betaPosterior, type ParameterPosterior } from '../core/distributions.ts';
import { type OptionValues, optional, real } from '../core/options.ts';
import { pseudoAt, pseudoCount } from '../core/prior.ts';
import { mapCells, type Rows } from '../data/batch.ts';
import type { Expectation, Input } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { softplus } from '../math/logs.ts';
import { type BernoulliOptions, bernoulli, type Coins } from '../models/bernoulli.ts';
import type { Sums } from '../stats/sums.ts';
import { DiscreteNB, type ParameterQuery } from './discrete.ts';
import { everyPosterior, type LocatedPosterior } from './every-posterior.ts';
import { classPriorOf, common, missing, priorOf, smoothing } from './smoothing.ts';

const spec = {
  ...smoothing,
  binarize: {
    ...optional(real({ default: 0, min: 0, doc: 'a cell counts as present above this value; null: cells are 0 or 1' })),
    default: 0,
  },
  missing,
  ...common,
} as const;

/** Parameters of `BernoulliNB`. */
export type BernoulliNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes for features that are present or absent: words of a document, yes/no answers. Absence counts as evidence.
 * Agrees with scikit-learn's class of this name, and also takes one alpha per feature, which fails there.
 */
export class BernoulliNB extends DiscreteNB<typeof spec, Sums, Coins> {
  readonly model: typeof bernoulli = bernoulli;

  constructor(options: BernoulliNBOptions = {}) {
    super('BernoulliNB', spec, options);
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

  /** What is known of the probability that a feature is present in a class: a Beta distribution, with intervals. */
  posterior(): LocatedPosterior[];
  posterior(query: ParameterQuery): ParameterPosterior;
  posterior(query?: ParameterQuery): ParameterPosterior | LocatedPosterior[] {
    if (!query) return everyPosterior(this.fitted(), (place) => this.posterior(place));
    const { c, j } = this.locate(query);
    const { features, n, s, m } = this.rounded(this.fitted());
    const cell = c * features + j;
    const pseudo = pseudoAt(pseudoCount(priorOf(this.params, this.chosen())), features, c, j);
    const tails = Math.max(0, n[c] - (m.length > 0 ? m[cell] : 0) - s[cell]);
    return betaPosterior(s[cell] + pseudo, tails + pseudo);
  }

  protected expectation(): Expectation {
    return { sparse: true, missing: this.params.missing === 'ignore', extra: this.params.extra };
  }

  protected optionsWith(chosen: number): BernoulliOptions {
    return { prior: priorOf(this.params, chosen), classPrior: classPriorOf(this.params) };
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
