import { logGammaRatio } from '../math/gamma-ratio.ts';
import { logKernelDensity } from '../math/kernel-density.ts';
import { softplus } from '../math/logs.ts';
import { type DensityName, logDensities, logFall } from '../models/log-densities.ts';
import { aboveZero, logFactorial } from '../models/poisson-cells.ts';
import { documentOf, logDraws } from '../models/urn-draws.ts';
import { dense, sparse } from './cells.ts';
import {
  byClass,
  byFeature,
  choices,
  flag,
  flags,
  list,
  number,
  numbers,
  orNull,
  record,
  type Shape,
  tables,
  type ValueOf,
} from './shape.ts';
import { planeTerm, quadricTerm } from './terms/discriminants.ts';
import { aodeTerm, contextTerm, treeTerm } from './terms/levels.ts';
import { operation, term } from './terms/term.ts';

export type { Marginals } from './terms/discriminants.ts';
export type { ContextDepth, ContextFeature } from './terms/levels.ts';

/** Σ x[j] weights[j · C + c] over x[j] ≠ 0, feature-major; 0 · ∞ is 0. Multinomial, complement, Bernoulli, text. */
const linearTerm = operation({
  shape: term('linear', { weights: byFeature }, 'Σ x[j] weights[j][c] over x[j] ≠ 0; 0 · ∞ is 0.'),
  run({ weights }, cells, score) {
    const { indices, values } = sparse(cells);
    const classes = score.length;
    for (let k = 0; k < indices.length; k++) {
      const from = indices[k] * classes;
      for (let c = 0; c < classes; c++) score[c] += values[k] * weights[from + c];
    }
  },
});

/** Bernoulli where a feature is always 1 in some class or cells may be missing; the start of the sum is the score of a row of zeros. */
const coinTerm = operation({
  shape: term(
    'coins',
    { logOdds: byClass, certain: numbers },
    'Σ logOdds[c][j] over x[j] ≠ 0; a missing x adds ln(1 + e^logOdds). Odds of Infinity are left out, and unless certain[c] of them are ' +
      'heads or missing the class is impossible.',
  ),
  run({ logOdds, certain }, cells, score) {
    const { width, indices, values } = sparse(cells);
    for (let c = 0; c < score.length; c++) {
      let owed = certain[c];
      for (let k = 0; k < indices.length; k++) {
        const odds = logOdds[c * width + indices[k]];
        if (odds === Infinity) owed--;
        else score[c] += Number.isNaN(values[k]) ? softplus(odds) : odds;
      }
      if (owed > 0) score[c] = -Infinity;
    }
  },
});

/** Each feature is a level; the last of its faces is for unknown levels. */
const tableTerm = operation({
  shape: term(
    'table',
    {
      faces: tables(2, ({ classes }, own: { faces: readonly Float64Array[] }, j) => [
        own.faces[j].length / classes,
        classes,
      ]),
    },
    'Σ faces[j][x[j]][c]; the last face of each feature is for unknown levels.',
  ),
  run({ faces }, cells, score) {
    const classes = score.length;
    dense(cells).forEach((x, j) => {
      if (Number.isNaN(x)) return;
      const from = Math.min(x, faces[j].length / classes - 1) * classes;
      for (let c = 0; c < classes; c++) score[c] += faces[j][from + c];
    });
  },
});

/** Normal curves, and Student's where df is finite. */
const bellTerm = operation({
  shape: term(
    'bells',
    { mean: byClass, variance: byClass, df: byClass, logPeak: byClass },
    'Σ logPeak[c][j] − ½ (x − mean)² / variance; with a finite df, logPeak − ½ (df + 1) ln(1 + (x − mean)² / variance / df).',
  ),
  // adds in the order of the library, which sums squares separately if every df is infinite
  run({ mean, variance, df, logPeak }, cells, score) {
    const x = dense(cells);
    const gaussian = df.every((value) => value === Infinity);
    for (let c = 0; c < score.length; c++) {
      let squares = 0;
      for (let j = 0; j < x.length; j++) {
        if (Number.isNaN(x[j])) continue;
        const cell = c * x.length + j;
        if (gaussian) {
          const z = (x[j] - mean[cell]) * (1 / Math.sqrt(variance[cell]));
          score[c] += logPeak[cell];
          squares += z * z;
          continue;
        }
        score[c] += logPeak[cell] + logFall(x[j], mean[cell], variance[cell], df[cell]);
      }
      if (gaussian) score[c] += -0.5 * squares;
    }
  },
});

/** Poisson, or negative binomial with exposures; the start of the sum is the score of a row of zeros. */
const poissonTerm = operation({
  shape: term(
    'poisson',
    { cells: byFeature, exposures: orNull(byFeature) },
    'Over x[j] ≠ 0: Σ x cells[j][c] − ln x!, where cells are ln λ and a missing x adds λ. With exposures B and cells A: ' +
      'ln Γ(A + x)/Γ(A) − x ln(1 + B) − ln x!, and a missing x adds A ln(1 + 1/B); without A or B an event is impossible.',
  ),
  run({ cells: own, exposures }, cells, score) {
    const { indices, values } = sparse(cells);
    const classes = score.length;
    const rates = { classes, cells: own, missing: true, predictive: exposures !== null, exposures: exposures ?? own };
    indices.forEach((j, k) => {
      const factorial = logFactorial(values[k]);
      for (let c = 0; c < classes; c++) score[c] += aboveZero(rates, j, c, values[k]) - factorial;
    });
  },
});

const kernelRows = list(list(orNull(record({ points: numbers, weights: numbers, bandwidth: number, total: number }))));

/** The kernels of each feature in each class, one class after the other. */
const kernels: Shape<ValueOf<typeof kernelRows>[number]> = {
  schema: kernelRows.schema,
  write(all, sizes, owner) {
    const { classes, features } = sizes;
    const cut = Array.from({ length: classes }, (_, c) => all.slice(c * features, (c + 1) * features));
    return kernelRows.write(cut, sizes, owner);
  },
  read: (json, sizes) => kernelRows.read(json, sizes).flat(),
};

const kernelTerm = operation({
  shape: term('kernels', { kernels }, 'Σ ln (1/total) Σ weights N(x; points, bandwidth²) with kernels[c][j].'),
  run({ kernels: all }, cells, score) {
    const x = dense(cells);
    for (let c = 0; c < score.length; c++) {
      for (let j = 0; j < x.length; j++) {
        const own = all[c * x.length + j];
        if (own && !Number.isNaN(x[j])) score[c] += logKernelDensity(own, x[j]);
      }
    }
  },
});

/** Columns of one distribution. */
const densityTerm = operation({
  shape: term(
    'densities',
    { distribution: choices(...(Object.keys(logDensities) as DensityName[])), parameters: list(numbers) },
    'Σ ln p(x[j]; parameters[j · C + c]), as docs/models/mixed.md names them.',
  ),
  run({ distribution, parameters }, cells, score) {
    const logDensity = logDensities[distribution];
    dense(cells).forEach((x, j) => {
      if (Number.isNaN(x)) return;
      for (let c = 0; c < score.length; c++) score[c] += logDensity(parameters[j * score.length + c], x);
    });
  },
});

/** Pólya's urn. */
const urnTerm = operation({
  shape: term(
    'urns',
    { alpha: byClass, precision: numbers, edcm: flags, complement: flag },
    'With n = Σ x: ln n! − Σ ln x! − ln Γ(s + n)/Γ(s) + Σ ln Γ(α + x)/Γ(α), α = alpha[c][j], s = precision[c]; with edcm[c] Σ ln x stands for ' +
      'Σ ln x! and ln α for the last. With `complement` it is subtracted.',
  ),
  run({ alpha, precision, edcm, complement }, cells, score) {
    const { width, indices, values } = sparse(cells);
    const { n, logOrders, logEdcm } = documentOf(values);
    for (let c = 0; c < score.length; c++) {
      let sum = (edcm[c] ? logEdcm : logOrders) - logGammaRatio(precision[c], n);
      indices.forEach((j, k) => {
        sum += logDraws(alpha[c * width + j], values[k], edcm[c] === 1);
      });
      score[c] += complement ? -sum : sum;
    }
  },
});

/** All terms, in the order of the schema. */
export const terms = {
  linear: linearTerm,
  coins: coinTerm,
  table: tableTerm,
  bells: bellTerm,
  poisson: poissonTerm,
  kernels: kernelTerm,
  densities: densityTerm,
  planes: planeTerm,
  quadrics: quadricTerm,
  urns: urnTerm,
  tree: treeTerm,
  aode: aodeTerm,
  contexts: contextTerm,
};

/**
 * What a vector x adds to the score of each class c. Tables are class-major (cell c · J + j of J numbers) unless they say
 * otherwise. A missing number (NaN) adds nothing, unless the term says otherwise.
 */
export type PlanTerm = ValueOf<(typeof terms)[keyof typeof terms]['shape']>;

/** The term of an operation. */
export type TermOf<Op extends PlanTerm['op']> = Extract<PlanTerm, { readonly op: Op }>;
