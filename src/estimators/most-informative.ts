import { type GivenOptions, integer, readOptions, unchecked } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { topPlaces } from '../math/arrays.ts';
import { insightOf } from '../models/insights.ts';
import { type Fitted, insideOf, names, placeOfClass, requirePart } from './inside.ts';

/** Evidence for a class. */
export interface Informative {
  readonly class: Label;
  readonly feature: string | number;
  /** The strength of the evidence for the class, in nats; negative values are evidence against it. */
  readonly nats: number;
  /** The level, if the feature has levels. */
  readonly level?: Level;
  /** ln of the ratio of the odds of the feature or its level in the class and elsewhere; absent for measurements. */
  readonly logOdds?: number;
  /** The mean of a measurement in the class. */
  readonly mean?: number;
}

const spec = {
  /** The class whose features are listed. Default: all classes, one after the other. */
  class: unchecked<Label>(),
  /** The number of features per class. Default: 10. */
  k: integer({ default: 10, min: 1 }),
  /** The names of the features. Default: those of the model, else their indices. */
  names,
} as const;

/** Options of `mostInformative`. */
export type MostInformativeOptions = GivenOptions<typeof spec>;

/**
 * The strongest evidence for each class, in order. Features are ranked by the divergence of the class from the others, so neither frequent
 * words that all classes share nor rare ones come first.
 */
export function mostInformative(fitted: Fitted, options: MostInformativeOptions = {}): Informative[] {
  return informativeFeatures(fitted, options).map(({ place, ...informative }) => informative);
}

/** The same with the place of each feature among the columns of the model. */
export function informativeFeatures(
  fitted: Fitted,
  given: MostInformativeOptions = {},
): (Informative & { readonly place: number })[] {
  const { class: wanted, k, names: called } = readOptions('mostInformative', spec, given);
  const inside = insideOf(fitted, called);
  const { kind, params, classes, features } = inside;
  const insight = insightOf(inside.model);
  const reason = 'its features do not speak for a class one by one';
  const telling = requirePart(kind, insight.telling, 'mostInformative', reason);
  const { stats, options } = inside.counted();
  const { nats, logOdds } = telling(params, stats, options);
  const chosen = wanted === null ? [...classes.keys()] : [placeOfClass(classes, wanted)];
  return chosen.flatMap((c) => {
    const from = c * features;
    return topPlaces(nats.subarray(from, from + features), k).map((j) => {
      const level = insight.tellingLevel?.(params, c, j) ?? Number.NaN;
      const mean = insight.typicalValue?.(params, c, j) ?? Number.NaN;
      return {
        place: j,
        class: classes[c],
        feature: inside.name(j),
        nats: nats[from + j],
        ...(!Number.isNaN(level) && { level: inside.cell(j, level) as Level }),
        ...(!Number.isNaN(logOdds[from + j]) && { logOdds: logOdds[from + j] }),
        ...(!Number.isNaN(mean) && { mean }),
      };
    });
  });
}
