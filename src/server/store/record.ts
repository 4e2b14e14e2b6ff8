import type { Label } from '../../data/labels.ts';
import { refuse } from '../../errors.ts';
import type { PrequentialScores, StreamScores } from '../../evaluate/prequential.ts';
import type { Example } from '../model/served-model.ts';
import type { Learned } from '../model-store.ts';

/** What was done with examples. */
export type Verb = 'learn' | 'unlearn';

/** One acknowledged request, as the journal keeps it. An unlearning says so by its verb. */
export interface Record {
  readonly model: string;
  /** The version that it made. */
  readonly version: number;
  readonly verb: Verb;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly examples: readonly Example[];
  /** Of a request that came with a key: the key, what was asked, and what was answered. */
  readonly key?: string | undefined;
  readonly hash?: string | undefined;
  readonly answer?: SavedAnswer | undefined;
}

/** An answer as JSON has it: what is no number is null. */
export interface SavedAnswer {
  readonly classes: readonly Label[];
  readonly prequential: SavedScores | null;
}

type SavedStream = { readonly [K in keyof StreamScores]: number | null };
type SavedScores = SavedStream & { readonly window: SavedStream; readonly fading: SavedStream };

/** A record as a line of the journal; `json` is what `JSON.stringify` says of the examples, where that is known. */
export function encodeRecord(record: Record, json?: string): string {
  const { model, version, verb, at, key } = record;
  if (json === undefined || key !== undefined || record.hash !== undefined) return JSON.stringify(record);
  return `{"model":"${model}","version":${version},"verb":"${verb}","at":${at},"examples":${json}}`; // names are plain letters
}

/** The inverse of `encodeRecord`, for a line whose checksum was right. */
export function decodeRecord(line: string): Record {
  const record = JSON.parse(line) as Record;
  if (record.verb === 'learn' || record.verb === 'unlearn') return record;
  return refuse(
    'E_STORE_CORRUPT',
    'the journal holds a record of an unknown kind; a later version may have written it',
  );
}

/** The answer that a record keeps for repeats of its key. */
export function savedAnswer({ classes, prequential }: Pick<Learned, 'classes' | 'prequential'>): SavedAnswer {
  return { classes, prequential: JSON.parse(JSON.stringify(prequential)) as SavedScores | null };
}

/** The answer to a request whose key was used before. */
export function repeatedAnswer(record: Pick<Record, 'version' | 'answer'>, rows: number): Learned {
  const { classes = [], prequential = null } = record.answer ?? {};
  return {
    version: record.version,
    rows,
    classes,
    prequential: prequential && scoresFrom(prequential),
    repeated: true,
  };
}

function scoresFrom({ window, fading, ...all }: SavedScores): PrequentialScores {
  return { ...streamFrom(all), window: streamFrom(window), fading: streamFrom(fading) };
}

function streamFrom(saved: SavedStream): StreamScores {
  const number = (value: number | null) => value ?? Number.NaN;
  return {
    n: saved.n ?? 0,
    accuracy: number(saved.accuracy),
    logLoss: number(saved.logLoss),
    kappa: number(saved.kappa),
  };
}
