import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireLearning, requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label, moves } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { SoftLabels } from '../data/soft-labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse, show } from '../errors.ts';
import { type LabelRows, listsOf } from '../evaluate/label-rows.ts';
import { type AnyCandidate, addsUp, type Counting } from './fold-learning.ts';
import { Counts, damaged } from './learned.ts';
import { type LearnOptions, type PartialFitOptions, requireListed } from './learning.ts';
import type { Step } from './pipeline-step.ts';
import { restore } from './restore.ts';
import { type Params, setParamsOf, wholeOf } from './with-params.ts';

/** A target: its sorted classes and the class index of each row. */
export interface Target {
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
}

/** A classifier for one target. */
export interface Inner extends AnyCandidate {
  clone(): Inner;
  toState(options?: StateOptions): State;
  predictProba(X: unknown): Matrix;
  partialFit?(X: unknown, y: ArrayLike<Label>, options?: PartialFitOptions): unknown;
  unlearn?(X: unknown, y: ArrayLike<Label>, options?: LearnOptions): unknown;
  merge?(other: Inner): unknown;
  moveFeatures?(features: number, place: Int32Array): unknown;
}

/** The labels of one target. */
const labelsOf = ({ classes, codes }: Target): Label[] => Array.from(codes, (c) => classes[c]);

/**
 * For every target an estimator that has learned it. Where all that is learned are sums over rows, rows are counted once for all
 * targets: the sum over all rows, and one for every class of a target but its most frequent, whose sum is the difference.
 */
function fitTargets(estimator: Inner, X: unknown, targets: readonly Target[], options: LearnOptions): Inner[] {
  const counts = addsUp(estimator) && estimator.capabilities.multiclass;
  if (counts) return countTargets(estimator, X, targets, options) as unknown as Inner[];
  return targets.map((target) => {
    const own = estimator.clone();
    own.fit(X, labelsOf(target), { ...options, classes: target.classes } as LearnOptions);
    return own;
  });
}

function countTargets(estimator: Counting, X: unknown, targets: readonly Target[], options: LearnOptions): Counting[] {
  const common = targets.map(mostFrequent);
  let width = 1;
  const columns = targets.map(({ classes }, t) => classes.map((_, c) => (c === common[t] ? -1 : width++)));
  const rows = targets[0].codes.length;
  const shares = new Matrix(rows, width);
  for (let i = 0; i < rows; i++) {
    shares.data[i * width] = 1;
    for (const [t, { codes }] of targets.entries()) {
      const column = columns[t][codes[i]];
      if (column >= 0) shares.data[i * width + column] = 1;
    }
  }
  const all = Array.from({ length: width }, (_, column) => column);
  const counted = estimator.clone().partialFit(X, new SoftLabels(shares, all), { ...options, classes: all });
  return targets.map(({ classes }, t) =>
    estimator.clone().adopt((statisticKind) => {
      const learned = counted.peek()!; // rows were learned
      const shape = { ...learned.counts.shape, classes: classes.length };
      const moved = (column: number, c: number) => {
        const place = new Int32Array(width).fill(-1);
        place[column] = c;
        return statisticKind.reshape(learned.counts.read() as never, shape, { classes: place }) as never;
      };
      const stats = moved(0, common[t]);
      for (const column of columns[t]) if (column >= 0) statisticKind.subtract(stats, moved(column, common[t]));
      for (const [c, column] of columns[t].entries()) if (column >= 0) statisticKind.merge(stats, moved(column, c));
      return { ...learned, classes, counts: Counts.of(stats) };
    }),
  );
}

function mostFrequent({ classes, codes }: Target): number {
  const counts = new Float64Array(classes.length);
  for (const c of codes) counts[c]++;
  return counts.indexOf(Math.max(...counts));
}

/** A target for every column of rows of labels. */
export function columnTargets(y: LabelRows): Target[] {
  const rows = listsOf(y);
  const width = rows[0]?.length ?? 0;
  const uneven = rows.findIndex((row) => row.length !== width);
  if (uneven >= 0 || width === 0) {
    refuse('E_SHAPE', `row ${Math.max(uneven, 0)} has ${rows[uneven]?.length ?? 0} labels, the first has ${width}`);
  }
  return Array.from({ length: width }, (_, t) => encodeLabels(rows.map((row) => row[t])));
}

/** What a classifier of several targets has learned: an estimator for each, and what its subclass needs to name the answers. */
interface Fitted<Meaning> {
  readonly models: readonly Inner[];
  readonly meaning: Meaning;
}

/** The base class of classifiers with several targets, each with an estimator of the same kind. */
export abstract class TargetClassifiers<Meaning extends Readonly<Record<string, JsonValue>>> {
  readonly kind: string;
  protected readonly inner: Inner;
  protected learned: Fitted<Meaning> | undefined;

  /** What labels mean, and the targets that they make; `known` is what earlier rows meant. */
  protected abstract targets(y: unknown, known: Meaning | undefined, classes?: unknown): [Meaning, readonly Target[]];
  /** Checks what a model file says about the meaning of answers: how many models are needed. */
  protected abstract modelsOf(meaning: Readonly<Record<string, JsonValue>>): number;

  protected constructor(kind: string, estimator: unknown) {
    const inner: unknown = requireOptions(kind, ['estimator'], wholeOf(estimator, {})).estimator;
    const { clone, predictProba } = Object(inner) as Partial<Inner>;
    if (typeof clone !== 'function' || typeof predictProba !== 'function') {
      refuse('E_PARAM', `${kind} needs a classifier with probabilities, got ${show(inner)}`, { name: 'estimator' });
    }
    this.kind = kind;
    this.inner = inner as Inner;
  }

  /** The classifier that every target is learned with. */
  getParams(): { estimator: object } {
    return { estimator: this.inner };
  }

  /** Replaces some parameters; `estimator__name` reaches inside. What was learned is forgotten: call `fit` again. */
  setParams(params: Params): this {
    return setParamsOf(this, params);
  }

  /** An unfitted classifier with the same parameters. */
  clone(): this {
    return new (this.constructor as new (estimator: object) => this)(this.inner.clone());
  }

  /** How many features the rows have. */
  get nFeaturesIn(): number | undefined {
    return this.fitted().models[0].nFeaturesIn;
  }

  /** The names of the columns, where rows came with names. */
  get featureNamesIn(): string[] | undefined {
    return this.fitted().models[0].featureNamesIn;
  }

  protected learn(X: unknown, y: unknown, options: PartialFitOptions): this {
    const { classes, ...rest } = requireLearning(this.kind, options);
    const [meaning, targets] = this.targets(y, undefined, classes);
    this.learned = { models: fitTargets(this.inner, X, targets, rest), meaning };
    return this;
  }

  protected learnMore(X: unknown, y: unknown, options: PartialFitOptions): this {
    if (!this.learned) return this.learn(X, y, options);
    const { classes, ...rest } = requireLearning(this.kind, options);
    const { models, meaning } = this.learned;
    const [, targets] = this.targets(y, meaning, classes);
    const next = models.map(copyOf);
    if (addsUp(this.inner)) {
      for (const [t, part] of fitTargets(this.inner, X, targets, rest).entries()) next[t].merge!(part);
    } else this.each(next, 'partialFit', X, targets, rest);
    this.learned = { models: next, meaning };
    return this;
  }

  protected unlearnRows(X: unknown, y: unknown, options: LearnOptions): this {
    requireLearning(this.kind, options);
    const { models, meaning } = this.fitted();
    const next = models.map(copyOf);
    this.each(next, 'unlearn', X, this.targets(y, meaning)[1], options);
    this.learned = { models: next, meaning };
    return this;
  }

  private each(
    models: readonly Inner[],
    method: 'partialFit' | 'unlearn',
    X: unknown,
    targets: readonly Target[],
    options: LearnOptions,
  ): void {
    for (const [t, model] of models.entries()) {
      if (!model[method]) refuse('E_PARAM', `a ${model.kind} has no ${method}`, { estimator: model.kind });
      model[method](X, labelsOf(targets[t]), options);
    }
  }

  /** Adds what another classifier of the same labels has learned. */
  merge(other: this): this {
    const theirs = other?.kind === this.kind ? other.learned : refuse('E_MERGE_MISMATCH', `it is no ${this.kind}`);
    if (!theirs) return this;
    const mine = this.learned;
    if (mine && JSON.stringify(mine.meaning) !== JSON.stringify(theirs.meaning)) {
      refuse('E_MERGE_MISMATCH', 'the two classifiers have learned other labels');
    }
    const models = (mine ?? theirs).models.map(copyOf);
    if (mine) {
      for (const [t, model] of models.entries()) {
        if (!model.merge) refuse('E_PARAM', `a ${model.kind} has no merge`, { estimator: model.kind });
        model.merge(theirs.models[t]);
      }
    }
    this.learned = { models, meaning: theirs.meaning };
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

  /** Throws: save a model with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The classifier as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The classifier as plain data. */
  toState(options?: StateOptions): State {
    const { models = [], meaning = {} } = this.learned ?? {};
    const steps = [this.inner.clone(), ...models].map((step) => step.toState(options));
    return { kind: this.kind, params: {}, learned: meaning, arrays: {}, steps };
  }

  /**
   * Restores a state of the same parts.
   *
   * @internal
   */
  restore(state: State): this {
    return this.read(state, (inside) => restore(this.inner.clone(), inside) as unknown as Step);
  }

  /** Takes over a state, with the function that makes estimators of the states inside. */
  protected read({ learned, steps = [] }: State, revive: (state: State) => Step): this {
    const models = steps.slice(1).map((step) => requireInner(revive(step)));
    const empty = Object.keys(learned).length === 0;
    if (empty ? models.length > 0 : this.modelsOf(learned) !== models.length)
      damaged('its parts do not fit its labels');
    this.learned = empty ? undefined : { models, meaning: learned as Meaning };
    return this;
  }

  protected fitted(): Fitted<Meaning> {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }
}

/** A classifier that knows the same and shares nothing. */
export const copyOf = (model: Inner): Inner => restore(model.clone(), model.toState());

/** The classifier inside of a state. */
export function innerOf({ steps = [] }: State, revive: (state: State) => Step): Inner {
  return steps.length > 0 ? requireInner(revive(steps[0])) : damaged('it has no classifier inside');
}

/** Refuses a part of a model file that is no classifier. */
export function requireInner(step: object): Inner {
  return 'predict' in step && 'classes' in step ? (step as Inner) : damaged('a part of it is not a classifier');
}

/** A target among classes that are known; refuses others. */
export function codesAmong({ classes, codes }: Target, known: readonly Label[]): Target {
  requireListed(classes, known);
  const place = moves(classes, known);
  return { classes: known, codes: codes.map((c) => place[c]) };
}
