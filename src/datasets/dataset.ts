/** A cell of a sample dataset: a number, a string, or `null` where it is missing. */
export type SampleCell = string | number | null;

/** A row of a sample dataset: cells by the names of their columns. */
export type SampleRow = Record<string, SampleCell>;

/** A sample dataset of the package: its rows, a description, its source and its licence. */
export interface Dataset<Row extends SampleRow = SampleRow, Target extends string = string> {
  /** A short name, as `polya demo` takes it. */
  readonly name: string;
  readonly title: string;
  /** Rows with named cells, new ones with every call. */
  readonly rows: (Row & SampleRow)[];
  /** The names of the columns, in order. */
  readonly columns: readonly string[];
  /** The column with the labels. */
  readonly target: Target;
  /** The column with the text, where there is one. */
  readonly text?: string;
  /** Unlabelled rows to try a model on. */
  readonly questions?: readonly SampleRow[];
  readonly description: string;
  readonly source: string;
  readonly license: string;
}

/** Everything about a sample dataset except its rows. */
export type DatasetCard = Omit<Dataset, 'rows' | 'questions'>;

/** A sample from its card and the cells of its rows, in the order of its columns. */
export function datasetOf<Row extends SampleRow, Target extends string>(
  card: DatasetCard & { readonly target: Target },
  cells: readonly (readonly SampleCell[])[],
  questions?: Dataset['questions'],
): Dataset<Row, Target> {
  const rows = cells.map((row) => Object.fromEntries(card.columns.map((name, j) => [name, row[j]!])) as Row);
  return { ...card, rows, ...(questions && { questions: questions.map((question) => ({ ...question })) }) };
}

/** The cells of lines with a separator; cells that parse as numbers become numbers. */
export function cellsOf(lines: string, separator = ','): SampleCell[][] {
  const isNumber = /^-?\d+(\.\d+)?$/;
  return lines
    .split('\n')
    .map((line) => line.split(separator).map((cell) => (isNumber.test(cell) ? Number(cell) : cell)));
}
