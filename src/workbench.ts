/**
 * The entry point `polya/workbench`: what the command and the studio are built from, for applications of your own. Reading any table from a
 * stream, splitting its rows, evaluating, word statistics, the report, and the commands that repeat it all. Runs in browsers. The names
 * follow the studio, so a minor release may change them.
 * @module polya/workbench
 */
export { type InformativeList, informativeLists } from './auto/informative.ts';
export { familyNamed, familyOf } from './auto/learner-families.ts';
export { type SplitRows, splitRows as splitRowsByColumn } from './auto/schema-kinds.ts';
export { finishAsync, type Step, type StepOptions, type Steps } from './auto/steps.ts';
export { bytes, interval } from './cli/numbers.ts';
export { commandLine, quoted } from './cli/shell.ts';
export { betaPosterior } from './core/distributions.ts';
export { alphaFamilies, calibrations, chosenAlphaFamilies, familyList } from './core/model-options.ts';
export { refuseBinary } from './data/binary.ts';
export type { NumberStyle } from './data/cell-number.ts';
export { cellOf, type DataRow, isBlank, numberOf, wordOf } from './data/cells.ts';
export { type BlockTable, type ColumnTable, RecordTable } from './data/column-table.ts';
export { SAMPLE_BYTES } from './data/csv-delimiter.ts';
export { harmless } from './data/csv-format.ts';
export { type DecodeError, decodeText, detectEncoding, encodingOf, toUtf8 } from './data/encoding.ts';
export { compareCodePoints } from './data/order.ts';
export { sha256 } from './data/sha256.ts';
export { type SniffedFormat, type SniffHints, sniffText, type TextFormat } from './data/sniff.ts';
export { refuse, show } from './errors.ts';
export { ruleFor } from './evaluate/decide.ts';
export type { DecisionRule } from './evaluate/decision-rule.ts';
export { confidentErrors, type Evaluation, evaluateRows, guessesOf, type ScoredRows } from './evaluate/evaluation.ts';
export { planFolds, planSplit, type RowSplit, splitTable } from './evaluate/held-out.ts';
export { lgamma } from './math/gamma.ts';
export { upperGamma } from './math/incomplete-gamma.ts';
export { unpackBrotli } from './node/brotli.ts';
export { type Peeked, peek } from './node/peek.ts';
export type { OpenTableOptions } from './node/table-options.ts';
export { openParquet } from './node/table-parquet.ts';
export type { TableReader } from './node/table-reader.ts';
export { openText } from './node/table-text.ts';
export { type ReportInput, renderReport } from './report/page.ts';
export { parametersCsv } from './report/parameters-csv.ts';
export { palette } from './report/style.ts';
export { type WordScore, type WordStatistics, wordStatistics, wordTablesOf } from './report/word-statistics.ts';
export type { WordTables } from './report/words.ts';
