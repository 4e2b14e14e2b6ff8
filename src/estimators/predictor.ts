import type { OptionSpec } from '../core/options.ts';
import type { Posterior } from '../core/posterior.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Rows, Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { type Explanation, explainRow } from './explanation.ts';
import { JointScores, labelsAt, shareRight } from './joint-scores.ts';
import { Learner } from './learner.ts';

/** A learner that predicts: prediction is scoring rows with the parameters that follow from what was learned. */
export abstract class Predictor<
  Spec extends OptionSpec,
  S extends Shape,
  P extends Shape,
  Input = Features,
> extends Learner<Spec, S, P, Input> {
  /** ln p(c) + ln p(x | c) for every row and class. */
  predictJointLogProba(X: Input): Matrix {
    return this.scores(X).predictJointLogProba();
  }

  /** ln p(c | x), ln p(x), and which rows are impossible under every class (these get the prior). */
  classPosterior(X: Input): Posterior {
    return this.scores(X).classPosterior();
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(X: Input): Matrix {
    return this.scores(X).predictLogProba();
  }

  /** p(c | x) for every row and class. */
  predictProba(X: Input): Matrix {
    return this.scores(X).predictProba();
  }

  /** The most probable class of every row; the first of equals. */
  predict(X: Input): Label[] {
    return labelsAt(this.fitted().classes, this.choose(X));
  }

  /** ln p(x) of every row: how ordinary it is. */
  logEvidence(X: Input): Float64Array {
    return this.scores(X).logEvidence();
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: Input, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    return shareRight(this.predict(X), y, requireOptions('score', ['sampleWeight'], options));
  }

  /** For every row: the prior and what each feature adds to the score of each class. */
  explain(X: Input): Explanation[] {
    const rows = this.readRows(X);
    const { model } = this;
    const { classes } = this.fitted();
    const told = { model, params: this.parameters(), classes, name: (j: number) => this.featureName(j) };
    return Array.from({ length: rows.rows }, (_, i) => explainRow(told, rows, i));
  }

  /** What a feature is called: its name, or its number. */
  protected featureName(j: number): string | number {
    return this.fitted().names?.[j] ?? j;
  }

  /** The place of the most probable class of every row. */
  protected choose(X: Input): Int32Array {
    return this.scores(X).choose();
  }

  /** The scores of rows, from which all answers follow. */
  protected scores(X: Input): JointScores {
    const rows = this.readRows(X);
    const params = this.parameters();
    const { classes } = this.fitted();
    const joint = new Matrix(rows.rows, classes.length);
    this.model.score(params, rows, joint.data);
    return new JointScores(joint, this.model.logPrior(params), classes, this.params.zeroEvidence);
  }

  /** Reads rows to be scored. */
  protected readRows(X: Input): Rows {
    return this.receive(X, this.fitted(), false).rows;
  }
}
