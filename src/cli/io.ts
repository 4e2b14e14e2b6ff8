import type { Guard } from './save-file.ts';

/** Everything a command may touch of the world; tests and threads bring their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: { readonly tty: boolean; bytes(): AsyncIterable<Uint8Array>; raw?(): () => void };
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Writes a file as a whole, from one or several parts: under another name first, then renamed. */
  save(path: string, bytes: Uint8Array | readonly Uint8Array[]): Promise<void>;
  /** Has a file removed if the work is interrupted, until what it returns is called. */
  readonly guard: Guard;
  /** Lets work that goes on end in its own way: asked by the first signal, it answers with the exit code. */
  onStop?(stop: () => Promise<number>): void;
  /** Lets the user end a choice early: while `work` runs, the first Ctrl-C makes `enough` true instead of ending the process. */
  choosing?<T>(work: (enough: () => boolean) => T): T;
  /** Calls back when the work is interrupted, as long as it goes on. */
  onInterrupt(cleanup: () => void): () => void;
}

/** A stream to write to; what `write` returns is settled when more may come. */
export interface Sink {
  readonly tty: boolean;
  readonly columns: number;
  write(text: string): void | Promise<void>;
}
