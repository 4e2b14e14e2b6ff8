import { levelOffsets } from '../../stats/layout.ts';
import type { EachTerm, Marginals, PlanTerm } from '../plan-terms.ts';
import { type JsonNumbers, nested, toJsonNumber } from './shape.ts';

/** The shape of the tables of a term. */
interface Sizes {
  readonly classes: number;
  readonly features: number;
}

const byClass = (values: Float64Array, { classes, features }: Sizes): JsonNumbers => nested(values, classes, features);
const byFeature = (values: Float64Array, { classes, features }: Sizes): JsonNumbers =>
  nested(values, features, classes);
const list = (values: Float64Array): JsonNumbers => nested(values, values.length);

const marginalsToJson = ({ means, covariances, start }: Marginals, sizes: Sizes) => ({
  means: byClass(means, sizes),
  covariances: covariances.map((own) => own && nested(own, sizes.features, sizes.features)),
  start: list(start),
});

/** What each term holds beside its op and its vector. */
const terms: EachTerm<[sizes: Sizes], object> = {
  linear: ({ weights }, sizes) => ({ weights: byFeature(weights, sizes) }),
  coins: ({ logOdds, certain }, sizes) => ({ logOdds: byClass(logOdds, sizes), certain: list(certain) }),
  table: ({ levels, offsets, faces }, { classes }) => ({
    faces: Array.from(levels, (count, j) =>
      nested(faces.subarray(offsets[j] * classes, (offsets[j] + count + 1) * classes), count + 1, classes),
    ),
  }),
  bells: ({ mean, variance, df, logPeak }, sizes) => ({
    mean: byClass(mean, sizes),
    variance: byClass(variance, sizes),
    df: byClass(df, sizes),
    logPeak: byClass(logPeak, sizes),
  }),
  poisson: ({ cells, exposures }, sizes) => ({
    cells: byFeature(cells, sizes),
    exposures: exposures && byFeature(exposures, sizes),
  }),
  kernels({ kernels }, { classes, features }) {
    const cells = kernels.map(
      (kernel) => kernel && { ...kernel, points: list(kernel.points), weights: list(kernel.weights) },
    );
    return { kernels: Array.from({ length: classes }, (_, c) => cells.slice(c * features, (c + 1) * features)) };
  },
  planes: ({ rank, rows, origin, centres, marginals }, sizes) => ({
    rows: nested(rows, rank, sizes.features),
    origin: list(origin),
    centres: nested(centres, sizes.classes, rank),
    marginals: marginals && marginalsToJson(marginals, sizes),
  }),
  quadrics: ({ forms, marginals }, { classes, features }) => ({
    marginals: marginals && marginalsToJson(marginals, { classes, features }),
    forms: forms.map(
      (form) =>
        form && {
          rows: nested(form.rows, form.rank, features),
          mean: list(form.mean),
          centre: form.centre && list(form.centre),
        },
    ),
  }),
  shift: ({ weights, constant }) => ({ weights: list(weights), constant: toJsonNumber(constant) }),
  urns: ({ alpha, precision, edcm, complement }, sizes) => ({
    alpha: byClass(alpha, sizes),
    precision: list(precision),
    edcm: Array.from(edcm, Boolean),
    complement,
  }),
  tree: ({ levels, parents, dice }, { classes }) => ({
    levels: [...levels],
    parents: [...parents],
    dice: dice.map((die, j) => nested(die, classes, parents[j] < 0 ? 1 : levels[parents[j]] + 1, levels[j] + 1)),
  }),
  aode(term, { classes, features }) {
    const width = levelOffsets(term.levels)[features];
    return {
      levels: [...term.levels],
      logPrior: list(term.logPrior),
      frequency: list(term.frequency),
      weights: list(term.weights),
      minimumFrequency: term.minimumFrequency,
      logJoint: nested(term.logJoint, classes, width),
      logGiven: nested(term.logGiven, classes, width, width),
      logUnseen: nested(term.logUnseen, classes, width, features),
      logAlone: nested(term.logAlone, classes, width),
      logUnseenAlone: nested(term.logUnseenAlone, classes, features),
    };
  },
  contexts: ({ levels, features, mostCombinations }, { classes }) => ({
    levels: [...levels],
    features: features.map(({ feature, parents, depths }) => ({
      feature,
      parents: [...parents],
      depths: depths.map(({ concentration, contexts, weights, values, shares }) => ({
        concentration,
        contexts: [...contexts],
        weights: nested(weights, contexts.length, classes),
        values: [...values],
        shares: nested(shares, values.length, classes),
      })),
    })),
    mostCombinations,
  }),
};

/** A term as JSON: tables are lists in lists, in the order that the schema says. */
export function termToJson(term: PlanTerm, classes: number, features: number): object {
  const { op, vector } = term;
  return { op, vector, ...terms[op](term as never, { classes, features }) };
}
