import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { classFactors, requireWeightedClasses } from '../core/class-weight.ts';
import type { ExactStats, Model, Moves } from '../core/model.ts';
import { type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import { decideRows, type Posterior } from '../core/posterior.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireLearning, requireNumber, requireOptions } from '../data/arguments.ts';
import { type Batch, label, type Rows, type Shape, takeRows } from '../data/batch.ts';
import {
  type Input as Checked,
  type Expectation,
  type Features,
  readFeatures,
  requireSome,
  requireWidth,
} from '../data/input.ts';
import { type Label, moves, requireLabels, requireSameType, uniteClasses } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import { assign, requireLengths, type SoftLabels } from '../data/soft-labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import type { CountOptions } from '../engines/engine.ts';
import { addBatch } from '../engines/memory.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { drawCategory } from '../math/draws.ts';
import { Generator } from '../math/generator.ts';
import { type Explanation, explainRow } from './explanation.ts';
import type { FittedWith } from './fitted-model.ts';
import { type Inside, namingClasses, placeOfClass } from './inside.ts';
import { JointScores, labelsAt, shareRight } from './joint-scores.ts';
import { arithmeticOf, expectationOf, roundedCounts, weightedCounts } from './kinds/estimate.ts';
import type { Kind } from './kinds/kind.ts';
import { Counts, type Learned, largestCount, type StatisticKind } from './learned.ts';
import {
  type Capabilities,
  type ColumnRules,
  classList,
  classWeights,
  type FirstChoice,
  type LabelledBatch,
  type Labels,
  type LearnOptions,
  type PartialFitOptions,
  type Received,
  relabel,
  requireListed,
  requireMergeable,
  savedParams,
  type Union,
} from './learning.ts';
import { saveCounts, saveParameters } from './persist.ts';

const isNumber = (value: unknown): boolean => typeof value === 'number';
const stringify = (value: unknown): string => JSON.stringify(value);

/**
 * A classifier that counts: its options, what it has learned (a statistic by class), and a model that says how parameters are estimated
 * from the statistic and how rows are scored with them. A subclass names the model and its options. Reading columns that hold more than
 * numbers, and choices by the first rows, are separate parts: `columnRules` and `firstChoice`.
 */
export abstract class CountingClassifier<Spec extends OptionSpec, S extends Shape, P extends Shape, Input = Features> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: OptionValues<Spec>;
  protected learned: Learned<S> | undefined;
  /** Parameters, estimated on demand. */
  protected derived: P | undefined;

  /** The model behind the estimator: which statistic, how to estimate, how to score. */
  // biome-ignore lint/suspicious/noExplicitAny: only the kind knows the options of its model, and it provides them
  readonly model: Model<S, P, any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  private readonly own: Kind<Spec, S, P, any>;
  /** How columns that hold more than numbers are read. */
  protected readonly columnRules: ColumnRules<S, Input> | undefined;
  /** What the first rows choose besides the counts. */
  protected readonly firstChoice: FirstChoice<S> | undefined;
  /** Whether parameters exist for all counts, so that `fit` need not estimate them to validate its input. */
  protected readonly estimatesLater: boolean = false;

  // biome-ignore lint/suspicious/noExplicitAny: as above
  protected constructor(kind: Kind<Spec, S, P, any>, given: unknown) {
    this.own = kind;
    this.kind = kind.name;
    this.params = readOptions(kind.name, kind.spec, given);
    this.model = kind.model(this.params);
  }

  /** The parameters, as given or by default. */
  getParams(): OptionValues<Spec> {
    return { ...this.params };
  }

  /** Replaces some parameters. What was learned is forgotten: call `fit` again. */
  setParams(params: Partial<OptionValues<Spec>>): this {
    requireOptions(this.kind, Object.keys(this.params), params);
    return Object.assign(this.become(undefined), this.with({ ...this.params, ...params }));
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return this.with(this.params);
  }

  private with(params: OptionValues<Spec>): this {
    return new (this.constructor as new (params: OptionValues<Spec>) => this)(params);
  }

  /** What is expected of rows. */
  protected expectation(): Expectation {
    return expectationOf(this.own, this.params);
  }

  /** What this estimator can do: frozen, complete and true. */
  get capabilities(): Capabilities {
    const { nonNegative = false, sparse = false, missing = false } = this.expectation();
    const parts = this.firstChoice?.refuseParts === undefined;
    return Object.freeze({ nonNegative, sparse, missing, online: parts, mergeable: parts, multiclass: true });
  }

  /**
   * Whether the first rows choose more than counts, such as smoothing or dependencies: then learning in parts differs from learning all
   * rows at once.
   */
  get settles(): boolean {
    return this.firstChoice !== undefined;
  }

  /** How many features the rows have. */
  get nFeaturesIn(): number {
    return this.fitted().counts.shape.features;
  }

  /** The names of the columns, where rows came with names. */
  get featureNamesIn(): string[] | undefined {
    const { names } = this.fitted();
    return names && [...names];
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.fitted().classes];
  }

  /** The weight of each class. */
  get classCount(): Float64Array {
    return this.fitted().counts.classWeights();
  }

  /** ln p(c). */
  get classLogPrior(): Float64Array {
    return this.model.logPrior(this.parameters()).slice();
  }

  // Learning ------------------------------------------------------------------------------------------------------------------

  /** Fits to these rows; whatever was learned before is discarded. */
  fit<L extends Label>(
    X: Input,
    y: ArrayLike<L> | SoftLabels,
    options: PartialFitOptions = {},
  ): FittedWith<L, Input> & this {
    const learned = this.learn(undefined, X, y, options, true);
    requireWeightedClasses(this.params.classWeight ?? null, learned.classes);
    const fitted = this.become(learned, this.estimatesLater ? undefined : this.derive(learned));
    return fitted as FittedWith<L, Input> & this;
  }

  /** Learns from further rows. */
  partialFit(X: Input, y: Labels, options: PartialFitOptions = {}): this {
    this.firstChoice?.refuseParts?.();
    return this.become(this.learn(this.learned, X, y, options, false));
  }

  /** Adds what another estimator of the same kind has learned. */
  merge(other: CountingClassifier<Spec, S, P, Input>): this {
    if (other?.kind !== this.kind || stringify(other.params) !== stringify(this.params)) {
      refuse('E_MERGE_MISMATCH', `a ${this.kind} cannot be merged with another kind or other parameters`, {
        expected: this.kind,
        actual: String(other?.kind),
      });
    }
    const [mine, theirs] = [this.learned, other.learned];
    if (!theirs) return this;
    if (!mine) return this.become(this.reshaped(theirs, theirs.counts.shape, theirs.classes));
    const classes = uniteClasses(mine.classes, theirs.classes);
    requireMergeable(mine, theirs, classes.length);
    const union = this.unite(mine, theirs);
    const shape = { ...union.shape, classes: classes.length };
    this.modelOptions(shape, union.schema);
    const stats = this.moved(mine, shape, classes, union.mine);
    this.statisticKind.merge(stats as never, this.moved(theirs, shape, classes, union.theirs) as never);
    const closed = mine.closed || theirs.closed;
    const ceiling = largestCount(this.statisticKind, stats);
    return this.become({ ...mine, classes, closed, counts: Counts.of(stats), schema: union.schema, ceiling });
  }

  /** Unlearns rows: the result is the same as if they had never been learned. */
  unlearn(X: Input, y: Labels, options: LearnOptions = {}): this {
    requireLearning(this.kind, options);
    const before = this.fitted();
    const { batch, classes, moves, schema } = this.read(X, y, options.sampleWeight, before);
    requireListed(classes, before.classes, 'E_UNLEARN_UNDERFLOW');
    const relabelled = relabel(batch, classes, before.classes);
    const taken = this.statisticKind.empty(relabelled);
    this.add(taken, relabelled, options, before.classes, false);
    const stats = this.moved(before, relabelled, before.classes, moves);
    this.statisticKind.subtract(stats as never, taken as never);
    return this.become(this.compact({ ...before, counts: Counts.of(stats), schema }));
  }

  /** Exponential forgetting: after `elapsed` units of time, the counts are halved for every `halfLife`. */
  decay(halfLife: number, elapsed = 1): this {
    if (![halfLife, elapsed].every(isNumber) || !(halfLife > 0) || !(elapsed >= 0)) {
      refuse('E_PARAM', `decay needs a half-life > 0 and a time ≥ 0, got ${show(halfLife)} and ${show(elapsed)}`, {
        name: 'halfLife',
      });
    }
    const before = this.fitted();
    const stats = this.moved(before, before.counts.shape, before.classes);
    this.statisticKind.scale(stats as never, 2 ** (-elapsed / halfLife));
    return this.become({ ...before, counts: Counts.of(stats) });
  }

  /**
   * Adapts to new features of a previous step: `place` has the new index of each present feature, −1 if it was removed.
   *
   * @internal
   */
  moveFeatures(features: number, place: Int32Array): this {
    const before = this.learned;
    if (!before) return this;
    if (before.names || this.columnRules) {
      refuse('E_FEATURE_COUNT', 'columns with names, levels or families do not move', { actual: features });
    }
    const shape = { ...before.counts.shape, features };
    this.modelOptions(shape, before.schema);
    return this.become(this.reshaped(before, shape, before.classes, { features: place }));
  }

  /** The learned state after some rows. The previous state is changed only if nothing can fail. */
  private learn(
    before: Learned<S> | undefined,
    X: Input,
    y: Labels,
    options: PartialFitOptions,
    afresh: boolean,
  ): Learned<S> {
    requireLearning(this.kind, options);
    const labelled = this.read(X, y, options.sampleWeight, before);
    const [classes, closed] = classList(before, labelled.classes, options.classes);
    const { moves, schema, peak, names } = labelled;
    const batch = relabel(labelled.batch, labelled.classes, classes);
    this.modelOptions(batch, schema);
    const ceiling = (before?.ceiling ?? 0) + sum(batch.w) * Math.max(1, peak);
    const safe = ceiling <= Number.MAX_SAFE_INTEGER;
    const inPlace = before && safe && !moves && classes.length === before.classes.length && !options.signal;
    const stats = inPlace
      ? before.counts.read()
      : before
        ? this.moved(before, batch, classes, moves)
        : this.statisticKind.empty(batch);
    this.add(stats, batch, options, classes, afresh);
    const learned = {
      names: before ? before.names : names,
      classes,
      closed,
      counts: Counts.of<S>(stats),
      schema,
      ceiling: safe ? ceiling : largestCount(this.statisticKind, stats),
    };
    return before ? learned : this.settle(learned, batch);
  }

  /** Reads and checks labelled rows; rows of weight zero are ignored. */
  protected read(X: Input, y: Labels, weights: Weights | undefined, known: Learned<S> | undefined): LabelledBatch {
    if (known) this.firstChoice?.refuseParts?.();
    const { rows, shape, ...received } = this.receive(X, known, true, weights);
    requireLengths(rows.rows, requireLabels(y).length);
    const { order, classes, codes, w } = assign(y, readWeights(weights, y.length));
    if (known) requireSameType(known.classes[0], classes[0], 0);
    const batch = label(order ? takeRows(rows, order) : rows, { ...shape, classes: classes.length }, codes, w);
    return { ...received, classes, batch };
  }

  /**
   * Reads rows for learning (`known` is the state they are added to) or for scoring. A row of weight zero adds nothing, not even a new
   * level; weights are checked later.
   */
  protected receive(X: Input, known: Learned<S> | undefined, learning: boolean, weights?: Weights): Received {
    if (this.columnRules) return this.columnRules.receive(X, known, learning, weights);
    const expected = { ...this.expectation(), names: known?.names };
    const features = known?.counts.shape.features;
    const input = readFeatures(X as Features, learning ? expected : { ...expected, features });
    if (learning) {
      requireSome(input.rows);
      requireWidth(input.rows, features);
    }
    const rows = this.toRows(input);
    const shape = { features: rows.features, ...(expected.missing && { missing: true }) };
    return { rows, names: input.names, peak: input.peak, shape, schema: known?.schema };
  }

  /** From checked input to the rows that the model sees. */
  protected toRows(input: Checked): Rows {
    return input.rows;
  }

  /** Adds a batch to a statistic, with the progress callback and signal of the options; `afresh` if nothing was learned before. */
  protected add(
    stats: S | ExactStats,
    batch: Batch,
    options: CountOptions,
    _classes: readonly Label[],
    _afresh: boolean,
  ): void {
    addBatch(this.statisticKind as never, stats as never, batch, options);
  }

  /** The choices of the first rows. */
  protected settle(learned: Learned<S>, batch: Batch): Learned<S> {
    if (!this.firstChoice) return learned;
    const chosen = this.firstChoice.choose(this.weighted(learned), this.weighBatch(batch, learned));
    return { ...learned, schema: withEntries(learned.schema, chosen) };
  }

  /** The union shape of two learned states, and the position of each in it. */
  protected unite(mine: Learned<S>, theirs: Learned<S>): Union {
    const [own, other] = [mine.counts.shape.features, theirs.counts.shape.features];
    if (own !== other || stringify(mine.names) !== stringify(theirs.names)) {
      refuse('E_MERGE_MISMATCH', 'the two estimators have learned from different columns', {
        expected: own,
        actual: other,
      });
    }
    const numbers = { shape: mine.counts.shape, mine: {}, theirs: {}, schema: undefined };
    const union = this.columnRules?.unite(mine, theirs) ?? numbers;
    if (!this.firstChoice) return union;
    const weight = ({ counts }: Learned<S>) => sum(counts.classWeights());
    const chosen = this.firstChoice.unite([mine.schema, weight(mine)], [theirs.schema, weight(theirs)]);
    return { ...union, schema: withEntries(union.schema, chosen) };
  }

  /** The state without classes (of an open list) and levels that no row has any more; undefined if no class is left. */
  private compact(learned: Learned<S>): Learned<S> | undefined {
    const weights = learned.counts.classWeights();
    const classes = learned.closed ? learned.classes : learned.classes.filter((_, c) => weights[c] > 0);
    if (classes.length === 0) return undefined;
    const fewer = classes.length < learned.classes.length;
    const shape = { ...learned.counts.shape, classes: classes.length };
    const rest = fewer ? this.reshaped(learned, shape, classes) : learned;
    const change = this.columnRules?.compact(rest, this.rounded(rest));
    return change ? { ...this.reshaped(rest, change.shape, classes, change.mine), schema: change.schema } : rest;
  }

  // Parameters ----------------------------------------------------------------------------------------------------------------

  /** The learned state; throws before the first fit. */
  protected fitted(): Learned<S> {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }

  /** The parameters of the learned state. */
  protected parameters(): P {
    this.derived ??= this.derive(this.fitted());
    return this.derived;
  }

  /** Statistic → parameters. */
  protected derive(learned: Learned<S>): P {
    if (learned.schema === undefined) this.firstChoice?.refuseParts?.();
    return namingClasses(learned.classes, () =>
      this.model.estimate(this.weighted(learned), this.modelOptions(learned.counts.shape, learned.schema)),
    );
  }

  /** The options of the model for this shape and schema; throws if parameters do not fit. */
  protected modelOptions(shape: Shape, schema?: JsonValue): unknown {
    return this.own.modelOptions(this.params, shape, schema);
  }

  /** The statistic in the requested arithmetic. */
  protected get statisticKind(): StatisticKind<S> {
    return arithmeticOf(this.model, this.params);
  }

  /** The statistic as plain numbers, as models read it. */
  protected rounded({ counts }: Learned<S>): S {
    return roundedCounts(this.model, counts);
  }

  /** Counts times class weights. They are applied here rather than while counting, so that counts can be subtracted and merged. */
  protected weighted(learned: Learned<S>): S {
    return this.weigh(this.rounded(learned), learned.classes);
  }

  /** A copy of counts in which every class has its weight; the counts themselves where there are no class weights. */
  protected weigh(counts: S, classes: readonly Label[]): S {
    return weightedCounts(this.own, this.model, this.params, counts, classes);
  }

  /** A first batch with class weights as row weights. */
  protected weighBatch(batch: Batch, learned: Learned<S>): Batch {
    const { classWeight } = this.params;
    if (!classWeight) return batch;
    const factors = classFactors(classWeight, learned.classes, classWeights(this.rounded(learned)));
    return { ...batch, w: batch.w.map((weight, i) => weight * factors[batch.y[i]]) };
  }

  /** The statistic in another shape; always a copy. */
  private moved({ counts, classes: from }: Learned<S>, shape: Shape, classes: readonly Label[], others: Moves = {}) {
    const place = { ...others, classes: moves(from, classes) };
    return this.statisticKind.reshape(counts.read() as never, shape, place) as S | ExactStats;
  }

  /** What was learned, in another shape; always a copy. */
  protected reshaped(learned: Learned<S>, shape: Shape, classes: readonly Label[], others?: Moves): Learned<S> {
    return { ...learned, classes, counts: Counts.of<S>(this.moved(learned, shape, classes, others)) };
  }

  /** Replaces the learned state; parameters that are not given are estimated on demand. */
  protected become(learned: Learned<S> | undefined, derived?: P): this {
    this.learned = learned;
    this.derived = derived;
    return this;
  }

  // Scoring -------------------------------------------------------------------------------------------------------------------

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

  /** ln p(x) of every row, its log-density. */
  logEvidence(X: Input): Float64Array {
    return this.scores(X).logEvidence();
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: Input, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    return shareRight(this.predict(X), y, requireOptions('score', ['sampleWeight'], options));
  }

  /** For every row: the prior and the contribution of each feature to the score of each class. */
  explain(X: Input): Explanation[] {
    const rows = this.readRows(X);
    const inside = this.inside();
    return Array.from({ length: rows.rows }, (_, i) => explainRow(inside, rows, i));
  }

  /** Draws n rows from p(x | class), or from the whole model when no class is given. */
  sample(n: number, options: { class?: Label; seed?: number } = {}): { X: Matrix; y: Label[] } {
    const { class: wanted, seed = 0 } = requireOptions('sample', ['class', 'seed'], options);
    requireNumber('n', n, 'a number of rows', (value) => Number.isSafeInteger(value) && value >= 0);
    const { classes, counts } = this.fitted();
    const params = this.parameters();
    const random = new Generator(seed);
    const priors = this.model.logPrior(params).map(Math.exp);
    const X = new Matrix(n, counts.shape.features);
    const y: Label[] = [];
    for (let i = 0; i < n; i++) {
      const c = wanted === undefined ? drawCategory(random, priors) : placeOfClass(classes, wanted);
      this.model.sample(params, c, random, X.row(i));
      y.push(classes[c]);
    }
    return { X, y };
  }

  /** The index of the most probable class of every row. */
  protected choose(X: Input): Int32Array {
    const { model, params } = this;
    if (params.zeroEvidence === 'error') return this.scores(X).choose();
    const own = this.parameters();
    return decideRows(this.readRows(X), model.logPrior(own), (rows, out) => model.score(own, rows, out));
  }

  /** The joint scores of rows, from which all predictions are derived. */
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

  /**
   * Read access for functions outside the estimator.
   *
   * @internal
   */
  inside(): Inside<S, P, Input> {
    const { kind, model, columnRules } = this;
    const learned = this.fitted();
    const { classes, counts, schema, names } = learned;
    return {
      kind,
      model,
      params: this.parameters(),
      classes,
      features: counts.shape.features,
      name: (j) => columnRules?.name?.(learned, j) ?? names?.[j] ?? j,
      cell: (j, value): Level | null =>
        columnRules ? columnRules.cell(learned, j, value) : Number.isNaN(value) ? null : value,
      counted: () => ({ stats: this.weighted(learned), options: this.modelOptions(counts.shape, schema) }),
      counts: () => this.rounded(learned),
      weigh: (own) => this.weigh(own, classes),
      rows: (X) => this.readRows(X),
      batch: (X, y, weights) => this.read(X, y, weights, learned).batch,
    };
  }

  // State ---------------------------------------------------------------------------------------------------------------------

  /** Throws: save a model with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The estimator as plain data; `restore` is the way back. What was loaded from a slim file stays slim. */
  toState(options: StateOptions = {}): State {
    const { kind, learned } = this;
    const params = savedParams(this.params);
    const slim = learned && (options.slim || learned.slim);
    const saved = slim
      ? saveParameters(this.model.form, learned, this.parameters(), options)
      : saveCounts(this.statisticKind, learned);
    return { kind, params, ...saved };
  }

  /**
   * The learned state, for functions outside the estimator.
   *
   * @internal
   */
  peek(): Learned<S> | undefined {
    return this.learned;
  }

  /**
   * The options of the model, for functions outside the estimator; throws if parameters do not fit the shape.
   *
   * @internal
   */
  optionsFor(shape: Shape, schema?: JsonValue): unknown {
    return this.modelOptions(shape, schema);
  }

  /**
   * Replaces the learned state and optionally the parameters, for functions outside the estimator.
   *
   * @internal
   */
  adopt(
    make: (statisticKind: StatisticKind<S>, learned: Learned<S> | undefined) => Learned<S> | undefined,
    derive?: (learned: Learned<S>, options: unknown) => P | undefined,
  ): this {
    const learned = make(this.statisticKind, this.learned);
    const derived = learned && derive?.(learned, this.modelOptions(learned.counts.shape, learned.schema));
    return this.become(learned, derived);
  }

  /**
   * Shares the counts of another estimator with the same statistic, without a copy; they must not be added to afterwards.
   *
   * @internal
   */
  share(other: CountingClassifier<OptionSpec, S, Shape, unknown>): this {
    return this.become(other.learned);
  }
}

/** A schema with the choices of the first rows and the dictionaries of its columns. */
export function withEntries(schema: JsonValue | undefined, chosen: Record<string, JsonValue>): JsonValue {
  return { ...(schema !== undefined && { levels: schema }), ...chosen };
}
