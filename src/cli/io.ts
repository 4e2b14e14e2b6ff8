import { read, rmSync } from 'node:fs';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import type { Guard } from '../node/atomic-file.ts';
import { EXIT } from './problem.ts';

/** The environment of a command; tests provide their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: { readonly tty: boolean; bytes(): AsyncIterable<Uint8Array>; raw?(): () => void };
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Writes a file as a whole, from one or several parts: under another name first, then renamed. */
  save(path: string, bytes: Uint8Array | Iterable<Uint8Array>): Promise<void>;
  /** Removes a file or folder if the command is interrupted; the returned function cancels that. */
  readonly guard: Guard;
  /** Graceful stop: the first signal calls `stop` with its exit code, and `stop` returns the exit code to use. */
  onStop?(stop: ((code: number) => Promise<number>) | undefined): void;
  /** Runs a search among models, during which the first Ctrl-C makes `enough` true instead of ending the process. */
  choosing?<T>(work: (enough: () => boolean) => Promise<T>): Promise<T>;
  /** Ends the process without an error when the reader closes stdout. Other commands continue: they write a file or have an exit code. */
  endWithReader?(): void;
  /** Calls back on interruption; the returned function cancels that. */
  onInterrupt(cleanup: () => void): () => void;
}

/** An output stream; the promise of `write` resolves when it can take more. */
export interface Sink {
  readonly tty: boolean;
  readonly columns: number;
  write(text: string): void | Promise<void>;
}

/** The exit codes of the signals that end a command. */
const signals = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: 129 } as const;

/** The process as the environment of a command. */
export function processIo(): Io {
  const cleanups = new Set<() => void>();
  let stop: ((code: number) => Promise<number>) | undefined;
  let early: (() => void) | undefined;
  let ends = false;

  const end = (code: number): void => {
    const own = stop;
    stop = undefined;
    if (own) return void own(code).then((exit) => process.exit(exit));
    for (const cleanup of cleanups) cleanup();
    process.exit(code);
  };
  const handlers = Object.entries(signals).map(([signal, code]) => ({
    signal,
    on: false,
    handle: () => {
      if (signal !== 'SIGINT' || !early) return end(code);
      const own = early;
      early = undefined;
      own();
      listen();
    },
  }));
  /** Signals are handled only while there is something to clean up; otherwise they end the process at once. */
  const listen = (): void => {
    for (const handler of handlers) {
      const { signal, on, handle } = handler;
      const needed = cleanups.size > 0 || stop !== undefined || (early !== undefined && signal === 'SIGINT');
      if (needed === on) continue; // removing and adding a handler would miss a signal in between
      process[needed ? 'on' : 'off'](signal, handle);
      handler.on = needed;
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
    save: async (path, bytes) => (await import('../node/atomic-file.ts')).writeAtomic(path, bytes, true, guard),
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
        process.stderr.write('\nFinishing with the best models so far. Press Ctrl-C again to quit.\n');
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

/** Standard input as a stream. Reading the descriptor works in every thread. */
export async function* stdinBytes(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = new Uint8Array(CHUNK);
    const length = await readStdin(chunk);
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

/** Reads stdin; a non-blocking descriptor without data is polled. */
async function readStdin(chunk: Uint8Array): Promise<number> {
  for (;;) {
    try {
      return (await readAsync(0, chunk, 0, chunk.length, null)).bytesRead;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0; // how Windows ends a pipe
      if (code !== 'EAGAIN') throw error;
      await new Promise((ready) => setTimeout(ready, 10));
    }
  }
}

/** Handles the keys pressed on a terminal until q or Ctrl-C, which it returns; it waits forever where there are no more. */
export async function pressed({ stdin }: Io, press: (key: string) => void | Promise<void>): Promise<string> {
  const back = stdin.tty ? stdin.raw?.() : undefined;
  try {
    for await (const chunk of stdin.tty ? stdin.bytes() : []) {
      for (const key of new TextDecoder().decode(chunk)) {
        if (key === 'q' || key === '\u0003') return key;
        await press(key);
      }
    }
    return await new Promise(() => undefined);
  } finally {
    back?.();
  }
}

/** Turns raw mode on; the returned function turns it off. */
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
        stream.on('drain', go).on('close', go); // a closed pipe is never drained
      });
    },
  };
}
