import type { Linear } from '../../core/linear.ts';
import type { Shape } from '../../data/batch.ts';
import type { Ensemble } from '../../models/aode.ts';
import type { BernoulliParameters } from '../../models/bernoulli.ts';
import type { CategoricalParameters } from '../../models/categorical.ts';
import type { Columns } from '../../models/column-model.ts';
import type { GaussianParameters } from '../../models/gaussian.ts';
import type { KDependence } from '../../models/kdb.ts';
import type { Kernels } from '../../models/kernel.ts';
import type { Planes } from '../../models/linear-discriminant.ts';
import { type DensityName, logDensities } from '../../models/log-densities.ts';
import type { Rates } from '../../models/poisson.ts';
import type { Ellipsoids } from '../../models/quadratic-discriminant.ts';
import type { Tree } from '../../models/tree.ts';
import type { Urns } from '../../models/urn.ts';
import { logPeakOf } from '../../models/whitening.ts';
import { levelOffsets } from '../../stats/layout.ts';
import { turned } from '../lower/algebra.ts';
import type { Marginals, PlanTerm, SumScore, TermOf } from '../plan.ts';
import { contextTerm } from './contexts.ts';
import { cannotCarry } from './inside.ts';

const sumOf = (start: Float64Array, ...terms: PlanTerm[]): SumScore => ({ op: 'sum', start, terms });

const added = (a: Float64Array, b: Float64Array) => a.map((value, c) => value + b[c]);

/** A score that is linear in the cells. */
function linear({ logPrior, weights }: Linear, vector: number): SumScore {
  return sumOf(logPrior, { op: 'linear', vector, weights });
}

/** Bernoulli scores are linear unless a feature is always 1 in some class or cells may be missing. */
function coins(params: BernoulliParameters, vector: number, missing: boolean): SumScore {
  const { classes, features, logPrior, logOdds, logTails, certain } = params;
  const start = added(logPrior, logTails);
  if (missing || certain.some((count) => count > 0)) return sumOf(start, { op: 'coins', vector, logOdds, certain });
  const weights = turned(logOdds, classes, features);
  return sumOf(start, { op: 'linear', vector, weights });
}

/** Tables by level; the last row of each feature is for unknown levels. */
function table(dice: CategoricalParameters, vector: number): SumScore {
  const { classes, features, levels, logPrior, logFaces, logUnseen } = dice;
  const from = levelOffsets(levels);
  const faces = Array.from({ length: features }, (_, j) => {
    const weight = dice.weights?.[j] ?? 1;
    const known = logFaces.subarray(from[j] * classes, from[j + 1] * classes);
    const unknown = logUnseen.subarray(j * classes, (j + 1) * classes);
    return Float64Array.from([...known, ...unknown], (log) => (weight === 0 ? 0 : weight * log));
  });
  return sumOf(logPrior, { op: 'table', vector, faces });
}

function rates({ classes, logPrior, zeros, cells, predictive, exposures, missing }: Rates, vector: number): SumScore {
  const spread = () => (missing ? exposures : cells.map((_, cell) => exposures[cell % classes]));
  return sumOf(added(logPrior, zeros), { op: 'poisson', vector, cells, exposures: predictive ? spread() : null });
}

function kernels({ logPrior, kernels: own }: Kernels, vector: number): SumScore {
  return sumOf(logPrior, { op: 'kernels', vector, kernels: own.map((kernel) => kernel ?? null) });
}

function bells({ logPrior, mean, variance, df, logPeak }: GaussianParameters, vector: number): SumScore {
  return sumOf(logPrior, { op: 'bells', vector, mean, variance, df, logPeak });
}

/** Linear discriminants as planes: what all classes share is left out. */
export function planes(params: Planes, vector: number, missing: boolean): SumScore {
  const { logPrior: start, means, origin, covariance, centres, whitening } = params;
  const marginals = missing ? { means, covariances: [covariance], start } : null;
  return sumOf(start, { op: 'planes', vector, rows: whitening.rows, origin, centres, marginals });
}

/** The same as ellipsoids of one form. */
function roundPlanes(params: Planes, vector: number, missing: boolean): SumScore {
  const { classes, origin, covariance, centres, whitening } = params;
  const { rank, rows } = whitening;
  const forms = Array.from({ length: classes }, (_, c) => ({
    rows,
    mean: origin,
    centre: centres.subarray(c * rank, (c + 1) * rank),
  }));
  const logPeak = new Float64Array(classes).fill(logPeakOf(whitening));
  return quadrics(params, vector, forms, logPeak, missing ? [covariance] : null);
}

function ellipsoids(params: Ellipsoids, vector: number, missing: boolean): SumScore {
  const { features, means, whitenings } = params;
  const logPeak = Float64Array.from(whitenings, (whitening) => (whitening ? logPeakOf(whitening) : 0));
  const forms = whitenings.map((whitening, c) => {
    if (!whitening) return null;
    return { rows: whitening.rows, mean: means.subarray(c * features, (c + 1) * features), centre: null };
  });
  const covariances = params.covariances.map((own, c) => (whitenings[c] ? own : null));
  return quadrics(params, vector, forms, logPeak, missing ? covariances : null);
}

/** Squared distances; with covariances, cells may be missing. */
function quadrics(
  { logPrior, means }: Pick<Planes, 'logPrior' | 'means'>,
  vector: number,
  forms: TermOf<'quadrics'>['forms'],
  logPeak: Float64Array,
  covariances: Marginals['covariances'] | null,
): SumScore {
  const marginals = covariances && { means, covariances, start: logPrior };
  return sumOf(added(logPrior, logPeak), { op: 'quadrics', vector, forms, marginals });
}

function urns({ logPrior, alpha, precision, fits, complement }: Urns, vector: number): SumScore {
  const edcm = Uint8Array.from(fits, ({ form }) => (form === 'edcm' ? 1 : 0));
  return sumOf(logPrior, { op: 'urns', vector, alpha, precision, edcm, complement });
}

function tree({ logPrior, levels, parents, dice }: Tree, vector: number): SumScore {
  return sumOf(logPrior, { op: 'tree', vector, levels, parents, dice });
}

function aode({ classes, logPrior, offsets: _, features: __, ...tables }: Ensemble, vector: number): SumScore {
  const { levels, frequency, weights, minimumFrequency } = tables;
  const { logJoint, logGiven, logUnseen, logAlone, logUnseenAlone } = tables;
  const parents = { levels, logPrior, frequency, weights, minimumFrequency };
  const term = { op: 'aode', vector, ...parents, logJoint, logGiven, logUnseen, logAlone, logUnseenAlone } as const;
  return sumOf(new Float64Array(classes), term);
}

function contexts(params: KDependence, vector: number): SumScore {
  return sumOf(params.logPrior, contextTerm(params, vector));
}

/** Columns of one distribution. */
const densities =
  (distribution: DensityName) =>
  ({ classes, features, logPrior, values }: Columns, vector: number): SumScore => {
    const width = values.length / (features * classes);
    const parameters = Array.from({ length: features * classes }, (_, cell) =>
      values.slice(cell * width, (cell + 1) * width),
    );
    return sumOf(logPrior, { op: 'densities', vector, distribution, parameters });
  };

/** Columns of Student's distribution. */
function students({ classes, features, logPrior, values }: Columns, vector: number): SumScore {
  const [mean, variance, df, logPeak] = [0, 1, 2, 3].map((k) =>
    Float64Array.from({ length: classes * features }, (_, cell) => {
      const [c, j] = [Math.floor(cell / features), cell % features];
      return values[(j * classes + c) * 4 + k];
    }),
  );
  return sumOf(logPrior, { op: 'bells', vector, mean, variance, df, logPeak });
}

/** A family as a sum of terms over a vector; `missing` says whether cells may be missing. */
type Family = (params: never, vector: number, missing: boolean) => SumScore;

const families: Readonly<Record<string, Family>> = {
  multinomial: linear,
  complement: linear,
  discriminative: linear,
  bernoulli: coins,
  categorical: table,
  poisson: rates,
  gaussian: bells,
  kernel: kernels,
  'linear-discriminant': roundPlanes,
  'quadratic-discriminant': ellipsoids,
  urn: urns,
  tree,
  aode,
  kdb: contexts,
  ...Object.fromEntries((Object.keys(logDensities) as DensityName[]).map((name) => [name, densities(name)])),
  studentt: students,
};

/** ln p(c) + ln p(x | c) of a family with these parameters over a vector; `missing` says whether cells may be missing. */
export function jointOf(family: string, params: Shape, vector: number, missing: boolean): SumScore {
  if (!Object.hasOwn(families, family)) {
    cannotCarry(`a model of the family ${family}`, 'its score is not a sum of terms');
  }
  return families[family](params as never, vector, missing);
}
