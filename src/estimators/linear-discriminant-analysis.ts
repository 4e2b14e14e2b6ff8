import type { OptionValues } from '../core/options.ts';
import { decideRows } from '../core/posterior.ts';
import { type DenseRows, toDense } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { dot } from '../math/arrays.ts';
import {
  type Axes,
  discriminantAxes,
  linearDecisions,
  type linearDiscriminant,
  linearWeights,
  type Planes,
  safeDecisions,
  shiftedDecisions,
} from '../models/linear-discriminant.ts';
import { originWeights } from '../models/whitening.ts';
import type { Scatter } from '../stats/scatter.ts';
import { CountingClassifier } from './classifier.ts';
import { asDecision, covarianceChoice, meansOf, requireEstimatorAlone } from './discriminant.ts';
import { JointScores } from './joint-scores.ts';
import { linearDiscriminantKind } from './kinds/linear-discriminant.ts';
import type { Learned } from './learned.ts';
import type { FirstChoice, Labels, LearnOptions } from './learning.ts';

/** Refuses a row with a missing cell. */
function requireComplete({ features, x }: DenseRows): void {
  const cell = x.findIndex(Number.isNaN);
  if (cell < 0) return;
  const [row, column] = [Math.floor(cell / features), cell % features];
  refuse('E_NOT_FINITE', `row ${row}, column ${column}: the cell is missing, and axes take complete rows`, {
    row,
    column,
  });
}

/** Parameters of `LinearDiscriminantAnalysis`. */
export type LinearDiscriminantAnalysisOptions = Partial<OptionValues<typeof linearDiscriminantKind.spec>>;

/**
 * Linear discriminant analysis: Gaussian classes of one covariance, planes between them, and axes that separate them best.
 * Agrees with scikit-learn 1.9.1, but learns in parts, merges and unlearns.
 */
export class LinearDiscriminantAnalysis extends CountingClassifier<
  typeof linearDiscriminantKind.spec,
  Scatter,
  Planes
> {
  declare readonly model: ReturnType<typeof linearDiscriminant>;
  protected override readonly firstChoice: FirstChoice<Scatter> | undefined = covarianceChoice(
    this.params.covarianceEstimator,
    this.params.solver === 'eigen',
  );
  private found: { readonly of: Planes; readonly axes: Axes | undefined } | undefined;

  constructor(options: LinearDiscriminantAnalysisOptions = {}) {
    super(linearDiscriminantKind, options);
    if (this.params.shrinkage !== null && this.params.solver === 'svd') {
      refuse('E_PARAM', "shrinkage needs solver: 'lsqr' or 'eigen'", { name: 'shrinkage' });
    }
    requireEstimatorAlone(this.params);
  }

  /** The mean of each class. */
  get means(): Matrix {
    return meansOf(this.parameters());
  }

  /** p(c). */
  get priors(): Float64Array {
    return this.parameters().logPrior.map(Math.exp);
  }

  /** The covariance within the classes. */
  get covariance(): Matrix {
    const { features, covariance } = this.parameters();
    return new Matrix(features, features, covariance.slice());
  }

  /** The mean of the class means, by prior. */
  get xbar(): Float64Array {
    return this.parameters().origin.slice();
  }

  /** The weights of the decision function: one row per class; for two classes one row, the second minus the first. */
  get coef(): Matrix {
    const planes = this.parameters();
    const { classes, features } = planes;
    const weights = linearWeights(planes);
    if (this.params.solver !== 'svd') {
      const shift = originWeights(planes);
      for (let cell = 0; cell < weights.length; cell++) weights[cell] += shift[cell % features];
    }
    if (classes !== 2) return new Matrix(classes, features, weights);
    return new Matrix(
      1,
      features,
      weights.slice(features).map((weight, j) => weight - weights[j]),
    );
  }

  /** The intercepts of the decision function, shaped like `coef`. */
  get intercept(): Float64Array {
    const { classes, logPrior, whitening, centres, origin, features } = this.parameters();
    const { rank } = whitening;
    const weights = linearWeights(this.parameters());
    const shift = this.params.solver === 'svd' ? 0 : 0.5 * dot(originWeights(this.parameters()), origin);
    const constants = logPrior.map((prior, c) => {
      const centre = centres.subarray(c * rank, (c + 1) * rank);
      return (
        prior - 0.5 * dot(centre, centre) - dot(weights.subarray(c * features, (c + 1) * features), origin) - shift
      );
    });
    return classes === 2 ? Float64Array.of(constants[1] - constants[0]) : constants;
  }

  /** The discriminant axes, one per column. */
  get scalings(): Matrix {
    const { count, scalings } = this.axes();
    return new Matrix(this.parameters().features, count, scalings.slice());
  }

  /** The share of the separation between classes along each axis. */
  get explainedVarianceRatio(): Float64Array {
    return this.axes().explained.slice(0, this.components());
  }

  /** Projects rows onto the discriminant axes; rows with missing cells throw. */
  transform(X: Features): Matrix {
    const rows = toDense(this.readRows(X));
    requireComplete(rows);
    const { features, origin } = this.parameters();
    const { count, scalings } = this.axes();
    const columns = Math.min(count, this.components());
    const centre = this.params.solver === 'svd' ? origin : new Float64Array(features);
    const out = new Matrix(rows.rows, columns);
    for (let i = 0; i < rows.rows; i++) {
      for (let j = 0; j < features; j++) {
        const value = rows.x[i * features + j] - centre[j];
        for (let axis = 0; axis < columns; axis++) out.data[i * columns + axis] += value * scalings[j * count + axis];
      }
    }
    return out;
  }

  /** The names of the axes that `transform` gives. */
  getFeatureNamesOut(): string[] {
    const most = this.components();
    const axes = this.params.solver === 'lsqr' ? most : Math.min(this.axes().count, most); // scikit-learn names those of lsqr too
    return Array.from({ length: axes }, (_, axis) => `lineardiscriminantanalysis${axis}`);
  }

  /** Fits and projects rows onto the discriminant axes. */
  fitTransform(X: Features, y: Labels, options: LearnOptions = {}): Matrix {
    return this.fit(X, y, options).transform(X);
  }

  /**
   * ln p(c | x) from the linear scores alone: far from the data, the squares that all classes share would cancel the digits of their
   * differences. If a linear score overflows, the joint scores are used.
   */
  protected override scores(X: Features): JointScores {
    const planes = this.parameters();
    const joint = super.scores(X).predictJointLogProba();
    const linear = new Float64Array(joint.data.length);
    safeDecisions(planes, this.readRows(X), linear);
    return new JointScores(joint, planes.logPrior, this.fitted().classes, this.params.zeroEvidence, linear);
  }

  /** Linear scores suffice. */
  protected override choose(X: Features): Int32Array {
    const planes = this.parameters();
    return decideRows(this.readRows(X), planes.logPrior, (rows, out) => safeDecisions(planes, rows, out));
  }

  /**
   * Scores whose differences are those of the log-posteriors: one column per class; for two classes one column, the second minus the first.
   */
  decisionFunction(X: Features): Matrix {
    const rows = this.readRows(X);
    const planes = this.parameters();
    const decisions = this.params.solver === 'svd' ? linearDecisions : shiftedDecisions;
    return asDecision(new Matrix(rows.rows, planes.classes, decisions(planes, rows)));
  }

  protected override derive(learned: Learned<Scatter>): Planes {
    const planes = super.derive(learned);
    const { nComponents } = this.params;
    const most = Math.min(planes.features, planes.classes - 1);
    if (nComponents !== null && nComponents > most) {
      refuse('E_PARAM', `nComponents is ${nComponents}, there are at most ${most} axes`, { name: 'nComponents', most });
    }
    return planes;
  }

  private components(): number {
    const { classes, features } = this.parameters();
    return this.params.nComponents ?? Math.min(features, classes - 1);
  }

  private axes(): Axes {
    if (this.params.solver === 'lsqr') {
      refuse('E_PARAM', "the solver 'lsqr' finds no discriminant axes; use 'svd' or 'eigen'", { name: 'solver' });
    }
    const planes = this.parameters();
    if (this.found?.of !== planes) {
      const learned = this.fitted();
      const stats = this.weighted(learned);
      const options = linearDiscriminantKind.modelOptions(this.params, stats, learned.schema);
      this.found = { of: planes, axes: discriminantAxes(stats, planes, options) };
    }
    return this.found.axes ?? refuse('E_CLASS_TOO_SMALL', 'the covariance within the classes is singular', {});
  }
}
