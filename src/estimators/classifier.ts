import type { OptionSpec } from '../core/options.ts';
import { decide, type Posterior, posterior } from '../core/posterior.ts';
import type { Rows, Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { Random } from '../math/random.ts';
import { type CredibleIntervalOptions, type CredibleIntervals, credibleInterval } from './credible-interval.ts';
import { type Decision, type DecisionOptions, decideRows } from './decisions.ts';
import { type DoubleCounting, type DoubleCountingOptions, doubleCounting } from './double-counting.ts';
import { type Explanation, explainRow } from './explanation.ts';
import { type Known, type Names, placeOfClass } from './known.ts';
import { Learner } from './learner.ts';
import { requireLengths } from './lesson.ts';
import { type Informative, type MostInformativeOptions, mostInformative } from './most-informative.ts';
import { type Nomogram, type NomogramOptions, nomogram } from './nomogram.ts';
import { type WhatIf, whatIf } from './what-if.ts';

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
  classPosterior(X: Input): Posterior {
    const joint = this.predictJointLogProba(X);
    return posterior(joint.data, this.model.logPrior(this.parameters()));
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(X: Input): Matrix {
    const { logProba } = this.answer(X);
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
    return this.classPosterior(X).logEvidence;
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
    const { model, params, classes, name } = this.known();
    return Array.from({ length: rows.rows }, (_, i) => explainRow(model, params, rows, i, classes, name));
  }

  /** The features that speak most for each class, or for one, with how much they say in nats. */
  mostInformative({ names, ...options }: MostInformativeOptions & Names = {}): Informative[] {
    return mostInformative(this.known(names), options);
  }

  /** What each value of each feature adds to the score: all there is to draw a nomogram. */
  nomogram({ names, ...options }: NomogramOptions & Names = {}): Nomogram {
    return nomogram(this.known(names), options);
  }

  /** For every row the fewest words or values without which the answer would be another; undefined where none would do. */
  whatIf(X: Input, { names }: Names = {}): (WhatIf | undefined)[] {
    const rows = this.readRows(X);
    const known = this.known(names);
    return Array.from({ length: rows.rows }, (_, i) => whatIf(known, rows, i));
  }

  /** The pairs of features that these rows show to say the same thing twice, and how much too sure that makes the model. */
  doubleCounting(
    X: Input,
    y: ArrayLike<Label>,
    { sampleWeight, names, ...options }: DoubleCountingOptions & Names & { sampleWeight?: Weights } = {},
  ): DoubleCounting[] {
    const rows = this.readRows(X);
    const known = this.known(names);
    requireLengths(rows.rows, y.length);
    const codes = Int32Array.from(y, (label) => placeOfClass(known.classes, label));
    const labelled = { y: codes, w: readWeights(sampleWeight, y.length), classes: known.classes.length };
    return doubleCounting(known, rows, labelled, options);
  }

  /** For every row and class the interval in which p(c | x) lies, as sure as the counts make the parameters. */
  credibleInterval(X: Input, options: CredibleIntervalOptions = {}): CredibleIntervals {
    return credibleInterval(this.known(), this.readRows(X), options);
  }

  /** For every row the class to decide for, or null: by probability or cost, with the most probable classes beside it. */
  decisions(X: Input, options: DecisionOptions = {}): Decision[] {
    return decideRows(this.answer(X), this.fitted().classes, options);
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

  /** The posterior, or a refusal where a row is impossible and that was to be an error. */
  private answer(X: Input): Posterior {
    const answer = this.classPosterior(X);
    const [row] = answer.impossible;
    if (this.params.zeroEvidence === 'error' && row !== undefined) {
      refuse('E_ZERO_EVIDENCE', `row ${row} is impossible under every class`, { row });
    }
    return answer;
  }

  /** What a feature is called: its name, or its number. */
  protected featureName(j: number): string | number {
    return this.fitted().names?.[j] ?? j;
  }

  /** A number that stands for a cell of feature j, as the cell itself. */
  protected cellOf(_j: number, value: number): Level | null {
    return Number.isNaN(value) ? null : value;
  }

  /** What explanations need to know. */
  private known(names?: ArrayLike<string>): Known<S, P> {
    const learned = this.fitted();
    return {
      kind: this.kind,
      model: this.model,
      params: this.parameters(),
      classes: learned.classes,
      features: learned.stats.features,
      name: (j) => names?.[j] ?? this.featureName(j),
      cell: (j, value) => this.cellOf(j, value),
      counted: () => ({
        stats: this.rounded(learned),
        options: this.modelOptions(learned.stats, learned.schema),
      }),
    };
  }

  /** Reads rows to be scored. */
  protected readRows(X: Input): Rows {
    return this.receive(X, this.fitted(), false).rows;
  }
}
