import { refuse } from '../errors.ts';
import { serveModel } from './model/served-model.ts';
import { ModelStore, type VersionFiles } from './model-store.ts';
import type { Change, StoredFile } from './store/records.ts';

/** How many versions of a model can be rolled back to, and their bytes together. */
const [KEPT_VERSIONS, KEPT_BYTES] = [8, 64 * 2 ** 20];

/** Versions in memory. */
class MemoryFiles implements VersionFiles {
  private readonly contents = new WeakMap<StoredFile, Uint8Array>();

  /** A version; `write` of the interface, at once. */
  add(version: number, parts: readonly Uint8Array[]): StoredFile {
    const content = Buffer.concat(parts);
    const file = { version, file: '', bytes: content.length, sum: 0 };
    this.contents.set(file, content);
    return file;
  }

  async write(_: string, version: number, parts: readonly Uint8Array[]): Promise<StoredFile> {
    return this.add(version, parts);
  }

  async read(_: string, file: StoredFile): Promise<Uint8Array> {
    return this.contents.get(file)!; // it is one of those that `write` returned
  }

  async remove(): Promise<void> {}

  keep(files: readonly StoredFile[]): readonly StoredFile[] {
    let bytes = 0;
    const isKept = (file: StoredFile, i: number) => {
      bytes += file.bytes;
      return i === 0 || (i < KEPT_VERSIONS && bytes <= KEPT_BYTES);
    };
    return files.toReversed().filter(isKept).reverse();
  }
}

/** Models in memory: they are uploaded, replaced and rolled back, learn only from a writer, and end with the process. */
export class MemoryStore extends ModelStore {
  readonly state = 'no-learning';

  constructor(models: ReadonlyMap<string, Uint8Array> = new Map()) {
    const files = new MemoryFiles();
    super(files);
    for (const [model, bytes] of models) {
      const past = { version: 1, origin: 'loaded', at: Date.now(), rows: 0 } as const;
      this.place(model, serveModel(bytes), 1).setFiles([files.add(1, [bytes])], past);
    }
  }

  async learn(name: string): Promise<never> {
    this.contents.find(name);
    return refuse('E_CONFLICT', 'this server does not learn; start it with --learn', { model: name });
  }

  unlearn(name: string): Promise<never> {
    return this.learn(name);
  }

  snapshot(name: string): Promise<never> {
    return this.learn(name);
  }

  async close(): Promise<void> {
    this.contents.models.clear();
  }

  /** Applies what a writer has made durable, in order. */
  apply(changes: readonly Change[]): void {
    const { models } = this.contents;
    for (const change of changes) {
      const { model: name } = change;
      if (change.kind === 'learn' || change.kind === 'unlearn') {
        models.get(name)?.replay(change);
        continue;
      }
      models.delete(name); // with rows that were not applied to it yet
      if (change.kind === 'model') this.place(name, serveModel(change.bytes), change.version);
    }
    for (const own of models.values()) own.finishReplay();
  }
}
