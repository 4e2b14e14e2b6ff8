import type { Context } from './context.ts';
import type { Command } from './declare.ts';
import type { GlobalValues } from './globals.ts';
import { commandHelp, programHelp, startText } from './help.ts';
import type { Io } from './io.ts';
import { type Parsed, parseWords } from './parse.ts';
import { Printer, screenOf } from './print.ts';
import { printConfig } from './print-config.ts';
import { EXIT, exitOf } from './problem.ts';
import { problemJson, problemText } from './problem-text.ts';
import { progressOf } from './progress.ts';
import { commands } from './registry.ts';
import { knownSettings, type Settings, settle } from './settings.ts';
import { version } from './version.ts';

/** Does a command where the io has a thread for it. */
export type InThread = (words: readonly string[]) => Promise<number>;

/** A command line to its exit code: everything that happens goes through the io. */
export async function run(words: readonly string[], io: Io, inThread?: InThread): Promise<number> {
  let command = '';
  let known: Pick<GlobalValues, 'json' | 'debug' | 'color'> | undefined;
  try {
    if (words[0] === 'complete' && words[1] === '--') {
      await (await import('./complete.ts')).complete(words.slice(2), io);
      return EXIT.done;
    }
    const parsed = parseWords(words, commands);
    command = parsed.command?.name ?? '';
    if (parsed.version || parsed.help || !parsed.command) return await answer(parsed, io);
    const settings = settle(parsed.command, parsed, io, knownSettings(commands));
    const values = Object.fromEntries([...settings].map(([name, { value }]) => [name, value])) as Context['options'];
    known = values;
    if (values.printConfig) return await printConfig(parsed.command, settings, new Printer(io, values));
    if (parsed.command.heavy && inThread) return await inThread(words);
    return await perform(parsed.command, parsed, settings, values, io);
  } catch (error) {
    return tell(error, words, io, command, known);
  }
}

/** Says what went wrong, as it was asked for, and answers the exit code. */
export async function tell(
  error: unknown,
  words: readonly string[],
  io: Io,
  command: string = words[0],
  known?: Pick<GlobalValues, 'json' | 'debug' | 'color'>,
): Promise<number> {
  const asked = (name: string) => words.includes(`--${name}`);
  const { json, debug, color } = known ?? { json: asked('json'), debug: asked('debug'), color: 'auto' as const };
  const said = json
    ? `${problemJson(error, command, debug)}\n`
    : problemText(error, screenOf(io.stderr, io.env, color), debug);
  await io.stderr.write(said);
  return exitOf(error);
}

async function perform(
  command: Command,
  { args, words }: Parsed,
  settings: Settings,
  options: Context['options'],
  io: Io,
): Promise<number> {
  const progress = progressOf(io, options);
  const print = new Printer(io, options);
  try {
    return (
      (await command.run({ command: command.name, args, options, settings, words, io, print, progress })) ?? EXIT.done
    );
  } finally {
    progress.end();
  }
}

/** Help and version. */
async function answer({ command, help, version: asked }: Parsed, io: Io): Promise<number> {
  const screen = screenOf(io.stdout, io.env, 'auto');
  if (asked) await io.stdout.write(`${version()}\n`);
  else if (command) await io.stdout.write(commandHelp(command, help ?? 'short', screen));
  else if (help === 'full') await io.stdout.write(programHelp(commands, screen, version()));
  else await io.stdout.write(startText(commands, screen, version()));
  return EXIT.done;
}
