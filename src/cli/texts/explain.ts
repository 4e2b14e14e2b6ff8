/** What is said in explanations. */
export const explain = {
  noRow: (wanted: number, file: string, rows: number) => `There is no row ${wanted}: ${file} has ${rows}.`,
  truth: (label: string) => `the data say: ${label}`,
  nothing: () => 'nothing in it tells the classes apart: the prior decides',
  telling: (label: string) => `${label}`,
  ofModel: (summary: string) => `${summary}`,
  columns: () => 'what each column says by itself (family, share right on held-out rows)',
  classes: () => 'classes',
  moreLikely: () => 'how much more probable a word makes the class, as a log-odds',
  noList: () =>
    'The features of this model do not speak for a class one by one; explain a row: polya explain DATA --row N',
  noInsight: () =>
    'A pool has no single list of words; explain a text (--text), or fit with --online or a model by name.',
} as const;
