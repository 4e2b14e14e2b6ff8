import type { OptionSpec } from '../core/options.ts';
import { decideByScores, type Posterior, posterior } from '../core/posterior.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Rows, Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { type Explanation, explainRow } from './explanation.ts';
import { Learner } from './learner.ts';
import { requireLengths } from './lesson.ts';
import { Scored } from './scored.ts';

/** A learner that predicts: prediction is scoring rows with the parameters that follow from what was learned. */
export abstract class Predictor<
  Spec extends OptionSpec,
  S extends Shape,
  P extends Shape,
  Input = Features,
> extends Learner<Spec, S, P, Input> {
  /** ln p(c) + ln p(x | c) for every row and class. */
  predictJointLogProba(X: Input): Matrix {
    return this.scored(X).joint;
  }

  /** ln p(c | x), ln p(x), and which rows are impossible under every class (these get the prior). */
  classPosterior(X: Input): Posterior {
    const { joint, logPrior } = this.scored(X);
    return posterior(joint.data, logPrior);
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(X: Input): Matrix {
    const { logProba, logEvidence, impossible } = this.classPosterior(X);
    const [row] = impossible;
    if (this.params.zeroEvidence === 'error' && row !== undefined) {
      refuse('E_ZERO_EVIDENCE', `row ${row} is impossible under every class`, { row });
    }
    return new Matrix(logEvidence.length, this.fitted().classes.length, logProba);
  }

  /** p(c | x) for every row and class. */
  predictProba(X: Input): Matrix {
    const proba = this.predictLogProba(X);
    const { data } = proba;
    for (let k = 0; k < data.length; k++) data[k] = Math.exp(data[k]);
    return proba;
  }

  /** The most probable class of every row; the first of equals. */
  predict(X: Input): Label[] {
    const { classes } = this.fitted();
    const chosen = this.choose(X);
    const labels = new Array<Label>(chosen.length);
    for (let i = 0; i < chosen.length; i++) labels[i] = classes[chosen[i]];
    return labels;
  }

  /** ln p(x) of every row: how ordinary it is. */
  logEvidence(X: Input): Float64Array {
    return this.classPosterior(X).logEvidence;
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: Input, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    const { sampleWeight } = requireOptions('score', ['sampleWeight'], options);
    const predicted = this.predict(X);
    requireLengths(predicted.length, requireLabels(y).length);
    const weights = readWeights(sampleWeight, y.length);
    let [right, all] = [0, 0];
    for (let i = 0; i < predicted.length; i++) {
      all += weights[i];
      if (predicted[i] === y[i]) right += weights[i];
    }
    return right / all;
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
    if (this.params.zeroEvidence === 'error') this.predictLogProba(X); // refuses rows that are impossible
    const { joint, logPrior } = this.scored(X);
    return decideByScores(joint.data, logPrior);
  }

  /** Scores rows, unless they come with their scores. */
  private scored(X: Input | Scored): Scored {
    if (X instanceof Scored) return X;
    const given = this.readRows(X);
    const [params, rows] = this.parametersFor(given) ?? [this.parameters(), given];
    const joint = new Matrix(rows.rows, this.fitted().classes.length);
    this.model.score(params, rows, joint.data);
    return new Scored(joint, this.model.logPrior(params));
  }

  /** The parameters that some rows ask for, and the rows in their columns, where those of all columns are not yet known. */
  protected parametersFor(_rows: Rows): readonly [params: P, rows: Rows] | undefined {
    return undefined;
  }

  /** Reads rows to be scored. */
  protected readRows(X: Input): Rows {
    return this.receive(X, this.fitted(), false).rows;
  }
}
