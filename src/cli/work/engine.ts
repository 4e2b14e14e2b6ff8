import { setTimeout as wait } from 'node:timers/promises';
import type { SqlEngine } from '../../engines/engine.ts';
import { isRemote } from '../../node/data-files.ts';
import { type OpenOptions, openEngine, variableForSecret } from '../../warehouse/open.ts';
import type { Context } from '../declare.ts';
import type { Io } from '../io.ts';
import { misuse } from '../problem.ts';
import type { inEngine, reading } from '../shared-options.ts';
import { safe } from '../terminal.ts';
import { refuseIgnored } from '../usage.ts';

/** The context of a command that computes in an engine. */
export type EngineContext = Context<typeof inEngine & typeof reading>;

/** Refuses an address with a password: command lines are logged and visible to others. */
export function requireNoSecret(address: string): void {
  const variable = variableForSecret(address);
  if (variable === undefined) return;
  const danger = 'Do not put a password or token into the address, where others can read it';
  misuse(`${danger}; set the variable ${variable} instead.`);
}

/** Opens the engine of a command. */
export async function openFor(context: EngineContext, more: Partial<OpenOptions> = {}): Promise<SqlEngine> {
  const { options, args, io } = context;
  const { engine: address = '' } = options;
  const [scheme] = address.split(':');
  const isServer = scheme !== 'duckdb';
  requireNoSecret(address);
  if (isServer && args.length > 0) misuse(`${scheme} cannot read local files; name a table with --table.`);
  if (args.length === 0 && options.table === undefined) misuse('Name data files for DuckDB, or a table with --table.');
  return openEngine(address, { environment: io.env, ...(!isServer && ofFiles(context)), ...more });
}

/** Why an option is refused. */
export const IN_ENGINE = 'cannot be used with --engine, because the rows stay in the engine.';

const FORMATS = { csv: 'csv', tsv: 'csv', jsonl: 'json', parquet: 'parquet' } as const;

/** How DuckDB reads the files of a command. */
function ofFiles({ options, args, io }: EngineContext): Partial<OpenOptions> {
  const { format, delimiter, header, memory, threads, encoding, decimal } = options;
  const reading = { encoding: encoding !== 'utf-8', decimal: decimal === 'comma' };
  refuseIgnored(reading, ['encoding', 'decimal'], IN_ENGINE);
  if (format !== undefined && !Object.hasOwn(FORMATS, format))
    misuse(`--format ${format} cannot be used with --engine.`);
  const parting = delimiter ?? (format === 'tsv' ? '\t' : undefined);
  return {
    cwd: io.cwd,
    ...(args.length > 0 && { files: args }),
    ...(args.some(isRemote) && { extensions: ['httpfs'] as const }), // an address on the command line allows itself
    ...(format !== undefined && { format: FORMATS[format as keyof typeof FORMATS] }),
    ...(parting !== undefined && { delimiter: parting }),
    ...(header !== 'sniff' && { header: header === 'yes' }),
    ...(memory !== undefined && { memoryLimit: memory }),
    ...(threads !== undefined && { threads }),
  };
}

/** Whether the data has cells without types, so that labels are read as text. */
export function areCells({ options, args }: EngineContext): boolean {
  if (options.format !== undefined) return options.format === 'csv' || options.format === 'tsv';
  return args.length > 0 && args.every((name) => /\.(csv|tsv|txt)(\.gz|\.zst)?$/i.test(name));
}

/** How long an engine may take to end a query that was cancelled, in milliseconds. */
const CANCELLING = 1500;

/** Runs work in an engine; Ctrl-C and SIGTERM cancel the running query there before the process ends. */
export async function cancellable<T>(io: Io, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const running = work(controller.signal);
  io.onStop?.(async (code) => {
    controller.abort();
    await Promise.race([running.catch(() => undefined), wait(CANCELLING)]);
    return code;
  });
  try {
    return await running;
  } finally {
    io.onStop?.(undefined);
  }
}

/** The parts of a table's name: dots separate them, except between double quotes. */
export function tableParts(name: string): string[] {
  const parts = [...name.matchAll(/"((?:[^"]|"")*)"|[^."]+/g)].map(
    ([word, quoted]) => quoted?.replaceAll('""', '"') ?? word,
  );
  const written = parts.length > 0 && /^(?:"(?:[^"]|"")*"|[^."]+)(?:\.(?:"(?:[^"]|"")*"|[^."]+))*$/.test(name);
  return written ? parts : misuse(`--table ${safe(name)} is not the name of a table.`);
}
