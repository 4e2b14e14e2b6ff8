/** What is said when an engine counts or scores. */
export const engine = {
  passwordInAddress: (variable: string) =>
    `Do not put a password or token into the address, where others can read it; set ${variable} instead.`,
  needsTarget: () => 'The label is not guessed in an engine; name its column with --target.',
  notWith: (option: string) => `${option} needs the rows, and with --engine they stay in the engine.`,
  filesOrTable: () => 'The data are files for DuckDB, or a table: name one with --table.',
  noFiles: (scheme: string) => `${scheme} reads no files from here; name a table with --table.`,
  needsInto: () => 'Scoring in an engine writes a table: name it with --into.',
  needsKey: () => 'The rows of the answer are told apart by a key: name its columns with --key.',
  onlyWithEngine: (option: string) => `${option} is for --engine.`,
  counted: (rows: string, classes: number, spent: string) =>
    `  counted ${rows} of ${classes} classes in the engine (${spent})`,
  notJudged: (output: string) =>
    `not judged: no rows left the engine; judge it with rows of your own: polya evaluate DATA -m ${output}`,
  scored: (rows: string, table: string, spent: string) => `scored ${rows} into ${table} (${spent})`,
} as const;
