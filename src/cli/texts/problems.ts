import { safe } from '../terminal.ts';

const quote = (word: string): string => `"${safe(word, 80)}"`;
const meant = (near: string | undefined): string => (near === undefined ? '' : ` Did you mean ${quote(near)}?`);

/** What is wrong with files, columns, labels and models, and what to do about it. */
export const problems = {
  internal: (message: string) => `This is a bug in Pólya: ${message}`,
  report: () => 'Run it again with --debug for the stack, and report it with that.',
  noFile: (path: string) => `There is no file ${quote(path)}.`,
  near: (near: string) => `Did you mean ${quote(near)}?`,
  noColumn: (column: string, file: string) => `Column ${quote(column)} is not in ${safe(file)}.`,
  columns: (names: readonly string[], near: string | undefined) =>
    `Columns: ${names
      .slice(0, 20)
      .map((name) => safe(name, 40))
      .join(', ')}${names.length > 20 ? ' …' : ''}.${meant(near)}`,
  noLabel: (label: string, near: string | undefined) => `The model knows no class ${quote(label)}.${meant(near)}`,
  labels: (labels: readonly string[]) =>
    `Classes: ${labels
      .slice(0, 20)
      .map((label) => safe(label, 40))
      .join(', ')}${labels.length > 20 ? ' …' : ''}.`,
  twins: (file: string, name: string, one: number, other: number) =>
    `${safe(file)}: columns ${one} and ${other} are both named ${quote(name)}; rename one in the first row.`,
  encodings: () => 'Name the encoding: windows-1252 is usual in Western Europe, gb18030 in China, shift_jis in Japan.',
  badRows: (most: number, rejects: string | undefined) =>
    `Fix the row, or leave out up to ${most} bad rows: --max-bad-rows ${most}${rejects ? ` (they go to ${rejects})` : ''}`,
  noRows: (file: string, filtered: boolean) =>
    filtered ? `No row of ${safe(file)} passes --where.` : `${safe(file)} has no rows.`,
  leftOut: (rows: number, file: string | undefined) =>
    `${rows === 1 ? 'one broken row was' : `${rows} broken rows were`} left out${file ? `; see ${file}` : ''}`,
  exists: (path: string, otherwise: boolean) =>
    `${quote(path)} is there already${otherwise ? ', and was made with other settings' : ''}.`,
  isData: (path: string) => `${quote(path)} holds the data that are read; name another file to write.`,
  force: () => 'Name another file with -o, or overwrite it with --force.',
  finishing: () => 'Finishing with the best models so far. Press Ctrl-C again to stop.',
  outOfMemory: () => 'The work needs more memory than there is.',
  lessData: () => 'Give it fewer rows (--max-rows), or hash the words (--hash).',
} as const;
