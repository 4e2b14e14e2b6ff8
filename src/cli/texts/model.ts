/** What is said about model files. */
export const model = {
  needed: (command: string) => `${command} needs a model file: -m FILE.`,
  some: (names: readonly string[]) => `Here are: ${names.join(', ')}.`,
  isFolder: (path: string) => `"${path}" is a folder, not a model file.`,
  unreadable: (path: string, reason: string) => `"${path}" could not be read (${reason}).`,
  notByName: () => 'Model files are written by polya fit -o NAME.polya.',
  newer: (name: string, actual: string, limit: string) =>
    `${name} was written by a newer Pólya (format ${actual}, this reads ≤ ${limit}).`,
  askMaker: (name: string) => `Update Pólya, or ask its maker for: polya export -m ${name} --to json`,
  noClassifier: (name: string, kind: string, command: string) =>
    `${name} holds a ${kind} alone, without the columns it was learned from; ${command} needs a model that polya fit wrote.`,
  noAnswer: (name: string, kind: string) => `${name} holds a ${kind}, which does not classify by itself.`,
  noReasons: (kind: string) => `A ${kind} has no reasons to show.`,
  noLearning: (name: string) => `${name} cannot learn: it was saved without its counts.`,
  fitFull: () => 'Fit it again without --slim.',
  numberNeeded: (row: number, column: string, got: string) => `Row ${row}, column ${column}: "${got}" is no number.`,
} as const;
