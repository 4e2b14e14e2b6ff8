/** What is said when a model goes on learning. */
export const update = {
  heading: () => '         n  accuracy  log-loss   (last)         n',
  again: (file: string) =>
    `${file} is what the model was fitted from: its rows count twice now; polya unlearn takes them away again`,
  calibratedAgain: () =>
    'these are the rows the model has learned, of which it is too sure: calibrate it by others, or fit it with --calibrate',
  unlearned: (rows: string) => `${rows} taken away; the model is what it would be without them`,
  neverLearned: (file: string) => `${file} has rows that were never learned; nothing was changed.`,
  asLearned: () => 'Rows are taken away as they were learned: the same columns, the same label.',
  merged: (models: number, rows: string) => `${models} models, ${rows} rows`,
  twoNeeded: () => 'merge needs two model files or more.',
  outputNeeded: () => 'merge needs a name for the sum: -o FILE.',
  mismatch: (first: string, second: string) =>
    `${second} cannot be added to ${first}: they differ in family, options or columns.`,
  mismatchAdvice: () =>
    'Fit them with the same --model, options and columns, or make the second one from the first: polya update --blank.',
  blankNeedsOutput: () => '--blank writes a model of its own: name its file with -o.',
  calibrated: (method: string, rows: string) => `${method}, fitted to ${rows} rows`,
  before: () => 'before',
  after: () => 'after',
  byFolds: () => 'after: five folds, each evaluated by a calibrator fitted to the others',
} as const;
