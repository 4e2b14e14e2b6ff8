import { encodeState, type State } from '../core/artifact.ts';
import type { ExactStats, Model, Moves } from '../core/model.ts';
import { type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import { type Batch, label, type Rows, type Shape, takeRows } from '../data/batch.ts';
import {
  type Input as Checked,
  type Expectation,
  type Features,
  readFeatures,
  requireSome,
  requireWidth,
} from '../data/input.ts';
import { type Label, moves, requireSameType, sortClasses, uniteClasses } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import type { CountOptions } from '../engines/engine.ts';
import { addBatch } from '../engines/memory.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import { assign, type Labels } from './labels.ts';
import { fromState, type Keeper, type Learned, toState } from './learned.ts';
import { addCounts, largestCount, requireExact } from './overflow.ts';

/** How rows are learned. */
export interface LearnOptions extends CountOptions {
  readonly sampleWeight?: Weights | undefined;
}

/** How further rows are learned. */
export interface PartialFitOptions extends LearnOptions {
  /** The closed list of classes; without it, new classes are welcome at any time. */
  readonly classes?: ArrayLike<Label> | undefined;
}

/** What an estimator can do. */
export interface Capabilities {
  readonly nonNegative: boolean;
  readonly sparse: boolean;
  readonly missing: boolean;
  readonly online: boolean;
  readonly mergeable: boolean;
  readonly multiclass: boolean;
}

/** Rows as the model sees them, and what must change in what is known before they can be added to it. */
export interface Received {
  readonly rows: Rows;
  readonly names: readonly string[] | undefined;
  /** The largest magnitude of a cell. */
  readonly peak: number;
  readonly shape: Omit<Shape, 'classes' | 'parts'>;
  /** Where the features and levels that are known stand in the new shape, if they move. */
  readonly moves?: Moves;
  /** What else is known of the columns, such as the names of their levels. */
  readonly schema?: JsonValue;
}

/** A labelled batch, ready to be counted. */
interface Lesson extends Omit<Received, 'rows' | 'shape'> {
  readonly classes: readonly Label[];
  readonly batch: Batch;
}

/**
 * What all estimators that count have in common: learning is adding rows to a statistic, and parameters are derived from the
 * statistic when they are needed. A subclass names its model and its options.
 */
export abstract class Learner<Spec extends OptionSpec, S extends Shape, P extends Shape, Input = Features> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: OptionValues<Spec>;
  protected learned: Learned<S> | undefined;
  private derived: P | undefined;
  private ceiling = 0; // no count is larger than this

  /** The model behind the estimator: which statistic, how to estimate, how to score. */
  // biome-ignore lint/suspicious/noExplicitAny: only the subclass knows the options of its model, and it provides them
  abstract readonly model: Model<S, P, any>;
  /** What this estimator asks of its rows. */
  protected abstract expectation(): Expectation;
  /** The options of the model for this shape and what is known of the columns; refuses parameters that do not fit. */
  protected abstract modelOptions(shape: Shape, schema?: JsonValue): unknown;

  protected constructor(kind: string, spec: Spec, given: unknown) {
    this.kind = kind;
    this.params = readOptions(kind, spec, given);
  }

  /** What this estimator can do: frozen, complete and true. */
  get capabilities(): Capabilities {
    const { nonNegative = false, sparse = false, missing = false } = this.expectation();
    return Object.freeze({ nonNegative, sparse, missing, online: true, mergeable: true, multiclass: true });
  }

  /** The parameters, as given or by default. */
  getParams(): OptionValues<Spec> {
    return { ...this.params };
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return new (this.constructor as new (params: OptionValues<Spec>) => this)(this.params);
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.fitted().classes];
  }

  /** Learns from these rows alone; whatever was known before is forgotten. */
  fit(X: Input, y: Labels, options: LearnOptions = {}): this {
    const { batch, peak, classes, names, schema } = this.read(X, y, options.sampleWeight, undefined);
    this.modelOptions(batch, schema);
    const stats = this.keeper.empty(batch);
    const ceiling = addCounts(this.keeper, stats, batch, peak, 0, this.adding(batch, options, true));
    const counted: Learned<S> = { names, classes, closed: false, stats, ...(schema !== undefined && { schema }) };
    const learned = this.settle(counted, batch);
    const derived = this.derive(learned);
    this.become(learned, ceiling);
    this.derived = derived;
    return this;
  }

  /** Learns from further rows. */
  partialFit(X: Input, y: Labels, options: PartialFitOptions = {}): this {
    const before = this.learned;
    const given = options.classes && sortClasses(options.classes);
    if (before?.closed && given && stringify(given) !== stringify(before.classes)) {
      refuse('E_PARAM', 'classes differ from those of the first call', { name: 'classes' });
    }
    const lesson = this.read(X, y, options.sampleWeight, before);
    const list = before?.closed ? before.classes : given;
    if (list) requireListed(uniteClasses(before?.classes ?? [], lesson.classes), list);
    const classes = list ?? uniteClasses(before?.classes ?? [], lesson.classes);
    const batch = relabel(lesson.batch, lesson.classes, classes);
    this.modelOptions(batch, lesson.schema);
    const stats = before ? this.roomFor(before, batch, classes, lesson.moves, options) : this.keeper.empty(batch);
    const ceiling = addCounts(this.keeper, stats, batch, lesson.peak, this.ceiling, this.adding(batch, options, false));
    const { schema } = lesson;
    const names = before ? before.names : lesson.names;
    const counted = { names, classes, closed: list !== undefined, stats, ...(schema !== undefined && { schema }) };
    return this.become(before ? counted : this.settle(counted, batch), ceiling);
  }

  /** Adds what another estimator of the same kind has learned. */
  merge(other: this): this {
    if (other.kind !== this.kind || stringify(other.params) !== stringify(this.params)) {
      refuse('E_MERGE_MISMATCH', `a ${this.kind} cannot be merged with another kind or other parameters`, {
        expected: this.kind,
        actual: other.kind,
      });
    }
    const [mine, theirs] = [this.learned, other.learned];
    if (!theirs) return this;
    if (!mine) return this.become(this.copyOf(theirs), other.ceiling);
    const classes = uniteClasses(mine.classes, theirs.classes);
    requireMergeable(mine, theirs, classes);
    const union = this.unite(mine, theirs);
    const shape = { ...union.shape, classes: classes.length };
    this.modelOptions(shape, union.schema.schema ?? mine.schema);
    const stats = this.reshaped(mine, shape, classes, union.mine);
    this.keeper.merge(stats as never, this.reshaped(theirs, shape, classes, union.theirs) as never);
    return this.become(
      { ...mine, classes, closed: mine.closed || theirs.closed, stats, ...union.schema },
      requireExact(largestCount(this.keeper, stats)),
    );
  }

  /** Takes away rows that were learned: what remains is what the other rows alone would have given. */
  unlearn(X: Input, y: Labels, options: LearnOptions = {}): this {
    const before = this.fitted();
    const lesson = this.read(X, y, options.sampleWeight, before);
    const stranger = lesson.classes.find((label) => !before.classes.includes(label));
    if (stranger !== undefined) {
      refuse('E_UNLEARN_UNDERFLOW', `the class ${show(stranger)} was never learned`, { class: stranger });
    }
    const batch = relabel(lesson.batch, lesson.classes, before.classes);
    const taken = this.keeper.empty(batch);
    this.adding(batch, options, false)(taken);
    const stats = this.reshaped(before, batch, before.classes, lesson.moves);
    this.keeper.subtract(stats as never, taken as never);
    const { schema } = lesson;
    return this.become(this.compact({ ...before, stats, ...(schema !== undefined && { schema }) }), this.ceiling);
  }

  /** Forgets: after `elapsed` units of time, what was learned weighs half for every `halfLife`. */
  decay(halfLife: number, elapsed = 1): this {
    if (!(halfLife > 0) || !(elapsed >= 0)) {
      refuse('E_PARAM', `decay needs a half-life > 0 and a time ≥ 0, got ${halfLife} and ${elapsed}`, {
        name: 'halfLife',
      });
    }
    const learned = this.copyOf(this.fitted());
    this.keeper.scale(learned.stats as never, 2 ** (-elapsed / halfLife));
    return this.become(learned, this.ceiling);
  }

  /**
   * Makes room for features that a step before this one has come to know: `place` tells where each present feature stands
   * among the new ones, −1 where it is gone.
   */
  moveFeatures(features: number, place: Int32Array): this {
    const before = this.learned;
    if (!before) return this;
    if (before.names) refuse('E_FEATURE_COUNT', 'columns with names do not move', { features });
    const shape = { ...before.stats, features };
    this.modelOptions(shape, before.schema);
    const stats = this.reshaped(before, shape, before.classes, { features: place });
    return this.become({ ...before, stats }, this.ceiling);
  }

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return encodeState(this.toState());
  }

  /** The estimator as plain data. */
  toState(): State {
    const params = JSON.parse(stringify(this.params)) as Record<string, JsonValue>;
    const learned = this.learned ? toState(this.keeper, this.learned) : { learned: {}, arrays: {} };
    return { kind: this.kind, params, ...learned };
  }

  /** Takes over a state that was read from a file. */
  restore(state: State): this {
    if (Object.keys(state.learned).length === 0 && Object.keys(state.arrays).length === 0) return this;
    const learned = fromState(this.keeper, state);
    const derived = this.deriveIfEnough(learned);
    this.become(learned, largestCount(this.keeper, learned.stats));
    this.derived = derived;
    return this;
  }

  /** The statistic in the arithmetic that was asked for. */
  protected get keeper(): Keeper<S> {
    return this.params.reproducible ? this.model.statistic.exact : this.model.statistic;
  }

  /** The statistic as plain numbers, as models read it. */
  protected rounded({ stats }: Learned<S>): S {
    return 'cells' in stats ? this.model.statistic.exact.round(stats) : stats;
  }

  /** What was learned; refuses before the first fit. */
  protected fitted(): Learned<S> {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }

  /** The parameters that follow from what was learned. */
  protected parameters(): P {
    this.derived ??= this.derive(this.fitted());
    return this.derived;
  }

  /** Statistic → parameters; a subclass may put names into the refusals of its model. */
  protected derive(learned: Learned<S>): P {
    return this.model.estimate(this.rounded(learned), this.modelOptions(learned.stats, learned.schema));
  }

  /** The parameters, or nothing where the rows so far do not suffice for them: a first lesson may be saved as well. */
  private deriveIfEnough(learned: Learned<S>): P | undefined {
    try {
      return this.derive(learned);
    } catch (cause) {
      if (cause instanceof PolyaError && /^E_CLASS(ES)?_TOO/.test(cause.code)) return undefined;
      throw cause;
    }
  }

  /** From checked input to the rows that the model sees. */
  protected toRows(input: Checked): Rows {
    return input.rows;
  }

  /**
   * Reads rows for learning (`known` is what they are to be added to) or for scoring. A row that weighs nothing teaches
   * nothing, not even a new level; weights are checked later.
   */
  protected receive(X: Input, known: Learned<S> | undefined, learning: boolean, _weights?: Weights): Received {
    const expected = { ...this.expectation(), names: known?.names };
    const input = readFeatures(X as Features, learning ? expected : { ...expected, features: known?.stats.features });
    if (learning) {
      requireSome(input.rows);
      requireWidth(input.rows, known?.stats.features);
    }
    const rows = this.toRows(input);
    const shape = { features: rows.features, ...(expected.missing && { missing: true }) };
    return {
      rows,
      names: input.names,
      peak: input.peak,
      shape,
      ...(known?.schema !== undefined && { schema: known.schema }),
    };
  }

  /** What a first lesson settles beyond counts, such as a smoothing chosen from its rows. */
  protected settle(learned: Learned<S>, _batch: Batch): Learned<S> {
    return learned;
  }

  /** The shape that two learned states have room in together, and where each of them stands in it. */
  protected unite(mine: Learned<S>, theirs: Learned<S>): Union {
    if (mine.stats.features !== theirs.stats.features || stringify(mine.names) !== stringify(theirs.names)) {
      refuse('E_MERGE_MISMATCH', 'the two estimators have learned from different columns', {
        expected: mine.stats.features,
        actual: theirs.stats.features,
      });
    }
    return { shape: mine.stats, mine: {}, theirs: {}, schema: {} };
  }

  /** What remains when nothing is known of a class any more: in an open list, the class is gone. */
  protected compact(learned: Learned<S>): Learned<S> | undefined {
    const weights = classWeights(this.rounded(learned));
    if (learned.closed || !weights.includes(0)) return learned;
    const classes = learned.classes.filter((_, c) => weights[c] > 0);
    if (classes.length === 0) return undefined;
    return {
      ...learned,
      classes,
      stats: this.reshaped(learned, { ...learned.stats, classes: classes.length }, classes),
    };
  }

  /** What was learned, in another shape; always a copy. */
  protected reshaped(
    { stats, classes: from }: Learned<S>,
    shape: Shape,
    classes: readonly Label[],
    others: Moves = {},
  ): S | ExactStats {
    return this.keeper.reshape(stats as never, shape, { ...others, classes: moves(from, classes) }) as S | ExactStats;
  }

  /** Rows → statistic, without learning: what these rows alone count to. For tools that work on counts. */
  tally(X: Input, y: Labels, { sampleWeight }: LearnOptions = {}): Tally<S> {
    const { batch, classes, schema } = this.read(X, y, sampleWeight, undefined);
    const stats = this.keeper.empty(batch);
    this.adding(batch, {}, true)(stats);
    const counted: Learned<S> = {
      names: undefined,
      classes,
      closed: false,
      stats,
      ...(schema !== undefined && { schema }),
    };
    const settled = this.settle(counted, batch);
    return { batch, classes, stats: this.rounded(settled), options: this.modelOptions(batch, settled.schema) };
  }

  /** Reads and checks labelled rows; rows of weight zero are as if they were not there. */
  private read(X: Input, y: Labels, weights: Weights | undefined, known: Learned<S> | undefined): Lesson {
    const { rows, shape, ...received } = this.receive(X, known, true, weights);
    requireLengths(rows.rows, y.length);
    const { order, classes, codes, w } = assign(y, readWeights(weights, y.length));
    if (known) requireSameType(known.classes[0], classes[0], 0);
    const batch = label(order ? takeRows(rows, order) : rows, { ...shape, classes: classes.length }, codes, w);
    return { ...received, classes, batch };
  }

  /** Adds a batch to a statistic, watched and stopped as the options say; `afresh` when nothing was known before. */
  protected adding(batch: Batch, options: CountOptions, _afresh: boolean): (stats: S | ExactStats) => void {
    return (stats) => addBatch(this.keeper as never, stats as never, batch, options);
  }

  /** The statistic to which a batch is added: the one that is there, unless it must grow or the work may be cut short. */
  private roomFor(
    before: Learned<S>,
    shape: Shape,
    classes: readonly Label[],
    others: Moves | undefined,
    { signal }: CountOptions,
  ): S | ExactStats {
    const fits = !others && classes.length === before.classes.length && !signal;
    return fits ? before.stats : this.reshaped(before, shape, classes, others);
  }

  /** Takes over what was learned; parameters are derived anew when they are needed. */
  protected become(learned: Learned<S> | undefined, ceiling: number = this.ceiling): this {
    this.learned = learned;
    this.ceiling = ceiling;
    this.derived = undefined;
    return this;
  }

  private copyOf(learned: Learned<S>): Learned<S> {
    return { ...learned, stats: this.reshaped(learned, learned.stats, learned.classes) };
  }
}

/** Counted rows: the batch, its classes and statistic, and the options under which the model would estimate. */
export interface Tally<S extends Shape> {
  readonly batch: Batch;
  readonly classes: readonly Label[];
  readonly stats: S;
  readonly options: unknown;
}

/** How two learned states come together. */
export interface Union {
  readonly shape: Shape;
  readonly mine: Moves;
  readonly theirs: Moves;
  readonly schema: { readonly schema?: JsonValue };
}

const stringify = (value: unknown): string => JSON.stringify(value);

/** The weight of each class: every statistic of a classifier counts it as `n`. */
function classWeights(stats: Shape): Float64Array {
  return (stats as Shape & { n: Float64Array }).n;
}

function requireMergeable<S extends Shape>(mine: Learned<S>, theirs: Learned<S>, classes: readonly Label[]): void {
  requireSameType(mine.classes[0], theirs.classes[0], 0);
  for (const { closed, classes: list } of [mine, theirs]) {
    if (closed && list.length < classes.length) {
      refuse('E_MERGE_MISMATCH', 'one estimator has classes that the closed list of the other does not know');
    }
  }
}

/** Refuses another number of labels than of rows. */
export function requireLengths(rows: number, labels: number): void {
  if (rows !== labels) {
    refuse('E_SHAPE', `there are ${rows} rows and ${labels} labels`, { rows, labels });
  }
}

function requireListed(classes: readonly Label[], list: readonly Label[]): void {
  const stranger = classes.find((label) => !list.includes(label));
  if (stranger !== undefined) {
    refuse('E_CLASS_UNKNOWN', `the class ${show(stranger)} is not on the closed list of classes`, { class: stranger });
  }
}

/** The batch with its classes counted in another list. */
function relabel(batch: Batch, from: readonly Label[], to: readonly Label[]): Batch {
  const place = moves(from, to);
  return { ...batch, classes: to.length, y: batch.y.map((c) => place[c]) };
}
