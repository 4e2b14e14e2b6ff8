import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse, show } from '../errors.ts';
import { writeAtomic } from '../node/atomic-file.ts';
import type { PartitionStore, StoredPartition } from './partitions.ts';

const INDEX = 'partitions.json';

/** The file name of a partition: its value may be any text, and each version is a separate file. */
const fileOf = ({ value, version }: StoredPartition): string =>
  `${createHash('sha256')
    .update(JSON.stringify([value, version]))
    .digest('hex')
    .slice(0, 32)}.polya`;

/**
 * A folder with a model file for each partition and an index. The index is replaced last, so an interrupted fit leaves
 * the previous state.
 */
export function partitionFolder(path: string): PartitionStore {
  return {
    async list() {
      const text = await readFile(join(path, INDEX), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return text === undefined ? undefined : readIndex(text, path);
    },
    read: (partition) => readFile(join(path, fileOf(partition))),
    async write(partition, bytes) {
      await mkdir(path, { recursive: true });
      await writeAtomic(join(path, fileOf(partition)), bytes);
    },
    async commit(settings, partitions) {
      await mkdir(path, { recursive: true });
      const index = JSON.stringify({ format: 1, settings, partitions }, null, 1);
      await writeAtomic(join(path, INDEX), new TextEncoder().encode(index));
      const kept = new Set(partitions.map(fileOf));
      const files = (await readdir(path)).filter((name) => /^[0-9a-f]{32}\.polya$/.test(name) && !kept.has(name));
      for (const name of files) await rm(join(path, name), { force: true });
    },
  };
}

function readIndex(text: string, path: string): { settings: string; partitions: readonly StoredPartition[] } {
  const damaged = (cause?: unknown) =>
    refuse('E_FORMAT', `${show(join(path, INDEX))} is not an index of partitions`, { file: INDEX }, cause);
  let found: { format?: unknown; settings?: unknown; partitions?: unknown };
  try {
    found = JSON.parse(text);
  } catch (error) {
    return damaged(error);
  }
  const { format, settings, partitions } = found;
  if (format !== 1 || typeof settings !== 'string' || !Array.isArray(partitions)) return damaged();
  const isPartition = ({ value, rows, version }: Partial<StoredPartition>) =>
    typeof value === 'string' && typeof rows === 'number' && typeof version === 'string';
  return partitions.every(isPartition) ? { settings, partitions } : damaged();
}
