import { choice, flag, integer, optional, real } from '../../core/options.ts';
import { type UrnOptions, type Urns, urn } from '../../models/urn.ts';
import type { Bursts } from '../../stats/bursts.ts';
import { classPriorOf, classPriors, common } from '../options.ts';
import type { Kind } from './kind.ts';

const spec = {
  /** How the urns are fitted; edcm is the fast form for small parameters. Default: 'newton'. */
  method: choice(['fixed-point', 'newton', 'leave-one-out', 'edcm'], { default: 'newton' }),
  /** Fit each urn to all other classes and predict the class whose complement explains the row least. Default: false. */
  complement: flag({ default: false }),
  /**
   * Unseen words: a share of the mean of all classes, a multiple of the smallest parameter, or a constant for all. Default: 'background'.
   */
  smoothing: choice(['background', 'floor', 'add'], { default: 'background' }),
  /** How much smoothing; null: background 0.05, floor 0.01, add 0.001. Default: null. */
  epsilon: optional(real({ default: 0, min: 0 })),
  /** Cap of s = Σα, at which an urn is a multinomial. Default: 1e6. */
  maxPrecision: real({ default: 1e6, min: 1, max: 1e12 }),
  /** Most steps of a fit. Default: 500. */
  maxIter: integer({ default: 500, min: 1, max: 10_000 }),
  /** A fit ends when no parameter changes by more than this share. Default: 1e-8. */
  tol: real({ default: 1e-8, min: 0 }),
  ...classPriors,
  ...common,
} as const;

/** `DirichletMultinomialNB` as data. */
export const dirichletMultinomialKind: Kind<typeof spec, Bursts, Urns, UrnOptions> = {
  name: 'DirichletMultinomialNB',
  spec,
  model: () => urn,
  accepts: () => ({ sparse: true, nonNegative: true, limit: LARGEST }),
  modelOptions(params, { classes }) {
    const { method, complement, smoothing, epsilon, maxPrecision: cap, maxIter, tol } = params;
    const classPrior = classPriorOf(params, classes);
    return { method, complement, smoothing, epsilon: epsilon ?? EPSILON[smoothing], cap, maxIter, tol, classPrior };
  },
};

const EPSILON = { background: 0.05, floor: 0.01, add: 0.001 } as const;

/** The largest cell: beyond it the likelihood of a document leaves the range of numbers. */
const LARGEST = 1e150;
