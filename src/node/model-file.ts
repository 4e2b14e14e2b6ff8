import { readFile } from 'node:fs/promises';
import { load } from '../auto/load.ts';
import type { SaveOptions } from '../core/artifact.ts';
import { inspectModel, type ModelCard } from '../core/card.ts';
import { requireLike, requireOptions } from '../data/arguments.ts';
import type { FittedModel } from '../estimators/fitted-model.ts';
import { writeAtomic } from './atomic-file.ts';
import { refuseFile } from './file.ts';

/** How a model is written. */
export interface WriteModelOptions extends SaveOptions {
  /** Whether an existing file is replaced; otherwise it is an error. Default: false. */
  readonly force?: boolean;
}

/** What `writeModel` needs from a model. */
export interface WritableModel {
  toBytes(options?: SaveOptions): Uint8Array;
}

/** Opens a model file of any kind, like `load`. The file is read once and copied at most once. */
export async function readModel<Kind extends object = FittedModel>(path: string | URL): Promise<Kind> {
  const { buffer, byteOffset, length } = await readFile(path).catch((error: unknown) => refuseFile(path, error));
  return load<Kind>(new Uint8Array(buffer, byteOffset, length));
}

/** Writes a model file atomically and returns its summary. */
export async function writeModel(
  path: string | URL,
  model: WritableModel,
  options: WriteModelOptions = {},
): Promise<ModelCard> {
  const known = ['force', 'slim', 'float32', 'provenance'];
  const { force = false, ...saving } = requireOptions('writeModel', known, options);
  const bytes = requireLike(model, 'a model', { toBytes: 'function' }).toBytes(saving);
  await writeAtomic(path, bytes, force);
  return inspectModel(bytes);
}
