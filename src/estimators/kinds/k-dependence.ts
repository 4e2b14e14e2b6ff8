import { choice, either, flag, integer, type Option, type OptionValues, optional, real } from '../../core/options.ts';
import { isList } from '../../data/matrix.ts';
import { isParents, type Parents } from '../../data/parents.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse } from '../../errors.ts';
import { type KDependence, type KDependenceOptions, kdb } from '../../models/kdb.ts';
import { type Concentration, MOST_CONCENTRATION } from '../../models/kdb-tables.ts';
import { type Contexts, codesOf, codingOf, MOST_CODES } from '../../stats/contexts.ts';
import { classPriorOf, givenPriors, levelOptions } from '../options.ts';
import type { Kind } from './kind.ts';
import { checkLevels, levelRows } from './level-columns.ts';

/** A list of lists of columns. */
const lists: Option<Parents> = {
  kind: 'custom',
  default: [],
  expects: 'a list of columns for each column, or null for one that is left out',
  accept(value) {
    if (!isList(value)) return undefined;
    const own = Array.from(value as ArrayLike<unknown>, (item) =>
      isList(item) ? Object.freeze(Array.from(item)) : item,
    );
    return isParents(own, own.length) ? Object.freeze(own) : undefined;
  },
};

const spec = {
  /** The most parents of a column; 'auto': up to 5, as many as the least leave-one-out log-loss on the first rows has. Default: 'auto'. */
  k: either(choice(['auto'], { default: 'auto' }), integer({ default: 1, min: 0, max: 16 })),
  /** Leave out the least informative columns if that reduces the leave-one-out log-loss on the first rows. Default: true. */
  selectColumns: flag({ default: true }),
  /** The parents of a column: by information, the k columns before it, or as listed. Default: 'information'. */
  parents: either(choice(['information', 'previous'], { default: 'information' }), lists),
  /** Draw the order of the columns with this seed rather than sort them by information: for the members of an ensemble. Default: null. */
  seed: optional(integer({ default: 0, min: 0 })),
  /**
   * The concentration: the weight, in rows, of the table with one parent less; by leave-one-out likelihood, or the same with a bound by
   * log-loss ('auto'). Default: 'auto'.
   */
  concentration: either(choice(['auto', 'likelihood'], { default: 'auto' }), real({ default: 1, min: 1e-6, max: 1e6 })),
  /** With 'likelihood', the greatest concentration. Default: null, no limit. */
  bound: optional(real({ default: 1, min: 1e-6, max: MOST_CONCENTRATION })),
  ...givenPriors,
  ...levelOptions,
} as const;

/** `KDependenceNB` as data. */
export const kDependenceKind: Kind<typeof spec, Contexts, KDependence, KDependenceOptions> = {
  name: 'KDependenceNB',
  spec,
  model: () => kdb,
  accepts: levelRows,
  modelOptions(params, shape, schema) {
    const classPrior = classPriorOf(params, shape.classes);
    checkLevels(shape, schema);
    for (let j = 0; j < shape.features; j++) {
      const codes = codesOf(codingOf(shape, j));
      if (codes >= MOST_CODES) {
        refuse('E_LIMIT', `column ${j} and its parents have ${codes} combinations; give it fewer parents`, {
          limit: MOST_CODES,
          actual: codes,
        });
      }
    }
    return { concentration: concentrationUnder(params, schema), classPrior };
  },
};

/** The concentration by the options, or as the first rows chose it. */
export function concentrationUnder(params: OptionValues<typeof spec>, schema: JsonValue | undefined): Concentration {
  const { concentration } = params;
  if (typeof concentration === 'number') return concentration;
  return concentration === 'likelihood' ? likelihoodBound(params) : { most: boundOf(schema) };
}

/** Concentrations by likelihood, up to the bound that was asked for. */
export const likelihoodBound = ({ bound }: OptionValues<typeof spec>): Exclude<Concentration, number> => ({
  most: bound ?? MOST_CONCENTRATION,
});

/** The bound of concentrations that the first rows chose; none before. */
export function boundOf(schema: JsonValue | undefined): number {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return MOST_CONCENTRATION;
  const { bound } = schema;
  const fits = typeof bound === 'number' && bound > 0 && bound <= MOST_CONCENTRATION;
  return fits ? bound : refuse('E_MODEL_CORRUPT', 'the model file is damaged: its bound of concentrations is invalid');
}
