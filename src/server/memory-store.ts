import { refuse } from '../errors.ts';
import { type ServedModel, serveModel } from './model/served-model.ts';
import {
  type Change,
  type ChangeOptions,
  ModelStore,
  type PutOptions,
  refuseVersion,
  requireVersion,
  type Served,
  type VersionEntry,
} from './model-store.ts';

interface Stored {
  served: Served;
  readonly history: Omit<VersionEntry, 'kept'>[];
  /** The bytes of earlier versions, for `rollback`. */
  readonly files: Map<number, Uint8Array>;
}

/** How many versions of a model can be rolled back to, their bytes together, and how many are listed. */
const [KEPT_VERSIONS, KEPT_BYTES, MAX_HISTORY] = [8, 64 * 2 ** 20, 1000];

/** Models in memory: they are uploaded, replaced and rolled back, learn only from a writer, and end with the process. */
export class MemoryStore extends ModelStore<Stored> {
  readonly state = 'no-learning';
  protected readonly models: Map<string, Stored> = new Map();

  constructor(models: ReadonlyMap<string, Uint8Array> = new Map()) {
    super();
    for (const [name, bytes] of models) this.enter(name, bytes, 'loaded');
  }

  async put(name: string, bytes: Uint8Array, { ifVersion, origin = 'uploaded' }: PutOptions = {}): Promise<Served> {
    requireVersion(this.get(name)?.version ?? 0, { ifVersion });
    return this.enter(name, bytes.slice(), origin);
  }

  async remove(name: string, options: ChangeOptions = {}): Promise<void> {
    requireVersion(this.find(name).version, options);
    this.models.delete(name);
    this.onChange?.({ kind: 'removed', name });
  }

  async learn(name: string): Promise<never> {
    this.stored(name);
    return refuse('E_CONFLICT', 'this server does not learn; start it with --learn', { model: name });
  }

  unlearn(name: string): Promise<never> {
    return this.learn(name);
  }

  snapshot(name: string): Promise<never> {
    return this.learn(name);
  }

  versions(name: string): readonly VersionEntry[] {
    const { history, files } = this.stored(name);
    return history.map((entry) => ({ ...entry, kept: files.has(entry.version) }));
  }

  async rollback(name: string, version: number, options: ChangeOptions = {}): Promise<Served> {
    requireVersion(this.find(name).version, options);
    return this.enter(name, await this.read(name, version), 'rolled back');
  }

  async read(name: string, version: number): Promise<Uint8Array> {
    const { files } = this.stored(name);
    return files.get(version) ?? refuseVersion(name, version, [...files.keys()]);
  }

  async close(): Promise<void> {
    this.models.clear();
  }

  /** Applies what a writer has made durable, in order; neighbours that teach one model at once. */
  apply(changes: readonly Change[]): void {
    for (let k = 0; k < changes.length; k++) {
      const change = changes[k];
      const { name } = change;
      if (change.kind === 'removed') this.models.delete(name);
      else if (change.kind === 'model') this.copy(name, change.version, serveModel(change.bytes));
      else {
        const served = this.get(name);
        if (!served || change.version <= served.version) continue; // the copy was made after it
        const examples = [...change.examples];
        let { version } = change;
        for (; change.kind === 'learn'; k++) {
          const next = changes[k + 1];
          if (next?.kind !== 'learn' || next.name !== name) break;
          for (const example of next.examples) examples.push(example);
          version = next.version;
        }
        served.model[change.kind](examples, false);
        this.copy(name, version, served.model);
      }
    }
  }

  private copy(name: string, version: number, model: ServedModel): void {
    this.models.set(name, { served: { name, version, model }, history: [], files: new Map() });
  }

  private enter(name: string, bytes: Uint8Array, origin: VersionEntry['origin']): Served {
    const model = serveModel(bytes);
    const before = this.models.get(name);
    const served = { name, version: (before?.served.version ?? 0) + 1, model };
    const { version } = served;
    const own: Stored = before ?? { served, history: [], files: new Map() };
    own.served = served;
    own.history.push({ version, origin, at: new Date().toISOString(), rows: 0 });
    if (own.history.length > MAX_HISTORY) own.history.shift();
    own.files.set(version, bytes);
    dropOld(own.files);
    this.models.set(name, own);
    this.onChange?.({ kind: 'model', name, version, bytes });
    return served;
  }
}

function dropOld(files: Map<number, Uint8Array>): void {
  let bytes = 0;
  for (const file of files.values()) bytes += file.length;
  for (const [version, file] of files) {
    if (files.size <= KEPT_VERSIONS && bytes <= KEPT_BYTES) return;
    files.delete(version);
    bytes -= file.length;
  }
}
