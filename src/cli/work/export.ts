import { basename, resolve } from 'node:path';
import { encodeModel, type Savable } from '../../core/artifact.ts';
import { PolyaError } from '../../errors.ts';
import type { Exportable } from '../../exchange/plan-of.ts';
import type { Export } from '../commands/export.ts';
import { bytes as sized } from '../numbers.ts';
import { fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { parametersCsv } from './export-csv.ts';
import { openAny } from './model-input.ts';
import { requireFree } from './model-output.ts';

/** A file to write: its ending and its content. */
interface Piece {
  readonly ending: string;
  readonly content: string | Uint8Array;
}

/** Writes a model in another form. */
export async function exportModel(context: Export): Promise<undefined> {
  const { options, words, print, io } = context;
  const { model: path, to, output } = options;
  if (path === undefined)
    fail('E_USAGE', texts.model.needed('export'), { command: commandLine([...words, '-m', 'model.polya']) });
  if (to === undefined)
    fail('E_USAGE', texts.exchange.formNeeded(), { command: commandLine([...words, '--to', 'json']) });
  const pieces = await piecesOf(context, to, await openAny(context, path));
  if (output === undefined || output === '-') {
    if (pieces.length > 1 && to === 'ts') fail('E_USAGE', texts.exchange.fileNeeded(to));
    const [{ content }] = pieces;
    if (typeof content !== 'string')
      return fail('E_USAGE', texts.exchange.fileNeeded(to), { command: commandLine([...words, '-o', `model.${to}`]) });
    await print.raw(content.endsWith('\n') ? content : `${content}\n`);
    return undefined;
  }
  const files = pieces.map(({ ending, content }, k) => ({
    file: k === 0 && pieces.length === 1 ? output : named(output, ending),
    content,
  }));
  for (const { file } of files) requireFree(context, file, options.force);
  const written = [];
  for (const { file, content } of files) {
    const data = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await io.save(resolve(io.cwd, file), data);
    written.push({ file, bytes: data.length });
    print.talk(texts.fit.wrote(safe(file), sized(data.length)));
  }
  if (print.json) await print.object({ schema: 'polya/export@1', model: basename(path), to, files: written });
  return undefined;
}

/** The name of a file with another ending. */
const named = (output: string, ending: string): string => `${output.replace(/(\.d)?\.[^./\\]+$/, '')}${ending}`;

/** SQL for a model; where texts without spaces are all that stands in the way, the option that leaves them out is named. */
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
      return !(error instanceof PolyaError && error.code === code); // what else is missing is said next
    }
  };
  try {
    const { setup, select } = written(options.unspaced);
    return [...setup, select].map((statement) => `${statement.replace(/;?\s*$/, '')};\n`).join('\n');
  } catch (error) {
    if (!(error instanceof PolyaError) || options.unspaced === 'null' || !isWay(error.code)) throw error;
    return fail(error.code, texts.exchange.unspaced(), {
      details: error.details,
      command: commandLine([...words, '--unspaced', 'null', ...(options.key.length > 0 ? [] : ['--key', 'COLUMN'])]),
      cause: error,
    });
  }
}

/** The files of a dbt model, which is called as the file that is written. */
async function dbtPieces({ options, words }: Export, model: Exportable): Promise<Piece[]> {
  const { toDbt } = await import('../../exchange/dbt.ts');
  if (options.output === undefined || options.output === '-') {
    fail('E_USAGE', texts.exchange.fileNeeded('dbt'), { command: commandLine([...words, '-o', 'scores.sql']) });
  }
  const {
    model: sql,
    schema,
    seed,
  } = toDbt(model, {
    dialect: (options.dialect ?? 'duckdb') as never,
    name: basename(options.output).replace(/\.[^.]*$/, ''),
    ref: options.table ?? 'rows',
    unspaced: options.unspaced,
    ...(options.key.length > 0 && { key: options.key }),
    ...(options.columns.length > 0 && { columns: options.columns }),
  });
  return [
    { ending: '.sql', content: sql },
    { ending: '.yml', content: schema },
    ...(seed === undefined ? [] : [{ ending: '_weights.csv', content: seed }]),
  ];
}

async function piecesOf(context: Export, to: NonNullable<Export['options']['to']>, opened: unknown): Promise<Piece[]> {
  const model = opened as Exportable;
  const { options } = context;
  switch (to) {
    case 'json': {
      const { toJson } = await import('../../exchange/to-json.ts');
      return [{ ending: '.json', content: `${JSON.stringify(toJson(model))}\n` }];
    }
    case 'js':
    case 'ts': {
      const { toJavaScript } = await import('../../exchange/to-javascript.ts');
      const { code, types } = toJavaScript(model);
      return [
        { ending: '.js', content: code },
        { ending: '.d.ts', content: types },
      ];
    }
    case 'sql':
      if (options.dbt) return dbtPieces(context, model);
      return [{ ending: '.sql', content: await sqlOf(context, model) }];
    case 'onnx': {
      const { toOnnx } = await import('../../exchange/to-onnx.ts');
      return [{ ending: '.onnx', content: toOnnx(model) }];
    }
    case 'pmml': {
      const { toPmml } = await import('../../exchange/pmml.ts');
      return [{ ending: '.pmml', content: toPmml(model) }];
    }
    case 'sklearn': {
      const { toSklearn } = await import('../../exchange/to-sklearn.ts');
      return [{ ending: '.json', content: `${JSON.stringify(toSklearn(model))}\n` }];
    }
    case 'csv':
      return [{ ending: '.csv', content: parametersCsv(opened) }];
    case 'polya':
      return [{ ending: '.polya', content: encodeModel(opened as Savable, { slim: options.slim }) }];
  }
}
