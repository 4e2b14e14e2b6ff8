import { byClass, type Linear } from '../core/linear.ts';
import type { OptionValues } from '../core/options.ts';
import { logClassPrior } from '../core/prior.ts';
import { Matrix } from '../data/matrix.ts';
import { type complement, complementLeaveOneOut } from '../models/complement.ts';
import type { Sums } from '../stats/sums.ts';
import { alphaChoice } from './auto-alpha.ts';
import { CountingClassifier } from './classifier.ts';
import { complementKind } from './kinds/complement.ts';
import type { FirstChoice } from './learning.ts';
import { alphaInUse, classPriorOf, priorOf } from './options.ts';

/** Parameters of `ComplementNB`. */
export type ComplementNBOptions = Partial<OptionValues<typeof complementKind.spec>>;

/**
 * Naive Bayes for counts that estimates each class from all other classes: more stable than `MultinomialNB` with unbalanced classes. Agrees
 * with scikit-learn's class of this name. Scores have no class prior: `classLogPrior` is the empirical one, and an empty row gets equal
 * probabilities.
 */
export class ComplementNB extends CountingClassifier<typeof complementKind.spec, Sums, Linear> {
  declare readonly model: typeof complement;
  protected override readonly estimatesLater = true;
  protected override readonly firstChoice: FirstChoice<Sums> | undefined = alphaChoice(
    this.params.alpha === 'auto',
    complementLeaveOneOut,
    (alpha) => ({ prior: priorOf(this.params, alpha), norm: this.params.norm }),
  );

  constructor(options: ComplementNBOptions = {}) {
    super(complementKind, options);
  }

  /** ln p(c) as counted, which scores do not use. */
  override get classLogPrior(): Float64Array {
    return logClassPrior(this.weighted(this.fitted()).n, classPriorOf(this.params));
  }

  /** The pseudo-counts in use: as given, or as chosen. */
  get alpha(): number | readonly number[] {
    return alphaInUse(this.params, this.fitted().schema);
  }

  /** How often each feature was counted in each class. */
  get featureCount(): Matrix {
    const { classes, features, s } = this.rounded(this.fitted());
    return new Matrix(classes, features, s.slice());
  }

  /** How often each feature was counted in all classes. */
  get featureAll(): Float64Array {
    const { classes, features, s } = this.rounded(this.fitted());
    return Float64Array.from({ length: features }, (_, j) => {
      let all = 0;
      for (let c = 0; c < classes; c++) all += s[c * features + j];
      return all;
    });
  }

  /** The weight of each feature for each class: −ln θ̃, or with `norm` its share of their sum. */
  get featureLogProb(): Matrix {
    const { classes, features, weights } = this.parameters();
    return new Matrix(classes, features, byClass(weights, classes, features));
  }
}
