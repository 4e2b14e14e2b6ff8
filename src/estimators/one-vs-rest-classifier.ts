import type { State } from '../core/artifact.ts';
import type { NoOptions } from '../core/options.ts';
import { decide } from '../core/posterior.ts';
import { requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label, requireLabels, sortClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { type Answers, areFlags, isLabelRows, type LabelRows, listsOf } from '../evaluate/label-rows.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import { damaged } from './learned.ts';
import { codesAmong, type LearnOptions, type PartialFitOptions, type Target } from './learning.ts';
import { learnTargets, mergeTargets, type TargetRules, type Targets, unlearnTargets } from './multi-target.ts';
import type { InputOf } from './pipeline-step.ts';
import { type Inner, type Wrapped, Wrapper } from './wrapper.ts';

/** The labels, and how they were given: one to a row, as lists, or as zeros and ones. */
type Meaning = { readonly labels: Label[]; readonly given: 'class' | 'lists' | 'flags' };

const BINARY = [0, 1];

/**
 * Several labels for each row: one classifier for every label, of the rows that have it against all others. A row may have any number of
 * labels, none included, as news have topics. Labels come as lists (`[['trade', 'grain'], []]`) or as rows of zeros and ones, and
 * predictions come in the same form. With one label for each row the label of the highest probability wins, as in scikit-learn's class of
 * this name. Families of counts read the rows once for all labels.
 */
export class OneVsRestClassifier<E extends Wrapped = Wrapped> extends Wrapper<E, NoOptions, Targets<Meaning>> {
  constructor(estimator: E | { estimator: E }) {
    super('OneVsRestClassifier', {}, estimator);
  }

  /** Fits to these rows. `classes` lists labels that rows may have later. */
  fit(X: InputOf<E>, y: Answers, options: PartialFitOptions = {}): this {
    this.learned = learnTargets(this.rules, undefined, X, y, options);
    return this;
  }

  /** Learns from further rows, whose labels are among those of the first. */
  partialFit(X: InputOf<E>, y: Answers, options: PartialFitOptions = {}): this {
    this.learned = learnTargets(this.rules, this.learned, X, y, options);
    return this;
  }

  /** Takes away rows that were learned. */
  unlearn(X: InputOf<E>, y: Answers, options: LearnOptions = {}): this {
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

  /** The sorted labels. */
  get classes(): Label[] {
    return [...this.fitted().meaning.labels];
  }

  /** Whether a row may have several labels. */
  get multilabel(): boolean {
    return this.fitted().meaning.given !== 'class';
  }

  /** The classifier of each label; of two classes that exclude each other one classifier, for the second. */
  get estimators(): E[] {
    return this.fitted().models as unknown as E[];
  }

  /** The probability of every label; where a row has one label, they sum to 1. */
  predictProba(X: InputOf<E>): Matrix {
    const { models, meaning } = this.fitted();
    const columns = models.map((model) => model.predictProba(X));
    const { rows } = columns[0];
    const cols = meaning.labels.length;
    const out = new Matrix(rows, cols);
    for (let i = 0; i < rows; i++) {
      const row = out.row(i);
      for (const [k, column] of columns.entries()) row[cols - columns.length + k] = column.at(i, 1);
      if (columns.length < cols) row[0] = 1 - row[1];
      else if (meaning.given === 'class') normalize(row);
    }
    return out;
  }

  /** The logarithms of `predictProba`. */
  predictLogProba(X: InputOf<E>): Matrix {
    const { rows, cols, data } = this.predictProba(X);
    return new Matrix(rows, cols, data.map(Math.log));
  }

  /** The labels of every row: those with a probability above ½, or the most probable one. */
  predict(X: InputOf<E>): Label[];
  predict(X: InputOf<E>): Label[] | Label[][] {
    const { labels, given } = this.fitted().meaning;
    const proba = this.predictProba(X);
    if (given === 'class') return Array.from(decide(proba.data, labels.length), (c) => labels[c]);
    return proba.toArray().map((row) => {
      if (given === 'flags') return row.map((p) => (p > 0.5 ? 1 : 0));
      return labels.filter((_, k) => row[k] > 0.5);
    });
  }

  /** The labels of every row as lists, or as zeros and ones if they were learned so. */
  predictLabels(X: InputOf<E>): Label[][] {
    if (!this.multilabel) refuse('E_CONFLICT', 'each row was learned with one label; use predict', {});
    return this.predict(X) as unknown as Label[][];
  }

  /** The weighted share of rows whose labels are all predicted, and no other. */
  score(X: InputOf<E>, y: Answers, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    const { sampleWeight } = requireOptions('score', ['sampleWeight'], options);
    const { meaning } = this.fitted();
    if (meaning.given === 'class') return accuracyScore(y as ArrayLike<Label>, this.predict(X), { sampleWeight });
    const truth = labelTargets(y, meaning)[1];
    const proba = this.predictProba(X);
    const rows = Array.from({ length: proba.rows }, (_, i) =>
      truth.every(({ codes }, k) => proba.at(i, k) > 0.5 === (codes[i] === 1)),
    );
    return accuracyScore(
      rows.map(() => true),
      rows,
      { sampleWeight },
    );
  }

  private get rules(): TargetRules<Meaning> {
    return { kind: this.kind, inner: this.inner, read: labelTargets };
  }

  protected save({ meaning }: Targets<Meaning>): Pick<State, 'learned' | 'arrays'> {
    return { learned: meaning, arrays: {} };
  }

  protected revive({ labels, given, ...others }: State['learned'], models: readonly Inner[]): Targets<Meaning> {
    const known = Array.isArray(labels) && ['class', 'lists', 'flags'].includes(given as string);
    if (!known || Object.keys(others).length > 0) return damaged('its labels are wrong');
    const meaning = { labels: labels as Label[], given: given as Meaning['given'] };
    const needed = given === 'class' && labels.length === 2 ? 1 : sortClasses(meaning.labels).length;
    return needed === models.length ? { models, meaning } : damaged('its parts do not fit its labels');
  }
}

/** What labels mean, and a target for each; `known` is what those of earlier rows meant. */
function labelTargets(y: unknown, known: Meaning | undefined, listed?: unknown): [Meaning, Target[]] {
  const meaning = { ...(known ?? meaningOf(y)) };
  if (listed !== undefined && !known) meaning.labels = sortClasses(listed as ArrayLike<Label>);
  const { labels, given } = meaning;
  if ((given !== 'class') !== isLabelRows(y)) {
    refuse('E_LABEL_TYPE', given === 'class' ? 'rows have one label each' : 'labels are lists, one for each row', {});
  }
  const binary = (has: (i: number) => boolean, rows: number): Target => ({
    classes: BINARY,
    codes: Int32Array.from({ length: rows }, (_, i) => (has(i) ? 1 : 0)),
  });
  if (given === 'class') {
    const { codes } = codesAmong(encodeLabels(requireLabels(y as ArrayLike<Label>)), labels);
    const targets = labels.map((_, k) => binary((i) => codes[i] === k, codes.length));
    return [meaning, labels.length === 2 ? [targets[1]] : targets];
  }
  const lists = listsOf(y as LabelRows);
  if (given === 'lists') {
    const flat = lists.flat();
    if (flat.length > 0) codesAmong(encodeLabels(flat), labels);
  } else requireFlags(lists, labels.length);
  const sets = lists.map((row) => new Set(row));
  const has = (k: number) => (i: number) => (given === 'lists' ? sets[i].has(labels[k]) : Number(lists[i][k]) === 1);
  return [meaning, labels.map((_, k) => binary(has(k), lists.length))];
}

/** What labels mean: lists hold names; equal rows of zeros and ones are flags of labels 0, 1, … */
function meaningOf(y: unknown): Meaning {
  if (!isLabelRows(y)) {
    const { classes } = encodeLabels(requireLabels(y as ArrayLike<Label>));
    if (classes.length < 2)
      refuse('E_CLASSES_TOO_FEW', 'a single class has no other to be separated from', { actual: classes.length });
    return { labels: [...classes], given: 'class' };
  }
  const lists = listsOf(y);
  if (areFlags(lists)) return { labels: lists[0].map((_, k) => k), given: 'flags' };
  const flat = lists.flat();
  if (flat.length === 0) refuse('E_LABEL_MISSING', 'no row has a label', {});
  return { labels: [...encodeLabels(flat).classes], given: 'lists' };
}

function requireFlags(rows: readonly (readonly Label[])[], width: number): void {
  const wrong = rows.findIndex(
    (row) => row.length !== width || row.some((cell) => Number(cell) !== 0 && Number(cell) !== 1),
  );
  if (wrong < 0) return;
  refuse('E_SHAPE', `row ${wrong} is not ${width} zeros and ones`, {
    row: wrong,
    expected: width,
    actual: rows[wrong].length,
  });
}

/** Divides by the sum; a row of zeros is divided evenly. */
function normalize(row: Float64Array): void {
  const sum = row.reduce((all, p) => all + p, 0);
  for (let c = 0; c < row.length; c++) row[c] = sum > 0 ? row[c] / sum : 1 / row.length;
}
