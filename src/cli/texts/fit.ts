/** What is said when a model is learned. */
export const fit = {
  guessed: (target: string, reason: string) => `target  ${target}  (guessed: ${reason}; --target names another)`,
  features: (names: string, model: string, takes: string, others: string) =>
    `features  ${names}  (${model} takes ${takes}; left out: ${others})`,
  noTarget: (file: string) => `No column of ${file} looks like a label; name it with --target.`,
  alphaAuto: () => 'Or auto: chosen by leaving one row out at a time.',
  unlabeled: (missing: string, one: boolean, all: string, target: string, place: string) =>
    `${missing} of ${all} rows ${one ? 'has' : 'have'} no label in "${target}", ${one ? '' : 'the first '}at ${place}.`,
  skipThem: () => 'Label them, leave them out, or let fit learn from them too (--unlabeled use):',
  unlabeledNeedsFamily: () =>
    'An ensemble cannot learn from rows without a label; name a model, such as --model multinomial.',
  unlabeledUsed: (rows: string) => `learning also from ${rows} without a label, by expectation–maximisation`,
  skipped: (missing: string, one: boolean) =>
    `${one ? 'one row' : `${missing} rows`} without a label ${one ? 'is' : 'are'} left out`,
  tooManyLabels: (target: string, distinct: string, most: string) =>
    `Column "${target}" has ${distinct} different labels; more than ${most} are no classes.`,
  numericTarget: (target: string, distinct: string) =>
    `Column "${target}" holds numbers, ${distinct} different ones; a classifier needs classes.`,
  binThem: () => 'Cut the numbers into a few named ranges first, or name another column:',
  identifierTarget: (target: string, distinct: string, rows: string) =>
    `Column "${target}" has ${distinct} different labels in ${rows} rows; that looks like an identifier, not a label.`,
  tooFewForFolds: (k: number, distinct: number) => `There are ${distinct} different rows, too few for ${k} folds.`,
  heldOut: (held: string, rows: string, share: string) => `held out: ${held} of ${rows} (${share})`,
  noneHeldOf: (labels: readonly string[]) =>
    `no row of ${labels.join(', ')} was held out, so these scores say nothing about ${labels.length === 1 ? 'it' : 'them'}; --cv 5 evaluates on every row`,
  moreClasses: (more: string) => `${more} more classes`,
  byFolds: (k: number, rows: string) => `${k} folds: ${rows} rows, each judged by what the others taught`,
  notJudged: () => 'not judged: no rows were held out',
  tooFewToHold: () => 'not judged: there are too few different rows to hold any out',
  tried: (of: string) => `tried for ${of}, by log-loss on rows they had not learned:`,
  triedOne: (name: string, logLoss: string, accuracy: string) => `  ${logLoss}  ${name}  (accuracy ${accuracy})`,
  column: (name: string, kind: string, role: string, reason: string) => `column  ${name}  ${kind}, ${role}: ${reason}`,
  ignored: (name: string, reason: string) => `  ignored  ${name}: ${reason}`,
  ignoredMore: (more: string) => `  ignored  ${more} more; --verbose lists all columns`,
  useSplit: (column: string, command: string) =>
    `column ${column} divides training rows from test rows. To learn from the former and evaluate on the latter:\n  ${command}`,
  splitNot: (option: string) => `--split-column says which rows are held out, and does not go with ${option}.`,
  bySplit: (rows: string, column: string) => `held out by column ${column}: ${rows}`,
  seed: (seed: number) => `seed ${seed}`,
  wrote: (file: string, size: string) => `wrote ${file} (${size})`,
  next: (command: string) => `→ ${command}`,
  streamNeedsName: () => '--stream learns in one pass, for which the model has to be named.',
  streamNeedsTarget: () => '--stream cannot guess the label before it reads; name it with --target.',
} as const;
