import type { ExactStats } from '../core/model.ts';
import type { OptionSpec } from '../core/options.ts';
import { requireLearning } from '../data/arguments.ts';
import { type Batch, label, type Rows, type Shape, takeRows } from '../data/batch.ts';
import { type Input as Checked, type Expectation, type Features, requireSome, requireWidth } from '../data/input.ts';
import {
  type Labels as Encoded,
  encodeAny,
  type Label,
  requireLabels,
  requireSameType,
  uniteClasses,
} from '../data/labels.ts';
import { requireExact } from '../data/limits.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import type { CountOptions } from '../engines/engine.ts';
import { addBatch } from '../engines/memory.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { Keeping } from './keeping.ts';
import { assign, type Labels } from './labels.ts';
import type { Learned } from './learned.ts';
import {
  type Capabilities,
  classList,
  classWeights,
  type LearnOptions,
  type Lesson,
  type PartialFitOptions,
  type Received,
  relabel,
  requireLengths,
  requireListed,
  requireMergeable,
  type Union,
} from './lesson.ts';
import { largestOf } from './overflow.ts';

const isNumber = (value: unknown): boolean => typeof value === 'number';
const stringify = (value: unknown): string => JSON.stringify(value);

/** How an estimator that counts learns: rows are added to its statistic, taken away, weakened, merged. */
export abstract class Learner<
  Spec extends OptionSpec,
  S extends Shape,
  P extends Shape,
  Input = Features,
> extends Keeping<Spec, S, P> {
  /** What this estimator asks of its rows. */
  protected abstract expectation(): Expectation;
  /** Reads rows from the containers that this estimator takes, and checks every cell. */
  protected abstract readInput(X: Input, expected: Expectation): Checked;

  /** What this estimator can do: frozen, complete and true. */
  get capabilities(): Capabilities {
    const { nonNegative = false, sparse = false, missing = false } = this.expectation();
    return Object.freeze({ nonNegative, sparse, missing, online: true, mergeable: true, multiclass: true });
  }

  /** Learns from these rows alone; whatever was known before is forgotten. */
  fit(X: Input, y: Labels, options: PartialFitOptions = {}): this {
    const learned = this.learn(undefined, X, y, options, true);
    this.requireClasses(learned.classes);
    return this.become(learned, this.estimatesLater ? undefined : this.derive(learned));
  }

  /** Whether parameters follow from all counts, so that `fit` need not estimate them to refuse what it was given. */
  protected get estimatesLater(): boolean {
    return false;
  }

  /**
   * Whether the first rows choose more than counts, such as smoothing or dependences: then rows learned in parts do not give what all
   * of them give at once.
   */
  get settles(): boolean {
    return false;
  }

  /** Refuses classes that do not fit the options. */
  protected requireClasses(_classes: readonly Label[]): void {}

  /** Learns from further rows. */
  partialFit(X: Input, y: Labels, options: PartialFitOptions = {}): this {
    return this.become(this.learn(this.learned, X, y, options, false));
  }

  /** Adds what another estimator of the same kind has learned. */
  merge(other: this): this {
    if (other?.kind !== this.kind || stringify(other.params) !== stringify(this.params)) {
      refuse('E_MERGE_MISMATCH', `a ${this.kind} cannot be merged with another kind or other parameters`, {
        expected: this.kind,
        actual: String(other?.kind),
      });
    }
    const theirs = other.learned;
    if (!theirs) return this;
    const mine = this.learned;
    if (!mine) return this.become({ ...theirs, stats: this.reshaped(theirs, theirs.stats, theirs.classes) });
    const classes = uniteClasses(mine.classes, theirs.classes);
    requireMergeable(mine, theirs, classes.length);
    const union = this.unite(mine, theirs);
    const shape = { ...union.shape, classes: classes.length };
    this.modelOptions(shape, union.schema);
    const stats = this.reshaped(mine, shape, classes, union.mine);
    this.keeper.merge(stats as never, this.reshaped(theirs, shape, classes, union.theirs) as never);
    const closed = mine.closed || theirs.closed;
    return this.become({ ...mine, classes, closed, stats, schema: union.schema, ceiling: this.largest(stats) });
  }

  /** Takes away rows that were learned: what remains is what the other rows alone would have given. */
  unlearn(X: Input, y: Labels, options: LearnOptions = {}): this {
    requireLearning(this.kind, options);
    const before = this.fitted();
    const { batch, classes, moves, schema } = this.read(X, y, options.sampleWeight, before);
    requireListed(classes, before.classes, 'E_UNLEARN_UNDERFLOW');
    const lesson = relabel(batch, classes, before.classes);
    const taken = this.keeper.empty(lesson);
    this.add(taken, lesson, options, before.classes, false);
    const stats = this.reshaped(before, lesson, before.classes, moves);
    this.keeper.subtract(stats as never, taken as never);
    return this.become(this.compact({ ...before, stats, schema }));
  }

  /** Forgets: after `elapsed` units of time, what was learned weighs half for every `halfLife`. */
  decay(halfLife: number, elapsed = 1): this {
    if (![halfLife, elapsed].every(isNumber) || !(halfLife > 0) || !(elapsed >= 0)) {
      refuse('E_PARAM', `decay needs a half-life > 0 and a time ≥ 0, got ${show(halfLife)} and ${show(elapsed)}`, {
        name: 'halfLife',
      });
    }
    const before = this.fitted();
    const stats = this.reshaped(before, before.stats, before.classes);
    this.keeper.scale(stats as never, 2 ** (-elapsed / halfLife));
    return this.become({ ...before, stats });
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
    return this.become({ ...before, stats: this.reshaped(before, shape, before.classes, { features: place }) });
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
    const features = known?.stats.features;
    const input = this.readInput(X, learning ? expected : { ...expected, features });
    if (learning) {
      requireSome(input.rows);
      requireWidth(input.rows, features);
    }
    const rows = this.toRows(input);
    const shape = { features: rows.features, ...(expected.missing && { missing: true }) };
    return { rows, names: input.names, peak: input.peak, shape, schema: known?.schema };
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
    return { shape: mine.stats, mine: {}, theirs: {}, schema: mine.schema };
  }

  /** What remains when nothing is known of a class any more: in an open list, the class is gone. */
  protected compact(learned: Learned<S>): Learned<S> | undefined {
    const weights = classWeights(learned.stats);
    if (learned.closed || !weights.includes(0)) return learned;
    const classes = learned.classes.filter((_, c) => weights[c] > 0);
    if (classes.length === 0) return undefined;
    const shape = { ...learned.stats, classes: classes.length };
    return { ...learned, classes, stats: this.reshaped(learned, shape, classes) };
  }

  /** Reads and checks labelled rows; rows of weight zero are as if they were not there. */
  protected read(X: Input, y: Labels, weights: Weights | undefined, known: Learned<S> | undefined): Lesson {
    const { rows, shape, ...received } = this.receive(X, known, true, weights);
    requireLengths(rows.rows, requireLabels(y).length);
    const { order, classes, codes, w } = assign(y, readWeights(weights, y.length), this.encode);
    if (known) requireSameType(known.classes[0], classes[0], 0);
    const batch = label(order ? takeRows(rows, order) : rows, { ...shape, classes: classes.length }, codes, w);
    return { ...received, classes, batch };
  }

  /** Adds a batch to a statistic, watched and stopped as the options say; `afresh` when nothing was known before. */
  protected add(
    stats: S | ExactStats,
    batch: Batch,
    options: CountOptions,
    _classes: readonly Label[],
    _afresh: boolean,
  ): void {
    addBatch(this.keeper as never, stats as never, batch, options);
  }

  /** Adds a batch that was received without a look at its cells; answers whether it was done, and spoils the statistic where not. */
  protected addUnchecked(_stats: S | ExactStats, _batch: Batch, _options: CountOptions): boolean {
    return false;
  }

  /** What is known after some rows. What was known before is changed only where that cannot fail. */
  private learn(
    before: Learned<S> | undefined,
    X: Input,
    y: Labels,
    options: PartialFitOptions,
    afresh: boolean,
  ): Learned<S> {
    requireLearning(this.kind, options);
    const lesson = this.read(X, y, options.sampleWeight, before);
    const [classes, closed] = classList(before, lesson.classes, options.classes);
    const { moves, schema, peak, names } = lesson;
    const batch = relabel(lesson.batch, lesson.classes, classes);
    this.modelOptions(batch, schema);
    const ceiling = (before?.ceiling ?? 0) + sum(batch.w) * Math.max(1, peak);
    const safe = ceiling <= Number.MAX_SAFE_INTEGER;
    const fits = before && safe && !moves && classes.length === before.classes.length && !options.signal;
    const stats = fits
      ? before.stats
      : before
        ? this.reshaped(before, batch, classes, moves)
        : this.keeper.empty(batch);
    const counted = lesson.unchecked && this.addUnchecked(stats, batch, options);
    // rows with weights are looked at before they are counted, and refused by who knows how
    if (lesson.unchecked && !counted) return this.learn(before, X, y, { ...options, sampleWeight: 1 }, afresh);
    if (!counted) this.add(stats, batch, options, classes, afresh);
    const learned = {
      names: before ? before.names : names,
      classes,
      closed,
      stats,
      schema,
      ceiling: safe ? ceiling : this.largest(stats),
    };
    return before ? learned : this.settle(learned, batch);
  }

  /** How labels become class numbers. */
  protected get encode(): (y: ArrayLike<Label>) => Encoded {
    return encodeAny;
  }

  /** The largest count; refuses one that is no longer exact. */
  protected largest(stats: S | ExactStats): number {
    return requireExact(largestOf(this.keeper.counts, stats));
  }
}
