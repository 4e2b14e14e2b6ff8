import { open } from 'node:fs/promises';
import { refuse } from '../../errors.ts';
import { serveModel } from '../model/served-model.ts';
import { Contents, StoredModel } from './contents.ts';
import { readFrames, SEAL_BYTES } from './frames.ts';
import { KeyTable } from './keys.ts';
import { segmentPath } from './log.ts';
import { readManifest, type Segment } from './manifest.ts';
import { ADVICE, ModelFiles } from './model-files.ts';
import type { KeysRecord, LearnRecord } from './records.ts';

/** How a store is recovered. */
interface RecoverOptions {
  /** How many idempotency keys are remembered. */
  readonly keys: number;
  /** The segments with their ends if these are known; otherwise a torn record at the end is dropped. */
  readonly segments?: readonly Segment[] | undefined;
  /** Models whose prequential scores go on. */
  readonly models?: ReadonlyMap<string, StoredModel> | undefined;
  /** Recovers one model alone, up to a version. */
  readonly only?: { readonly name: string; readonly version: number } | undefined;
  readonly onWarning: (text: string) => void;
}

/** Reads what is on stable storage: model files, and the records since. */
export async function recover(
  folder: string,
  options: RecoverOptions,
): Promise<{ readonly contents: Contents; readonly segments: readonly Segment[] }> {
  const { keys, only, models } = options;
  const files = new ModelFiles(folder);
  const manifest = await readManifest(folder);
  if (!manifest && (await files.names()).length > 0) {
    refuse('E_STORE_CORRUPT', `the manifest of the store is lost; ${ADVICE}`, {});
  }
  const contents = new Contents(new KeyTable(keys));
  for (const entry of manifest?.models ?? []) {
    const { name, highest, files: own } = entry;
    const latest = own.at(-1);
    if (only && only.name !== name) continue;
    if (latest) {
      const model = serveModel(await files.read(name, latest));
      contents.models.set(name, new StoredModel(entry, model, models?.get(name)?.scorer));
    } else contents.removed.set(name, highest);
  }
  const segments = await readRecords(folder, options.segments ?? manifest?.segments ?? [], options, (record) => {
    contents.keys.note(record);
    if (record.kind === 'keys' || (only && record.version > only.version)) return;
    const { kind, model, version, at, examples } = record;
    const own = contents.models.get(model);
    own?.note(kind, version, at, examples.length);
    own?.replay(record);
  });
  for (const own of contents.models.values()) own.finishReplay();
  return { contents, segments };
}

/** Calls `visit` with every record of segments, in order. Returns them with their ends. */
async function readRecords(
  folder: string,
  segments: readonly Segment[],
  { onWarning }: RecoverOptions,
  visit: (record: LearnRecord | KeysRecord) => void,
): Promise<Segment[]> {
  const found: Segment[] = [];
  for (const { number, end } of segments) {
    const bytes = await readSegment(segmentPath(folder, number), end);
    const { end: own, sealed } = readFrames(bytes, (payload, damaged) => {
      if (damaged === 0) visit(JSON.parse(payload.toString()) as LearnRecord | KeysRecord);
    });
    if (own <= SEAL_BYTES || (end === undefined ? sealed : own !== end)) {
      const sentence = `segment ${number} of the log is damaged at byte ${own}; ${ADVICE}`;
      refuse('E_STORE_CORRUPT', sentence, { segment: number, offset: own });
    }
    if (own < bytes.length) {
      onWarning(`the log ended in a record that was not written completely: ${bytes.length - own} bytes were dropped`);
    }
    found.push({ number, end: own });
  }
  return found;
}

/** The bytes of a segment up to an end; without one, what is read is synced first: the process may have died before it was. */
async function readSegment(path: string, end?: number): Promise<Buffer> {
  try {
    const handle = await open(path, end === undefined ? 'r+' : 'r');
    try {
      if (end === undefined) await handle.datasync();
      return (await handle.readFile()).subarray(0, end);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const isGone = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    return isGone
      ? refuse('E_STORE_CORRUPT', `a segment of the log is lost; ${ADVICE}`, {}, cause)
      : refuse('E_IO', 'the log of the store cannot be read', {}, cause);
  }
}
