import {
  betaPosterior,
  gammaPosterior,
  inverseGammaPosterior,
  normalPosterior,
  type ParameterPosterior,
  studentPosterior,
} from '../core/distributions.ts';
import { posteriorCount } from '../core/posterior-draws.ts';
import {
  betaSides,
  type ClassPrior,
  classPosteriorCounts,
  isBackground,
  type Prior,
  pseudoAt,
  pseudoCount,
  pseudoSum,
} from '../core/prior.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { BernoulliOptions } from '../models/bernoulli.ts';
import { type CategoricalOptions, faceCounts } from '../models/categorical.ts';
import { type GaussianOptions, momentsAt, normalGammaPosterior } from '../models/gaussian.ts';
import { insightOf } from '../models/insights.ts';
import { background, type MultinomialOptions } from '../models/multinomial.ts';
import type { PoissonOptions } from '../models/poisson.ts';
import type { Tree } from '../models/tree.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
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

/** The posteriors of each model. */
const posteriors: Readonly<Record<string, Ask>> = {
  aode: aodePosterior,
  bernoulli: coinPosterior,
  categorical: facePosterior,
  complement: complementPosterior,
  gaussian: bellPosterior,
  multinomial: diePosterior,
  poisson: ratePosterior,
  tree: treePosterior,
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

/** The probability of a word in a class. */
function diePosterior({ counted }: Inside, c: number, j: number): ParameterPosterior {
  const { stats, options } = counted() as { stats: Sums; options: unknown };
  const { prior } = options as MultinomialOptions;
  const { features, s } = stats;
  if (isBackground(prior) && prior.rule !== 'dirichlet') {
    refuse('E_PARAM', `the smoothing '${prior.rule}' is no prior distribution, so there is no posterior`, {
      name: 'smoothing',
    });
  }
  const k = isBackground(prior) ? background(stats).map((share) => share * prior.mu) : posteriorCount(prior);
  const own = s[c * features + j] + pseudoAt(k, features, c, j);
  const all = sum(s, c * features, features) + pseudoSum(k, features, c);
  return betaPosterior(own, Math.max(0, all - own));
}

/** The probability that a feature is present in a class. */
function coinPosterior({ counted }: Inside, c: number, j: number): ParameterPosterior {
  const { stats, options } = counted() as { stats: Sums; options: unknown };
  const { features, n, s, m } = stats;
  const cell = c * features + j;
  const [heads, tails] = betaSides((options as BernoulliOptions).prior).map((side) =>
    pseudoAt(posteriorCount(side), features, c, j),
  );
  const absent = Math.max(0, n[c] - (m.length > 0 ? m[cell] : 0) - s[cell]);
  return betaPosterior(s[cell] + heads, absent + tails);
}

/** The probability of a word in all the other classes. */
function complementPosterior({ counted }: Inside, c: number, j: number): ParameterPosterior {
  const { stats, options } = counted() as { stats: Sums; options: unknown };
  const { classes, features, s } = stats;
  const k = pseudoCount((options as { prior: Prior }).prior);
  let own = pseudoAt(k, features, c, j);
  let all = pseudoSum(k, features, c);
  for (let other = 0; other < classes; other++) {
    if (other === c) continue;
    own += s[other * features + j];
    all += sum(s, other * features, features);
  }
  return betaPosterior(own, Math.max(0, all - own));
}

/** The rate of a feature in a class. Without a prior its density is as 1 / λ. */
function ratePosterior({ counted }: Inside, c: number, j: number): ParameterPosterior {
  const { stats, options } = counted() as { stats: Sums; options: unknown };
  const { prior } = options as PoissonOptions;
  const { features, n, s, m } = stats;
  const added = prior.rule === 'mle' ? { shape: 0, rate: 0 } : prior;
  const rows = n[c] - (m.length > 0 ? m[c * features + j] : 0);
  return gammaPosterior(s[c * features + j] + added.shape, rows + added.rate);
}

/** The probability of a level in a class. */
function facePosterior(inside: Inside, c: number, j: number, { level }: PosteriorQuery): ParameterPosterior {
  const { stats, options } = inside.counted() as { stats: Histogram; options: unknown };
  const { levels, h } = stats;
  const prior = faceCounts(options as CategoricalOptions, levels, posteriorCount);
  const offsets = levelOffsets(levels);
  const from = c * offsets[levels.length] + offsets[j];
  const place = placeOfLevel(inside, j, level);
  const own = h[from + place] + prior.at(offsets[j] + place);
  return betaPosterior(own, Math.max(0, sum(h, from, levels[j]) + prior.total(j) - own));
}

/**
 * The mean or the variance of a feature in a class. Without a prior the reference prior 1/σ² stands, which needs two
 * different values. With `variance`, the posterior of the mean is for that known variance.
 */
function bellPosterior(inside: Inside, c: number, j: number, query: PosteriorQuery): ParameterPosterior {
  const { mean, kappa, a, b } = bellsOf(inside, c, j);
  const { parameter, variance } = query;
  if (parameter === 'variance') return inverseGammaPosterior(a, b);
  if (variance === undefined) return studentPosterior(2 * a, mean, Math.sqrt(b / a / kappa));
  if (variance > 0) return normalPosterior(mean, Math.sqrt(variance / kappa));
  return refuse('E_PARAM', `a known variance is positive, got ${show(variance)}`, { name: 'variance' });
}

function bellsOf({ counted, classes, name }: Inside, c: number, j: number) {
  const { stats, options } = counted() as { stats: Moments; options: unknown };
  const { rule } = options as GaussianOptions;
  const moments = momentsAt(stats, c, j);
  if (rule.rule !== 'mle') return normalGammaPosterior(rule.prior, j, moments);
  const { weight, mean, squares } = moments;
  if (!(weight > 1 && squares > 0)) {
    refuse(
      'E_CLASS_TOO_SMALL',
      `class ${show(classes[c])} has too few values of feature ${show(name(j))}; give a prior`,
      {
        class: classes[c],
        feature: name(j),
        count: weight,
      },
    );
  }
  return { mean, kappa: weight, a: (weight - 1) / 2, b: squares / 2 };
}

/** A query of a level that may depend on another column. */
interface PairQuery {
  readonly level?: Level | undefined;
  readonly parentLevel?: Level | undefined;
  readonly given?: { readonly feature: number | string; readonly level: Level } | undefined;
}

type Place = readonly [feature: number, level: number];

/** The index of a level in its column; throws for an unknown one. */
function placeOfLevel({ counted, cell }: Inside, j: number, level: Level | undefined): number {
  const wanted = typeof level === 'boolean' ? String(level) : level;
  const { levels } = counted().stats as { readonly levels: Int32Array };
  for (let v = 0; v < levels[j]; v++) if (cell(j, v) === wanted) return v;
  return refuse('E_CATEGORY_UNKNOWN', `column ${j} has no level ${show(level)}`, { column: j });
}

/** The probability of a level, given the level of its parent column. */
function treePosterior(inside: Inside, c: number, j: number, { level, parentLevel }: PairQuery): ParameterPosterior {
  const parent = (inside.params as Tree).parents[j];
  if (parent < 0 !== (parentLevel === undefined)) {
    const what = parent < 0 ? 'is a root and has no' : `leans on column ${parent} and needs a`;
    refuse('E_PARAM', `column ${j} ${what} parentLevel`, { name: 'parentLevel', column: j });
  }
  const above: Place | undefined = parent < 0 ? undefined : [parent, placeOfLevel(inside, parent, parentLevel)];
  return pairPosterior(inside, c, [j, placeOfLevel(inside, j, level)], above);
}

/** The probability of a level, given the level of another column where one is given. */
function aodePosterior(inside: Inside, c: number, j: number, { level, given }: PairQuery): ParameterPosterior {
  const other = given && placeOfFeature(inside, given.feature);
  const above: Place | undefined = other === undefined ? undefined : [other, placeOfLevel(inside, other, given?.level)];
  return pairPosterior(inside, c, [j, placeOfLevel(inside, j, level)], above);
}

/** The posterior of p(xⱼ = v | c), or of p(xⱼ = v | c, xₖ = u), under a Dirichlet(α) prior: Beta(n[c,u,v] + α, Σ others). */
function pairPosterior({ counted }: Inside, c: number, [j, v]: Place, given: Place | undefined): ParameterPosterior {
  const { stats, options } = counted();
  const { alpha } = options as { readonly alpha: number };
  const { levels, p } = stats as Pairs;
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  const counts = Float64Array.from({ length: levels[j] }, (_, at) => {
    const own = offsets[j] + at;
    return p[(c * width + (given ? offsets[given[0]] + given[1] : own)) * width + own];
  });
  const own = counts[v] + alpha;
  return betaPosterior(own, Math.max(0, sum(counts) + alpha * counts.length - own));
}

/** ln p(θ) of the prior under which the parameters are the mode, up to a constant; 0 for a family without one. */
export function logParameterPrior(fitted: Fitted): number {
  const { model, params, counted } = requireFitted(fitted).inside();
  return insightOf(model).logParameterPrior?.(params, counted().options) ?? 0;
}
