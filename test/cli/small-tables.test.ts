import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const put = (name: string, lines: readonly string[]) => writeFileSync(join(path, name), `${lines.join('\n')}\n`);
const run = (...words: string[]) => polya(words, { cwd: path, columns: 100 });

/** The label and the probability of every row of a file, by the model that was fitted to it. */
async function answersTo(data: string, ...fit: string[]) {
  const fitted = await run('fit', data, '--target', 'label', '-o', 'small.polya', '--force', '-q', ...fit);
  expect(fitted.code, fitted.err).toBe(0);
  const { out } = await run('predict', data, '-m', 'small.polya', '-q');
  const cells = out
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  return { labels: cells.map(([label]) => label), probabilities: cells.map(([, p]) => Number(p)) };
}

test('four tickets keep their classes, and the default model is not sure of anything else', async () => {
  const tickets = [
    ['where is my parcel', 'shipping'],
    ['the box has not arrived', 'shipping'],
    ['please refund my invoice', 'billing'],
    ['I was charged twice', 'billing'],
  ];
  put('tickets.csv', ['text,label', ...tickets.map((row) => row.join())]);
  const expected = tickets.map(([, label]) => label);
  expect((await answersTo('tickets.csv', '--model', 'multinomial')).labels).toEqual(expected);
  const { labels, probabilities } = await answersTo('tickets.csv');
  labels.forEach((label, i) => {
    if (label !== expected[i]) expect(probabilities[i]).toBeLessThan(0.6);
  });
});

test('small tables are labelled alike with and without calibration', async () => {
  for (let seed = 0; seed < 6; seed++) {
    const random = new Random(seed);
    const rows = Array.from({ length: 6 + 5 * seed }, (_, i) => {
      const c = i % 2;
      return `${(c + random.normal()).toFixed(3)},${'uvw'[random.integer(3)]},${'ab'[c]}`;
    });
    put('table.csv', ['x,k,label', ...rows]);
    const plain = await answersTo('table.csv', '--model', 'mixed', '--calibrate', 'none');
    expect((await answersTo('table.csv', '--model', 'mixed')).labels, `seed ${seed}`).toEqual(plain.labels);
  }
});

test('calibrate refuses a few rows, says how many it takes, and leaves the file as it was', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => `${(i % 2) + ((i * 3) % 4)},${'ab'[i % 2]}`);
  put('rows.csv', ['x,label', ...rows]);
  await run('fit', 'rows.csv', '--target', 'label', '--model', 'gaussian', '-o', 'rows.polya', '-q');
  put('few.csv', ['x,label', ...rows.map((row, i) => row.replace(/^\d+/, String(i % 5)))]);
  const refused = await run('calibrate', 'few.csv', '-m', 'rows.polya', '-o', 'none.polya');
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('too few rows to calibrate: 40 rows of 2 classes, and it takes 30 per class');
  expect((await run('info', 'none.polya')).code).not.toBe(0);
});
