/*
 * The words by which models and their settings are chosen, declared once for library, command line, server and studio. The parameters of an
 * estimator are declared beside it with `core/options.ts`.
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

/** Other names of families. */
export const familyAliases = { kde: 'kernel', urn: 'dirichlet-multinomial' } as const;

/** Every name that the option `model` knows; `auto` chooses. */
export const modelNames = ['auto', ...familyList, 'kde', 'urn'] as const satisfies readonly (
  | 'auto'
  | (typeof familyList)[number]
  | keyof typeof familyAliases
)[];

/** Models that are compared with the families but are not among them: `auto` does not choose them, and they are not saved. */
export const baselineNames = ['logistic'] as const;

/** What n-grams are made of. */
export const analyzers = ['word', 'char', 'char_wb'] as const;

/** The bits of a hash of words: there are 2 to this power columns. */
export const hashBits = { min: 4, max: 30 } as const;

/** How numbers are cut into levels. */
export const binnings = ['mdl', 'frequency'] as const;

/** The methods of calibration, from the one with the fewest parameters to the one with the most. */
export const calibrations = ['temperature', 'sigmoid', 'isotonic'] as const;
