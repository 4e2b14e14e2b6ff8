/** What is said in explanations. */
export const explain = {
  noRow: (wanted: number, file: string, rows: number) => `There is no row ${wanted}: ${file} has ${rows}.`,
  truth: (label: string) => `the data say: ${label}`,
  nothing: () => 'nothing in it tells the classes apart: the prior decides',
  reading: () => 'numbers: log-odds against the other classes; bars: how much that says',
  nothingTells: () => 'nothing is more frequent here than in the other classes',
  mean: (value: string) => `mean ${value}`,
  columns: () => 'each column by itself: information about the class, share right when held out',
  noList: () =>
    'The features of this model do not speak for a class one by one; explain a row: polya explain DATA --row N',
} as const;
