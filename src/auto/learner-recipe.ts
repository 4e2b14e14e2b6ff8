import { requireKind } from '../data/arguments.ts';
import type { ColumnTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { RecordLearner } from './learner.ts';
import {
  type Bins,
  type ClassifierSchema,
  type ColumnFamily,
  type ReadColumn,
  type Reading,
  readingsOf,
  settleColumns,
} from './learner-columns.ts';
import { type FamilyName, familyOf, makeEstimator } from './learner-families.ts';
import {
  type FamilyOptions,
  makeVectorizer,
  optionNames,
  type Routed,
  routeOptions,
  type WordOptions,
} from './learner-options.ts';
import type { Plan } from './learner-plan.ts';
import { type PriorOptions, type Priors, readPriors } from './learner-priors.ts';
import { textColumns } from './learner-table.ts';

/** How a family is made: parameters of its estimator and of its vectorizers, priors, and how columns are read. */
export interface RecipeOptions extends FamilyOptions, WordOptions, PriorOptions {
  /** How numbers are cut where a family takes levels: by description length (the default), or into equally many rows. */
  readonly bins?: Bins | undefined;
  /** The family of some columns, for the model 'mixed'. */
  readonly families?: Readonly<Record<string, ColumnFamily>> | undefined;
}

/** The names of `RecipeOptions`, of all families together. */
export function recipeNames(): string[] {
  return ['bins', 'families', 'priors', 'fitPrior', 'classPrior', ...optionNames()];
}

/** All that makes a learner, before it is settled by rows. */
export interface Recipe {
  readonly model: FamilyName;
  /** Readings before rows have settled cuts and fills. */
  readonly columns: readonly ReadColumn[];
  readonly options: Routed;
  readonly priors: Priors;
  readonly bins: Bins;
}

/** Reads the options of a family over a schema; what does not fit is refused before anything is counted. */
export function recipeFor(
  model: FamilyName,
  schema: ClassifierSchema,
  { bins, families = {}, priors, fitPrior, classPrior, ...others }: RecipeOptions,
  { asked, classes }: { readonly asked: ReadonlySet<string>; readonly classes: readonly Label[] },
): Recipe {
  const { takes } = familyOf(model);
  requireWish('bins', bins, takes === 'levels' || takes === 'anything', model, ['mdl', 'frequency']);
  for (const family of Object.values(requireKind(families, 'families by column', 'object'))) {
    requireWish('families', family, takes === 'anything', model, ['gaussian', 'poisson', 'categorical', 'bins']);
  }
  const columns = readingsOf(model, schema, { asked, families });
  const options = routeOptions(model, others, textColumns(columns).length > 0);
  const recipe = {
    model,
    columns,
    options,
    priors: readPriors(model, { priors, fitPrior, classPrior }, classes),
    bins: bins ?? 'mdl',
  };
  blankLearner(recipe, columns);
  return recipe;
}

function requireWish(
  name: string,
  value: string | undefined,
  has: boolean,
  model: FamilyName,
  legal: readonly string[],
): void {
  if (value === undefined) return;
  if (!has) refuse('E_PARAM', `model ${show(model)} has no ${name}`, { name });
  if (!legal.includes(value)) {
    refuse('E_PARAM', `${name} must be one of ${legal.join(', ')}, got ${show(value)}`, { name, actual: show(value) });
  }
}

/** Readings as some rows settle them. */
export function settle(
  { model, columns, bins }: Recipe,
  table: ColumnTable,
  codes: Int32Array,
  classes: number,
): ReadColumn[] {
  return settleColumns(model, columns, table, codes, { classes, bins });
}

const familyOfReading: Readonly<Record<Reading, string>> = {
  text: 'multinomial',
  number: 'gaussian',
  count: 'poisson',
  flag: 'bernoulli',
  level: 'categorical',
  bin: 'categorical',
};

/** A learner that has learned nothing; `fractional`: weights of rows need not be whole numbers. */
export function blankLearner(
  { model, options, priors }: Recipe,
  columns: readonly ReadColumn[],
  fractional = false,
): RecordLearner {
  const texts = textColumns(columns);
  const { takes, blank } = familyOf(model);
  const own: Record<string, unknown> = {};
  if (takes === 'anything') {
    own.columns = Object.fromEntries(columns.map(({ name, reading }) => [name, familyOfReading[reading]]));
  } else if (blank === 'missing' && texts.length === 0 && options.params.shrinkage !== 'auto') own.missing = 'ignore';
  const estimator = makeEstimator(model, { ...options.params, ...own });
  const vectorizers = texts.map(() => makeVectorizer(options.words));
  const plan: Plan = { model, columns, priors };
  return new RecordLearner(plan, { vectorizers, estimator, fractional });
}
