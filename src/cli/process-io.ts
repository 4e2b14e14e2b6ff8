import { read, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import type { Io, Sink } from './io.ts';
import { type Guard, saveFile } from './save-file.ts';

/** How a process is ended. */
export interface ProcessEnd {
  /** Runs what was to be done when the work is interrupted. */
  readonly interrupt: () => void;
  /** The way in which the work wants to end, where it has one; it is asked once. */
  readonly takeStop: () => (() => Promise<number>) | undefined;
  /** What the first Ctrl-C does instead of ending the process. */
  early?: (() => void) | undefined;
}

/** The process as the world of a command. */
export function processIo(): Io & ProcessEnd {
  const cleanups = new Set<() => void>();
  let ending: (() => Promise<number>) | undefined;
  const onInterrupt = (cleanup: () => void) => {
    cleanups.add(cleanup);
    return () => cleanups.delete(cleanup);
  };
  const guard: Guard = (file) => onInterrupt(() => rmSync(file, { force: true }));
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: { tty: isatty(0), bytes: stdinBytes, raw: rawKeys },
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    save: (path, bytes) => saveFile(path, bytes, guard),
    guard,
    onInterrupt,
    onStop: (stop) => {
      ending = stop;
    },
    takeStop: () => {
      const own = ending;
      ending = undefined;
      return own;
    },
    interrupt: () => {
      for (const cleanup of cleanups) cleanup();
    },
  };
}

const CHUNK = 1 << 16;
const readAsync = promisify(read);

/** Standard input as it comes. The descriptor itself is read, which works alike in every thread. */
export async function* stdinBytes(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = new Uint8Array(CHUNK);
    const length = await readStdin(chunk);
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

/** Whoever opened the descriptor may have asked it not to wait; then there is nothing yet, and it is asked again. */
async function readStdin(chunk: Uint8Array): Promise<number> {
  for (;;) {
    try {
      return (await readAsync(0, chunk, 0, chunk.length, null)).bytesRead;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0; // how Windows ends a pipe
      if (code !== 'EAGAIN') throw error;
      await wait(10);
    }
  }
}

/** Lets every key through as it is pressed; answers with the way back. */
function rawKeys(): () => void {
  process.stdin.setRawMode(true);
  return () => process.stdin.setRawMode(false);
}

const USUAL_COLUMNS = 80;

function sinkOf(stream: NodeJS.WriteStream): Sink {
  return {
    tty: stream.isTTY === true,
    columns: stream.columns || Number(process.env.COLUMNS) || USUAL_COLUMNS,
    write(text) {
      if (stream.destroyed || stream.write(text)) return;
      return new Promise((ready) => {
        const go = () => {
          stream.off('drain', go).off('close', go);
          ready();
        };
        stream.on('drain', go).on('close', go); // nobody drains a pipe whose reader has gone
      });
    },
  };
}
