import { byClass } from '../core/linear.ts';
import type { OptionValues } from '../core/options.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import type { poisson, Rates } from '../models/poisson.ts';
import type { Sums } from '../stats/sums.ts';
import { CountingClassifier } from './classifier.ts';
import { poissonKind } from './kinds/poisson.ts';

/** Parameters of `PoissonNB`. */
export type PoissonNBOptions = Partial<OptionValues<typeof poissonKind.spec>>;

/**
 * Naive Bayes for numbers of events: calls per hour, goals, words of a document whose length matters. Unlike `MultinomialNB` it also models
 * the total rate of each class, and a zero is evidence.
 */
export class PoissonNB extends CountingClassifier<typeof poissonKind.spec, Sums, Rates> {
  declare readonly model: typeof poisson;

  constructor(options: PoissonNBOptions = {}) {
    super(poissonKind, options);
    const { rule, shape, predictive } = this.params;
    if (rule === 'map' && shape < 1) {
      refuse('E_PARAM', `shape is ${shape}; the rule map needs a shape ≥ 1`, { name: 'shape', least: 1 });
    }
    if (predictive && rule !== 'bayes') {
      refuse('E_PARAM', `predictive needs the rule bayes, not ${rule}`, { name: 'predictive' });
    }
  }

  /** How many events each feature had in each class. */
  get featureCount(): Matrix {
    const { classes, features, s } = this.rounded(this.fitted());
    return new Matrix(classes, features, s.slice());
  }

  /** λ: the rate of each feature in each class; with `predictive`, its mean. */
  get rates(): Matrix {
    const { classes, features, predictive, missing, cells, exposures } = this.parameters();
    const rates = cells.map((cell, k) => (predictive ? cell / exposures[missing ? k : k % classes] : Math.exp(cell)));
    return new Matrix(classes, features, byClass(rates, classes, features));
  }
}
