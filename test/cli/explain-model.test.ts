import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const run = (...words: string[]) => polya([...words, '-q'], { cwd: path, columns: 80 });

const CLASSES = 20;
const common = Array.from({ length: 60 }, (_, k) => `the${k}`);

/** Texts of twenty topics with a large vocabulary: words that all share, words of the topic, and words that occur once. */
function topicTexts(rows: number, seed: number): string {
  const random = new Random(seed);
  const lines = Array.from({ length: rows }, (_, i) => {
    const c = i % CLASSES;
    const words = Array.from({ length: 30 }, () => common[random.integer(common.length)]);
    for (let k = 0; k < 4; k++) words.push(`topic${c}word${random.integer(5)}`);
    for (let k = 0; k < 12; k++) words.push(`rare${seed}x${i}x${k}`);
    return JSON.stringify({ text: words.join(' '), label: `topic${c}` });
  });
  return lines.join('\n');
}

beforeAll(async () => {
  writeFileSync(join(path, 'train.jsonl'), topicTexts(200, 1));
  writeFileSync(join(path, 'test.jsonl'), topicTexts(1000, 2));
  const learn = (model: string) =>
    run('fit', 'train.jsonl', '--model', model, '--holdout', '0', '-o', `${model}.polya`);
  expect((await learn('auto')).code + (await learn('multinomial')).code).toBe(0);
});

test.each(['auto', 'multinomial'])('without a row, the words that each class goes by are listed: %s', async (model) => {
  const { out, code } = await run('explain', '-m', `${model}.polya`, '-k', '3');
  expect(code).toBe(0);
  expect(out).toContain('numbers: log-odds against the other classes');
  for (const c of [0, 7, 19]) {
    expect(out).toMatch(new RegExp(`\\ntopic${c}\\n( {2}topic${c}word\\d +\\+\\d\\.\\d\\d {2}█.*\\n){3}`));
  }
  expect(out.split('\n').every((line) => line.length <= 80)).toBe(true);
  const one = await run('explain', '-m', `${model}.polya`, '--class', 'topic7', '-k', '2', '--json');
  const { telling } = JSON.parse(one.out);
  expect(telling).toHaveLength(1);
  expect(telling[0]).toMatchObject({
    label: 'topic7',
    terms: [
      { feature: 'text', value: expect.stringMatching(/^topic7word/), weight: expect.any(Number) },
      { feature: 'text', value: expect.stringMatching(/^topic7word/), logOdds: expect.any(Number) },
    ],
  });
});

// A report once derived all parameters anew for every number that it showed.
test.each(['auto', 'multinomial'])('a report of many texts and classes takes seconds: %s', async (model) => {
  const before = process.cpuUsage();
  const { code } = await run('report', 'test.jsonl', '-m', `${model}.polya`, '-o', `${model}.html`);
  const { user, system } = process.cpuUsage(before);
  expect(code).toBe(0);
  expect((user + system) / 1e6).toBeLessThan(15);
  const page = readFileSync(join(path, `${model}.html`), 'utf8');
  expect(page).toContain('Evidence in the model');
  expect(page).toMatch(/topic7word\d \d\.\d/);
});

test('columns are listed by level and range, with what each column says', async () => {
  await run('demo', 'iris');
  await run('fit', 'iris.csv', '--holdout', '0', '-o', 'iris.polya');
  const { out } = await run('explain', '-m', 'iris.polya', '-k', '2');
  expect(out).toMatch(/\nsetosa\n {2}petal_(length|width)\S* < \d.* \+\d/);
  expect(out).toMatch(/\n {2}petal_width\S* +1\.\d{3} bits {2}9\d\.\d % {2}█/);
});
