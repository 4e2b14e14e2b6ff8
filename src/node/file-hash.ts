import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { refuseFile } from './file.ts';

/** So many bytes are read at once: as much as stays in the cache of a core. */
export const HASHED_AT_ONCE = 1 << 17;

/** The SHA-256 of a file, a piece at a time: for a thread that has nothing better to do just now. */
export class FileHash {
  readonly path: string;
  private readonly hash = createHash('sha256');
  private readonly chunk = new Uint8Array(HASHED_AT_ONCE);
  private file: number | undefined;
  private digest: string | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Reads on and tells whether anything is left. */
  step(): boolean {
    if (this.digest !== undefined) return false;
    try {
      this.file ??= openSync(this.path, 'r');
      const read = readSync(this.file, this.chunk);
      if (read > 0) this.hash.update(this.chunk.subarray(0, read));
      else this.end(this.file);
    } catch (error) {
      if (this.file !== undefined) closeSync(this.file);
      refuseFile(this.path, error);
    }
    return this.digest === undefined;
  }

  /** Reads what is left. */
  finish(): string {
    while (this.step());
    return this.digest!;
  }

  private end(file: number): void {
    closeSync(file);
    this.digest = this.hash.digest('hex');
  }
}
