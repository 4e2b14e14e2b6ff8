import { decodeState, encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { readOptions } from '../core/options.ts';
import { decide } from '../core/posterior.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireNumber, requireOptions } from '../data/arguments.ts';
import type { DataRow } from '../data/cells.ts';
import { type BlockTable, type ColumnTable, RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import type { FittedModel } from '../estimators/fitted-model.ts';
import type { Estimator } from '../estimators/load.ts';
import type { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import { type BegunFit, beginParts, fitStream, type RowBatches } from './classifier-family.ts';
import { type ClassifierParts, fitSteps } from './classifier-fit.ts';
import {
  type CalibrateOptions,
  type Classification,
  type ClassifierExplanation,
  changeBy,
  classifyRows,
  copyParts,
  countedParts,
  curveSteps,
  explainRow,
  type FoldedCurve,
  fitCurve,
  keepsCounts,
  mergeParts,
  type RowOptions,
  scoreTable,
} from './classifier-learning.ts';
import type { ClassifierOptions } from './classifier-options.ts';
import { estimatorOf } from './classifier-predictors.ts';
import {
  type ClassifierInformativeOptions,
  type ClassifierNomogram,
  type ClassifierNomogramOptions,
  type ClassifierReport,
  classesOf,
  countingOf,
  informativeOf,
  nomogramOf,
  nomogramSpec,
  reportOf,
} from './classifier-report.ts';
import { readClassifier, saveClassifier } from './classifier-saved.ts';
import type { ClassifierInformative } from './informative.ts';
import type { RecordLearner } from './learner.ts';
import type { ClassifierSchema } from './learner-columns.ts';
import { RecordCheck, type RecordColumn, type RecordOptions } from './record-check.ts';
import { labelsOf } from './records.ts';
import { finish, type Steps } from './steps.ts';

export type { Classification, ClassifierExplanation } from './classifier-learning.ts';

/** The labels in a column of typed rows: its type without gaps, or any label where the rows do not say more. */
export type LabelIn<Row, Target extends keyof Row> = unknown extends Row[Target] ? Label : Extract<Row[Target], Label>;

/**
 * A classifier of records. It infers the kinds of columns from the rows and learns one family of models, or an ensemble that is chosen by
 * held-out log-loss. Both keep their counts: they learn more rows, unlearn, merge and forget. Missing cells are ordinary.
 */
export class Classifier<L extends Label = Label> implements FittedModel<readonly object[], L> {
  readonly kind = 'Classifier';
  private parts: ClassifierParts;
  private readonly records: RecordCheck;

  private constructor(parts: ClassifierParts) {
    this.parts = parts;
    this.records = new RecordCheck(parts.report.schema);
  }

  /** Learns from rows; the same rows, options and seed give the same classifier. Its labels are those of the column `target`. */
  static fit<Row extends object, Target extends keyof Row & string>(
    rows: readonly Row[],
    options: ClassifierOptions & { readonly target: Target },
  ): Classifier<LabelIn<Row, Target>>;
  static fit<L extends Label = Label>(rows: readonly DataRow[], options: ClassifierOptions): Classifier<L>;
  static fit<L extends Label>(rows: readonly DataRow[], options: ClassifierOptions): Classifier<L> {
    return finish(Classifier.fitSteps<L>(rows, options), options);
  }

  /**
   * Learns from records or from a table, step by step: the caller runs the steps, and may do other things in between.
   *
   * @internal
   */
  static *fitSteps<L extends Label = Label>(
    rows: readonly DataRow[] | BlockTable,
    options: ClassifierOptions,
  ): Steps<Classifier<L>> {
    return new Classifier<L>(yield* fitSteps(rows, options));
  }

  /** Learns a named family in one pass over rows that come in parts. */
  static async fitStream<L extends Label = Label>(
    batches: RowBatches,
    options: ClassifierOptions,
  ): Promise<Classifier<L>> {
    return new Classifier<L>(await fitStream(batches, options));
  }

  /**
   * Begins a fit whose rows are learned in parts, perhaps by several threads: settles the columns by a sample, which is not learned.
   *
   * @internal
   */
  static beginFit(sample: ColumnTable, options: ClassifierOptions): BegunFit<Classifier> {
    const { learner, report, finish } = beginParts(sample, options);
    return { learner, report, finish: (learned, rows) => new Classifier(finish(learned, rows)) };
  }

  /** Reads what `save` wrote; ends in a classifier or a `PolyaError`, and executes nothing of the file. */
  static load<L extends Label = Label>(bytes: Uint8Array | ArrayBuffer): Classifier<L> {
    return Classifier.fromState<L>(decodeState(bytes));
  }

  /**
   * A classifier from the state of a file that was read.
   *
   * @internal
   */
  static fromState<L extends Label = Label>(state: State): Classifier<L> {
    return new Classifier<L>(readClassifier(state));
  }

  /**
   * Keeps the counts of its words in as little room as they need, as `Pipeline.condense` does.
   *
   * @internal
   */
  condense(): this {
    countingOf(this.parts)?.condense();
    return this;
  }

  /** The sorted class labels. */
  get classes(): L[] {
    return [...classesOf(this.parts)] as L[];
  }

  /** The column that holds the label. */
  get target(): string {
    return this.parts.report.target;
  }

  /** The family, or 'auto' for a pool. */
  get model(): string {
    return this.parts.report.model;
  }

  /** Whether it keeps counts, and so learns, unlearns and merges. */
  get learns(): boolean {
    return keepsCounts(this.parts);
  }

  /** Kinds of columns and all that rows have settled: handed to another fit, it makes a classifier to merge with. */
  get schema(): ClassifierSchema {
    return structuredClone(this.parts.report.schema);
  }

  /** A copy of the estimator that counts, or a pipeline that reads one text; nothing where no single one takes the rows. */
  get estimator(): Estimator | Pipeline<readonly Step[]> | undefined {
    const counting = countingOf(this.parts);
    return counting && (estimatorOf(counting) as Estimator | Pipeline<readonly Step[]> | undefined);
  }

  /**
   * What counts, itself and no copy, for reading alone; undefined for an ensemble.
   *
   * @internal
   */
  get learner(): RecordLearner | undefined {
    return countingOf(this.parts);
  }

  /** The choice, the alternatives with their scores, kinds of columns with reasons, warnings, and what is known now. */
  report(): ClassifierReport {
    return reportOf(this.parts);
  }

  /** The columns that it reads from records. */
  get columns(): readonly RecordColumn[] {
    return this.records.columns;
  }

  /** ln p(c | x) of every row. */
  predictLogProba(rows: readonly object[], options?: RecordOptions): Matrix {
    return scoreTable(this.parts, this.tableOf(rows, options)).logProba;
  }

  /**
   * ln p(c | x) of every row of a table.
   *
   * @internal
   */
  predictTable(table: ColumnTable, options?: RecordOptions): Matrix {
    this.records.checkTable(table, options);
    return scoreTable(this.parts, table).logProba;
  }

  /** p(c | x) of every row. */
  predictProba(rows: readonly object[], options?: RecordOptions): Matrix {
    const { rows: length, cols, data } = this.predictLogProba(rows, options);
    return new Matrix(length, cols, data.map(Math.exp));
  }

  /** The most probable class of every row; the first of equals. */
  predict(rows: readonly object[], options?: RecordOptions): L[] {
    const { classes } = this;
    return Array.from(decide(this.predictLogProba(rows, options).data, classes.length), (c) => classes[c]);
  }

  /** The weighted share of rows whose class is predicted; without labels, by those in the target column. */
  score(rows: readonly object[], y?: ArrayLike<Label>, options: Omit<RowOptions, 'signal'> = {}): number {
    const { sampleWeight, strict } = requireOptions('score', ['sampleWeight', 'strict'], options);
    const predicted = this.predict(rows, { strict });
    return accuracyScore(y ?? labelsOf(new RecordTable(rows as readonly DataRow[]), this.target), predicted, {
      sampleWeight,
    });
  }

  /** ln p(x) of every row: how ordinary it is; undefined where no model gives one. */
  logEvidence(rows: readonly object[], options?: RecordOptions): Float64Array | undefined {
    return scoreTable(this.parts, this.tableOf(rows, options), true).logEvidence;
  }

  /** The class of one record, with probabilities. */
  classify(row: object, options?: RecordOptions): Classification<L> {
    return this.classifyAll([row], options)[0];
  }

  /** The class of each record, with probabilities. */
  classifyAll(rows: readonly object[], options?: RecordOptions): Classification<L>[] {
    return classifyRows(this.parts, this.tableOf(rows, options));
  }

  /** Why a record gets its label. */
  explain(row: object, options?: RecordOptions): ClassifierExplanation<L> {
    return explainRow(this.parts, this.tableOf([row], options));
  }

  /**
   * What the classifier goes by: the words, levels and measurements that speak most for each class, the strongest first. Frequent words
   * that all classes share and rare ones come last.
   */
  mostInformative(options: ClassifierInformativeOptions<L> = {}): ClassifierInformative<L>[] {
    return informativeOf(this.parts, options) as ClassifierInformative<L>[];
  }

  /** The model as a nomogram with the `k` widest axes. Refuses an ensemble, whose score is no sum over features. */
  nomogram(options: ClassifierNomogramOptions = {}): ClassifierNomogram<L> {
    const { k } = readOptions('nomogram', nomogramSpec, options);
    return nomogramOf(this.parts, k) as ClassifierNomogram<L>;
  }

  /** Learns from further rows; new labels, words and levels are added. All rows are learned, or none. */
  partialFit(rows: readonly object[], options: RowOptions = {}): this {
    changeBy(this.parts, 'partialFit', this.tableOf(rows, options), options);
    return this;
  }

  /** Takes away rows that were learned: what remains is what the others alone would have taught. */
  unlearn(rows: readonly object[], options: RowOptions = {}): this {
    changeBy(this.parts, 'unlearn', this.tableOf(rows, options), options);
    return this;
  }

  /**
   * The same for the rows of a table.
   *
   * @internal
   */
  change(method: 'partialFit' | 'unlearn', table: ColumnTable, options: RowOptions = {}): this {
    this.records.checkTable(table, options);
    changeBy(this.parts, method, table, options);
    return this;
  }

  /** Adds what another classifier has learned: one of the same family, options and schema, or one that was fitted like this one. */
  merge(other: Classifier<L>): this {
    if (!(other instanceof Classifier)) refuse('E_TYPE', `a classifier merges with another one, got ${show(other)}`);
    mergeParts(this.parts, other.parts);
    return this;
  }

  /** Forgets a part: all that was learned weighs `factor` times as much. */
  decay(factor: number): this {
    const predictors = countedParts(this.parts, 'decay');
    requireNumber('factor', factor, 'above 0 and up to 1', (value) => value > 0 && value <= 1);
    for (const predictor of predictors) predictor.decay(factor);
    return this;
  }

  /**
   * Calibrates probabilities by rows that it has not learned, at least 30 per class. The calibrator never reverses the order of
   * probabilities, and stays as it is when more rows are learned.
   */
  calibrate(rows: readonly object[], options: CalibrateOptions = {}): this {
    this.parts = { ...this.parts, curve: finish(fitCurve(this.parts, this.tableOf(rows, options), options)) };
    return this;
  }

  /**
   * Calibrates by a table, and returns the log-posteriors of its rows before, and after by calibrators of the other folds.
   *
   * @internal
   */
  *calibrateSteps(
    table: ColumnTable,
    folds: Parameters<typeof curveSteps>[2],
    options: CalibrateOptions,
  ): Steps<Omit<FoldedCurve, 'curve'>> {
    this.records.checkTable(table, options);
    const { curve, ...found } = yield* curveSteps(this.parts, table, folds, options);
    this.parts = { ...this.parts, curve };
    return found;
  }

  /**
   * The same columns, models, ensemble weights and calibration, with nothing learned: what it learns from other rows can be merged with
   * this classifier.
   */
  blank(): Classifier<L> {
    const predictors = countedParts(this.parts, 'blank').map((predictor) => predictor.blank());
    return new Classifier<L>({ ...this.parts, predictors });
  }

  /** A classifier that knows the same and shares nothing. */
  clone(): Classifier<L> {
    return new Classifier<L>(copyParts(this.parts));
  }

  /** Refuses: a model is saved with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The classifier as the bytes of a model file; a slim one has no counts, and does not learn on. */
  save(options: SaveOptions = {}): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The classifier as plain data. */
  toState(options?: StateOptions): State {
    return saveClassifier(this.parts, options);
  }

  /** The same as `save`, by the name that estimators have for it. */
  toBytes(options: SaveOptions = {}): Uint8Array<ArrayBuffer> {
    return this.save(options);
  }

  /** Records as a table, checked. */
  private tableOf(given: readonly object[], options?: RecordOptions): ColumnTable {
    const rows = given as readonly DataRow[];
    this.records.check(rows, options);
    return new RecordTable(flattenRows(rows));
  }
}
