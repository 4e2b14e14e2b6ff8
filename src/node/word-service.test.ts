import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { makeVectorizer } from '../auto/learner-options.ts';
import { type Crew, offerThreads } from '../engines/workers.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { Random } from '../math/random.ts';
import { crewFor } from './count-words.ts';
import { countFile } from './counted-file.ts';
import { analyzerOptions } from './fit-text-file.ts';
import { isBegun, likelyTasks } from './likely-words.ts';
import { countAhead } from './word-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'polya-ahead-'));
afterAll(() => rmSync(folder, { recursive: true }));

const random = new Random(3);
const rows = Array.from({ length: 24_000 }, (_, i) => ({
  label: `c${i % 3}`,
  text: `${Array.from({ length: 60 }, () => `w${Math.floor(20_000 ** random.uniform())}`).join(' ')} own${i % 7}`,
}));
const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
const write = (name: string, content: readonly string[]) => {
  const path = join(folder, name);
  writeFileSync(path, content.join(''));
  return path;
};
const path = write('rows.jsonl', lines); // above 8 MB
const held = [...rows.keys()].filter((i) => i % 5 === 2);
const plan = {
  ...{ text: 'text', label: 'label', presence: false },
  analyzer: analyzerOptions(makeVectorizer({}) as CountVectorizer),
};

async function counted(file: string, crew: Crew) {
  try {
    const { words, rows: all, copies, hash, hold } = await countFile(file, rows.slice(0, 1), plan, crew);
    const { whole } = await hold(held).words();
    return { words: await words, all, copies, hash: await hash(), whole: whole() };
  } finally {
    crew.dismiss();
  }
}

/** A crew of this thread itself, which has begun with what was likely. */
async function crewAhead(file: string, presence = false): Promise<Crew> {
  const { port1, port2 } = new MessageChannel();
  offerThreads('word-worker', [port2]);
  countAhead(port1, file, { presence });
  await new Promise((later) => setTimeout(later, 30)); // some ranges are counted before anybody asks
  return crewFor(file, 2);
}

test('what is likely to be asked is what a command asks', () => {
  const columns = { columns: ['label', 'text'] };
  for (const roles of [{}, { text: 'text' }, { label: 'label' }, { text: 'text', label: 'label' }]) {
    const tasks = likelyTasks(path, { ...roles, presence: false })!;
    expect(isBegun(tasks, path, { ...plan, rows: columns })).toBe(true);
    expect(isBegun(tasks, path, { ...plan, rows: columns, presence: true })).toBe(false);
    expect(isBegun(tasks, `${path}2`, { ...plan, rows: columns })).toBe(false);
  }
  const likely = (line: string, roles = {}) => likelyTasks(write('x.jsonl', [line]), { presence: false, ...roles });
  expect(likely('{"a":1,"b":"two words"}\n')?.plan).toMatchObject({ text: 'b', label: 'a' });
  expect(likely('{"a":1,"b":"two words"}\n', { text: 'a' })?.plan).toMatchObject({ text: 'a', label: 'b' });
  expect(likely('{"a":1,"b":2,"c":3}\n', { text: 'c', label: 'a' })?.plan).toMatchObject({ text: 'c', label: 'a' });
  const unclear = [likely('{"a":1,"b":2,"c":3}\n'), likely('{"a":1,"b":2}\n', { text: 'c' }), likely('[1'), likely('')];
  expect(unclear).toEqual(Array(4).fill(undefined));
});

test('a thread that has begun ahead gives what one alone does, whether it guessed right or not', async () => {
  const alone = await counted(path, crewFor(path, 1));
  for (const presence of [false, true]) {
    const ahead = await counted(path, await crewAhead(path, presence));
    expect(
      Object.keys(ahead).filter((name) => !isDeepStrictEqual(Reflect.get(ahead, name), Reflect.get(alone, name))),
    ).toEqual([]);
  }
});

test('a thread that has begun ahead refuses a line when it is asked, and ends when it is not wanted', async () => {
  const broken = write('broken.jsonl', lines.with(5, 'no JSON\n'));
  await expect(counted(broken, await crewAhead(broken))).rejects.toMatchObject({ code: 'E_FORMAT' });
  const { port1, port2 } = new MessageChannel();
  offerThreads('word-worker', [port2]);
  const closed = new Promise((ended) => port1.on('close', ended));
  countAhead(port1, path, { presence: false });
  expect(crewFor(path, 1).size).toBe(0);
  await closed;
});
