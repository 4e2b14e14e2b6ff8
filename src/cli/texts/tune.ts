/** The words of a search. */
export const tune = {
  trying: (settings: string, search: string, folds: number) =>
    `trying ${settings} settings (${search}) by ${folds} folds`,
  nested: (outer: number) => `${outer} outer folds`,
  outer: (k: number, all: number) => `outer ${k}/${all}`,
  honest: (outer: number, accuracy: string, bounds: string, logLoss: string) =>
    `the search as a whole, by ${outer} outer folds: accuracy ${accuracy} (${bounds}), log-loss ${logLoss}`,
  noneFits: (why: string) => `None of the settings fits these data: ${why}`,
} as const;
