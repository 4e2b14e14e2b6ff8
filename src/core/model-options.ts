/*
 * The names of models and their settings, declared once for library, command line, server and studio. The parameters of
 * an estimator are declared beside it with `core/options.ts`.
 */

/** The families of models, in the order in which they are listed. */
export const familyList = [
  'multinomial',
  'complement',
  'bernoulli',
  'dirichlet-multinomial',
  'poisson',
  'gaussian',
  'kernel',
  'lda',
  'qda',
  'rda',
  'categorical',
  'tan',
  'aode',
  'waode',
  'kdb',
  'mixed',
] as const;

/** The families with a pseudo-count that is chosen by leaving one row out when it is 'auto'. */
export const chosenAlphaFamilies = ['multinomial', 'complement', 'bernoulli', 'categorical'] as const;

/** The families with a pseudo-count. */
export const alphaFamilies = [...chosenAlphaFamilies, 'tan', 'aode', 'waode', 'mixed'] as const;

/** Aliases of families. */
export const familyAliases = { kde: 'kernel', urn: 'dirichlet-multinomial' } as const;

/** Every value of the option `model`; `auto` chooses one. */
export const modelNames = ['auto', ...familyList, 'kde', 'urn'] as const satisfies readonly (
  | 'auto'
  | (typeof familyList)[number]
  | keyof typeof familyAliases
)[];

/** Baselines that are compared with the families: `auto` never chooses them, and they are not saved. */
export const baselineNames = ['logistic'] as const;

/** The units of n-grams. */
export const analyzers = ['word', 'char', 'char_wb'] as const;

/** The bits of a hash of words: there are 2 to this power columns. */
export const hashBits = { min: 4, max: 30 } as const;

/** How numbers are cut into levels. */
export const binnings = ['mdl', 'frequency'] as const;

/** Calibration methods, from fewest to most parameters. */
export const calibrations = ['temperature', 'sigmoid', 'isotonic'] as const;
