import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from './io.ts';

/** A folder that is made when it is first needed, and removed when the command ends or is interrupted. */
export class TemporaryFolder {
  private readonly io: Io;
  private made: Promise<{ readonly path: string; readonly forget: () => void }> | undefined;

  constructor(io: Io) {
    this.io = io;
  }

  readonly path = async (): Promise<string> => {
    this.made ??= mkdtemp(join(tmpdir(), 'polya-')).then((path) => ({ path, forget: this.io.guard(path) }));
    return (await this.made).path;
  };

  async remove(): Promise<void> {
    const made = await this.made;
    if (!made) return;
    await rm(made.path, { recursive: true, force: true });
    made.forget();
  }
}
