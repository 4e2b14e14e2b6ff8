import {
  flag,
  integer,
  type Option,
  type OptionSpec,
  type OptionValues,
  optional,
  readOptions,
  unchecked,
} from '../core/options.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { compareCodePoints } from '../data/order.ts';
import type { Weights } from '../data/weights.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import { generatorOf, randomState } from '../evaluate/folds.ts';
import { deviationOf, meanOf } from '../evaluate/numpy.ts';
import type { Random } from '../math/random.ts';
import { CountingClassifier } from './classifier.ts';
import { type FoldScores, inName, scoreFolds } from './cross-validation.ts';
import {
  type AnyEstimator,
  addsUp,
  ask,
  type Candidate,
  type FoldedRows,
  type FoldOptions,
  foldSpec,
  learnFolds,
  learnOptions,
  readFolds,
  requireCandidate,
} from './fold-learning.ts';
import { Pipeline } from './pipeline.ts';
import type { InputOf } from './pipeline-step.ts';
import { restore } from './restore.ts';
import {
  type ReadScoring,
  readScoring,
  requireProbabilities,
  type Scoring,
  type ScoringOptions,
  type Scorings,
  scoreRows,
  scoringSpec,
} from './scoring.ts';
import { isWhole, type Params, setParamsOf, withParams } from './with-params.ts';

/** The options of a search. */
const searchSpec = {
  ...scoringSpec,
  /** The folds: a number of stratified folds, a splitter, or lists of row indices. Default: 5. */
  cv: foldSpec.cv,
  /** Whether to refit the best to all rows; or the name of the deciding score; or a function that chooses. Default: true. */
  refit: { ...unchecked<unknown>(), default: true } as Option<boolean | string | ((results: CvResults) => number)>,
  /** Score the training rows as well. Default: false. */
  returnTrainScore: flag({ default: false }),
  /** Return the seconds of learning and of scoring. Default: false. */
  returnTimes: flag({ default: false }),
  /** The score of a combination that throws, such as NaN; 'raise' ends the search instead. Default: 'raise'. */
  errorScore: {
    kind: 'custom',
    default: 'raise',
    expects: "a number, NaN included, or 'raise'",
    accept: (value) => (typeof value === 'number' || value === 'raise' ? value : undefined),
  } as Option<number | 'raise'>,
  /**
   * How many threads `fitSearch` of polya/node uses: a number, or −1 for all cores. `fit` uses the thread it is called on. Default: null.
   */
  nJobs: {
    kind: 'custom',
    default: null,
    expects: 'a whole number other than 0, or null',
    accept: (value) => (value === null || (Number.isInteger(value) && value !== 0) ? (value as number) : undefined),
  } as Option<number | null>,
} satisfies OptionSpec;
const { cv: _, ...fitSpec } = foldSpec;

/** Options of a search; with several scores `refit` names the deciding one. */
export type SearchOptions<E extends Candidate> = ScoringOptions<typeof searchSpec, Scoring<E> | Scorings<E>>;

/** What a search tries, and on which rows. */
export interface SearchPlan {
  readonly X: unknown;
  readonly folded: FoldedRows;
  readonly tried: readonly Params[];
  readonly onProgress: FoldOptions['onProgress'];
}

/** How combinations are scored. */
export interface TrialOptions {
  readonly scoring: unknown;
  readonly returnTrainScore: boolean;
  readonly errorScore: number | 'raise';
}

interface Found {
  readonly cvResults: CvResults;
  readonly bestIndex: number;
  readonly bestScore: number | undefined;
  readonly nSplits: number;
  readonly best: AnyEstimator | undefined;
}

/** Tries combinations of parameters on the same folds, and refits the best to all rows. */
abstract class Search<E extends Candidate> {
  abstract readonly kind: string;
  /** The estimator whose parameters are tried. */
  readonly estimator: E;
  protected readonly params: OptionValues<typeof searchSpec>;
  private readonly scoring: ReadScoring;
  private found: Found | undefined;

  protected constructor(estimator: E, params: OptionValues<typeof searchSpec>) {
    requireCandidate(estimator);
    this.estimator = estimator;
    this.params = params;
    this.scoring = readScoring(params.scoring);
    const { refit } = params;
    if (refit === false || typeof refit === 'function' || this.decisive !== undefined) return;
    const names = [...this.scoring.keys()].join(', ');
    refuse('E_PARAM', `refit is true, false, a function or one of ${names}, got ${show(refit)}`, { name: 'refit' });
  }

  /** The combinations to try; refuses what cannot be tried. */
  protected abstract candidates(): Params[];

  /** Refuses: the best estimator is saved with its `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** Replaces some parameters; `estimator__name` reaches inside. What was learned is forgotten: call `fit` again. */
  setParams(params: Params): this {
    return setParamsOf(this, params);
  }

  /** An unfitted search of the same kind. */
  abstract clone(): Search<E>;

  /** Tries all combinations, then refits the best to all rows. If one throws, the search is unchanged. */
  fit(X: InputOf<E>, y: ArrayLike<Label>, options: Omit<FoldOptions, 'cv'> = {}): this {
    const plan = this.plan(X, y, options);
    return this.settle(plan, tryCombinations(this.estimator, plan.folded, plan.tried, this.params, plan.onProgress));
  }

  /**
   * Reads rows, labels and options, and lists what is to be tried.
   *
   * @internal
   */
  plan(X: InputOf<E>, y: ArrayLike<Label>, options: Omit<FoldOptions, 'cv'> = {}): SearchPlan {
    const { onProgress, ...read } = readOptions('fit', fitSpec, options);
    const folded = readFolds(X, y, { ...read, cv: this.params.cv });
    const { memory } = (this.estimator as { getParams?(): { memory?: unknown } }).getParams?.() ?? {};
    return { X, folded: memory ? { ...folded, parts: new Map() } : folded, tried: this.candidates(), onProgress };
  }

  /**
   * Chooses the best of what was tried, which then learns all rows.
   *
   * @internal
   */
  settle({ X, folded, tried }: SearchPlan, trials: readonly Trial[]): this {
    const cvResults = tabulate(tried, trials, this.params);
    const { refit } = this.params;
    const means = trials.map(({ test }) => meanOf(test.get(this.decisive ?? '') ?? [Number.NaN]));
    const bestIndex = typeof refit === 'function' ? refit(cvResults) : ranksOf(means).indexOf(1);
    if (!(bestIndex in tried))
      refuse('E_PARAM', `refit chose ${show(bestIndex)} of ${tried.length}`, { name: 'refit' });
    const chosen = () => withParams(this.estimator as unknown as AnyEstimator, tried[bestIndex]).clone();
    const best = refit === false ? undefined : chosen();
    best?.fit(X, folded.y, learnOptions(folded.weights, folded.signal));
    this.found = {
      cvResults,
      bestIndex,
      bestScore: this.decisive === undefined ? undefined : means[bestIndex],
      nSplits: folded.splits.length,
      best,
    };
    return this;
  }

  /** The score that decides, where it is not a function that chooses. */
  private get decisive(): string | undefined {
    const { refit } = this.params;
    const [first, ...others] = this.scoring.keys();
    if (typeof refit === 'string') return this.scoring.has(refit) ? refit : undefined;
    return others.length === 0 && (typeof refit === 'boolean' || typeof refit === 'function') ? first : undefined;
  }

  /** The table of all combinations and scores. */
  get cvResults(): CvResults {
    return this.fitted().cvResults;
  }

  /** Which combination is best. */
  get bestIndex(): number {
    return this.fitted().bestIndex;
  }

  /** The parameters of the best combination. */
  get bestParams(): Params {
    const { cvResults, bestIndex } = this.fitted();
    return cvResults.params[bestIndex];
  }

  /** The mean score of the best combination over the folds. */
  get bestScore(): number {
    return this.fitted().bestScore ?? refuse('E_PARAM', 'refit must name one of several scores', { name: 'refit' });
  }

  /** How many splits each combination was tried on. */
  get nSplits(): number {
    return this.fitted().nSplits;
  }

  /** The best estimator, which has learned all rows. */
  get bestEstimator(): E {
    return this.best() as unknown as E;
  }

  /** The sorted class labels. */
  get classes(): readonly Label[] {
    return this.best().classes;
  }

  /** The most probable class of every row, by the best estimator. */
  predict(X: InputOf<E>): Label[] {
    return this.best().predict(X);
  }

  /** p(c | x) by the best estimator. */
  predictProba(X: InputOf<E>): Matrix {
    return requireProbabilities(this.best(), X);
  }

  /** ln p(c | x) by the best estimator. */
  predictLogProba(X: InputOf<E>): Matrix {
    return ask(this.best(), 'predictLogProba', X);
  }

  /** The scores of the best estimator that decide between classes. */
  decisionFunction(X: InputOf<E>): Matrix {
    return ask(this.best(), 'decisionFunction', X);
  }

  /** Rows as the best estimator transforms them. */
  transform(X: InputOf<E>): unknown {
    return ask(this.best(), 'transform', X);
  }

  /** How many features the rows have. */
  get nFeaturesIn(): number | undefined {
    return this.best().nFeaturesIn;
  }

  /** The names of the columns, where rows came with names. */
  get featureNamesIn(): string[] | undefined {
    return this.best().featureNamesIn;
  }

  /** The score that decided, of the best estimator on these rows. */
  score(X: InputOf<E>, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    const { sampleWeight } = requireOptions('score', ['sampleWeight'], options);
    const best = this.best();
    const scores = scoreRows(best, { X, y, sampleWeight }, best.classes, this.scoring);
    return (
      scores.get(this.decisive ?? '') ?? refuse('E_PARAM', 'refit must name one of several scores', { name: 'refit' })
    );
  }

  private fitted(): Found {
    return this.found ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }

  private best(): AnyEstimator {
    return this.fitted().best ?? refuse('E_NOT_FITTED', 'with refit: false the best combination has learned nothing');
  }
}

/**
 * The table of a search, one entry per combination in every column: `params`, `paramAlpha` …, `split0TestScore` …,
 * `meanTestScore`, `stdTestScore`, `rankTestScore`, and on request the same for training rows, `meanFitTime` and `meanScoreTime`.
 */
export interface CvResults {
  readonly params: readonly Params[];
  readonly [param: `param${string}`]: readonly unknown[];
  readonly [split: `split${string}`]: readonly number[];
  readonly [mean: `mean${string}`]: readonly number[];
  readonly [std: `std${string}`]: readonly number[];
  readonly [rank: `rank${string}`]: readonly number[];
}

/** The scores of one combination. */
export type Trial = FoldScores<AnyEstimator>;

/** Scores of every combination. Where only parameters of estimation differ, all of them share the counts of the first. */
export function tryCombinations(
  estimator: object,
  folded: FoldedRows,
  tried: readonly Params[],
  { scoring: given, returnTrainScore, errorScore }: TrialOptions,
  onProgress?: FoldOptions['onProgress'],
): Trial[] {
  const folds = folded.splits.length;
  const scoring = readScoring(given as Scoring<never>);
  const variants = tried.map((params) => withParams(estimator as AnyEstimator, params));
  const shared = sharesCounts(estimator, tried)
    ? Array.from(learnFolds(variants[0], folded), (learned) => learned.toState())
    : undefined;
  return variants.map((variant, k) => {
    const learners = shared?.map((state) => restore(variant.clone(), state));
    try {
      return scoreFolds<AnyEstimator>(learners ?? learnFolds(variant, folded), folded, {
        scoring,
        returnTrainScore,
        onProgress: (done) => onProgress?.(k * folds + done, variants.length * folds),
      });
    } catch (error) {
      const refused = error instanceof PolyaError && error.code !== 'E_CANCELLED';
      if (!refused || errorScore === 'raise') throw error;
      const none = (): number[] => new Array(folds).fill(errorScore);
      const scores = () => new Map(Array.from(scoring.keys(), (name) => [name, none()]));
      return { test: scores(), train: scores(), fitTime: none(), scoreTime: none(), estimators: [] };
    }
  });
}

/** Ranks from 1, the greatest first; ties share the better rank, and NaN is last. */
export function ranksOf(values: readonly number[]): number[] {
  const worth = values.map((value) => (Number.isNaN(value) ? -Infinity : value));
  return worth.map((value) => 1 + worth.filter((other) => other > value).length);
}

/** The table of all combinations. */
function tabulate(
  tried: readonly Params[],
  trials: readonly Trial[],
  { returnTrainScore, returnTimes }: { returnTrainScore: boolean; returnTimes: boolean },
): CvResults {
  const table: Record<string, unknown> = { params: tried };
  const names = new Set(tried.flatMap((params) => Object.keys(params)));
  for (const name of names) table[`param${inName(name[0])}${name.slice(1)}`] = tried.map((params) => params[name]);
  for (const side of returnTrainScore ? (['test', 'train'] as const) : (['test'] as const)) {
    for (const name of trials[0][side].keys()) {
      const end = inName(side) + inName(name);
      const scores = trials.map((trial) => trial[side].get(name) ?? []);
      scores[0].forEach((_, k) => {
        table[`split${k}${end}`] = scores.map((folds) => folds[k]);
      });
      addSummary(table, end, scores);
      if (side === 'test') table[`rank${end}`] = ranksOf(scores.map(meanOf));
    }
  }
  for (const name of returnTimes ? (['fitTime', 'scoreTime'] as const) : []) {
    addSummary(
      table,
      inName(name),
      trials.map((trial) => trial[name]),
    );
  }
  return table as unknown as CvResults;
}

function addSummary(table: Record<string, unknown>, end: string, values: readonly (readonly number[])[]): void {
  table[`mean${end}`] = values.map(meanOf);
  table[`std${end}`] = values.map(deviationOf);
}

/**
 * Tries every combination of a grid by cross-validation: `new GridSearchCV(new MultinomialNB(), { alpha: [0.1, 1] }, { cv: 5 })`.
 * Parameters of a step of a pipeline are called `step__name`. The best combination, the first of equals, learns all rows, and
 * the search then predicts with it. scikit-learn's class of this name.
 */
export class GridSearchCV<E extends Candidate> extends Search<E> {
  readonly kind = 'GridSearchCV';
  private readonly paramGrid: ParamGrid;

  /** The estimator, the grid and options; or all of them in one object, as `getParams` gives it. */
  constructor(
    estimator: E | ({ estimator: E; paramGrid: ParamGrid } & SearchOptions<E>),
    paramGrid?: ParamGrid,
    options: SearchOptions<E> = {},
  ) {
    const given = isWhole(estimator) ? estimator : { estimator, paramGrid: paramGrid as ParamGrid };
    const { estimator: own, paramGrid: grid, ...rest } = given;
    super(own as E, readOptions('GridSearchCV', searchSpec, isWhole(estimator) ? rest : options));
    this.paramGrid = grid;
    this.candidates();
  }

  /** The estimator, the grid and the other parameters. */
  getParams(): { estimator: E; paramGrid: ParamGrid } & OptionValues<typeof searchSpec> {
    return { estimator: this.estimator, paramGrid: this.paramGrid, ...this.params };
  }

  override clone(): GridSearchCV<E> {
    return new GridSearchCV(this.estimator.clone() as E, this.paramGrid, this.params as SearchOptions<E>);
  }

  protected candidates(): Params[] {
    return combinations(this.paramGrid);
  }
}

const randomizedSpec = {
  ...searchSpec,
  /** How many combinations are drawn. Default: 10. */
  nIter: integer({ default: 10, min: 1 }),
  /** The random seed of the draws. Default: null. */
  randomState: optional(randomState),
} satisfies OptionSpec;

/** How many combinations are drawn with which seed, and how they are evaluated. */
export type RandomizedSearchOptions<E extends Candidate> = ScoringOptions<
  typeof randomizedSpec,
  Scoring<E> | Scorings<E>
>;

/**
 * Tries combinations that are drawn by chance: from lists, or by functions of a seeded generator such as
 * `(random) => 10 ** (3 * random.uniform() - 3)`. Where all values are listed, none is tried twice. Otherwise a `GridSearchCV`.
 */
export class RandomizedSearchCV<E extends Candidate> extends Search<E> {
  readonly kind = 'RandomizedSearchCV';
  declare protected readonly params: OptionValues<typeof randomizedSpec>;
  private readonly paramDistributions: ParamDistributions;

  /** The estimator, the distributions and options; or all of them in one object, as `getParams` gives it. */
  constructor(
    estimator: E | ({ estimator: E; paramDistributions: ParamDistributions } & RandomizedSearchOptions<E>),
    paramDistributions?: ParamDistributions,
    options: RandomizedSearchOptions<E> = {},
  ) {
    const given = isWhole(estimator)
      ? estimator
      : { estimator, paramDistributions: paramDistributions as ParamDistributions };
    const { estimator: own, paramDistributions: drawn, ...rest } = given;
    super(own as E, readOptions('RandomizedSearchCV', randomizedSpec, isWhole(estimator) ? rest : options));
    this.paramDistributions = drawn;
    drawCombinations(this.paramDistributions, 1, generatorOf(0));
  }

  /** The estimator, the distributions and the other parameters. */
  getParams(): { estimator: E; paramDistributions: ParamDistributions } & OptionValues<typeof randomizedSpec> {
    return { estimator: this.estimator, paramDistributions: this.paramDistributions, ...this.params };
  }

  override clone(): RandomizedSearchCV<E> {
    const options = this.params as RandomizedSearchOptions<E>;
    return new RandomizedSearchCV(this.estimator.clone() as E, this.paramDistributions, options);
  }

  protected candidates(): Params[] {
    return drawCombinations(this.paramDistributions, this.params.nIter, generatorOf(this.params.randomState));
  }
}

/** The values to try of each parameter: all combinations. A list of grids is tried one after the other. */
export type ParamGrid =
  | Readonly<Record<string, readonly unknown[]>>
  | readonly Readonly<Record<string, readonly unknown[]>>[];

/** What a value is drawn from: a list, uniformly, or a function of a random generator. */
export type ParamDistribution = readonly unknown[] | ((random: Random) => unknown);

/** What the value of each parameter is drawn from. */
export type ParamDistributions = Readonly<Record<string, ParamDistribution>>;

const fault = (sentence: string): never => refuse('E_PARAM', sentence, { name: 'paramGrid' });

/** Entries sorted by name, each with at least one value. */
function entriesOf(grid: unknown): [name: string, values: ParamDistribution][] {
  if (typeof grid !== 'object' || grid === null) return fault(`parameters are listed by name, got ${show(grid)}`);
  const entries = Object.entries(grid as ParamDistributions).sort(([a], [b]) => compareCodePoints(a, b));
  for (const [name, values] of entries) {
    const drawn = typeof values === 'function';
    if (!drawn && !(Array.isArray(values) && values.length > 0)) fault(`parameter ${show(name)} has no list of values`);
  }
  return entries;
}

/** The combinations of a grid, as scikit-learn orders them: names sorted, the values of the last one change fastest. */
export function combinations(grid: ParamGrid): Params[] {
  const grids: readonly unknown[] = Array.isArray(grid) ? grid : [grid];
  if (grids.length === 0) fault('there is nothing to try');
  return grids.flatMap((one) => {
    const entries = entriesOf(one);
    const drawn = entries.find(([, values]) => typeof values === 'function');
    if (drawn) fault(`parameter ${show(drawn[0])} is a distribution; a grid needs a list`);
    return Array.from({ length: sizeOf(entries) }, (_, at) => combinationAt(entries, at));
  });
}

const sizeOf = (entries: readonly [string, ParamDistribution][]) =>
  entries.reduce((size, [, values]) => size * (values as readonly unknown[]).length, 1);

function combinationAt(entries: readonly [string, ParamDistribution][], at: number): Params {
  let rest = at;
  const picked = entries.toReversed().map(([name, values]) => {
    const list = values as readonly unknown[];
    const value = list[rest % list.length];
    rest = Math.floor(rest / list.length);
    return [name, value] as const;
  });
  return Object.fromEntries(picked.reverse());
}

/** Combinations drawn by chance; where all values are listed none is drawn twice, and never more than there are. */
export function drawCombinations(distributions: ParamDistributions, count: number, random: Random): Params[] {
  const entries = entriesOf(distributions);
  if (entries.some(([, values]) => typeof values === 'function')) {
    const draw = (values: ParamDistribution) =>
      typeof values === 'function' ? values(random) : values[random.integer(values.length)];
    return Array.from({ length: count }, () => Object.fromEntries(entries.map(([name, from]) => [name, draw(from)])));
  }
  const size = sizeOf(entries);
  const places = new Set<number>();
  while (places.size < Math.min(count, size)) places.add(random.integer(size));
  return Array.from(places, (at) => combinationAt(entries, at));
}

/** Parameters that only estimation reads: whatever they are, the same is counted. */
const ESTIMATION = new Set(
  'alpha alphaAbsent classPrior columnWeights delta estimate fitPrior forceAlpha lambda levelAlpha mu norm poolWeight priorAlpha priors regParam rule varSmoothing'.split(
    ' ',
  ),
);

/** Whether all combinations learn the same counts, so that one count serves them all. */
export function sharesCounts(estimator: object, tried: readonly Params[]): boolean {
  const [end, last] = estimator instanceof Pipeline ? (estimator.getParams().steps.at(-1) ?? []) : ['', estimator];
  if (!(last instanceof CountingClassifier) || !addsUp(last)) return false;
  const prefix = end === '' ? '' : `${end}__`;
  const estimates = ([name, value]: [string, unknown]) =>
    name.startsWith(prefix) && ESTIMATION.has(name.slice(prefix.length)) && value !== 'auto';
  return tried.every((params) => Object.entries(params).every(estimates));
}

/** All combinations of a grid, as scikit-learn's class of this name orders them: `for (const params of new ParameterGrid({ … }))`. */
export class ParameterGrid implements Iterable<Params> {
  private readonly all: readonly Params[];

  constructor(grid: ParamGrid) {
    this.all = combinations(grid);
  }

  /** How many combinations there are. */
  get length(): number {
    return this.all.length;
  }

  [Symbol.iterator](): Iterator<Params> {
    return this.all[Symbol.iterator]();
  }
}
