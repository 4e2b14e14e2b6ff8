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
  profiled: (rows: string) => `columns were looked at in the first ${rows} rows`,
  noTarget: () => 'No column looks like a label; name it with --target.',
} as const;
