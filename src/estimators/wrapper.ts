import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { isLike } from '../data/arguments.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import type { AnyEstimator, Candidate } from './fold-learning.ts';
import { damaged, SavedArrays } from './learned.ts';
import { savedParams } from './learning.ts';
import type { Step } from './pipeline-step.ts';
import { restore } from './restore.ts';
import { type Params, setParamsOf, wholeOf } from './with-params.ts';

/** A classifier that can be wrapped and saved. */
export type Wrapped = Candidate & Step;

/** A wrapped classifier once its type was checked. */
export interface Inner extends AnyEstimator {
  clone(): Inner;
  predictProba(X: unknown): Matrix;
}

/** The estimators that a wrapper has fitted. */
interface Fitted {
  readonly models: readonly Inner[];
}

/** The base class of classifiers around another one: parameters, copies and saving. */
export abstract class Wrapper<E extends object, Spec extends OptionSpec, L extends Fitted> {
  /** The public name of the class. */
  readonly kind: string;
  /** The wrapped classifier as it was given. */
  protected readonly inner: Inner;
  protected readonly params: OptionValues<Spec>;
  protected learned: L | undefined;

  /** The classifier and options, in two arguments or in one object. The classifier needs the `methods`. */
  protected constructor(
    kind: string,
    spec: Spec,
    given: E | ({ estimator: E } & Partial<OptionValues<Spec>>),
    options: object = {},
    methods: readonly string[] = ['clone', 'predictProba'],
  ) {
    const { estimator, ...rest } = wholeOf(given, options);
    this.kind = kind;
    this.params = readOptions(kind, spec, rest);
    if (!isLike(estimator, Object.fromEntries(methods.map((name) => [name, 'function'])))) {
      const needed = methods.includes('predictProba') ? 'a classifier with probabilities' : 'a classifier';
      refuse('E_PARAM', `${kind} needs ${needed}, got ${show(estimator)}`, { name: 'estimator' });
    }
    this.inner = estimator as object as Inner;
  }

  /** What was learned besides estimators, as plain data. */
  protected abstract save(learned: L): Pick<State, 'learned' | 'arrays'>;

  /** The inverse of `save`, given the fitted estimators; refuses what does not fit. */
  protected abstract revive(learned: State['learned'], models: readonly Inner[], arrays: SavedArrays): L;

  /** The classifier and the other parameters. */
  getParams(): { estimator: E } & OptionValues<Spec> {
    return { estimator: this.inner as object as E, ...this.params };
  }

  /** Replaces some parameters; `estimator__name` reaches inside. What was learned is forgotten: call `fit` again. */
  setParams(params: Params): this {
    return setParamsOf(this, params);
  }

  /** An unfitted copy with the same parameters. */
  clone(): this {
    const whole = { ...this.getParams(), estimator: this.unfitted() };
    return new (this.constructor as new (whole: object) => this)(whole);
  }

  /** How many features the rows have; undefined of documents. */
  get nFeaturesIn(): number | undefined {
    return this.fitted().models[0].nFeaturesIn;
  }

  /** The names of the columns, where rows came with names. */
  get featureNamesIn(): string[] | undefined {
    return this.fitted().models[0].featureNamesIn;
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

  /** The classifier as plain data; functions, splitters and row indices among the parameters are not part of it. */
  toState(options?: StateOptions): State {
    const plain = Object.entries(this.params).filter(([, value]) => Object(value) !== value);
    const { learned } = this;
    const saved = learned ? this.save(learned) : { learned: {}, arrays: {} };
    const models = learned?.models ?? [];
    const all = this.savesInner(learned !== undefined) ? [this.unfitted(), ...models] : models;
    const steps = all.map((step) => step.toState(options));
    return { kind: this.kind, params: savedParams(Object.fromEntries(plain)), ...saved, steps };
  }

  /**
   * Takes over a state of the same parts.
   *
   * @internal
   */
  restore(state: State): this {
    return this.read(state, (inside) => restore(this.inner.clone(), inside));
  }

  /**
   * Takes over a state, with the function that makes estimators of the states inside.
   *
   * @internal
   */
  read({ learned, arrays: all, steps = [] }: State, estimatorOf: (state: State) => object): this {
    const known = Object.keys(learned).length > 0;
    const inside = steps.slice(this.savesInner(known) ? 1 : 0);
    if (!known && inside.length > 0) damaged('its classes do not fit its classifiers');
    const models = inside.map((step) => requireInner(estimatorOf(step)));
    const arrays = new SavedArrays({ arrays: all });
    this.learned = known ? this.revive(learned, models, arrays) : undefined;
    arrays.close();
    return this;
  }

  /** The wrapped classifier for a copy. */
  protected unfitted(): Inner {
    return this.inner.clone();
  }

  /** Whether a state has the wrapped classifier before those that were fitted. */
  protected savesInner(_fitted: boolean): boolean {
    return true;
  }

  protected fitted(): L {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }
}

/** Makes the wrapper of a state, with the function that makes estimators of the states inside. */
export function wrapperOf<W>(
  make: new (whole: never) => { read(state: State, estimatorOf: (state: State) => object): W },
  state: State,
  estimatorOf: (state: State) => object,
): W {
  const [first] = state.steps ?? [];
  const estimator = first ? requireInner(estimatorOf(first)) : damaged('it has no classifier inside');
  return new make({ ...state.params, estimator } as never).read(state, estimatorOf);
}

/** Refuses a part of a model file that is no classifier. */
function requireInner(step: object): Inner {
  return 'predict' in step && 'classes' in step ? (step as Inner) : damaged('a part of it is not a classifier');
}
