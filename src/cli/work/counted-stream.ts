import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DataRow } from '../../auto/cells.ts';
import { Classifier } from '../../auto/classifier.ts';
import { PolyaError } from '../../errors.ts';
import { countLevels } from '../../node/fit-table-file.ts';
import type { Fit } from '../commands/fit.ts';
import { openRows } from '../data.ts';
import { texts } from '../texts/index.ts';
import { learnOptions } from './options.ts';

/** A model whose rows were counted as bytes, and how many they were. */
export interface CountedStream {
  readonly model: Classifier;
  readonly rows: number;
}

/** From this size on it pays to count bytes instead of reading rows. */
const LEAST_BYTES = 1 << 20;

/**
 * A model of levels, learned from a table of text whose cells are counted as bytes on several threads; nothing where rows have to be
 * read instead. The first rows tell what columns are, as ever, and whatever is wrong with the file is left to who reads rows.
 */
export async function countStream(context: Fit, target: string): Promise<CountedStream | undefined> {
  const { options, args, progress } = context;
  const path = countablePath(context);
  if (path === undefined) return undefined;
  const source = await openRows(context, args);
  const { columns } = source;
  let rows = 0;
  const count = async () => {
    const onProgress = (bytes: number, total: number) =>
      progress.step(texts.phases.reading(), { share: bytes / total, bytes });
    const { threads } = options;
    const place = columns.indexOf(target);
    const counts = await countLevels(path, source.first, place, { onProgress, ...(threads && { threads }) });
    rows = counts?.rows ?? 0;
    return counts;
  };
  try {
    const names = columns.filter((name) => name !== target);
    const model = await Classifier.fitStreamCounted(
      await firstRows(source),
      names,
      { ...learnOptions(context), target },
      count,
    );
    return model && { model, rows };
  } catch (error) {
    if (error instanceof PolyaError) return undefined;
    throw error;
  } finally {
    progress.end();
  }
}

async function firstRows(source: Awaited<ReturnType<typeof openRows>>): Promise<readonly DataRow[]> {
  for await (const { rows } of source.chunks()) return rows;
  return [];
}

function countablePath({ options, args: [name, ...more], io }: Fit): string | undefined {
  const plain =
    options.model === 'categorical' &&
    options.weights === undefined &&
    options.maxRows === undefined &&
    options.where.length + options.maxBadRows === 0 &&
    options.encoding === 'utf-8' &&
    options.decimal !== 'comma';
  if (!plain || name === '-' || more.length > 0) return undefined;
  const path = resolve(io.cwd, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size >= LEAST_BYTES ? path : undefined;
}
