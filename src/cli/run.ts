import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, Context, GlobalValues } from './declare.ts';
import { commandHelp, programHelp, startText } from './help.ts';
import type { Io } from './io.ts';
import { type Parsed, parseWords } from './parse.ts';
import { Printer, printConfig, screenOf } from './print.ts';
import { EXIT, exitOf, problemJson, problemText } from './problem.ts';
import { progressOf } from './progress.ts';
import { type Settings, settle } from './settings.ts';
import { version } from './version.ts';

/** Runs a command line and returns its exit code; all input and output goes through `io`. */
export async function run(words: readonly string[], io: Io): Promise<number> {
  let command = words[0];
  let known: Pick<GlobalValues, 'json' | 'debug' | 'color'> | undefined;
  try {
    if (words[0] === 'complete' && words[1] === '--') {
      await (await import('./complete.ts')).complete(words.slice(2), io);
      return EXIT.done;
    }
    const parsed = await parseWords(words);
    command = parsed.command?.name ?? '';
    if (parsed.version || parsed.help || !parsed.command) return await answer(parsed, io);
    const settings = await settle(parsed.command, parsed, io);
    const values = Object.fromEntries([...settings].map(([name, { value }]) => [name, value])) as Context['options'];
    known = values;
    if (values.printConfig) return await printConfig(parsed.command, settings, new Printer(io, values));
    return await perform(parsed.command, parsed, settings, values, io);
  } catch (error) {
    const asked = (name: string) => words.includes(`--${name}`);
    const { json, debug, color } = known ?? { json: asked('json'), debug: asked('debug'), color: 'auto' as const };
    const text = problemText(error, screenOf(io.stderr, io.env, color), debug);
    await io.stderr.write(json ? `${problemJson(error, command, debug)}\n` : text);
    return exitOf(error);
  }
}

async function perform(
  command: Command,
  { args, words }: Parsed,
  settings: Settings,
  options: Context['options'],
  given: Io,
): Promise<number> {
  const progress = progressOf(given, options);
  const io = { ...given, stdout: progress.over(given.stdout), stderr: progress.over(given.stderr) };
  const print = new Printer(io, options);
  const folder = new TemporaryFolder(io);
  try {
    const own = { command: command.name, args, options, settings, words };
    return (await command.run({ ...own, io, print, progress, temporary: async () => folder.path() })) ?? EXIT.done;
  } finally {
    progress.close();
    folder.remove();
  }
}

/** Help and version. */
async function answer({ command, help, version: asked }: Parsed, io: Io): Promise<number> {
  const screen = screenOf(io.stdout, io.env, 'auto');
  if (asked) await io.stdout.write(`${version()}\n`);
  else if (command) await io.stdout.write(commandHelp(command, help ?? 'short', screen));
  else if (help === 'full') await io.stdout.write(programHelp(screen));
  else await io.stdout.write(startText(screen));
  return EXIT.done;
}

/** A temporary folder, created on first use, and removed when the command ends or is interrupted. */
class TemporaryFolder {
  private readonly io: Io;
  private made: { readonly path: string; readonly forget: () => void } | undefined;

  constructor(io: Io) {
    this.io = io;
  }

  readonly path = (): string => {
    if (!this.made) {
      const path = mkdtempSync(join(tmpdir(), 'polya-'));
      this.made = { path, forget: this.io.guard(path) };
    }
    return this.made.path;
  };

  remove(): void {
    if (!this.made) return;
    rmSync(this.made.path, { recursive: true, force: true });
    this.made.forget();
  }
}
