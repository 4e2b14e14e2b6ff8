import { integer, readOptions } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { refuse, show } from '../errors.ts';
import { type Known, requirePart } from './known.ts';

/** Which axes a nomogram has. */
export interface NomogramOptions {
  /** The features, by name or number; those with the widest axes where none are given. */
  readonly features?: readonly (string | number)[] | undefined;
  /** How many features are chosen. */
  readonly k?: number | undefined;
}

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

/** All there is to draw a nomogram: adding up the prior and one mark of every feature gives the score of a row. */
export interface Nomogram {
  readonly classes: readonly Label[];
  readonly prior: NomogramPoint;
  readonly axes: readonly NomogramAxis[];
}

const spec = { k: integer({ default: 10, min: 1, doc: 'how many features' }) } as const;

/**
 * The classifier as a nomogram. Možina, Demšar, Kattan & Zupan, Nomograms for Visualization of Naive Bayesian Classifier
 * (2004).
 */
export function nomogram<S extends Shape, P extends Shape>(
  known: Known<S, P>,
  { features: wanted, ...rest }: NomogramOptions,
): Nomogram {
  const { k } = readOptions('nomogram', spec, rest);
  const { classes, model, params } = known;
  const chosen = wanted ? Array.from(wanted, (feature) => placeOf(known, feature)) : widest(known, k);
  const axes = chosen.map((j) => {
    const points = marksOf(known, j).map(([value, point]) => ({ value: known.cell(j, value), ...point }));
    return { feature: known.name(j), points };
  });
  return { classes, prior: pointOf(model.logPrior(params).slice()), axes };
}

function marksOf<S extends Shape, P extends Shape>(
  { kind, model, params, classes }: Known<S, P>,
  j: number,
): [value: number, point: NomogramPoint][] {
  const reason = 'its score is no sum over features';
  const points = requirePart(kind, model.points, 'nomogram', reason);
  const contribution = requirePart(kind, model.contribution, 'nomogram', reason);
  return Array.from(points.call(model, params, j), (value) => {
    const byClass = new Float64Array(classes.length);
    contribution.call(model, params, j, value, byClass);
    return [value, pointOf(byClass)];
  });
}

function pointOf(byClass: Float64Array): NomogramPoint {
  return { byClass, scale: scaleOf(byClass) };
}

/** What is impossible under a class takes no part in the mean; what is so under all of them says nothing. */
function scaleOf(byClass: Float64Array): Float64Array {
  const between = (a: number, b: number) => (a === b ? 0 : a - b);
  if (byClass.length === 2) return Float64Array.of(between(byClass[1], byClass[0]));
  const finite = byClass.filter(Number.isFinite);
  const mean = finite.length > 0 ? finite.reduce((sum, value) => sum + value, 0) / finite.length : byClass[0];
  return byClass.map((value) => between(value, mean));
}

/** The features whose marks lie furthest apart, in order. */
function widest<S extends Shape, P extends Shape>(known: Known<S, P>, k: number): number[] {
  const widths = Float64Array.from({ length: known.features }, (_, j) => {
    const scales = marksOf(known, j).map(([, { scale }]) => scale);
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

/** The place of a feature that is told by its name or its number. */
function placeOf<S extends Shape, P extends Shape>({ features, name }: Known<S, P>, feature: string | number): number {
  for (let j = 0; j < features; j++) if (name(j) === feature) return j;
  if (Number.isInteger(feature) && Number(feature) >= 0 && Number(feature) < features) return Number(feature);
  return refuse('E_FEATURE_UNKNOWN', `there is no feature ${show(feature)}`, { feature });
}
