import type { Label } from '../../data/labels.ts';
import type { PrequentialScores, StreamScores } from '../../evaluate/prequential.ts';
import type { Example } from '../model/served-model.ts';
import type { Learned, VersionEntry } from '../model-store.ts';

/** What a request does with examples. */
export type Verb = 'learn' | 'unlearn';

/** A version that is stored as a model file. */
export interface StoredFile {
  readonly version: number;
  readonly file: string;
  readonly bytes: number;
  readonly sum: number;
}

/** A version in the history of a model. */
export interface Past extends Omit<VersionEntry, 'kept' | 'at'> {
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** What the log knows of a model at a checkpoint. */
export interface ModelEntry {
  readonly name: string;
  /** No number up to this one is given to a version again, not even when the model was removed. */
  readonly highest: number;
  /** The latest version on stable storage; 0 for a model that was removed. */
  readonly version: number;
  /** Versions with a model file, oldest first. Records are applied on top of the last one. */
  readonly files: readonly StoredFile[];
  readonly history: readonly Past[];
}

/** An acknowledged request to learn or unlearn. */
export interface LearnRecord {
  readonly kind: Verb;
  readonly model: string;
  /** The version that it made. */
  readonly version: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly examples: readonly Example[];
  /** For a request with an idempotency key: the key, the hash of the body, and the answer. */
  readonly key?: string | undefined;
  readonly hash?: string | undefined;
  readonly answer?: SavedAnswer | undefined;
}

/** A model has a new file: a snapshot, or with `past` another model in its place. `files` are all that are kept. */
export interface FileRecord {
  readonly kind: 'file';
  readonly model: string;
  readonly files: readonly StoredFile[];
  readonly past?: Past | undefined;
}

/** A model was removed. */
export interface RemoveRecord {
  readonly kind: 'remove';
  readonly model: string;
  readonly highest: number;
}

/** The first record of every segment: all that the log before it says. */
export interface Checkpoint {
  readonly kind: 'checkpoint';
  readonly format: 2;
  readonly segment: number;
  /** The segment before it and where that ends: what is behind was never acknowledged. Null where the log begins. */
  readonly previous: { readonly segment: number; readonly end: number } | null;
  readonly models: readonly ModelEntry[];
  readonly keys: readonly SavedUse[];
}

/** A record of the log: the JSON of a frame. */
export type LogRecord = LearnRecord | FileRecord | RemoveRecord | Checkpoint;

/** What an idempotency key was used for. */
export interface KeyUse {
  readonly hash: string;
  readonly rows: number;
  readonly version: number;
  readonly answer: SavedAnswer | undefined;
}

/** A key, with the name of its model, and its use. */
export type SavedUse = readonly [name: string, use: KeyUse];

/** An answer as JSON has it: null in place of NaN. */
export interface SavedAnswer {
  readonly classes: readonly Label[];
  readonly prequential: SavedScores | null;
}

type SavedStream = { readonly [K in keyof StreamScores]: number | null };
type SavedScores = SavedStream & { readonly window: SavedStream; readonly fading: SavedStream };

/** Whether a payload is a learn or unlearn record, told without parsing it: `kind` is the first key of every record. */
export function isLearning(payload: Buffer): boolean {
  const first = payload[KIND_AT];
  return first === 0x6c || first === 0x75; // l(earn), u(nlearn)
}
const KIND_AT = '{"kind":"'.length;

/** The answer that a record keeps for repeats of its key. */
export function savedAnswer({ classes, prequential }: Pick<Learned, 'classes' | 'prequential'>): SavedAnswer {
  return { classes, prequential: JSON.parse(JSON.stringify(prequential)) as SavedScores | null };
}

/** The answer to a request whose key was used before. */
export function repeatedAnswer({ version, rows, answer }: KeyUse): Learned {
  const { classes = [], prequential = null } = answer ?? {};
  return { version, rows, classes, prequential: prequential && scoresFrom(prequential), repeated: true };
}

function scoresFrom({ window, fading, ...all }: SavedScores): PrequentialScores {
  return { ...streamFrom(all), window: streamFrom(window), fading: streamFrom(fading) };
}

function streamFrom({ n, accuracy, logLoss, kappa }: SavedStream): StreamScores {
  const number = (value: number | null) => value ?? Number.NaN;
  return { n: n ?? 0, accuracy: number(accuracy), logLoss: number(logLoss), kappa: number(kappa) };
}
