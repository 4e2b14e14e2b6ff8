import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, PolyaError, refuse, show } from '../errors.ts';
import { nameOf, refuseFile } from './file.ts';

/**
 * Writes a file atomically: under another name in the same folder, synced, and then renamed. Concurrent readers get the
 * old file or the new one. Drafts of dead processes are removed.
 */
export async function writeAtomic(path: string | URL, bytes: Uint8Array, force: boolean): Promise<void> {
  const target = pathOf(path);
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}-${drafts++}.part`);
  try {
    if (!force) await requireFree(target);
    await writeDraft(draft, bytes);
    if (force) await rename(draft, target);
    else await giveName(draft, target);
    await settleFolder(dirname(target));
    await sweep(target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    if (error instanceof PolyaError) throw error;
    refuseWriting(target, error);
  }
}

let drafts = 0;

function pathOf(path: string | URL): string {
  try {
    if (path instanceof URL) return fileURLToPath(path);
  } catch (error) {
    return refuseFile(path, error);
  }
  return typeof path === 'string' ? path : refuse('E_PATH', `a path is a string or a URL, got ${show(path)}`);
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

async function requireFree(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (found) refuseTaken(path);
}

const refuseTaken = (path: string): never =>
  refuse('E_CONFLICT', `${show(nameOf(path))} already exists; pass force: true to replace it`, {
    file: nameOf(path),
  });

async function writeDraft(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Hard-links the draft to its final name, unless another writer was faster; on a file system without hard links,
 * renames it.
 */
async function giveName(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
    await rm(draft);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') refuseTaken(target);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    await rename(draft, target);
  }
}

/** A new name is durable once its folder is synced; some systems cannot open or sync folders. */
export async function settleFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Removes drafts of a file, from `writeAtomic` and the command line, whose process is gone. */
export async function sweep(target: string): Promise<void> {
  const start = `.${basename(target)}.`;
  for (const name of await readdir(dirname(target))) {
    const [, process] = (name.startsWith(start) && /^(\d+)(?:-\d+\.part|\.tmp)$/.exec(name.slice(start.length))) || [];
    if (process && !isAlive(Number(process))) await rm(join(dirname(target), name), { force: true });
  }
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

const failures: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['E_DISK_FULL', 'cannot be written: the disk is full'],
  EDQUOT: ['E_DISK_FULL', 'cannot be written: the disk quota is used up'],
  ENOENT: ['E_PATH', 'cannot be written: its folder does not exist'],
  EACCES: ['E_PATH', 'may not be written'],
  EPERM: ['E_PATH', 'may not be written'],
  EROFS: ['E_PATH', 'may not be written'],
};

/** Throws an error for a system error while writing a file. */
function refuseWriting(path: string, error: unknown): never {
  const reason = codeOf(error);
  if (!Object.hasOwn(failures, reason) && !reason.startsWith('E')) refuseFile(path, error);
  const [code, sentence] = failures[reason] ?? ['E_IO', `could not be written (${reason})`];
  refuse(code, `${show(nameOf(path))} ${sentence}`, { file: nameOf(path), reason }, error);
}
