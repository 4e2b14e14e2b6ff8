import { analyzers, binnings, calibrations, hashBits, modelNames } from '../core/model-options.ts';
import { choice, flag, integer, list, number, text } from './declare.ts';

/** How data is read; shared by every command that reads data. */
export const reading = {
  format: choice(['csv', 'tsv', 'json', 'jsonl', 'arff', 'parquet', 'xlsx', 'folder', 'mbox', 'fasttext', 'text'], {
    doc: 'the format of the data; detected from the content if not given',
  }),
  encoding: choice(
    ['utf-8', 'latin1', 'windows-1252', 'gb18030', 'gbk', 'big5', 'shift_jis', 'euc-kr', 'utf-16le', 'utf-16be'],
    {
      default: 'utf-8',
      doc: 'the character encoding; UTF-16 with a byte order mark is detected',
    },
  ),
  delimiter: text({ value: 'CHAR', doc: 'the field delimiter of CSV; detected if not given' }),
  sheet: text({ value: 'NAME', doc: 'the sheet of an Excel workbook; the first one if not given' }),
  decimal: choice(['auto', 'point', 'comma'], {
    default: 'auto',
    doc: 'the decimal mark of numbers; detected per column if not given. With comma, 1.234,5 is 1234.5',
  }),
  header: choice(['sniff', 'yes', 'no'], { default: 'sniff', doc: 'whether the first row has the column names' }),
  where: list({
    commas: false,
    value: 'COLUMN=VALUE',
    doc: 'read only rows with this value; if repeated, all conditions must hold',
    setting: false,
  }),
  maxRows: integer({ value: 'N', min: 1, doc: 'read only the first N rows' }),
  maxBadRows: integer({ default: 0, min: 0, doc: 'skip up to N malformed rows, and write them to FILE.rejects' }),
} as const;

/** The roles of columns. */
export const roles = {
  target: text({
    short: 't',
    value: 'COLUMN',
    alias: 'label',
    doc: 'the column with the label (also --label); guessed and reported if not given',
    common: true,
    complete: 'column',
  }),
  text: text({ short: 'x', value: 'COLUMN', doc: 'the column with the text', common: true, complete: 'column' }),
  features: list({
    value: 'COLUMNS',
    doc: 'the columns to use as features; all useful ones if not given',
    common: true,
    complete: 'column',
  }),
  kinds: list({ value: 'COLUMN=KIND', doc: 'read a column as number, category, boolean, date, text or ignored' }),
  weights: text({ value: 'COLUMN', doc: 'the column with the weight of each row', complete: 'column' }),
  skipUnlabeled: flag({ doc: 'skip rows without a label instead of failing' }),
} as const;

/** How a model is fitted. */
export const modelling = {
  model: choice(modelNames, {
    short: 'm',
    default: 'auto',
    doc: 'the model; auto compares what suits the data and combines the best',
    common: true,
  }),
  alpha: text({ value: 'A', doc: 'pseudo-count of words and categories, or auto: chosen by leave-one-out' }),
  smoothing: text({ value: 'NAME=VALUE', doc: 'another smoothing parameter of the model, such as varSmoothing=1e-9' }),
  priors: text({ value: 'P', doc: 'empirical, uniform, or LABEL=P,LABEL=P' }),
  classWeight: text({
    value: 'W',
    doc: 'class weights: balanced (the same total for every class), or LABEL=W,LABEL=W',
    common: true,
  }),
  ngrams: text({ value: 'N or N-M', doc: 'lengths of n-grams of words (or characters): 1, 2, 1-2 …' }),
  analyzer: choice(analyzers, { doc: 'what n-grams are made of' }),
  stopWords: text({
    value: 'LANGUAGE',
    doc: 'ignore the common words of a language, or a list: WORD,WORD (a single word: WORD,)',
  }),
  minDf: number({ doc: 'ignore words in fewer documents (below 1: a fraction; from 1: a count)' }),
  maxDf: number({ doc: 'ignore words in more documents (up to 1: a fraction; from 2: a count)' }),
  vocab: integer({ value: 'N', doc: 'keep the N most frequent words' }),
  hash: integer({ value: 'BITS', ...hashBits, doc: 'hash words into 2^BITS columns instead of storing a vocabulary' }),
  bins: choice(binnings, {
    doc: 'how numbers are binned: where the classes change (mdl), or equal counts (frequency)',
  }),
  dateOrder: choice(['auto', 'day-first', 'month-first'], {
    default: 'auto',
    doc: 'whether 5/4/2023 is in April or in May, where a column is ambiguous',
  }),
  calibrate: choice(['auto', 'none', ...calibrations], {
    default: 'auto',
    doc: 'calibrate probabilities, if there are about 30 rows per class',
  }),
} as const;

/** The model file that a command reads. */
export const modelFile = {
  model: text({ short: 'm', value: 'FILE', doc: 'the model file', common: true, complete: 'model' }),
} as const;

/** The roles of columns in data for a model, which knows the others. */
export const modelRoles = {
  target: { ...roles.target, doc: 'the column with the label (also --label); that of the model if not given' },
  text: { ...roles.text, doc: 'the column with the text; that of the model if not given' },
  skipUnlabeled: roles.skipUnlabeled,
} as const;

/** How labels are decided from probabilities. */
export const deciding = {
  threshold: list({
    value: 'LABEL=P',
    doc: 'predict this label only if its probability is at least P',
    common: true,
  }),
  cost: list({ value: 'TRUE:LABEL=COST', doc: 'the cost of predicting LABEL for a row of TRUE; other errors cost 1' }),
} as const;

/** How the rows to predict are checked. */
export const checking = {
  strict: flag({
    default: true,
    doc: 'fail on missing columns and on text among numbers (the default; --no-strict treats such cells as missing)',
  }),
} as const;

/** The file a command writes. */
export const writing = {
  output: text({ short: 'o', value: 'FILE', doc: 'the file to write', common: true, complete: 'file', setting: false }),
  force: flag({ short: 'f', doc: 'overwrite an existing file' }),
} as const;

/** Counting or scoring inside a database engine. */
export const inEngine = {
  engine: text({
    value: 'ADDRESS',
    doc: 'compute in an engine: duckdb, duckdb:FILE, clickhouse://…, sc://… (Spark), postgres://…',
  }),
  table: text({
    value: 'NAME',
    doc: 'with --engine: the table; dots separate the parts of its name, and a part with a dot is in "double quotes"',
  }),
  memory: text({
    value: 'SIZE',
    doc: 'with DuckDB: the memory limit, such as 512MB; beyond it, DuckDB spills to disk',
  }),
} as const;

/** How a table in an engine is counted by partition. */
export const partitioning = {
  partitionBy: text({
    value: 'COLUMN',
    doc: 'with --engine and --state: count each value of this column as a partition; later, recount only new or changed ones',
  }),
  state: text({ value: 'FOLDER', doc: 'where the counts of partitions are stored', complete: 'file' }),
  changedBy: text({
    value: 'COLUMN',
    doc: 'a column that grows when a partition changes, such as updated_at; without it all rows are hashed',
  }),
  dryRun: flag({ doc: 'with --engine: print the queries and count nothing', setting: false }),
} as const;
