import { refuse, show } from '../errors.ts';
import { serveModel } from './model/served-model.ts';
import type { Learned, LearnOptions, ModelStore, PutOptions, Served, VersionEntry } from './model-store.ts';

interface Kept {
  served: Served;
  readonly history: VersionEntry[];
  /** The bytes of earlier versions, for `rollback`. */
  readonly files: Map<number, Uint8Array>;
}

/** How many versions of a model can be gone back to, and how many bytes they may have together. */
const KEPT_VERSIONS = 8;
const KEPT_BYTES = 64 * 2 ** 20;

/** Models in memory: they are uploaded, swapped and rolled back, learn nothing, and are forgotten with the process. */
export class MemoryStore implements ModelStore {
  readonly state = 'no-learning';
  onChange: ModelStore['onChange'];
  private readonly models = new Map<string, Kept>();
  private readonly now: () => Date;

  constructor(models: ReadonlyMap<string, Uint8Array> = new Map(), now: () => Date = () => new Date()) {
    this.now = now;
    for (const [name, bytes] of models) this.enter(name, bytes, 'loaded');
  }

  list(): readonly Served[] {
    return Array.from(this.models.values(), ({ served }) => served).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): Served | undefined {
    return this.models.get(name)?.served;
  }

  async put(name: string, bytes: Uint8Array, { ifVersion, origin = 'uploaded' }: PutOptions = {}): Promise<Served> {
    requireVersion(this.get(name)?.version ?? 0, ifVersion);
    return this.enter(name, bytes.slice(), origin);
  }

  async remove(name: string, { ifVersion }: Pick<LearnOptions, 'ifVersion'> = {}): Promise<void> {
    requireVersion(this.kept(name).served.version, ifVersion);
    this.models.delete(name);
    this.onChange?.({ kind: 'removed', name });
  }

  async learn(name: string): Promise<Learned> {
    this.kept(name);
    return refuse('E_CONFLICT', 'this server does not learn; start it with --learn', { model: name });
  }

  async unlearn(name: string): Promise<Learned> {
    return this.learn(name);
  }

  versions(name: string): readonly VersionEntry[] {
    const { history, files } = this.kept(name);
    return history.map((entry) => ({ ...entry, kept: files.has(entry.version) }));
  }

  async snapshot(name: string): Promise<{ version: number; bytes: number }> {
    this.kept(name);
    return refuse('E_CONFLICT', 'this server keeps no journal to write a snapshot to; start it with --learn', {
      model: name,
    });
  }

  async rollback(name: string, version: number, { ifVersion }: Pick<LearnOptions, 'ifVersion'> = {}): Promise<Served> {
    requireVersion(this.kept(name).served.version, ifVersion);
    return this.enter(name, await this.read(name, version), 'rolled back');
  }

  async read(name: string, version: number): Promise<Uint8Array> {
    const { files } = this.kept(name);
    return files.get(version) ?? refuseVersion(name, version, [...files.keys()]);
  }

  async close(): Promise<void> {
    this.models.clear();
  }

  private kept(name: string): Kept {
    return this.models.get(name) ?? refuse('E_NOT_FOUND', `there is no model ${show(name)}`, { model: name });
  }

  private enter(name: string, bytes: Uint8Array, origin: VersionEntry['origin']): Served {
    const model = serveModel(bytes);
    const before = this.models.get(name);
    const version = (before?.served.version ?? 0) + 1;
    const served: Served = { name, version, model };
    const own = before ?? { served, history: [], files: new Map<number, Uint8Array>() };
    own.served = served;
    own.history.push({ version, origin, at: this.now().toISOString(), rows: 0, kept: true });
    if (own.history.length > 1000) own.history.shift();
    own.files.set(version, bytes);
    forgetOld(own.files);
    this.models.set(name, own);
    this.onChange?.({ kind: 'model', name, version, bytes });
    return served;
  }
}

function forgetOld(files: Map<number, Uint8Array>): void {
  let bytes = 0;
  for (const file of files.values()) bytes += file.length;
  for (const [version, file] of files) {
    if (files.size <= KEPT_VERSIONS && bytes <= KEPT_BYTES) return;
    files.delete(version);
    bytes -= file.length;
  }
}

/** Refuses a version that is not kept any more. */
export function refuseVersion(name: string, version: number, kept: readonly number[]): never {
  const sentence = `version ${version} of ${name} is not kept; these are: ${kept.join(', ')}`;
  return refuse('E_NOT_FOUND', sentence, { model: name, version });
}

/** Refuses a change that was meant for another version. */
export function requireVersion(version: number, expected: number | undefined): void {
  if (expected === undefined || expected === version) return;
  refuse('E_CONFLICT', `the change was meant for version ${expected}, but the model is at version ${version}`, {
    expected,
    actual: version,
  });
}
