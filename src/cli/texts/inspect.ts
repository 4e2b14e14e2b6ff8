const delimiters = new Map([
  [',', 'comma'],
  ['\t', 'tab'],
  [';', 'semicolon'],
  ['|', 'bar'],
]);

/** The words of an inspection. */
export const inspect = {
  format: (format: string, delimiter: string | undefined) =>
    delimiter === undefined ? format : `${format}, ${delimiters.get(delimiter) ?? `"${delimiter}"`}`,
  compressed: () => ' compressed',
  roles: { target: '← target', feature: '← feature', ignored: 'ignored' },
  guessed: (target: string, reason: string) => `target ${target} is a guess: ${reason}; --target names another`,
  text: (length: string) => `median ${length} characters`,
  more: (columns: string) => `… and ${columns} more columns; --verbose shows all of them`,
  classes: (target: string) => `classes of ${target}`,
  moreClasses: (classes: string) => `… ${classes} more; --verbose shows all of them`,
  unlabeled: (rows: string) => `, ${rows} rows without a label`,
  sampled: (rows: string) =>
    `classes and missing cells are counted in all rows; leaks are looked for in a random sample of ${rows} rows`,
  noTarget: () => 'No column looks like a label; name it with --target.',
} as const;
