import type { Form } from '../core/form.ts';
import type { Planes } from './linear-discriminant.ts';
import type { Ellipsoids } from './quadratic-discriminant.ts';

/** Means under one covariance, with the space in which it is round. */
export const planesForm: Form<Planes, unknown> = {
  arrays: {
    logPrior: ['log', 'classes'],
    means: ['real', 'classes', 'features'],
    origin: ['real', 'features'],
    covariance: ['real', 'features', 'features'],
    rows: ['real', 'any'],
    centres: ['real', 'any'],
    logDeterminant: ['real'],
    complete: ['share'],
    margin: ['real'],
  },
  pack: ({ logPrior, means, origin, covariance, centres, whitening }) => ({
    logPrior,
    means,
    origin,
    covariance,
    rows: whitening.rows,
    centres,
    logDeterminant: Float64Array.of(whitening.logDeterminant),
    complete: Float64Array.of(Number(whitening.complete)),
    margin: Float64Array.of(whitening.margin),
  }),
  unpack(packed, { classes, features }) {
    const { logPrior, means, origin, covariance, rows, centres } = packed;
    const rank = rows.length / features;
    if (!Number.isInteger(rank) || rank > features || centres.length !== classes * rank) return undefined;
    const [logDeterminant, margin] = [packed.logDeterminant[0], packed.margin[0]];
    const whitening = { features, rank, rows, logDeterminant, complete: packed.complete[0] === 1, margin };
    return { classes, features, logPrior, means, origin, covariance, whitening, centres };
  },
};

/** A mean and a covariance for every class, with the space in which it is round for those that have rows. */
export const ellipsoidsForm: Form<Ellipsoids, unknown> = {
  arrays: {
    logPrior: ['log', 'classes'],
    means: ['real', 'classes', 'features'],
    covariances: ['real', 'classes', 'features', 'features'],
    seen: ['share', 'classes'],
    rows: ['real', 'classes', 'features', 'features'],
    logDeterminants: ['real', 'classes'],
    margins: ['real', 'classes'],
  },
  pack({ features, logPrior, means, covariances, whitenings }) {
    const size = features * features;
    const rows = new Float64Array(size * whitenings.length);
    whitenings.forEach((whitening, c) => {
      if (whitening) rows.set(whitening.rows, c * size);
    });
    return {
      logPrior,
      means,
      covariances: Float64Array.from(covariances.flatMap((own) => [...own])),
      seen: Float64Array.from(whitenings, (whitening) => Number(whitening !== undefined)),
      rows,
      logDeterminants: Float64Array.from(whitenings, (whitening) => whitening?.logDeterminant ?? 0),
      margins: Float64Array.from(whitenings, (whitening) => whitening?.margin ?? 0),
    };
  },
  unpack({ logPrior, means, covariances, seen, rows, logDeterminants, margins }, { classes, features }) {
    const part = (matrices: Float64Array, c: number) =>
      matrices.slice(c * features * features, (c + 1) * features * features);
    const each = Array.from({ length: classes }, (_, c) => c);
    const whitenings = each.map((c) => {
      if (seen[c] !== 1) return undefined;
      const [logDeterminant, margin] = [logDeterminants[c], margins[c]];
      return { features, rank: features, rows: part(rows, c), logDeterminant, complete: true, margin };
    });
    return { classes, features, logPrior, means, covariances: each.map((c) => part(covariances, c)), whitenings };
  },
};
