import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { writeAtomic } from '../../src/node/atomic-file.ts';

/** What a command said and how it ended. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The world of a command in a test. */
export interface World {
  readonly cwd: string;
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly env?: Readonly<Record<string, string>>;
  /** Which of the three streams are terminals. */
  readonly tty?: { readonly in?: boolean; readonly out?: boolean; readonly err?: boolean };
  readonly columns?: number;
}

/** Runs a command in this process, in a folder of its own. */
export async function polya(words: readonly string[], world: World): Promise<Said> {
  const said = { out: '', err: '' };
  const { cwd, env = {}, tty = {}, columns = 80, stdin = '' } = world;
  const io: Io = {
    env,
    cwd,
    stdin: { tty: tty.in ?? false, bytes: () => bytesOf(stdin) },
    stdout: { tty: tty.out ?? false, columns, write: (text) => void (said.out += text) },
    stderr: { tty: tty.err ?? false, columns, write: (text) => void (said.err += text) },
    save: (path, bytes) => writeAtomic(path, bytes),
    guard: () => () => undefined,
    onInterrupt: () => () => undefined,
  };
  return { code: await run(words, io), ...said };
}

async function* bytesOf(source: NonNullable<World['stdin']>): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') {
    if (source !== '') yield new TextEncoder().encode(source);
  } else if (source instanceof Uint8Array) yield source;
  else yield* source;
}

/** A new folder, and how to remove it. */
export function folder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'polya-cli-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Words of a line as a POSIX shell would part them: blanks, single and double quotes. */
export function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g), ([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}
