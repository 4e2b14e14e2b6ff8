import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/server/store/index.ts';
import { wordsModel } from '../server/store/models.ts';
import { rowOf } from './rows.ts';

/** A store as its process left it when it died, and the model that it holds. */
export interface Left {
  readonly folder: string;
  readonly model: Uint8Array;
}

/** A store that has learned rows one by one, copied as it is while its owner lives. */
export async function leftBehind(folder: string, rows: number): Promise<Left> {
  const [alive, left] = [join(folder, 'alive'), join(folder, 'left')];
  const store = await openStore(alive, new Map([['mail', wordsModel()]]));
  for (let id = 0; id < rows; id++) await store.learn('mail', [rowOf(id)], { key: `k${id}` });
  const model = store.get('mail')!.model.toBytes();
  cpSync(alive, left, { recursive: true, filter: (file) => !file.endsWith('.sock') });
  await store.close();
  return { folder: left, model };
}

/** The last segment of the log of a store. */
export function lastSegment(folder: string): string {
  return join(folder, 'log', readdirSync(join(folder, 'log')).sort().at(-1)!);
}

/** Opens a copy of the store with another last segment: it is refused, or knows what it knew. Anything else is an error. */
export async function tryLog({ folder, model }: Left, log: Uint8Array, what: string): Promise<'refused' | 'same'> {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  writeFileSync(lastSegment(copy), log);
  try {
    const store = await openStore(copy);
    const known = store.get('mail')?.model.toBytes();
    await store.close();
    if (!known || Buffer.compare(known, model) !== 0) throw new Error(`${what}, and it was not noticed`);
    return 'same';
  } catch (error) {
    if ((error as { code?: string }).code !== 'E_STORE_CORRUPT') throw error;
    return 'refused';
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Changes one bit at each of some places, one after another. */
export async function flipBits(left: Left, places: (length: number) => Iterable<number>) {
  const whole = readFileSync(lastSegment(left.folder));
  const counts = { refused: 0, same: 0 };
  for (const at of places(whole.length)) {
    const damaged = Buffer.from(whole);
    damaged[at] ^= 1 << (at % 8);
    counts[await tryLog(left, damaged, `byte ${at} was changed`)]++;
  }
  return { bytes: whole.length, ...counts };
}
