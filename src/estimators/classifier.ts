import type { OptionSpec } from '../core/options.ts';
import { decide, type Posterior, posterior } from '../core/posterior.ts';
import type { Rows, Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { Random } from '../math/random.ts';
import { type Explanation, explainRow } from './explanation.ts';
import { Learner, requireLengths } from './learner.ts';

/** A learner that classifies: prediction is scoring rows with the parameters that follow from what was learned. */
export abstract class CountingClassifier<
  Spec extends OptionSpec,
  S extends Shape,
  P extends Shape,
  Input = Features,
> extends Learner<Spec, S, P, Input> {
  /** ln p(c) + ln p(x | c) for every row and class. */
  predictJointLogProba(X: Input): Matrix {
    const rows = this.readRows(X);
    const { classes } = this.fitted();
    const out = new Float64Array(rows.rows * classes.length);
    this.model.score(this.parameters(), rows, out);
    return new Matrix(rows.rows, classes.length, out);
  }

  /** ln p(c | x), ln p(x), and which rows are impossible under every class (these get the prior). */
  posterior(X: Input): Posterior {
    const joint = this.predictJointLogProba(X);
    return posterior(joint.data, this.model.logPrior(this.parameters()));
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(X: Input): Matrix {
    const { logProba, impossible } = this.posterior(X);
    if (this.params.zeroEvidence === 'error' && impossible.length > 0) {
      refuse('E_ZERO_EVIDENCE', `row ${impossible[0]} is impossible under every class`, { row: impossible[0] });
    }
    const { length } = this.fitted().classes;
    return new Matrix(logProba.length / length, length, logProba);
  }

  /** p(c | x) for every row and class. */
  predictProba(X: Input): Matrix {
    const { rows, cols, data } = this.predictLogProba(X);
    return new Matrix(rows, cols, data.map(Math.exp));
  }

  /** The most probable class of every row; the first of equals. */
  predict(X: Input): Label[] {
    const { cols, data } = this.predictLogProba(X);
    const { classes } = this.fitted();
    return Array.from(decide(data, cols), (c) => classes[c]);
  }

  /** ln p(x) of every row: how ordinary it is. */
  logEvidence(X: Input): Float64Array {
    return this.posterior(X).logEvidence;
  }

  /** ln p(θ) of the prior under which the parameters are the mode, up to a constant; 0 for a family without one. */
  logParameterPrior(): number {
    const { stats, schema } = this.fitted();
    return this.model.logParameterPrior?.(this.parameters(), this.modelOptions(stats, schema)) ?? 0;
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: Input, y: ArrayLike<Label>, { sampleWeight }: { sampleWeight?: Weights } = {}): number {
    const predicted = this.predict(X);
    requireLengths(predicted.length, y.length);
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
    const { classes, names } = this.fitted();
    return Array.from({ length: rows.rows }, (_, i) =>
      explainRow(this.model, this.parameters(), rows, i, classes, names),
    );
  }

  /** Draws n rows from p(x | class), or from the whole model when no class is given. */
  sample(n: number, { class: wanted, seed = 0 }: { class?: Label; seed?: number } = {}): { X: Matrix; y: Label[] } {
    const { classes, stats } = this.fitted();
    const params = this.parameters();
    const random = new Random(seed);
    const priors = this.model.logPrior(params).map(Math.exp);
    const X = new Matrix(n, stats.features);
    const y: Label[] = [];
    for (let i = 0; i < n; i++) {
      const c = wanted === undefined ? random.categorical(priors) : classes.indexOf(wanted);
      if (c < 0) refuse('E_CLASS_UNKNOWN', `there is no class ${show(wanted)}`, { class: wanted ?? null });
      this.model.sample(params, c, random, X.row(i));
      y.push(classes[c]);
    }
    return { X, y };
  }

  /** Reads rows to be scored. */
  protected readRows(X: Input): Rows {
    return this.receive(X, this.fitted(), false).rows;
  }
}
