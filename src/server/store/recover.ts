import { PolyaError, refuse } from '../../errors.ts';
import type { Prequential } from '../../evaluate/prequential.ts';
import type { Example, ServedModel } from '../model/served-model.ts';
import { serveModel } from '../model/served-model.ts';
import { decodeBlock, linesOf, openJson } from './block.ts';
import type { Journal } from './journal.ts';
import { KeptModel } from './kept-model.ts';
import { KeyTable, type SavedUse } from './keys.ts';
import {
  emptyManifest,
  FIRST_BLOCK,
  KEYS,
  MANIFEST,
  type Manifest,
  type ModelEntry,
  readManifest,
} from './manifest.ts';
import { decodeRecord, type Record } from './record.ts';
import type { Shelf } from './shelf.ts';

/** All that is on stable storage. */
export interface Recovered {
  readonly models: Map<string, KeptModel>;
  /** Models that were removed, for their numbers. */
  readonly removed: Map<string, ModelEntry>;
  readonly keys: KeyTable;
  /** The number of the next block, and the checksum of the one before it. */
  readonly next: number;
  readonly before: number;
  /** The first block of the journal, and the checksums of those that are there. */
  readonly first: number;
  readonly sums: Map<number, number>;
  readonly bytes: number;
}

/** Blocks are read so many at a time. */
const AT_ONCE = 256;

/** Rows that were learned one by one are learned again so many at a time: sums do not mind, and it costs a third as much. */
const ROWS_AT_ONCE = 16_384;

/** The journal up to a version, learned by a model that has not learned it. */
export async function relearn(
  journal: Journal,
  own: KeptModel,
  blocks: readonly [number, number],
  version: number,
): Promise<void> {
  const learner = new Learner(own);
  for (const [number, bytes] of await journal.read(...blocks)) {
    for (const line of linesOf(bytes)) {
      const record = decodeRecord(line);
      if (record.model === own.served.name && record.version <= version) learner.take(record, number);
    }
  }
  learner.finish();
}

/** Reads what is on stable storage: files, and the records since. */
export async function recover(
  shelf: Shelf,
  journal: Journal,
  limits: { readonly keys: number; readonly judged?: ReadonlyMap<string, Prequential> },
): Promise<Recovered> {
  const head = new Map(await journal.read(0, FIRST_BLOCK));
  const end = (await journal.last()) + 1;
  const manifest = manifestOf(head.get(MANIFEST), end);
  const savedKeys = head.get(KEYS);
  const keys = new KeyTable(limits.keys, savedKeys ? (openJson(savedKeys, 'list of keys') as SavedUse[]) : []);
  const present = manifest.models.filter(({ removed, files }) => !removed && files.length > 0);
  const models = new Map<string, KeptModel>();
  for (const entry of present) {
    const model = serveModel(await shelf.read(entry.name, entry.files[entry.files.length - 1]));
    models.set(entry.name, new KeptModel(entry, model, limits.judged?.get(entry.name)));
  }
  const removed = new Map(manifest.models.filter((entry) => entry.removed).map((entry) => [entry.name, entry]));
  const blocks = await replay(journal, manifest, end, models, keys);
  return { models, removed, keys, first: manifest.first, ...blocks };
}

function manifestOf(bytes: Uint8Array | undefined, end: number): Manifest {
  if (bytes) return readManifest(openJson(bytes, 'list of models'));
  if (end <= FIRST_BLOCK) return emptyManifest;
  return refuse('E_STORE_CORRUPT', 'the store has lost its list of models; restore it from a backup');
}

/** Learns the records of the journal again, each once; whatever breaks the chain is refused. */
async function replay(
  journal: Journal,
  { first, before }: Manifest,
  end: number,
  models: ReadonlyMap<string, KeptModel>,
  keys: KeyTable,
): Promise<Pick<Recovered, 'next' | 'before' | 'sums' | 'bytes'>> {
  const next = Math.max(first, end);
  const learners = new Map(Array.from(models, ([name, own]) => [name, new Learner(own)]));
  const sums = new Map([[first - 1, before]]);
  let [sum, size] = [before, 0];
  for (let from = first; from < next; from += AT_ONCE) {
    const to = Math.min(next, from + AT_ONCE);
    const found = new Map(await journal.read(from, to));
    for (let number = from; number < to; number++) {
      const bytes = found.get(number) ?? new Uint8Array(0);
      const block = decodeBlock(bytes, number, sum);
      for (const record of block.lines.map(decodeRecord)) {
        keys.note(record);
        learners.get(record.model)?.take(record, number);
      }
      sum = block.sum;
      sums.set(number, sum);
      size += bytes.length;
    }
  }
  for (const learner of learners.values()) learner.finish();
  return { next, before: sum, sums, bytes: size };
}

/** Learns records that a file does not hold yet. */
class Learner {
  private readonly own: KeptModel;
  private readonly model: ServedModel;
  private readonly base: number;
  private waiting: Example[] = [];
  /** The last record whose examples wait. */
  private last: Record | undefined;
  private version: number;

  constructor(own: KeptModel) {
    this.own = own;
    this.model = own.served.model;
    this.base = own.base.version;
    this.version = own.base.version;
  }

  take(record: Record, block: number): void {
    if (record.version <= this.base) return;
    const { verb, examples, version, at } = record;
    if (verb === 'unlearn') {
      this.finish();
      this.relearn(verb, examples);
      this.own.note({ version, origin: 'unlearned', at, rows: examples.length });
    } else {
      for (const example of examples) this.waiting.push(example);
      this.last = record;
      if (this.waiting.length >= ROWS_AT_ONCE) this.finish();
    }
    this.own.noteBlock(block, version);
    this.version = version;
  }

  /** Learns what waits; the model is then at the version of the last record. */
  finish(): void {
    const { waiting, last, own } = this;
    if (last) {
      this.relearn('learn', waiting);
      own.note({ version: last.version, origin: 'learned', at: last.at, rows: waiting.length });
      this.waiting = [];
      this.last = undefined;
    }
    own.reach(this.version);
  }

  /** What was learned once is learned again; if not, the file and the records do not belong together. */
  private relearn(verb: 'learn' | 'unlearn', examples: readonly Example[]): void {
    try {
      this.model[verb](examples, false); // they were checked before they were acknowledged
    } catch (cause) {
      if (!(cause instanceof PolyaError)) throw cause;
      const { name } = this.own.served;
      const sentence = `the journal does not fit the model ${name}: ${cause.message}`;
      refuse('E_STORE_CORRUPT', sentence, { model: name, code: cause.code }, cause);
    }
  }
}
