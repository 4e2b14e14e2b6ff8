import { createColors } from 'picocolors';
import type { Command, GlobalValues } from './declare.ts';
import type { Io, Sink } from './io.ts';
import { EXIT } from './problem.ts';
import type { Setting, Settings } from './settings.ts';
import { plainPaint, type Screen, safe, tableLines, wrap } from './terminal.ts';

/** A whole number from 0 on, in what is printed as JSON. */
export type Count = number;

/** A number from 0 to 1, in what is printed as JSON. */
export type Probability = number;

/** A printed object whose numbers are null where they are not finite. */
export type OrNull<T> = { readonly [K in keyof T]: number extends T[K] ? T[K] | null : T[K] };

/** Prints results to stdout and notes to stderr; with `--json` stdout has only JSON. */
export class Printer {
  /** The properties of stdout. */
  readonly screen: Screen;
  /** The properties of stderr. */
  readonly stderrScreen: Screen;
  readonly json: boolean;
  readonly quiet: boolean;
  private readonly io: Io;

  constructor(io: Io, { json, quiet, color }: Pick<GlobalValues, 'json' | 'quiet' | 'color'>) {
    this.io = io;
    this.json = json;
    this.quiet = quiet;
    this.screen = screenOf(io.stdout, io.env, color);
    this.stderrScreen = screenOf(io.stderr, io.env, color);
  }

  /** A line of the result. */
  line(text = ''): void | Promise<void> {
    return this.io.stdout.write(`${text}\n`);
  }

  /** A table of the result; the first `left` columns are left-aligned. */
  async table(head: readonly string[], rows: readonly (readonly string[])[], left = 1): Promise<void> {
    for (const line of tableLines(head, rows, left)) await this.line(line);
  }

  /** Text of the result, unchanged. */
  raw(text: string): void | Promise<void> {
    return this.io.stdout.write(text);
  }

  /**
   * The result as JSON on one line, under the name of its schema; numbers that JSON cannot represent are null. `P` is the interface `Prints`
   * of a command, from which the published schemas are made.
   */
  object<P extends object>(schema: keyof P & string, value: P[keyof P]): void | Promise<void> {
    return this.io.stdout.write(`${JSON.stringify({ schema: `polya/${schema}`, ...value })}\n`);
  }

  /** A note on stderr: what is being done, and what to do next. */
  note(text: string): void {
    if (!this.quiet) this.io.stderr.write(`${text}\n`);
  }

  /** A warning; it begins with an exclamation mark, coloured or not. */
  warn(text: string): void {
    if (!this.quiet) this.io.stderr.write(`${this.stderrScreen.paint.magenta('!')} ${this.wrapped(text)}\n`);
  }

  /** A sentence wrapped to the width, with an indent of two after the first line. */
  private wrapped(text: string): string {
    return wrap(text, Math.max(40, this.stderrScreen.columns - 2), '  ');
  }
}

/** Whether a stream is coloured: the option, then NO_COLOR, FORCE_COLOR, TERM=dumb, then whether it is a terminal. */
export function screenOf(sink: Sink, env: Io['env'], color: GlobalValues['color']): Screen {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  const byTerminal = sink.tty && env.TERM !== 'dumb';
  const byEnvironment = env.NO_COLOR ? false : forced || (env.FORCE_COLOR === undefined && byTerminal);
  const coloured = color === 'always' || (color === 'auto' && byEnvironment);
  return { tty: sink.tty, columns: sink.columns, paint: coloured ? createColors(true) : plainPaint };
}

/** What `--print-config --json` prints. */
export interface Prints {
  /** Every setting with its origin (--print-config). */
  'config@1': {
    command: string;
    settings: Readonly<Record<string, { value: unknown; origin: Setting['origin']; from: string }>>;
  };
}

/** Shows every setting of a command with its origin. */
export async function printConfig({ name }: Command, settings: Settings, print: Printer): Promise<number> {
  const rows = [...settings].filter(([key]) => key !== 'printConfig');
  if (print.json) {
    const values = rows.map(([key, { value, origin, from }]) => [key, { value: value ?? null, origin, from }]);
    await print.object<Prints>('config@1', { command: name, settings: Object.fromEntries(values) });
    return EXIT.done;
  }
  const file = rows.find(([, { origin }]) => origin === 'config')?.[1].from;
  const shown = rows.map(([key, { value, origin, from }]) => {
    const text = value === undefined ? '–' : safe(JSON.stringify(value), 40);
    return [`  ${key}`, text, from ? `${origin} ${from}` : origin];
  });
  await print.line(
    file
      ? `Settings (flag over environment over ${file} over default):`
      : 'Settings (flag over environment over default; no config file):',
  );
  await print.table(['  setting', 'value', 'origin'], shown, 3);
  return EXIT.done;
}
