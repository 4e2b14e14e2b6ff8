/** What is said about scores. */
export const evaluate = {
  on: (file: string, rows: string) => `${file}: ${rows}`,
  onTraining: (file: string, rows: string) => `${file}: ${rows}, the ones the model has learned`,
  none: () => '  none',
  accuracy: (value: string, bounds: string, rows: string) =>
    `accuracy ${value}, 95 % interval ${bounds} (Wilson, n = ${rows})`,
  losses: (logLoss: string, brier: string, error: string) =>
    `log-loss ${logLoss} · Brier ${brier} · calibration error ${error}`,
  truth: () => 'true',
  predicted: () => 'predicted',
  worst: () => 'most frequent confusions (true → predicted)',
  under: (name: string, value: string, bounds: string, limit: string) => `${name} ${value}${bounds} is under ${limit}`,
  over: (name: string, value: string, bounds: string, limit: string) => `${name} ${value}${bounds} is over ${limit}`,
  met: (name: string, value: string, limit: string) => `${name} ${value} meets ${limit}`,
  noScore: (name: string) => `There is no score "${name}".`,
  unknown: (rows: string, one: boolean) =>
    one
      ? 'one row has a label that the model has never met: it counts as wrong, and not in log-loss'
      : `${rows} rows have a label that the model has never met: they count as wrong, and not in log-loss`,
  training: () =>
    'these are the rows the model has learned, so the scores flatter it; judge it by others, or with --cv',
  slice: (column: string) => `by ${column}`,
  mistakes: () => 'most confident mistakes',
  threshold: (label: string, goal: string, p: string, precision: string, recall: string) =>
    `threshold of ${label} for ${goal}: ${p} (precision ${precision}, recall ${recall}, chosen on these rows)`,
  noThreshold: (label: string, goal: string) => `no threshold of ${label} reaches ${goal} on these rows`,
  cost: (value: string) => `mean cost of a row ${value}`,
  modelOrFolds: () => 'evaluate needs a model file (-m), or --cv to judge a way to fit.',
} as const;
