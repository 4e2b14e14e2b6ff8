import { createColors } from 'picocolors';
import type { GlobalValues } from './globals.ts';
import type { Io, Sink } from './io.ts';
import { plainPaint, type Screen, wrap } from './terminal.ts';

/** Results go to stdout, talk goes to stderr; with `--json` stdout has JSON alone. */
export class Printer {
  /** How stdout looks. */
  readonly screen: Screen;
  /** How stderr looks. */
  readonly talkScreen: Screen;
  readonly json: boolean;
  readonly quiet: boolean;
  private readonly io: Io;

  constructor(io: Io, { json, quiet, color }: Pick<GlobalValues, 'json' | 'quiet' | 'color'>) {
    this.io = io;
    this.json = json;
    this.quiet = quiet;
    this.screen = screenOf(io.stdout, io.env, color);
    this.talkScreen = screenOf(io.stderr, io.env, color);
  }

  /** A line of the result. */
  line(text = ''): void | Promise<void> {
    return this.io.stdout.write(`${text}\n`);
  }

  /** Text of the result as it is. */
  raw(text: string): void | Promise<void> {
    return this.io.stdout.write(text);
  }

  /** The result as JSON on one line; numbers that JSON has no word for are null. */
  object(value: unknown): void | Promise<void> {
    return this.io.stdout.write(`${JSON.stringify(value)}\n`);
  }

  /** A line of talk: what is being done, what came of it, what to do next. */
  talk(text: string): void {
    if (!this.quiet) this.io.stderr.write(`${text}\n`);
  }

  /** A warning; it begins with an exclamation mark, coloured or not. */
  warn(text: string): void {
    if (!this.quiet) this.io.stderr.write(`${this.talkScreen.paint.magenta('!')} ${this.wrapped(text)}\n`);
  }

  /** A sentence in lines that fit, those after the first indented by two. */
  private wrapped(text: string): string {
    return wrap(text, Math.max(40, this.talkScreen.columns - 2), '  ');
  }
}

/** Whether and how a stream is coloured: the option, then NO_COLOR, FORCE_COLOR, TERM=dumb, then whether it is a terminal. */
export function screenOf(sink: Sink, env: Io['env'], color: GlobalValues['color']): Screen {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  const byTerminal = sink.tty && env.TERM !== 'dumb';
  const byEnvironment = env.NO_COLOR ? false : forced || (env.FORCE_COLOR === undefined && byTerminal);
  const coloured = color === 'always' || (color === 'auto' && byEnvironment);
  return { tty: sink.tty, columns: sink.columns, paint: coloured ? createColors(true) : plainPaint };
}
