import { type GivenOptions, integer, readOptions, unchecked } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { insightOf } from '../models/insights.ts';
import { type Fitted, type Inside, insideOf, names, placeOfFeature, requirePart } from './inside.ts';

/** What adds to the score of each class. */
export interface NomogramPoint {
  /** In nats, one per class: ln p(xⱼ = value | c), or ln p(c). */
  readonly byClass: Float64Array;
  /**
   * The same as one can add it up. With two classes one number, the log-odds of the second against the first; otherwise
   * one per class, relative to the mean of the classes.
   */
  readonly scale: Float64Array;
}

/** A mark on the axis of a feature. */
export interface NomogramMark extends NomogramPoint {
  readonly value: Level | null;
}

/** The axis of one feature. */
export interface NomogramAxis {
  readonly feature: string | number;
  readonly points: readonly NomogramMark[];
}

/** The data of a nomogram: the prior plus one mark of every feature is the score of a row. */
export interface Nomogram {
  readonly classes: readonly Label[];
  readonly prior: NomogramPoint;
  readonly axes: readonly NomogramAxis[];
}

const spec = {
  /** The features, by name or index. Default: those with the widest axes. */
  features: unchecked<readonly (string | number)[]>(),
  /** How many features are chosen. Default: 10. */
  k: integer({ default: 10, min: 1 }),
  /** The names of the features. Default: those of the model, else their indices. */
  names,
} as const;

/** Options of `nomogram`. */
export type NomogramOptions = GivenOptions<typeof spec>;

/**
 * The classifier as a nomogram. Možina, Demšar, Kattan & Zupan, Nomograms for Visualization of Naive Bayesian Classifier
 * (2004).
 */
export function nomogram(fitted: Fitted, options: NomogramOptions = {}): Nomogram {
  const { features: wanted, k, names: given } = readOptions('nomogram', spec, options);
  const inside = insideOf(fitted, given);
  const { classes, model, params } = inside;
  const chosen = wanted ? Array.from(wanted, (feature) => placeOfFeature(inside, feature)) : widest(inside, k);
  const axes = chosen.map((j) => {
    const points = marksOf(inside, j).map(([value, point]) => ({ value: inside.cell(j, value), ...point }));
    return { feature: inside.name(j), points };
  });
  return { classes, prior: pointOf(model.logPrior(params).slice()), axes };
}

function marksOf({ kind, model, params, classes }: Inside, j: number): [value: number, point: NomogramPoint][] {
  const reason = 'its score is no sum over features';
  const insight = insightOf(model);
  const points = requirePart(kind, insight.points, 'nomogram', reason);
  const contribution = requirePart(kind, insight.contribution, 'nomogram', reason);
  return Array.from(points(params, j), (value) => {
    const byClass = new Float64Array(classes.length);
    contribution(params, j, value, byClass);
    return [value, pointOf(byClass)];
  });
}

function pointOf(byClass: Float64Array): NomogramPoint {
  return { byClass, scale: scaleOf(byClass) };
}

/** Values that are impossible under a class are left out of the mean; those impossible under all classes have no effect. */
function scaleOf(byClass: Float64Array): Float64Array {
  const between = (a: number, b: number) => (a === b ? 0 : a - b);
  if (byClass.length === 2) return Float64Array.of(between(byClass[1], byClass[0]));
  const finite = byClass.filter(Number.isFinite);
  const mean = finite.length > 0 ? finite.reduce((sum, value) => sum + value, 0) / finite.length : byClass[0];
  return byClass.map((value) => between(value, mean));
}

/** The features with the widest axes, in order. */
function widest(inside: Inside, k: number): number[] {
  const widths = Float64Array.from({ length: inside.features }, (_, j) => {
    const scales = marksOf(inside, j).map(([, { scale }]) => scale);
    const spans = Array.from(scales[0] ?? [], (_, c) => {
      const values = scales.map((scale) => scale[c]);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      return low === high ? 0 : high - low;
    });
    return Math.max(0, ...spans);
  });
  const order = Uint32Array.from(widths.keys()).sort((a, b) =>
    widths[a] === widths[b] ? a - b : widths[b] - widths[a],
  );
  return [...order.subarray(0, k)];
}
