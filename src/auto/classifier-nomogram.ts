import { integer, type OptionSpec } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { refuse } from '../errors.ts';
import { nomogram } from '../estimators/nomogram.ts';
import { insightOf } from '../models/insights.ts';
import type { ClassifierParts } from './classifier-fit.ts';
import { classesOf, countingOf } from './classifier-report.ts';
import { featureMeaning } from './informative.ts';
import { priorShift } from './learner-families.ts';

/** Which axes a nomogram has. */
export interface ClassifierNomogramOptions {
  /** How many axes, 10 unless given. Default: 10. */
  readonly k?: number | undefined;
}

export const nomogramSpec = { k: integer({ default: 10, min: 1 }) } satisfies OptionSpec;

/** The axis of a column, or of a word of a text. */
export interface ClassifierNomogramAxis {
  /** The column. */
  readonly feature: string;
  /** The word, where the column is a text. */
  readonly word?: string;
  /** What each value adds to the score of each class, in nats. */
  readonly points: readonly { readonly value: Level | null; readonly byClass: Float64Array }[];
}

/**
 * A classifier of one family as a nomogram: `prior`, `rest` and a point of every axis add up to the scores of a row in which all other
 * columns are missing and no other word occurs. Their softmax is the posterior before calibration.
 */
export interface ClassifierNomogram<L extends Label = Label> {
  readonly classes: readonly L[];
  readonly prior: Float64Array;
  /** What the absence of all words without an axis adds. */
  readonly rest: Float64Array;
  readonly axes: readonly ClassifierNomogramAxis[];
  /** How many features there are, with an axis or without. */
  readonly features: number;
}

/** The most axes of columns, if there are words too. */
const MOST_COLUMNS = 8;

/** The nomogram of the family behind a classifier; refuses an ensemble, and a family whose score is no sum over features. */
export function nomogramOf(parts: ClassifierParts, k: number): ClassifierNomogram {
  const counting = countingOf(parts);
  if (!counting) {
    return refuse(
      'E_CONFLICT',
      'an ensemble has no nomogram: its score is no sum over features; fit one family by its name',
      {
        method: 'nomogram',
      },
    );
  }
  const { learner } = counting;
  const { estimator, plan } = learner;
  const { model, params, features, name } = estimator.inside();
  const meaning = featureMeaning(learner, name);
  const places = Array.from({ length: features }, (_, j) => j);
  const names = places.map(String); // an axis is then named by its place
  const columns = places.filter((j) => meaning(j).word === undefined);
  const own = columns.length < features ? nomogram(estimator, { names, features: columns }).axes : [];
  const first = [...own].sort((a, b) => widthOf(b.points) - widthOf(a.points)).slice(0, Math.min(k, MOST_COLUMNS));
  const more = nomogram(estimator, { names, k }).axes;
  const known = new Set(first.map(({ feature }) => feature));
  const axes = [...first, ...more.filter(({ feature }) => !known.has(feature))].slice(0, k);
  const prior = model.logPrior(params as never).slice();
  const shift = priorShift(estimator, plan.priors);
  return {
    classes: classesOf(parts),
    prior: shift ? prior.map((log, c) => log + shift[c]) : prior,
    rest: absenceOf(
      places.filter((j) => meaning(j).word !== undefined && !axes.some(({ feature }) => Number(feature) === j)),
      prior.length,
      (j, out) => insightOf(model).contribution?.(params as never, j, 0, out),
    ),
    axes: axes.map(({ feature, points }) => {
      const { column, word } = meaning(Number(feature));
      const marks = points.map(({ value, byClass }) => ({ value, byClass }));
      return { feature: column, ...(word !== undefined && { word }), points: marks };
    }),
    features,
  };
}

/** By how much the points of an axis set the classes apart. */
function widthOf(points: readonly { readonly byClass: Float64Array }[]): number {
  const gaps = points.map(({ byClass }) => Math.max(...byClass) - Math.min(...byClass));
  return Math.max(0, ...gaps);
}

function absenceOf(
  words: readonly number[],
  classes: number,
  add: (j: number, out: Float64Array) => void,
): Float64Array {
  const [sum, out] = [new Float64Array(classes), new Float64Array(classes)];
  for (const j of words) {
    out.fill(0);
    add(j, out);
    for (let c = 0; c < classes; c++) sum[c] += out[c];
  }
  return sum;
}
