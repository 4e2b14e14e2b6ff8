import type { Field, Form, Model, Statistic, Terms } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { requireLike } from '../data/arguments.ts';
import type { Rows, Shape } from '../data/batch.ts';
import { refuse, show } from '../errors.ts';
import { type Blocks, blocks } from '../stats/blocks.ts';
import { fieldsOf, pack, sidesOf, unpack } from '../stats/pack.ts';
import { bernoulli } from './bernoulli.ts';
import { categorical } from './categorical.ts';
import {
  beta,
  exponential,
  gamma,
  lognormal,
  vonmises,
  zeroinflatedgamma,
  zeroinflatedlognormal,
  zeroinflatedpoisson,
} from './column-distributions.ts';
import type { ColumnModel, Support } from './column-model.ts';
import { gaussian } from './gaussian.ts';
import { kernel } from './kernel.ts';
import { multinomial } from './multinomial.ts';
import { poisson } from './poisson.ts';
import { negativebinomial, studentt, zeroinflatednegativebinomial } from './value-distributions.ts';

// biome-ignore lint/suspicious/noExplicitAny: each family has its own statistic, parameters and options
type AnyModel = Model<any, any, any>;

/** The families that columns may have. */
export const families = {
  gaussian,
  bernoulli,
  categorical,
  poisson,
  multinomial,
  exponential,
  gamma,
  lognormal,
  vonmises,
  beta,
  studentt,
  kernel,
  negativebinomial,
  zeroinflatedgamma,
  zeroinflatedlognormal,
  zeroinflatedpoisson,
  zeroinflatednegativebinomial,
} as const;

/** The name of a family of the library. */
export type KnownFamily = keyof typeof families;

/** The name of a family: one of the library, or one that was registered. */
export type Family = KnownFamily | (string & Record<never, never>);

/** Families that a program has registered. */
const registered = new Map<string, AnyModel>();

/**
 * Makes a model a family of columns in `MixedNB`, under its name. A model file contains only the name, so a program that loads such a file
 * must register the same family first.
 */
export function registerFamily(model: AnyModel): void {
  const parts = {
    name: 'string',
    statistic: 'object',
    form: 'object',
    estimate: 'function',
    score: 'function',
  } as const;
  requireLike(model, 'a model such as columnModel makes', { ...parts, terms: 'function', sample: 'function' });
  const { name } = model;
  if (!/^[A-Za-z]+$/.test(name)) refuse('E_PARAM', `name is made of letters, got ${show(name)}`, { name: 'name' });
  if (Object.hasOwn(families, name) || (registered.get(name) ?? model) !== model) {
    refuse('E_CONFLICT', `the family ${show(name)} already exists`, { family: name });
  }
  registered.set(name, model);
}

/** The families that columns may have, always in the same order. */
export const familyNames = (): Family[] => [...Object.keys(families), ...[...registered.keys()].sort()];

/** Whether a family belongs to the library. */
export const isKnownFamily = (family: Family): family is KnownFamily => Object.hasOwn(families, family);

/** Which cells a family of numbers takes. */
export function supportOf(family: Family): Support {
  const model = modelNamed(family);
  if (model && 'distribution' in model) return (model as ColumnModel).distribution.support ?? 'real';
  return family === 'poisson' || family === 'multinomial' || family === 'bernoulli' ? 'nonNegative' : 'real';
}

/** Beyond this, squares and factorials leave the range of numbers. */
export const LARGEST_CELL = 1e150;

const ranges = {
  real: [-LARGEST_CELL, LARGEST_CELL],
  nonNegative: [0, LARGEST_CELL],
  positive: [Number.MIN_VALUE, LARGEST_CELL],
  unit: [Number.MIN_VALUE, 1 - Number.EPSILON / 2],
} as const;

/** The least and the largest cell that a family of numbers takes. */
export const rangeOf = (family: Family): readonly [least: number, most: number] => ranges[supportOf(family)];

/** The model of a family, if there is one of this name. */
export function modelNamed(family: Family): AnyModel | undefined {
  return isKnownFamily(family) ? families[family] : registered.get(family);
}

/** The family of a block: the letters its name begins with, so that `multinomial3` is a second block of counts. */
export function familyOf(block: string): AnyModel {
  const model = modelNamed(block.replace(/[0-9]+$/, ''));
  return model ?? refuse('E_MODEL_CORRUPT', `the block ${show(block)} is of no known family`);
}

/** A block with its parameters, and where its features stand among all features. */
interface Block {
  readonly name: string;
  readonly params: Shape;
  readonly places: Int32Array;
  /** The contribution of the block's own flat prior to every score. */
  readonly flat: Float64Array;
}

/** The parameters of all blocks. */
export interface Mixture extends Shape {
  readonly logPrior: Float64Array;
  readonly blocks: readonly Block[];
}

/** How each block is estimated. */
export interface MixedOptions {
  readonly classPrior?: ClassPrior;
  /** The options of each block's family, and where its features stand among all features: one after the other by default. */
  readonly blocks: Readonly<Record<string, { readonly options: object; readonly places?: Int32Array }>>;
}

/**
 * Naive Bayes over columns of different kinds: each block of columns has the family of its kind, and the class is the only
 * thing that blocks share.
 *
 *   ln p(c, x) = ln p(c) + Σ_b ln p(x_b | c)                                     (1)
 *
 * Each term is the score of a family under a flat class prior, so that the prior counts once. A missing cell drops out of its
 * term. Murphy, Machine Learning: A Probabilistic Perspective (2012), §3.5: features of mixed types.
 */
export const mixed: Model<Blocks, Mixture, MixedOptions> = {
  name: 'mixed',
  statistic: blocks((name) => familyOf(name).statistic as Statistic<never>),
  form: mixedForm(familyOf),

  estimate(stats, options) {
    const { classes, features, n } = stats;
    let next = 0;
    const estimated = Object.entries(stats.parts).map(([name, part]): Block => {
      const { options: own, places } = options.blocks[name];
      const params = familyOf(name).estimate(part, { ...own, classPrior: 'uniform' });
      const start = next;
      next += part.features;
      const inOrder = () => Int32Array.from({ length: part.features }, (_, j) => start + j);
      return { name, params, places: places ?? inOrder(), flat: familyOf(name).logPrior(params) };
    });
    return { classes, features, logPrior: logClassPrior(n, options.classPrior), blocks: estimated };
  },

  /** out[i,c] = ln p(c) + Σ_b ln p(x_b | c), by (1). */
  score({ classes, logPrior, blocks }, rows, out) {
    for (let at = 0; at < out.length; at += classes) {
      for (let c = 0; c < classes; c++) out[at + c] = logPrior[c];
    }
    for (const { name, params, flat } of blocks) {
      const own = new Float64Array(out.length);
      familyOf(name).score(params, partOfRows(rows, name), own);
      addTerms(out, own, flat);
    }
  },

  logPrior: ({ logPrior }) => logPrior,

  terms({ classes, blocks }, rows, i): Terms {
    const rest = new Float64Array(classes);
    const parts = blocks.map(({ name, params, places }) => {
      const own = familyOf(name).terms(params, partOfRows(rows, name), i);
      for (let c = 0; c < classes; c++) rest[c] += own.rest[c];
      return { features: own.features.map((j) => places[j]), terms: own.terms };
    });
    return {
      features: Uint32Array.from(parts.flatMap(({ features }) => [...features])),
      terms: Float64Array.from(parts.flatMap(({ terms }) => [...terms])),
      rest,
    };
  },

  sample({ blocks }, c, random, row) {
    for (const { name, params, places } of blocks) {
      const cells = new Float64Array(places.length);
      familyOf(name).sample(params, c, random, cells);
      for (let j = 0; j < places.length; j++) row[places[j]] = cells[j];
    }
  },
};

function partOfRows({ parts }: Rows, name: string): Rows {
  return parts?.[name] as Rows;
}

/** Adds the scores of a block without the flat prior in them. */
export function addTerms(out: Float64Array, own: Float64Array, flat: Float64Array): void {
  for (let at = 0; at < out.length; at += flat.length) {
    for (let c = 0; c < flat.length; c++) out[at + c] += own[at + c] - flat[c];
  }
}

/** The arrays of every block under its name. */
function mixedForm(familyOf: (block: string) => AnyModel): Form<Mixture, MixedOptions> {
  const formOf = (block: string) => familyOf(block).form!;
  const under = <T>(block: string, entries: readonly (readonly [string, T])[]) =>
    entries.map(([name, value]) => [`${block}.${name}`, value] as const);
  return {
    arrays: ({ parts = {} }) => {
      const fields = Object.entries(parts).flatMap(([block, part]) =>
        under(
          block,
          fieldsOf(formOf(block), part).map(([name, field]) => [name, numbered(field, part)] as const),
        ),
      );
      return { logPrior: ['log', 'classes'], ...Object.fromEntries(fields) };
    },
    pack: ({ logPrior, blocks }) => {
      const all = blocks.flatMap(({ name, params }) => under(name, Object.entries(pack(formOf(name), params))));
      return { logPrior, ...Object.fromEntries(all) };
    },
    unpack({ logPrior, ...packed }, { classes, features, parts = {} }, options) {
      const blocks = Object.entries(parts).map(([name, part]) => {
        const { options: own, places = new Int32Array(0) } = options.blocks[name];
        const names = fieldsOf(formOf(name), part).map(([field]) => [field, packed[`${name}.${field}`]] as const);
        const params = unpack(formOf(name), Object.fromEntries(names), part, { ...own, classPrior: 'uniform' });
        return params && { name, params, places, flat: familyOf(name).logPrior(params) };
      });
      const whole = blocks.filter((block) => block !== undefined);
      return whole.length === blocks.length ? { classes, features, logPrior, blocks: whole } : undefined;
    },
  };
}

/** A field with the dimensions of the block, not of the whole. */
function numbered(field: Field, part: Shape): Field {
  const [content, ...sides] = field;
  const lengths = sidesOf(field, part, 0);
  return [content, ...sides.map((side, k) => (side === 'any' ? side : lengths[k]))];
}
