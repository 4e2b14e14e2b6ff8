import type { State } from '../core/artifact.ts';
import type { NoOptions } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import { type Label, sortClasses } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { isLabelRows, type LabelRows } from '../evaluate/label-rows.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import { damaged } from './learned.ts';
import { codesAmong, type LearnOptions, type PartialFitOptions, type Target } from './learning.ts';
import {
  columnTargets,
  learnTargets,
  mergeTargets,
  type TargetRules,
  type Targets,
  unlearnTargets,
} from './multi-target.ts';
import type { InputOf } from './pipeline-step.ts';
import { type Inner, type Wrapped, Wrapper } from './wrapper.ts';

type Meaning = { readonly outputs: Label[][] };

/**
 * Several outputs for each row, such as a topic and a tone: a classifier for each column of the labels. Families of counts read the rows
 * once for all outputs. scikit-learn's class of this name.
 */
export class MultiOutputClassifier<E extends Wrapped = Wrapped> extends Wrapper<E, NoOptions, Targets<Meaning>> {
  constructor(estimator: E | { estimator: E }) {
    super('MultiOutputClassifier', {}, estimator);
  }

  /** Learns from these rows alone; `y` has a row of labels for each row. */
  fit(X: InputOf<E>, y: LabelRows, options: LearnOptions = {}): this {
    this.learned = learnTargets(this.rules, undefined, X, y, options);
    return this;
  }

  /** Learns from further rows, whose labels are among those of the first. */
  partialFit(X: InputOf<E>, y: LabelRows, options: PartialFitOptions = {}): this {
    this.learned = learnTargets(this.rules, this.learned, X, y, options);
    return this;
  }

  /** Takes away rows that were learned. */
  unlearn(X: InputOf<E>, y: LabelRows, options: LearnOptions = {}): this {
    this.learned = unlearnTargets(this.rules, this.fitted(), X, y, options);
    return this;
  }

  /** Adds what another classifier of the same labels has learned. */
  merge(other: this): this {
    if (other?.kind !== this.kind) refuse('E_MERGE_MISMATCH', `it is no ${this.kind}`);
    this.learned = mergeTargets(this.learned, other.learned);
    return this;
  }

  /**
   * Makes room for features that a step before this one has come to know.
   *
   * @internal
   */
  moveFeatures(features: number, place: Int32Array): this {
    for (const model of this.learned?.models ?? []) model.moveFeatures?.(features, place);
    return this;
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
    const truth = outputsOf(y, this.fitted().meaning)[1];
    const right = this.predict(X).map((row, i) => truth.every(({ classes, codes }, t) => classes[codes[i]] === row[t]));
    return accuracyScore(
      right.map(() => true),
      right,
      { sampleWeight },
    );
  }

  private get rules(): TargetRules<Meaning> {
    return { kind: this.kind, inner: this.inner, read: outputsOf };
  }

  protected save({ meaning }: Targets<Meaning>): Pick<State, 'learned' | 'arrays'> {
    return { learned: meaning, arrays: {} };
  }

  protected revive({ outputs, ...others }: State['learned'], models: readonly Inner[]): Targets<Meaning> {
    const fits = Array.isArray(outputs) && outputs.length === models.length && Object.keys(others).length === 0;
    if (!fits) return damaged('its outputs are wrong');
    for (const classes of outputs as Label[][]) sortClasses(classes);
    return { models, meaning: { outputs: outputs as Label[][] } };
  }
}

/** The classes of every output, and its targets; `known` is what earlier rows had. */
function outputsOf(y: unknown, known: Meaning | undefined, listed?: unknown): [Meaning, Target[]] {
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
