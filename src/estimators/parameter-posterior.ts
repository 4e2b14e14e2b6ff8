import { betaPosterior, type ParameterPosterior } from '../core/distributions.ts';
import { type ClassPrior, classPosteriorCounts } from '../core/prior.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { AodeOptions } from '../models/aode.ts';
import type { CategoricalOptions } from '../models/categorical.ts';
import { type GaussianOptions, momentsAt } from '../models/gaussian.ts';
import { insightOf } from '../models/insights.ts';
import {
  bellPosterior,
  coinPosterior,
  complementPosterior,
  diePosterior,
  facePosterior,
  type Place,
  pairPosterior,
  ratePosterior,
} from '../models/posteriors.ts';
import type { Tree, TreeOptions } from '../models/tree.ts';
import type { Histogram } from '../stats/histogram.ts';
import type { Moments } from '../stats/moments.ts';
import type { Pairs } from '../stats/pairs.ts';
import type { Sums } from '../stats/sums.ts';
import { type Fitted, type Inside, placeOfClass, placeOfFeature, requireFitted, requirePart } from './inside.ts';

/** The query of a parameter. */
export interface PosteriorQuery {
  readonly class: Label;
  /** The number of a feature, or its name where features have names; not needed for the class prior. */
  readonly feature?: number | string | undefined;
  /** For columns of levels: the level whose probability it is. */
  readonly level?: Level | undefined;
  /** For a tree: the level of the parent column. */
  readonly parentLevel?: Level | undefined;
  /** For averaged one-dependence: the level of another column, where it is known. */
  readonly given?: { readonly feature: number | string; readonly level: Level } | undefined;
  /** `classPrior`: the probability π of the class itself. For Gaussian columns: the mean (by default) or the variance of the feature. */
  readonly parameter?: 'classPrior' | 'mean' | 'variance' | undefined;
  /** For Gaussian columns: the known variance. */
  readonly variance?: number | undefined;
}

/** The posterior of one parameter and its location. */
export interface LocatedPosterior extends ParameterPosterior {
  readonly class: Label;
  /** The name of the feature, or its number where features have no names. */
  readonly feature: string | number;
  readonly level?: Level;
}

type Ask = (inside: Inside, c: number, j: number, query: PosteriorQuery) => ParameterPosterior;

/** A posterior that only a feature and a class are needed for. */
const direct =
  <S, O>(posterior: (stats: S, options: O, c: number, j: number) => ParameterPosterior): Ask =>
  ({ counted }, c, j) => {
    const { stats, options } = counted() as { stats: S; options: O };
    return posterior(stats, options, c, j);
  };

/** The posteriors of each model. */
const posteriors: Readonly<Record<string, Ask>> = {
  aode: dependent,
  bernoulli: direct(coinPosterior),
  categorical: (inside, c, j, { level }) => {
    const { stats, options } = inside.counted() as { stats: Histogram; options: CategoricalOptions };
    return facePosterior(stats, options, c, ...placeOfLevel(inside, j, level));
  },
  complement: direct(complementPosterior),
  gaussian: bell,
  multinomial: direct(diePosterior),
  poisson: direct(ratePosterior),
  tree: branch,
};

const queryNames = ['class', 'feature', 'given', 'level', 'parameter', 'parentLevel', 'variance'];

/**
 * The posterior of a parameter of a fitted model, with credible intervals; of every parameter of a feature if none is named. It is the
 * marginal of a Dirichlet for categorical and multinomial features, a Beta for Bernoulli, a Gamma for rates, Student's or an inverse gamma
 * for Gaussian features.
 */
export function parameterPosterior(fitted: Fitted): LocatedPosterior[];
export function parameterPosterior(fitted: Fitted, query: PosteriorQuery): ParameterPosterior;
export function parameterPosterior(
  fitted: Fitted,
  query?: PosteriorQuery,
  ...surplus: readonly unknown[]
): ParameterPosterior | LocatedPosterior[] {
  if (surplus.length > 0) {
    refuse('E_PARAM', `parameterPosterior takes a model and one query, got also ${show(surplus[0])}`, {
      actual: surplus.length + 2,
    });
  }
  const inside = requireFitted(fitted).inside();
  if (query !== undefined) requireOptions('parameterPosterior', queryNames, query);
  const { kind, model, classes } = inside;
  if (query?.parameter === 'classPrior') return classPriorPosterior(inside, placeOfClass(classes, query.class));
  const reason = 'the distribution of its parameters is not known';
  const ask = requirePart(kind, posteriors[model.name], 'parameterPosterior', reason);
  const tell = (asked: PosteriorQuery) =>
    ask(inside, placeOfClass(classes, asked.class), placeOfFeature(inside, asked.feature as number), asked);
  return query ? tell(query) : places(inside).map((place) => ({ ...place, ...tell(place) }));
}

/** Class by class, feature by feature and, where there are any, level by level. */
function places({ classes, features, name, cell, counted }: Inside) {
  const { levels } = counted().stats;
  return classes.flatMap((label) =>
    Array.from({ length: features }, (_, j) => j).flatMap(
      (j): { class: Label; feature: string | number; level?: Level }[] => {
        const place = { class: label, feature: name(j) };
        return levels
          ? Array.from({ length: levels[j] }, (_, v) => ({ ...place, level: cell(j, v) as Level }))
          : [place];
      },
    ),
  );
}

/** The models whose scores have a class prior that is counted by itself. */
const PRIOR_MODELS = new Set('bernoulli categorical gaussian kdb kernel mixed multinomial poisson tree urn'.split(' '));

/** The probability of a class: π ~ Dirichlet(n + a), of which π[c] is Beta(n[c] + a[c], Σ others). */
function classPriorPosterior({ kind, model, counted }: Inside, c: number): ParameterPosterior {
  const { stats, options } = counted();
  const { classPrior } = options as { readonly classPrior?: ClassPrior };
  const reason = 'its class prior is not a parameter that is counted by itself';
  requirePart(kind, PRIOR_MODELS.has(model.name) ? model : undefined, 'parameterPosterior', reason);
  const counts = classPosteriorCounts((stats as unknown as Sums).n, classPrior);
  if (!counts) refuse('E_CONFLICT', `the class priors of this ${kind} were given, so nothing was learned about them`);
  return betaPosterior(counts[c], Math.max(0, sum(counts) - counts[c]));
}

/** The index of a level in its column; throws for an unknown one. */
function placeOfLevel({ counted, cell }: Inside, j: number, level: Level | undefined): Place {
  const wanted = typeof level === 'boolean' ? String(level) : level;
  const { levels } = counted().stats as { readonly levels: Int32Array };
  for (let v = 0; v < levels[j]; v++) if (cell(j, v) === wanted) return [j, v];
  return refuse('E_CATEGORY_UNKNOWN', `column ${j} has no level ${show(level)}`, { column: j });
}

/** The mean or the variance of a feature in a class; refuses too few values without a prior. */
function bell({ counted, classes, name }: Inside, c: number, j: number, query: PosteriorQuery): ParameterPosterior {
  const { stats, options } = counted() as { stats: Moments; options: GaussianOptions };
  const found = bellPosterior(stats, options, c, j, query);
  if (found) return found;
  const sentence = `class ${show(classes[c])} has too few values of feature ${show(name(j))}; give a prior`;
  const details = { class: classes[c], feature: name(j), count: momentsAt(stats, c, j).weight };
  return refuse('E_CLASS_TOO_SMALL', sentence, details);
}

/** The probability of a level, given the level of its parent column. */
function branch(inside: Inside, c: number, j: number, { level, parentLevel }: PosteriorQuery): ParameterPosterior {
  const parent = (inside.params as Tree).parents[j];
  if (parent < 0 !== (parentLevel === undefined)) {
    const what = parent < 0 ? 'is a root and has no' : `leans on column ${parent} and needs a`;
    refuse('E_PARAM', `column ${j} ${what} parentLevel`, { name: 'parentLevel', column: j });
  }
  const above = parent < 0 ? undefined : placeOfLevel(inside, parent, parentLevel);
  const { stats, options } = inside.counted() as { stats: Pairs; options: TreeOptions };
  return pairPosterior(stats, options, c, placeOfLevel(inside, j, level), above);
}

/** The probability of a level, given the level of another column where one is given. */
function dependent(inside: Inside, c: number, j: number, { level, given }: PosteriorQuery): ParameterPosterior {
  const above = given && placeOfLevel(inside, placeOfFeature(inside, given.feature), given.level);
  const { stats, options } = inside.counted() as { stats: Pairs; options: AodeOptions };
  return pairPosterior(stats, options, c, placeOfLevel(inside, j, level), above);
}

/** ln p(θ) of the prior under which the parameters are the mode, up to a constant; 0 for a family without one. */
export function logParameterPrior(fitted: Fitted): number {
  const { model, params, counted } = requireFitted(fitted).inside();
  return insightOf(model).logParameterPrior?.(params, counted().options) ?? 0;
}
