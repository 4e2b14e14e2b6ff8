import { integer, type OptionSpec, type OptionValues, optional, readOptions } from '../core/options.ts';
import { generatorOf, type RandomState, randomState } from '../evaluate/folds.ts';
import { Search, type SearchOptions, searchSpec } from './base-search.ts';
import type { Candidate } from './fold-learning.ts';
import { combinations, drawCombinations, type ParamDistributions, type ParamGrid } from './search-params.ts';
import type { Params } from './with-params.ts';

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

/** Whether all arguments of a search came in one object. */
function isWhole<E, Whole extends { readonly estimator: unknown }>(given: E | Whole): given is Whole {
  return 'estimator' in Object(given);
}

/** How many combinations are drawn, and by which chance. */
export interface RandomizedSearchOptions<E extends Candidate> extends SearchOptions<E> {
  readonly nIter?: number | undefined;
  readonly randomState?: RandomState | undefined;
}

const randomizedSpec = {
  ...searchSpec,
  /** How many combinations are drawn. */
  nIter: integer({ default: 10, min: 1 }),
  randomState: optional(randomState),
} satisfies OptionSpec;

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
