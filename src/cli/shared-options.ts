import { analyzers, binnings, calibrations, hashBits, modelNames } from '../core/model-options.ts';
import { choice, flag, integer, list, number, text } from './declare.ts';

/** How data are read; the same for every command that reads some. */
export const reading = {
  format: choice(['csv', 'tsv', 'json', 'jsonl', 'arff', 'parquet', 'folder', 'mbox', 'fasttext', 'text'], {
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
  decimal: choice(['auto', 'point', 'comma'], {
    default: 'auto',
    doc: 'the decimal mark of numbers; detected column by column unless given. With comma, 1.234,5 is 1234.5',
  }),
  header: choice(['sniff', 'yes', 'no'], { default: 'sniff', doc: 'whether the first row has the names' }),
  where: list({
    commas: false,
    value: 'COLUMN=VALUE',
    doc: 'take only rows with this value; several must all hold',
    setting: false,
  }),
  maxRows: integer({ value: 'N', min: 1, doc: 'take only the first N rows' }),
  maxBadRows: integer({ default: 0, min: 0, doc: 'leave out up to N broken rows; they go to FILE.rejects' }),
} as const;

/** Which column is what. */
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
    doc: 'the columns to classify by; all that say something unless given',
    common: true,
    complete: 'column',
  }),
  kinds: list({ value: 'COLUMN=KIND', doc: 'read a column as number, category, boolean, date, text or ignored' }),
  weights: text({ value: 'COLUMN', doc: 'the column with the weight of each row', complete: 'column' }),
  skipUnlabeled: flag({ doc: 'leave out rows without a label instead of refusing them' }),
} as const;

/** How a model is made. */
export const modelling = {
  model: choice(modelNames, {
    short: 'm',
    default: 'auto',
    doc: 'the model; auto tries what fits and keeps the best',
    common: true,
  }),
  alpha: text({ value: 'A', doc: 'pseudo-count of words and levels, or auto: chosen by leaving one out' }),
  smoothing: text({ value: 'NAME=VALUE', doc: 'another smoothing parameter of the model, such as varSmoothing=1e-9' }),
  priors: text({ value: 'P', doc: 'empirical, uniform, or LABEL=P,LABEL=P' }),
  classWeight: text({
    value: 'W',
    doc: 'what the rows of a class count for: balanced (the same for every class in total), or LABEL=W,LABEL=W',
    common: true,
  }),
  ngrams: text({ value: 'N or N-M', doc: 'words (or letters) in a row: 1, 2, 1-2 …' }),
  analyzer: choice(analyzers, { doc: 'what n-grams are made of' }),
  stopWords: text({
    value: 'LANGUAGE',
    doc: 'leave out the common words of a language, or these: WORD,WORD (one: WORD,)',
  }),
  minDf: number({ doc: 'leave out words of fewer documents (a share below 1, a number from 1)' }),
  maxDf: number({ doc: 'leave out words of more documents' }),
  vocab: integer({ value: 'N', doc: 'keep the N most frequent words' }),
  hash: integer({ value: 'BITS', ...hashBits, doc: 'hash words into 2^BITS columns instead of keeping them' }),
  bins: choice(binnings, { doc: 'how numbers are cut into levels' }),
  dateOrder: choice(['auto', 'day-first', 'month-first'], {
    default: 'auto',
    doc: 'whether 5/4/2023 is in April or in May, where the cells of a column leave it open',
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

/** How labels follow from probabilities. */
export const deciding = {
  threshold: list({
    value: 'LABEL=P',
    doc: 'give this label from this probability on, and only then',
    common: true,
  }),
  cost: list({ value: 'TRUE:LABEL=COST', doc: 'what giving LABEL costs where TRUE is right; other mistakes cost 1' }),
} as const;

/** How rows are checked that a model is asked about. */
export const checking = {
  strict: flag({
    default: true,
    doc: 'refuse a column too few and a word among numbers (on unless --no-strict: such cells count as missing)',
  }),
} as const;

/** A file that a command writes. */
export const writing = {
  output: text({ short: 'o', value: 'FILE', doc: 'the file to write', common: true, complete: 'file', setting: false }),
  force: flag({ short: 'f', doc: 'overwrite what is there' }),
} as const;

/** Where counting or scoring is done, when it is not here. */
export const inEngine = {
  engine: text({
    value: 'ADDRESS',
    doc: 'let an engine do it: duckdb, duckdb:FILE, clickhouse://…, sc://… (Spark), postgres://…',
  }),
  table: text({
    value: 'NAME',
    doc: 'of the engine: the table, with dots between the parts of its name; a part with a dot in "double quotes"',
  }),
  memory: text({ value: 'SIZE', doc: 'of DuckDB: beyond this, such as 512MB, work goes to the disk' }),
} as const;

/** How a table in an engine is counted part by part. */
export const partitioning = {
  partitionBy: text({
    value: 'COLUMN',
    doc: 'with --engine and --state: count each value of this column apart, and only new or changed ones again',
  }),
  state: text({ value: 'FOLDER', doc: 'where the counts of partitions are stored', complete: 'file' }),
  changedBy: text({
    value: 'COLUMN',
    doc: 'a column that grows when a partition changes, such as updated_at; without it all rows are hashed',
  }),
  dryRun: flag({ doc: 'with --engine: print the queries and count nothing', setting: false }),
} as const;
