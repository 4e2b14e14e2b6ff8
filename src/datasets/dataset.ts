/** A cell of a sample dataset: a number, a string, or `null` where it is missing. */
export type SampleCell = string | number | null;

/** A sample dataset of the package: its rows, a description, its source and its licence. */
export interface Dataset {
  /** A short name, accepted by `polya demo`. */
  readonly name: string;
  readonly title: string;
  /** Rows with named cells; every call returns new ones. */
  readonly rows: Record<string, SampleCell>[];
  /** The names of the columns, in order. */
  readonly columns: readonly string[];
  /** The label column. */
  readonly target: string;
  /** The text column, if the dataset has one. */
  readonly text?: string;
  /** Unlabelled rows to try a model on. */
  readonly questions?: readonly Record<string, SampleCell>[];
  readonly description: string;
  readonly source: string;
  readonly license: string;
}

/** Everything about a sample dataset except its rows. */
export type DatasetCard = Omit<Dataset, 'rows' | 'questions'>;

/** Builds a dataset from its description and the cells of its rows, in column order. */
export function datasetOf(
  card: DatasetCard,
  cells: readonly (readonly SampleCell[])[],
  questions?: Dataset['questions'],
): Dataset {
  const rows = cells.map((row) => Object.fromEntries(card.columns.map((name, j) => [name, row[j]!])));
  return { ...card, rows, ...(questions && { questions: questions.map((question) => ({ ...question })) }) };
}

/** The cells of lines with a separator; cells that parse as numbers become numbers. */
export function cellsOf(lines: string, separator = ','): SampleCell[][] {
  const isNumber = /^-?\d+(\.\d+)?$/;
  return lines
    .split('\n')
    .map((line) => line.split(separator).map((cell) => (isNumber.test(cell) ? Number(cell) : cell)));
}
