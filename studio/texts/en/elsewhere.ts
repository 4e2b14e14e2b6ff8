/** Texts of cross-validation, of a second file, and of the offer of a readable model, on Evaluate. */
export const elsewhere = {
  offer: {
    behind: (name: string, points: string) =>
      `A readable model, ${name}, is ${points} points behind on the held-out rows.`,
    asGood: (name: string) => `A readable model, ${name}, is as accurate on the held-out rows.`,
    use: 'Use it',
  },
  elsewhere: {
    folds: 'Cross-validation',
    foldsHelp: 'Fits the settings of this run to all folds but one and evaluates on that one, in turn.',
    k: 'Folds',
    start: 'Evaluate on folds',
    foldHeads: ['fold', 'rows', 'accuracy', 'log-loss'],
    together: 'together',
    second: 'A second file',
    secondHelp:
      'Evaluates the model on the labelled rows of another file, and compares its columns and words with the training rows.',
    file: 'Choose a file',
    rows: (n: string) => `${n} rows`,
    accuracy: (value: string, low: string, high: string, n: string) =>
      `accuracy ${value} (95% interval ${low} to ${high}) on ${n} labelled rows`,
    unlabelled: 'It has no labels, so there is no evaluation.',
    absent: (names: string) => `Columns that it does not have: ${names}`,
    drift: 'Columns: training rows and this file',
    columnHeads: ['column', 'difference', 'p', 'missing before', 'missing here'],
    drifts: '< 0.001, drift',
    words: 'Words: share of texts that have them',
    wordHeads: ['word', 'training', 'this file', 'standard errors'],
  },
};
