import { read, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { EXIT } from './problem.ts';
import { type Guard, saveFile } from './save-file.ts';

/** Everything a command may touch of the world; tests bring their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: { readonly tty: boolean; bytes(): AsyncIterable<Uint8Array>; raw?(): () => void };
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Writes a file as a whole, from one or several parts: under another name first, then renamed. */
  save(path: string, bytes: Uint8Array | readonly Uint8Array[]): Promise<void>;
  /** Has a file or folder removed if the work is interrupted, until what it returns is called. */
  readonly guard: Guard;
  /** Lets running work end in its own way: the first signal calls `stop` with its exit code, and `stop` returns the exit code to use. */
  onStop?(stop: ((code: number) => Promise<number>) | undefined): void;
  /** Runs a choice among models: while it runs, the first Ctrl-C makes `enough` true instead of ending the process. */
  choosing?<T>(work: (enough: () => boolean) => Promise<T>): Promise<T>;
  /** Ends the process, without an error, once stdout is closed by its reader. Other commands go on: they have a file to write or an exit code. */
  endWithReader?(): void;
  /** Calls back when the work is interrupted, as long as it goes on. */
  onInterrupt(cleanup: () => void): () => void;
}

/** A stream to write to; what `write` returns is settled when more may come. */
export interface Sink {
  readonly tty: boolean;
  readonly columns: number;
  write(text: string): void | Promise<void>;
}

/** The exit codes of the signals that end a command. */
const signals = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: 129 } as const;

/** The process as the world of a command. */
export function processIo(): Io {
  const cleanups = new Set<() => void>();
  let stop: ((code: number) => Promise<number>) | undefined;
  let early: (() => void) | undefined;
  let ends = false;
  const listening = new Set<string>();

  const end = (code: number): void => {
    const own = stop;
    stop = undefined;
    if (own) return void own(code).then((exit) => process.exit(exit));
    for (const cleanup of cleanups) cleanup();
    process.exit(code);
  };
  const handlers = Object.entries(signals).map(([signal, code]) => {
    const handle = () => {
      if (signal !== 'SIGINT' || !early) return end(code);
      const own = early;
      early = undefined;
      own();
      listen();
    };
    return [signal, handle] as const;
  });
  /** A signal is handled only while something has to be done first; otherwise it ends the process at once, in the middle of any work. */
  const listen = (): void => {
    for (const [signal, handle] of handlers) {
      const needed = cleanups.size > 0 || stop !== undefined || (early !== undefined && signal === 'SIGINT');
      if (needed === listening.has(signal)) continue; // a handler that is taken away and put back misses a signal in between
      if (needed) process.on(signal, handle);
      else process.off(signal, handle);
      if (needed) listening.add(signal);
      else listening.delete(signal);
    }
  };
  const onInterrupt = (cleanup: () => void) => {
    cleanups.add(cleanup);
    listen();
    return () => {
      cleanups.delete(cleanup);
      listen();
    };
  };
  const guard: Guard = (file) => onInterrupt(() => rmSync(file, { recursive: true, force: true }));

  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') end(EXIT.io);
    else if (ends) end(EXIT.done);
  });
  process.stderr.on('error', () => undefined);
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: { tty: isatty(0), bytes: stdinBytes, raw: rawKeys },
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    save: (path, bytes) => saveFile(path, bytes, guard),
    guard,
    onInterrupt,
    onStop: (own) => {
      stop = own;
      listen();
    },
    choosing: async (work) => {
      let stopped = false;
      early = () => {
        stopped = true;
        process.stderr.write('\nFinishing with the best models so far. Press Ctrl-C again to stop.\n');
      };
      listen();
      try {
        return await work(() => stopped);
      } finally {
        early = undefined;
        listen();
      }
    },
    endWithReader: () => {
      ends = true;
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

/** The keys that are pressed on a terminal, one by one. */
export async function* keysOf({ stdin }: Io): AsyncGenerator<string> {
  const back = stdin.raw?.();
  try {
    for await (const chunk of stdin.bytes()) yield* new TextDecoder().decode(chunk);
  } finally {
    back?.();
  }
}

/** Lets every key through as it is pressed; returns what undoes it. */
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
        stream.on('drain', go).on('close', go); // a pipe whose reader has gone is never drained
      });
    },
  };
}
