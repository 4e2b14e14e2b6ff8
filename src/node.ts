/**
 * The entry point `polya/node`: files, threads and sample data sets. Needs Node.
 * @module polya/node
 */

export type { Dataset, SampleCell } from './datasets/dataset.ts';
export { datasets, loadReviews, loadSms } from './node/datasets.ts';
export { readDocuments } from './node/documents.ts';
export { type FileOptions, openFile } from './node/file.ts';
export { fitSearch } from './node/fit-search.ts';
export { type FitTableFileOptions, fitTableFile } from './node/fit-table-file.ts';
export { type FitTextFileOptions, fitTextFile, type WordClassifier } from './node/fit-text-file.ts';
export { type GunzipOptions, gunzip } from './node/gzip.ts';
export { type InspectOptions, inspectTable, type TableInspection } from './node/inspect.ts';
export { readModel, type WritableModel, type WriteModelOptions, writeModel } from './node/model-file.ts';
export {
  fetch20newsgroups,
  type Newsgroups,
  type NewsgroupsOptions,
  type NewsgroupsProgress,
} from './node/newsgroups.ts';
export {
  type BlockTable,
  type ColumnNumbers,
  type ColumnTable,
  type OpenTable,
  type OpenTableOptions,
  openTable,
  type ReadTable,
  type RowChunk,
  readTable,
  type SheetFacts,
  type TableColumn,
  type TableFacts,
  type TableFormat,
  type TableProgress,
  type TableSource,
  tableFormats,
} from './node/table.ts';
