import { binnings, hashBits } from '../core/model-options.ts';
import { requireKind } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import { HashingVectorizer } from '../estimators/hashing-vectorizer.ts';
import { type Plan, RecordLearner } from './learner.ts';
import {
  type Bins,
  type ClassifierSchema,
  type ColumnFamily,
  type ReadColumn,
  type Reading,
  type Readings,
  readingsOf,
  textColumns,
} from './learner-columns.ts';
import {
  type FamilyName,
  type families,
  familyNames,
  familyOf,
  makeEstimator,
  type PriorOptions,
  type Priors,
  readPriors,
} from './learner-families.ts';

/** The parameters of all estimators of families. */
type AnyOptions = NonNullable<ConstructorParameters<(typeof families)[FamilyName]['kind']>[0]>;

/** Parameters of estimators that a classifier of records settles itself. */
const settled = [
  'columns',
  'missing',
  'extra',
  'priors',
  'classPrior',
  'fitPrior',
  'weighted',
  'nComponents',
  'storeCovariance',
] as const;

type Names<T> = T extends unknown ? keyof T : never;
type Value<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** Parameters of the estimator of a family, by their own names. */
export type FamilyOptions = {
  readonly [K in Exclude<Names<AnyOptions>, (typeof settled)[number]>]?: Value<AnyOptions, K> | undefined;
};

/** How text becomes counts: parameters of `CountVectorizer`, and two shorter ways to say things. */
export type WordOptions = CountVectorizerOptions & {
  /** Least and largest n of n-grams, or the largest alone. Default: 1. */
  readonly ngrams?: number | readonly [lowest: number, highest: number] | undefined;
  /** The power of 2 of the number of hashed columns, instead of a vocabulary. Default: a vocabulary. */
  readonly hash?: number | undefined;
};

/** Options for the vectorizers and for the estimator. */
interface Routed {
  readonly words: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The options that are about text. */
const wordNames: ReadonlySet<string> = new Set([...Object.keys(new CountVectorizer().getParams()), 'ngrams', 'hash']);

/** Sends what was given to the vectorizers and the estimator; an option that neither knows is refused. */
function routeOptions(family: FamilyName, given: Readonly<Record<string, unknown>>, text: boolean): Routed {
  const known = parametersOf(family);
  const words: Record<string, unknown> = {};
  const params: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (wordNames.has(name) && text) words[name] = value;
    else if (known.includes(name)) params[name] = value;
    else {
      const why = wordNames.has(name) ? 'is about text, of which there is none' : `is not one of ${known.join(', ')}`;
      refuse('E_PARAM', `option ${show(name)} of model ${show(family)} ${why}`, { name });
    }
  }
  if ((params.shrinkage ?? null) !== null && params.solver === undefined && known.includes('solver')) {
    params.solver = 'lsqr'; // the default solver of linear discriminants does not shrink
  }
  return { words, params };
}

function parametersOf(family: FamilyName): string[] {
  const all = Object.keys(makeEstimator(family, {}).getParams());
  return all.filter((name) => !(settled as readonly string[]).includes(name));
}

/** What makes counts of a text. */
export type Vectorizer = CountVectorizer | HashingVectorizer;

/** A vectorizer that has learned nothing. Words are found by the script of the text unless asked for otherwise. */
function makeVectorizer(words: Readonly<Record<string, unknown>>): Vectorizer {
  const { ngrams, hash, ...others } = words;
  if (ngrams !== undefined && others.ngramRange !== undefined) {
    refuse('E_PARAM', 'ngrams and ngramRange set the same option: give one of them', { name: 'ngrams' });
  }
  const ngramRange = typeof ngrams === 'number' ? [1, ngrams] : ngrams;
  const options = { tokenizer: 'auto', ...others, ...(ngramRange !== undefined && { ngramRange }) };
  if (hash === undefined) return new CountVectorizer(options as never);
  if (!Number.isInteger(hash) || (hash as number) < hashBits.min || (hash as number) > hashBits.max) {
    const expected = `a whole number from ${hashBits.min} to ${hashBits.max}`;
    refuse('E_PARAM', `hash is ${expected}, got ${show(hash)}`, { name: 'hash', actual: show(hash) });
  }
  const nFeatures = 2 ** (hash as number);
  return new HashingVectorizer({ ...options, nFeatures, alternateSign: false, norm: null } as never);
}

/** How a family is made: parameters of its estimator and of its vectorizers, priors, and how columns are read. */
export interface RecipeOptions extends FamilyOptions, WordOptions, PriorOptions {
  /** How numbers are cut where a family takes levels: by description length (the default), or into equally many rows. */
  readonly bins?: Bins | undefined;
  /** The family of some columns, for the model 'mixed'. Default: inferred. */
  readonly families?: Readonly<Record<string, ColumnFamily>> | undefined;
}

/** The names of `RecipeOptions`, of all families together. */
export function recipeNames(): string[] {
  return ['bins', 'families', ...wordNames, ...familyNames.flatMap(parametersOf), ...settled];
}

/** All that makes a learner, before it is settled by rows. */
export interface Recipe extends Readings {
  readonly options: Routed;
  readonly priors: Priors;
}

/** Reads the options of a family over a schema; what does not fit is refused before anything is counted. */
export function recipeFor(
  model: FamilyName,
  schema: ClassifierSchema,
  { bins, families = {}, priors, fitPrior, classPrior, ...others }: RecipeOptions,
  { asked, classes }: { readonly asked: ReadonlySet<string>; readonly classes: readonly Label[] },
): Recipe {
  const { takes } = familyOf(model);
  requireWish('bins', bins, takes === 'levels' || takes === 'anything', model, binnings);
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
