import { analyzers, binnings, calibrations, hashBits, modelNames } from '../core/model-options.ts';
import { choice, flag, integer, list, number, text } from './declare.ts';

/** How data is read; shared by every command that reads data. */
export const reading = {
  format: choice(
    ['csv', 'tsv', 'json', 'jsonl', 'arff', 'parquet', 'xlsx', 'folder', 'mbox', 'fasttext', 'text'],
    'the format of the data; detected from the content if not given',
  ),
  encoding: choice(
    ['utf-8', 'latin1', 'windows-1252', 'gb18030', 'gbk', 'big5', 'shift_jis', 'euc-kr', 'utf-16le', 'utf-16be'],
    'the character encoding; UTF-16 with a byte order mark is detected',
    { default: 'utf-8' },
  ),
  delimiter: text('the field delimiter of CSV; detected if not given', { value: 'CHAR' }),
  sheet: text('the sheet of an Excel workbook; the first one if not given', { value: 'NAME' }),
  decimal: choice(
    ['auto', 'point', 'comma'],
    'the decimal mark of numbers; detected per column if not given. With comma, 1.234,5 is 1234.5',
    { default: 'auto' },
  ),
  header: choice(['sniff', 'yes', 'no'], 'whether the first row has the column names', { default: 'sniff' }),
  where: list('read only rows with this value; if repeated, all conditions must hold', {
    commas: false,
    value: 'COLUMN=VALUE',
    setting: false,
  }),
  maxRows: integer('read only the first N rows', { min: 1 }),
  maxBadRows: integer('skip up to N malformed rows, and write them to FILE.rejects', { default: 0, min: 0 }),
} as const;

/** The roles of columns. */
export const roles = {
  target: text('the column with the label (also --label); detected and reported if not given', {
    short: 't',
    value: 'COLUMN',
    alias: 'label',
    common: true,
    complete: 'column',
  }),
  text: text('the column with the text', { short: 'x', value: 'COLUMN', common: true, complete: 'column' }),
  features: list('the columns to use as features; all useful ones if not given', {
    value: 'COLUMNS',
    common: true,
    complete: 'column',
  }),
  kinds: list('read a column as number, category, boolean, date, text or ignored', { value: 'COLUMN=KIND' }),
  weights: text('the column with the weight of each row', { value: 'COLUMN', complete: 'column' }),
  skipUnlabeled: flag('skip rows without a label instead of failing'),
} as const;

/** How a model is fitted. */
export const modelling = {
  model: choice(modelNames, 'the model; auto compares what suits the data and combines the best', {
    short: 'm',
    default: 'auto',
    common: true,
  }),
  alpha: text('pseudo-count of words and categories, or auto: chosen by leave-one-out', { value: 'A' }),
  smoothing: text('another smoothing parameter of the model, such as varSmoothing=1e-9', { value: 'NAME=VALUE' }),
  priors: text('empirical, uniform, or LABEL=P,LABEL=P', { value: 'P' }),
  classWeight: text('class weights: balanced (the same total for every class), or LABEL=W,LABEL=W', {
    value: 'W',
    common: true,
  }),
  ngrams: text('lengths of n-grams of words (or characters): 1, 2, 1-2 …', { value: 'N or N-M' }),
  analyzer: choice(analyzers, 'what n-grams are made of'),
  stopWords: text('ignore the common words of a language, or a list: WORD,WORD (a single word: WORD,)', {
    value: 'LANGUAGE',
  }),
  minDf: number('ignore words in fewer documents than this (a fraction below 1, or a count)'),
  maxDf: number('ignore words in more documents than this (a fraction up to 1, or a count from 2)'),
  vocab: integer('keep the N most frequent words'),
  hash: integer('hash words into 2^BITS columns instead of storing a vocabulary', { value: 'BITS', ...hashBits }),
  bins: choice(binnings, 'how numbers are binned: where the classes change (mdl), or equal counts (frequency)'),
  dateOrder: choice(
    ['auto', 'day-first', 'month-first'],
    'whether 5/4/2023 is in April or in May, where a column is ambiguous',
    { default: 'auto' },
  ),
  calibrate: choice(
    ['auto', 'none', ...calibrations],
    'calibrate probabilities, if there are about 30 rows per class',
    { default: 'auto' },
  ),
} as const;

/** The model file that a command reads. */
export const modelFile = {
  model: text('the model file', { short: 'm', value: 'FILE', common: true, complete: 'model' }),
} as const;

/** The roles of columns in data for a model, which knows the others. */
export const modelRoles = {
  target: { ...roles.target, doc: 'the column with the label (also --label); that of the model if not given' },
  text: { ...roles.text, doc: 'the column with the text; that of the model if not given' },
  skipUnlabeled: roles.skipUnlabeled,
} as const;

/** How labels are decided from probabilities. */
export const deciding = {
  threshold: list('predict this label only if its probability is at least P', { value: 'LABEL=P', common: true }),
  cost: list('the cost of predicting LABEL for a row of TRUE; other errors cost 1', { value: 'TRUE:LABEL=COST' }),
} as const;

/** How the rows to predict are checked. */
export const checking = {
  strict: flag(
    'fail on missing columns and on text among numbers (the default; --no-strict treats such cells as missing)',
    { default: true },
  ),
} as const;

/** The file a command writes. */
export const writing = {
  output: text('the file to write', { short: 'o', value: 'FILE', common: true, complete: 'file', setting: false }),
  force: flag('overwrite an existing file', { short: 'f' }),
} as const;

/** Counting or scoring inside a database engine. */
export const inEngine = {
  engine: text('compute in an engine: duckdb, duckdb:FILE, clickhouse://…, sc://… (Spark), postgres://…', {
    value: 'ADDRESS',
  }),
  table: text(
    'with --engine: the table; dots separate the parts of its name, and a part with a dot is in "double quotes"',
    { value: 'NAME' },
  ),
  memory: text('with DuckDB: the memory limit, such as 512MB; beyond it, DuckDB spills to disk', { value: 'SIZE' }),
} as const;

/** How a table in an engine is counted by partition. */
export const partitioning = {
  partitionBy: text(
    'with --engine and --state: count each value of this column as a partition; later, recount only new or changed ones',
    { value: 'COLUMN' },
  ),
  state: text('where the counts of partitions are stored', { value: 'FOLDER', complete: 'file' }),
  changedBy: text('a column that grows when a partition changes, such as updated_at; without it all rows are hashed', {
    value: 'COLUMN',
  }),
  dryRun: flag('with --engine: print the queries and count nothing', { setting: false }),
} as const;
