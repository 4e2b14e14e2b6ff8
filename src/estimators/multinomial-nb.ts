import type { OptionValues } from '../core/options.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import {
  countsOf,
  diceLeaveOneOut,
  facesOf,
  type MultinomialParameters,
  type multinomial,
} from '../models/multinomial.ts';
import type { Sums } from '../stats/sums.ts';
import { alphaChoice } from './auto-alpha.ts';
import { CountingClassifier } from './classifier.ts';
import { multinomialKind } from './kinds/multinomial.ts';
import type { FirstChoice } from './learning.ts';
import { alphaInUse, classPriorOf, priorOf, requireChoosable } from './options.ts';

/** Parameters of `MultinomialNB`. */
export type MultinomialNBOptions = Partial<OptionValues<typeof multinomialKind.spec>>;

/**
 * Naive Bayes for counts: how often each word occurs. Agrees with scikit-learn's class of this name; alpha may also be given per class and
 * feature or be chosen by leave-one-out, and smoothing may use the words of all classes as background.
 */
export class MultinomialNB extends CountingClassifier<typeof multinomialKind.spec, Sums, MultinomialParameters> {
  declare readonly model: typeof multinomial;
  protected override readonly estimatesLater = true;
  protected override readonly firstChoice: FirstChoice<Sums> | undefined = alphaChoice(
    this.params.alpha === 'auto' && this.params.smoothing === 'lidstone',
    diceLeaveOneOut,
    (alpha) => ({ prior: priorOf(this.params, alpha), classPrior: classPriorOf(this.params) }),
  );

  constructor(options: MultinomialNBOptions = {}) {
    super(multinomialKind, options);
    requireChoosable(this.kind, this.params);
    if (this.params.smoothing !== 'lidstone' && this.params.estimate !== 'mean') {
      refuse('E_PARAM', `estimate: '${this.params.estimate}' needs smoothing: 'lidstone'`, { name: 'estimate' });
    }
  }

  /** The pseudo-counts in use: as given, or as chosen. */
  get alpha(): number | readonly number[] {
    return alphaInUse(this.params, this.fitted().schema);
  }

  /** How often each feature was counted in each class. */
  get featureCount(): Matrix {
    return countsOf(this.rounded(this.fitted()));
  }

  /** ln θ: the log-probability of each feature in each class. */
  get featureLogProb(): Matrix {
    return facesOf(this.parameters());
  }
}
