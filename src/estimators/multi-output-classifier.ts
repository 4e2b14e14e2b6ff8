import type { State } from '../core/artifact.ts';
import { requireOptions } from '../data/arguments.ts';
import { type Label, sortClasses } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { isLabelRows, type LabelRows } from '../evaluate/label-rows.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import type { Candidate } from './fold-learning.ts';
import { damaged } from './learned.ts';
import type { LearnOptions, PartialFitOptions } from './learning.ts';
import { codesAmong, columnTargets, innerOf, type Target, TargetClassifiers } from './multi-target.ts';
import type { InputOf, Step } from './pipeline-step.ts';

type Meaning = { readonly outputs: Label[][] };

/**
 * Several outputs for each row, such as a topic and a tone: a classifier for each column of the labels. Families of counts read the rows
 * once for all outputs. scikit-learn's class of this name.
 */
export class MultiOutputClassifier<E extends Candidate & Step = Candidate & Step> extends TargetClassifiers<Meaning> {
  constructor(estimator: E | { estimator: E }) {
    super('MultiOutputClassifier', estimator);
  }

  /**
   * The inverse of `toState`, with the function that makes estimators of the states inside.
   *
   * @internal
   */
  static fromState(state: State, revive: (state: State) => Step): MultiOutputClassifier {
    return new MultiOutputClassifier(innerOf(state, revive) as never).read(state, revive);
  }

  /** Learns from these rows alone; `y` has a row of labels for each row. */
  fit(X: InputOf<E>, y: LabelRows, options: LearnOptions = {}): this {
    return this.learn(X, y, options);
  }

  /** Learns from further rows, whose labels are among those of the first. */
  partialFit(X: InputOf<E>, y: LabelRows, options: PartialFitOptions = {}): this {
    return this.learnMore(X, y, options);
  }

  /** Takes away rows that were learned. */
  unlearn(X: InputOf<E>, y: LabelRows, options: LearnOptions = {}): this {
    return this.unlearnRows(X, y, options);
  }

  /** The sorted classes of each output. */
  get classes(): Label[][] {
    return this.fitted().meaning.outputs.map((classes) => [...classes]);
  }

  /** The classifier of each output. */
  get estimators(): E[] {
    return this.fitted().models as unknown as E[];
  }

  /** The most probable class of every output of every row. */
  predict(X: InputOf<E>): Label[][] {
    const columns = this.fitted().models.map((model) => model.predict(X));
    return columns[0].map((_, i) => columns.map((column) => column[i]));
  }

  /** The class probabilities of every output. */
  predictProba(X: InputOf<E>): Matrix[] {
    return this.fitted().models.map((model) => model.predictProba(X));
  }

  /** The weighted share of rows of which every output is predicted. */
  score(X: InputOf<E>, y: LabelRows, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    const { sampleWeight } = requireOptions('score', ['sampleWeight'], options);
    const truth = this.targets(y, this.fitted().meaning)[1];
    const right = this.predict(X).map((row, i) => truth.every(({ classes, codes }, t) => classes[codes[i]] === row[t]));
    return accuracyScore(
      right.map(() => true),
      right,
      { sampleWeight },
    );
  }

  protected targets(y: unknown, known: Meaning | undefined, listed?: unknown): [Meaning, Target[]] {
    if (!isLabelRows(y)) return refuse('E_SHAPE', `labels are rows with one label per output, got ${show(y)}`, {});
    const columns = columnTargets(y);
    if (known && columns.length !== known.outputs.length) {
      refuse('E_SHAPE', `there are ${columns.length} outputs where ${known.outputs.length} were learned`, {
        expected: known.outputs.length,
        actual: columns.length,
      });
    }
    const lists = known?.outputs ?? (listed as ArrayLike<ArrayLike<Label>> | undefined);
    const targets = columns.map((column, t) => (lists ? codesAmong(column, sortClasses(lists[t])) : column));
    return [{ outputs: targets.map(({ classes }) => [...classes]) }, targets];
  }

  protected modelsOf({ outputs, ...others }: Readonly<Record<string, unknown>>): number {
    if (!Array.isArray(outputs) || Object.keys(others).length > 0) return damaged('its outputs are wrong');
    for (const classes of outputs) sortClasses(classes);
    return outputs.length;
  }
}
