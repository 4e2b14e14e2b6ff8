import type { Context } from '../context.ts';
import { choice, command, flag, list, text } from '../declare.ts';
import { modelFile, writing } from '../shared-options.ts';

const options = {
  ...modelFile,
  to: choice(['onnx', 'json', 'sql', 'js', 'ts', 'pmml', 'sklearn', 'csv', 'polya'], { doc: 'the form', common: true }),
  dialect: text({
    value: 'NAME',
    doc: 'of sql: duckdb, postgres, clickhouse, spark, bigquery, snowflake',
    common: true,
  }),
  table: text({ value: 'NAME', doc: 'of sql: the table with the rows' }),
  key: list({ value: 'COLUMNS', doc: 'of sql: the columns that tell rows apart' }),
  columns: list({
    value: 'NAMES',
    doc: 'of sql: what the columns of the model are called in the table, in their order',
  }),
  weights: text({ value: 'NAME', doc: 'of sql: the table of weights that a text model makes' }),
  unspaced: choice(['refuse', 'null'], {
    default: 'refuse',
    doc: 'of sql: texts in scripts without spaces make it refuse the model, or get no answer',
  }),
  dbt: flag({ doc: 'of sql: a dbt model with its schema; --table is the model or seed that it refers to' }),
  slim: flag({ doc: 'of polya files: parameters only' }),
  ...writing,
} as const;

/** What `polya export` gets. */
export type Export = Context<typeof options>;

/** `polya export` */
export const exportModel = command({
  name: 'export',
  summary:
    'Writes a model for other places: ONNX, JSON, SQL, a dependency-free JavaScript or TypeScript module, PMML, scikit-learn, CSV.',
  arguments: [],
  options,
  examples: [
    { line: 'polya export -m words.polya --to js -o words.js --force', says: 'a module that predicts without Pólya' },
    { line: 'polya export -m words.polya --to json', says: 'everything, as JSON on stdout' },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/export.ts')).exportModel(context),
});
