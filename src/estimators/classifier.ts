import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { classFactors, requireWeightedClasses } from '../core/class-weight.ts';
import type { ExactStats, Model } from '../core/model.ts';
import type { OptionSpec } from '../core/options.ts';
import { requireNumber, requireOptions } from '../data/arguments.ts';
import type { Batch, Shape } from '../data/batch.ts';
import { type Input as Checked, type Expectation, type Features, readFeatures } from '../data/input.ts';
import { encodeLabels, type Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { drawCategory } from '../math/draws.ts';
import { Generator } from '../math/generator.ts';
import { type Inside, placeOfClass } from './inside.ts';
import { type Keeper, type Learned, toState } from './learned.ts';
import { classWeights } from './lesson.ts';
import { largestCount } from './overflow.ts';
import { Predictor } from './predictor.ts';
import { toSlim } from './slim.ts';

/** A classifier with all that is promised of every one: rows in any container, exact sums, samples, model files. */
export abstract class CountingClassifier<
  Spec extends OptionSpec,
  S extends Shape,
  P extends Shape,
  Input = Features,
> extends Predictor<Spec, S, P, Input> {
  // biome-ignore lint/suspicious/noExplicitAny: only the subclass knows the options of its model, and it provides them
  abstract override readonly model: Model<S, P, any>;

  /** Draws n rows from p(x | class), or from the whole model when no class is given. */
  sample(n: number, options: { class?: Label; seed?: number } = {}): { X: Matrix; y: Label[] } {
    const { class: wanted, seed = 0 } = requireOptions('sample', ['class', 'seed'], options);
    requireNumber('n', n, 'a number of rows', (value) => Number.isSafeInteger(value) && value >= 0);
    const { classes, stats } = this.fitted();
    const params = this.parameters();
    const random = new Generator(seed);
    const priors = this.model.logPrior(params).map(Math.exp);
    const X = new Matrix(n, stats.features);
    const y: Label[] = [];
    for (let i = 0; i < n; i++) {
      const c = wanted === undefined ? drawCategory(random, priors) : placeOfClass(classes, wanted);
      this.model.sample(params, c, random, X.row(i));
      y.push(classes[c]);
    }
    return { X, y };
  }

  /** For functions beside the estimator: what they may read of it. */
  inside(): Inside<S, P, Input> {
    const { kind, model } = this;
    const learned = this.fitted();
    const { classes, stats, schema } = learned;
    return {
      kind,
      model,
      params: this.parameters(),
      classes,
      features: stats.features,
      name: (j) => this.featureName(j),
      cell: (j, value) => this.cellOf(j, value),
      counted: () => ({ stats: this.weighted(learned), options: this.modelOptions(stats, schema) }),
      counts: () => this.rounded(learned),
      weigh: (counts) => this.weigh(counts, classes),
      rows: (X) => this.readRows(X),
      batch: (X, y, weights) => this.read(X, y, weights, learned).batch,
    };
  }

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The estimator as plain data; `restore` is the way back. What was loaded from a slim file stays slim. */
  toState(options: StateOptions = {}): State {
    const { kind, learned } = this;
    const params = JSON.parse(JSON.stringify(this.params)) as Record<string, JsonValue>;
    const slim = learned && (options.slim || learned.slim);
    const kept = slim ? toSlim(this.model.form, learned, this.parameters(), options) : toState(this.keeper, learned);
    return { kind, params, ...kept };
  }

  /** A number that stands for a cell of feature j, as the cell itself. */
  protected cellOf(_j: number, value: number): Level | null {
    return Number.isNaN(value) ? null : value;
  }

  protected override get keeper(): Keeper<S> {
    return this.params.reproducible ? this.model.statistic.exact : this.model.statistic;
  }

  protected override rounded({ stats }: Learned<S>): S {
    return 'cells' in stats ? this.model.statistic.exact.round(stats) : stats;
  }

  /** Counts times class weights. It is done here and not when rows are counted, so that counts can still be taken away and merged. */
  protected override weighted(learned: Learned<S>): S {
    return this.weigh(this.rounded(learned), learned.classes);
  }

  /** A copy of counts in which every class has its weight; the counts themselves where there are no class weights. */
  protected weigh(counts: S, classes: readonly Label[]): S {
    const { classWeight } = this.params;
    if (!classWeight) return counts;
    const { statistic } = this.model;
    const weighted = statistic.reshape(counts, counts, {});
    statistic.scale(weighted, classFactors(classWeight, classes, classWeights(counts)));
    return weighted;
  }

  /** A first batch with class weights as row weights. */
  protected weighBatch(batch: Batch, learned: Learned<S>): Batch {
    const { classWeight } = this.params;
    if (!classWeight) return batch;
    const factors = classFactors(classWeight, learned.classes, classWeights(this.rounded(learned)));
    return { ...batch, w: batch.w.map((weight, i) => weight * factors[batch.y[i]]) };
  }

  protected override requireClasses(classes: readonly Label[]): void {
    requireWeightedClasses(this.params.classWeight ?? null, classes);
  }

  protected override get encode(): typeof encodeLabels {
    return encodeLabels;
  }

  protected override largest(stats: S | ExactStats): number {
    return largestCount(this.keeper, stats);
  }

  protected readInput(X: Input, expected: Expectation): Checked {
    return readFeatures(X as Features, expected);
  }
}
