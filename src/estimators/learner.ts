import type { ExactStats, Moves } from '../core/model.ts';
import type { OptionSpec } from '../core/options.ts';
import { type Batch, label, type Rows, type Shape, takeRows } from '../data/batch.ts';
import {
  type Input as Checked,
  type Expectation,
  type Features,
  readFeatures,
  requireSome,
  requireWidth,
} from '../data/input.ts';
import { type Label, requireSameType, sortClasses, uniteClasses } from '../data/labels.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import type { CountOptions } from '../engines/engine.ts';
import { addBatch } from '../engines/memory.ts';
import { refuse, show } from '../errors.ts';
import { Keeping } from './keeping.ts';
import { assign, type Labels } from './labels.ts';
import type { Learned } from './learned.ts';
import {
  type Capabilities,
  classWeights,
  type LearnOptions,
  type Lesson,
  type PartialFitOptions,
  type Received,
  relabel,
  requireLengths,
  requireListed,
  requireMergeable,
  type Tally,
  type Union,
} from './lesson.ts';
import { addCounts, largestCount, requireExact } from './overflow.ts';

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

  /** What this estimator can do: frozen, complete and true. */
  get capabilities(): Capabilities {
    const { nonNegative = false, sparse = false, missing = false } = this.expectation();
    return Object.freeze({ nonNegative, sparse, missing, online: true, mergeable: true, multiclass: true });
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
}
