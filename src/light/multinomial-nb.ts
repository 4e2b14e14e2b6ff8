import { linearTerms, scoreFew } from '../core/linear.ts';
import type { ScoringModel } from '../core/model.ts';
import { choice, type OptionValues } from '../core/options.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { type Shape, toSparse } from '../data/batch.ts';
import type { Input as Checked, Expectation } from '../data/input.ts';
import type { Matrix } from '../data/matrix.ts';
import { classPriorOf, classPriors } from '../estimators/class-prior.ts';
import { Predictor } from '../estimators/predictor.ts';
import { countsOf, type Dice, dice, diceOf, facesOf } from '../models/dice.ts';
import { type Sums, shortSums } from '../stats/sums.ts';
import { custom } from '../text/option-kinds.ts';
import { only } from './options.ts';
import { type LightFeatures, readRows } from './rows.ts';

const FULL = "MultinomialNB of 'polya'";

const spec = {
  /** Pseudo-count of every feature. */
  alpha: custom(1, `a finite number ≥ 0 (lists and 'auto' are for ${FULL})`, classPriors.priorAlpha.accept),
  forceAlpha: only(true, FULL),
  ...classPriors,
  smoothing: only('lidstone', FULL),
  lambda: only(0.9, FULL),
  mu: only(1000, FULL),
  delta: only(0.7, FULL),
  extra: only('error', FULL),
  classWeight: only(null, FULL),
  reproducible: only(false, FULL),
  /** What a row gets that is impossible under every class: the prior, or E_ZERO_EVIDENCE. */
  zeroEvidence: choice(['prior', 'error'], { default: 'prior' }),
} as const;

/** Parameters of the light `MultinomialNB`. */
export type MultinomialNBOptions = Partial<
  Pick<OptionValues<typeof spec>, 'alpha' | 'zeroEvidence' | keyof typeof classPriors>
>;

interface DiceOptions {
  readonly alpha: number;
  readonly classPrior: ClassPrior;
}

/** The model of models/multinomial.ts with one pseudo-count: the same sums, dice and scores. */
const model: ScoringModel<Sums, Dice, DiceOptions> = {
  name: 'multinomial',
  statistic: shortSums,
  estimate: (stats, { alpha, classPrior }) => diceOf(stats, classPrior, (totals) => dice(stats, alpha, totals)),
  score: (linear, rows, out) => scoreFew(linear, toSparse(rows), out),
  logPrior: ({ logPrior }) => logPrior,
  terms: linearTerms,
};

/**
 * Naive Bayes for counts, as the class of this name of the full door learns, forgets and answers, to the bit: with one
 * pseudo-count that is given. It has no model file, no samples and no exact sums, and takes matrices or rows of numbers.
 */
export class MultinomialNB extends Predictor<typeof spec, Sums, Dice, LightFeatures> {
  readonly model: ScoringModel<Sums, Dice, DiceOptions> = model;

  constructor(options: MultinomialNBOptions = {}) {
    super('MultinomialNB', spec, options);
  }

  /** The weight of each class. */
  get classCount(): Float64Array {
    return this.rounded(this.fitted()).n.slice();
  }

  /** ln p(c). */
  get classLogPrior(): Float64Array {
    return this.parameters().logPrior.slice();
  }

  /** The pseudo-count in use. */
  get alpha(): number {
    return this.params.alpha;
  }

  /** How often each feature was counted in each class. */
  get featureCount(): Matrix {
    return countsOf(this.rounded(this.fitted()));
  }

  /** ln θ: the logarithm of the probability of each face of the die of each class. */
  get featureLogProb(): Matrix {
    return facesOf(this.parameters());
  }

  protected expectation(): Expectation {
    return { sparse: true, nonNegative: true };
  }

  protected readInput(X: LightFeatures, expected: Expectation): Checked {
    return readRows(X, expected);
  }

  protected modelOptions({ classes }: Shape): DiceOptions {
    const { alpha } = this.params;
    const classPrior = classPriorOf(this.params);
    logClassPrior(new Float64Array(classes).fill(1), classPrior); // refuses one that does not fit
    return { alpha, classPrior };
  }
}
