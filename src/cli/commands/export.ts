import { basename } from 'node:path';
import { encodeModel, type Savable } from '../../core/artifact.ts';
import { PolyaError } from '../../errors.ts';
import type { Exportable } from '../../exchange/plan-of.ts';
import { parametersCsv } from '../../report/parameters-csv.ts';
import { type Context, choice, command, flag, list, text } from '../declare.ts';
import type { Count } from '../print.ts';
import { fail, misuse } from '../problem.ts';
import { modelFile, writing } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { openAny, refuseNone } from '../work/model-input.ts';
import { requireFree, writeFile } from '../work/model-output.ts';

const options = {
  ...modelFile,
  to: choice(['onnx', 'json', 'sql', 'js', 'ts', 'pmml', 'sklearn', 'csv', 'polya'], 'the format', { common: true }),
  dialect: text('with sql: duckdb, postgres, clickhouse, spark, bigquery, snowflake, trino', {
    value: 'NAME',
    common: true,
  }),
  table: text('with sql: the table with the rows', { value: 'NAME' }),
  key: list('with sql: the key columns, which identify a row', { value: 'COLUMNS' }),
  columns: list('with sql: the names of the model’s columns in the table, in order', { value: 'NAMES' }),
  weights: text('with sql: the name of the table of weights that a text model creates', { value: 'NAME' }),
  unspaced: choice(
    ['refuse', 'null'],
    'with sql: for texts in scripts without spaces, refuse to export, or return NULL',
    { default: 'refuse' },
  ),
  dbt: flag('with sql: write a dbt model and its schema; --table is the model or seed it refers to'),
  slim: flag('with polya: write parameters only'),
  ...writing,
} as const;

type Export = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** A model was exported. */
  'export@1': { model: string; to: string; files: readonly { file: string; bytes: Count }[] };
}

/** `polya export` */
export const declaration = command({
  arguments: [],
  options,
  examples: {
    'polya export -m words.polya --to js -o words.js --force': 'writes a module that predicts without Pólya',
    'polya export -m words.polya --to json': 'prints everything as JSON',
  },
  run,
});

/** A file to write: extension and content. */
interface Piece {
  readonly ending: string;
  readonly content: string | Uint8Array;
}

/** Exports a model. */
async function run(context: Export): Promise<void> {
  const { options, words, print, progress } = context;
  const { model: path, to, output } = options;
  if (path === undefined) return refuseNone(context);
  if (to === undefined)
    misuse('export needs a format: --to onnx, json, sql, js, ts, pmml, sklearn, csv or polya.', [
      ...words,
      '--to',
      'json',
    ]);
  const model = await openAny(context, path);
  progress.step('exporting', { share: 0.2 });
  const pieces = await piecesOf(context, to, model);
  progress.step('exporting', { share: 0.8 });
  if (output === undefined || output === '-') {
    if (pieces.length > 1 && to === 'ts') misuse(`${to} is written to a file: -o FILE.`);
    const [{ content }] = pieces;
    if (typeof content !== 'string')
      return misuse(`${to} is written to a file: -o FILE.`, [...words, '-o', `model.${to}`]);
    await print.raw(content.endsWith('\n') ? content : `${content}\n`);
    return;
  }
  const nameOf = (ending: string) => (pieces.length === 1 ? output : named(output, ending));
  const files = pieces.map(({ ending, content }) => ({ file: nameOf(ending), content }));
  for (const { file } of files) requireFree(context, file, options.force);
  const written = [];
  for (const { file, content } of files) written.push({ file, bytes: await writeFile(context, file, content) });
  if (print.json) await print.object<Prints>('export@1', { model: basename(path), to, files: written });
}

/** A file name with another extension. */
const named = (output: string, ending: string): string => `${output.replace(/(\.d)?\.[^./\\]+$/, '')}${ending}`;

/** SQL for a model. If only texts without spaces prevent the export, the error names the option that skips them. */
async function sqlOf({ options, words }: Export, model: Exportable): Promise<string> {
  const { toSql } = await import('../../exchange/sql.ts');
  const written = (unspaced: 'refuse' | 'null') =>
    toSql(model, {
      dialect: (options.dialect ?? 'duckdb') as never,
      table: options.table === undefined ? 'rows' : options.table.split('.'),
      unspaced,
      ...(options.key.length > 0 && { key: options.key }),
      ...(options.columns.length > 0 && { columns: options.columns }),
      ...(options.weights !== undefined && { weights: options.weights.split('.') }),
    });
  const isWay = (code: string) => {
    try {
      return written('null') !== undefined;
    } catch (error) {
      return !(error instanceof PolyaError && error.code === code); // the remaining problem is reported next
    }
  };
  try {
    const { setup, select } = written(options.unspaced);
    return [...setup, select].map((statement) => `${statement.replace(/;?\s*$/, '')};\n`).join('\n');
  } catch (error) {
    if (!(error instanceof PolyaError) || options.unspaced === 'null' || !isWay(error.code)) throw error;
    const problem = 'SQL cannot segment Chinese and other scripts without spaces the way the model does';
    return fail(error.code, `${problem}; return NULL for such texts instead.`, {
      details: error.details,
      command: commandLine([...words, '--unspaced', 'null', ...(options.key.length > 0 ? [] : ['--key', 'COLUMN'])]),
      cause: error,
    });
  }
}

/** The files of a dbt model, which is named after the file that is written. */
async function dbtPieces({ options, words }: Export, model: Exportable): Promise<Piece[]> {
  const { toDbt } = await import('../../exchange/dbt.ts');
  if (options.output === undefined || options.output === '-') {
    misuse('dbt is written to files: -o FILE.', [...words, '-o', 'scores.sql']);
  }
  const files = toDbt(model, {
    dialect: (options.dialect ?? 'duckdb') as never,
    name: basename(options.output).replace(/\.[^.]*$/, ''),
    ref: options.table ?? 'rows',
    unspaced: options.unspaced,
    ...(options.key.length > 0 && { key: options.key }),
    ...(options.columns.length > 0 && { columns: options.columns }),
  });
  return [
    { ending: '.sql', content: files.model },
    { ending: '.yml', content: files.schema },
    ...(files.seed === undefined ? [] : [{ ending: '_weights.csv', content: files.seed }]),
  ];
}

async function piecesOf(context: Export, to: NonNullable<Export['options']['to']>, opened: unknown): Promise<Piece[]> {
  const model = opened as Exportable;
  const { options } = context;
  const json = (value: unknown) => {
    context.progress.step('exporting', { share: 0.5 });
    return [{ ending: '.json', content: `${JSON.stringify(value)}\n` }];
  };
  switch (to) {
    case 'json':
      return json((await import('../../exchange/to-json.ts')).toJson(model));
    case 'sklearn':
      return json((await import('../../exchange/to-sklearn.ts')).toSklearn(model));
    case 'js':
    case 'ts': {
      const { code, types } = (await import('../../exchange/to-javascript.ts')).toJavaScript(model);
      return [
        { ending: '.js', content: code },
        { ending: '.d.ts', content: types },
      ];
    }
    case 'sql':
      return options.dbt ? dbtPieces(context, model) : [{ ending: '.sql', content: await sqlOf(context, model) }];
    case 'onnx':
      return [{ ending: '.onnx', content: (await import('../../exchange/to-onnx.ts')).toOnnx(model) }];
    case 'pmml':
      return [{ ending: '.pmml', content: (await import('../../exchange/pmml.ts')).toPmml(model) }];
    case 'csv':
      return [{ ending: '.csv', content: parametersCsv(opened) }];
    case 'polya':
      return [{ ending: '.polya', content: encodeModel(opened as Savable, { slim: options.slim }) }];
  }
}
