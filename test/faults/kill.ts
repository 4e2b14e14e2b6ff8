import { openStore } from '../../src/server/store/index.ts';
import { wordsModel } from '../server/store/models.ts';
import { requireLaw } from './law.ts';
import { sleep, startWriter } from './processes.ts';
import { nothingSaid, type Said } from './rows.ts';

/** What rounds of a fault have shown. */
export interface Shown {
  readonly rounds: number;
  readonly tried: number;
  readonly acknowledged: number;
  /** How many of them were unlearned again. */
  readonly unlearned: number;
  readonly recovered: number;
  /** Rows that were recovered but not acknowledged: they were sent, and each is there once. */
  readonly untold: number;
}

/** An empty store with one model. */
export async function newStore(folder: string): Promise<void> {
  await (await openStore(folder, new Map([['mail', wordsModel()]]))).close();
}

/**
 * Kills a writer with SIGKILL again and again, at random moments from its start to far into its load, and opens the store after
 * every death. Rows that were not acknowledged are tried again in the next round, with their keys.
 */
export async function killRounds(
  folder: string,
  writer: string,
  rounds: number,
  { connections = 16, longest = 600, random = Math.random } = {},
): Promise<Shown> {
  await newStore(folder);
  const said = nothingSaid();
  let known = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const again = [...said.tried].filter((id) => !said.learned.has(id) && !said.forgetting.has(id)).slice(-200);
    const from = Math.max(0, ...said.tried) + 1;
    const running = startWriter([writer, folder, String(connections), String(from), again.join(',')], said);
    if (round % 5 !== 0) await running.waitFor(round % 2 ? 'learned' : 'ready'); // every fifth may die while it recovers
    await sleep(random() * longest);
    running.kill();
    await running.ended;
    known = await requireLaw(folder, said);
  }
  return shown(rounds, said, known);
}

export function shown(rounds: number, said: Said, known: ReadonlySet<number>): Shown {
  const untold = [...known].filter((id) => !said.learned.has(id)).length;
  const [tried, acknowledged, unlearned] = [said.tried, said.learned, said.forgotten].map(({ size }) => size);
  return { rounds, tried, acknowledged, unlearned, recovered: known.size, untold };
}
