import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { Classifier } from '../../src/auto/classifier.ts';
import { formatCsv } from '../../src/data/csv-format.ts';
import { Random } from '../../src/math/random.ts';
import { folder, polya } from './harness.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

const random = new Random(8);
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(cwd, name), content);
const classes = ['ant', 'bee', 'cat', 'dog'];

/** Columns of which some vary, or have cells at all, only in the later classes. */
const cells = Array.from({ length: 160_000 }, (_, i) => {
  const c = i % 4;
  const late = c === 0 ? 'same' : 'xyz'[random.integer(3)];
  const gap = c === 2 ? 'seen' : c === 3 ? 'uvw'[random.integer(3)] : '';
  return [(random.normal() + c).toFixed(4), random.normal().toFixed(5), 'pq'[random.integer(2)], late, gap, classes[c]];
});
const texts = Array.from({ length: 14_000 }, (_, i) => {
  const words = Array.from({ length: 60 }, () => `w${Math.floor(9_000 ** random.uniform())}`);
  words[i % 60] = ['"said"', 'and,', 'line\nbreak', `own${i % 4}`][(i >> 2) % 4];
  return [words.join(' '), classes[i % 4]];
});

for (const [name, header, rows] of [
  ['cells', ['a', 'b', 'k', 'late', 'gap', 'y'], cells],
  ['texts', ['text', 'y'], texts],
] as const) {
  const sorted = [...rows].sort((one, other) => classes.indexOf(one.at(-1)!) - classes.indexOf(other.at(-1)!));
  put(`${name}.csv`, formatCsv([[...header], ...rows]));
  put(`${name}-sorted.csv`, formatCsv([[...header], ...sorted]));
}
put('cells-sorted.csv.gz', gzipSync(readFileSync(join(cwd, 'cells-sorted.csv'))));

async function fitted(file: string, ...words: string[]) {
  const { out, err } = await polya(['fit', file, '--json', '-o', 'm.polya', '-f', '--threads', '1', ...words], { cwd });
  expect(err).not.toContain('✖');
  const { columns, target, rows, evaluation, classes: found } = JSON.parse(out);
  const kinds = columns.map(({ name, kind, role }: Record<string, string>) => [name, kind, role]);
  const model = Classifier.load(readFileSync(join(cwd, 'm.polya')));
  return { described: { kinds, target, rows, classes: found }, accuracy: evaluation?.accuracy.value, model };
}

test.each(['mixed', 'gaussian', 'multinomial'])('the order of rows does not change a %s model', async (family) => {
  const name = family === 'multinomial' ? 'texts' : 'cells';
  const [one, other] = [
    await fitted(`${name}.csv`, '--model', family),
    await fitted(`${name}-sorted.csv`, '--model', family),
  ];
  expect(other.described).toEqual(one.described);
  const fresh = (family === 'multinomial' ? texts : cells).slice(0, 200).map((row) => {
    const [a, b, k, late, gap] = row;
    return family === 'multinomial' ? { text: a } : { a, b, k, late, gap };
  });
  const [p, q] = [one, other].map(({ model }) => model.predictProba(fresh).data);
  for (const [i, value] of p.entries()) expect(Math.abs(value - q[i])).toBeLessThan(1e-10);
});

test.each(['cells-sorted.csv', 'cells-sorted.csv.gz'])('numbers are cut by rows of all classes: %s', async (file) => {
  const words = ['--model', 'categorical', '--target', 'y'];
  const [one, other] = [await fitted('cells.csv', ...words), await fitted(file, ...words)];
  expect(other.described).toEqual(one.described);
  expect(Math.abs(other.accuracy - one.accuracy)).toBeLessThan(0.05);
});

test('rows that are left out are recorded once, also when --max-rows ends the reading', async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => (i % 1000 === 5 ? '1\n' : `${random.normal()},${'pq'[i % 2]}\n`));
  put('bad.csv', `a,y\n${rows.join('')}`);
  const words = ['fit', 'bad.csv', '-t', 'y', '--max-bad-rows', '9', '-o', 'bad.polya', '-f', '--model'];
  for (const [model, ...more] of [['gaussian'], ['gaussian', '--max-rows', '900'], ['auto', '--max-rows', '900']]) {
    const { code, err } = await polya([...words, model, ...more], { cwd });
    expect([code, err.match(/malformed rows were skipped/g)?.length]).toEqual([0, 1]);
    expect(existsSync(join(cwd, 'bad.csv.rejects'))).toBe(true);
    expect(readFileSync(join(cwd, 'bad.csv.rejects'), 'utf8').split('\n').length).toBe(more.length > 0 ? 4 : 5);
  }
});

test('no row of stdin is lost where bad rows are left out', async () => {
  const rows = Array.from({ length: 45_000 }, (_, i) => `${(random.normal() + (i % 2)).toFixed(3)},${'pq'[i % 2]}\n`);
  const words = ['fit', '-', '-t', 'y', '--max-bad-rows', '9', '-o', 'm.polya', '-f', '--model', 'gaussian', '--json'];
  const { out } = await polya(words, { cwd, stdin: `a,y\n${rows.join('')}` });
  expect(JSON.parse(out).rows).toBe(45_000);
});
