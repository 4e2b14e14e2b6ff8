import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatCsv } from '../../src/data/csv-format.ts';
import { Random } from '../../src/math/random.ts';
import { folder } from './harness.ts';

const root = new URL('../../', import.meta.url).pathname;
const { path, remove } = folder();
afterAll(remove);

const random = new Random(4);
const classes = ['ant', 'bee', 'cat'];

/** Texts with quotes, commas and line breaks in their cells. */
const texts = Array.from({ length: 9000 }, (_, i) => {
  const words = Array.from({ length: 60 }, () => `w${Math.floor(20_000 ** random.uniform())}`);
  words[i % 60] = ['"said"', 'and,', 'line\nbreak', 'ünder'][i % 4];
  return { label: classes[i % 3], text: `${words.join(' ')} own${i % 3}${i % 9}` };
});

/** Numbers, categories and missing cells. */
const cells = Array.from({ length: 60_000 }, (_, i) => {
  const c = i % 3;
  const numbers = [0, 1, 2].map((k) => (random.uniform() < 0.02 ? '' : (random.normal() + c * k).toFixed(4)));
  return [...numbers, 'pqrs'[random.integer(4)], c === 1 ? 'x' : 'yz'[random.integer(2)], classes[c]];
});

const put = (name: string, content: string | Uint8Array) => writeFileSync(join(path, name), content);

beforeAll(async () => {
  const own = { configFile: join(root, 'vite.cli.config.ts'), build: { outDir: join(path, 'cli') } };
  await build({ root, logLevel: 'error', ...own });
  const table = formatCsv([['a', 'b', 'c', 'd', 'e', 'y'], ...cells]);
  put('texts.csv', formatCsv([['label', 'text'], ...texts.map(({ label, text }) => [label, text])]));
  put('texts.jsonl', texts.map((row) => `${JSON.stringify(row)}\n`).join(''));
  put('table.csv', table);
  put('table.csv.gz', gzipSync(table));
  put('bad.csv', `${table}1,2,3,p\n4,5,6,q\n`);
  put('word.csv', `${table}1,two,3,p,x,ant\n${table.slice(table.indexOf('\n') + 1)}`);
});

function polya(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(path, 'cli', 'cli.js'), ...words], {
    ...{ cwd: path, encoding: 'utf8', maxBuffer: 1 << 28 },
  });
  return { status, stdout, stderr };
}

function fitted(file: string, threads: number, ...words: string[]) {
  const { status, stdout, stderr } = polya(
    ...['fit', file, '--json', '-o', 'm.polya', '-f', '--threads', String(threads), ...words],
  );
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const { evaluation, rows } = JSON.parse(stdout);
  const { provenance: _, ...learned } = JSON.parse(polya('info', 'm.polya', '--json').stdout);
  return { evaluation, rows, learned, model: readFileSync(join(path, 'm.polya')).subarray(-2000) };
}

test.each([
  ['texts.csv', ['--target', 'label', '--model', 'multinomial']],
  ['texts.jsonl', ['--target', 'label', '--model', 'bernoulli', '--holdout', '0']],
  ['table.csv', ['--target', 'y', '--model', 'mixed']],
  ['table.csv', ['--target', 'y', '--features', 'a,b,c', '--model', 'qda']],
  ['texts.csv', ['--target', 'label', '--model', 'complement', '--cv', '3']],
] as const)('the number of threads does not change a model or its evaluation: %s %j', (file, words) => {
  const one = fitted(file, 1, ...words);
  for (const threads of [2, 4]) expect(fitted(file, threads, ...words)).toEqual(one);
});

test('a compressed table gives the same model', () => {
  const words = ['--target', 'y', '--model', 'mixed', '--holdout', '0'];
  const { evaluation, rows } = fitted('table.csv.gz', 2, ...words);
  expect([evaluation, rows]).toEqual([null, 60_000]);
  polya('fit', 'table.csv.gz', '-o', 'packed.polya', '-f', ...words);
  polya('fit', 'table.csv', '-o', 'plain.polya', '-f', ...words);
  const answers = (model: string) => polya('predict', 'table.csv', '-m', model, '--proba').stdout;
  expect(answers('packed.polya')).toBe(answers('plain.polya'));
});

test('answers come in the order of the rows, whatever the number of threads', () => {
  polya('fit', 'texts.csv', '-t', 'label', '--model', 'multinomial', '-o', 'texts.polya', '-f');
  const ask = (threads: string) =>
    polya('predict', 'texts.jsonl', '-m', 'texts.polya', '--output', 'csv', '--keep', 'label', '--threads', threads);
  const { stdout } = ask('1');
  expect(ask('4').stdout).toBe(stdout);
  const lines = stdout.trimEnd().split('\n').slice(1);
  expect(lines.map((line) => line.split(',')[0])).toEqual(texts.map(({ label }) => label));
});

test('evaluation is the same on every number of threads', () => {
  polya('fit', 'table.csv', '-t', 'y', '--model', 'mixed', '-o', 'table.polya', '-f');
  const evaluated = (threads: string) =>
    polya('evaluate', 'table.csv', '-m', 'table.polya', '--json', '--by', 'd', '--threads', threads).stdout;
  const one = JSON.parse(evaluated('1'));
  expect(one).toMatchObject({ rows: 60_000 });
  expect(one.slices).toHaveLength(4);
  expect(JSON.parse(evaluated('4'))).toEqual(one);
});

test.each(['bad.csv', 'word.csv'])('the first fault is reported the same on every number of threads: %s', (file) => {
  const words = [
    'fit',
    file,
    '-t',
    'y',
    '--model',
    'mixed',
    '-o',
    'no.polya',
    '-f',
    '--kinds',
    'b=number',
    '--threads',
  ];
  const one = polya(...words, '1');
  expect(one.status).toBe(3);
  expect(one.stderr).toContain(`${file}:60002`);
  expect(polya(...words, '4')).toEqual(one);
});

const hostile = {
  'an unclosed quote': '1,2,3,"p,x,ant\n',
  'text behind a closing quote': '1,2,3,"p"q,x,ant\n',
  'too many cells': '1,2,3,p,x,ant,more\n',
  'a quoted line break and too few cells': '1,2,3,"p\n\n",x,ant\r\n1,2\n',
  'a byte that is not UTF-8': [0x31, 0x2c, 0xff, 0x2c],
  'a NUL': '1,2,3,\0,x,ant\n',
};

test.each(Object.entries(hostile))('hostile CSV is refused in the same words on 1 and 4 threads: %s', (_, bad) => {
  const table = readFileSync(join(path, 'table.csv'));
  put('hostile.csv', Buffer.concat([table, Buffer.from(bad as string), table.subarray(table.indexOf('\n') + 1)]));
  const words = ['fit', 'hostile.csv', '-t', 'y', '--model', 'mixed', '-o', 'no.polya', '-f', '--threads'];
  const one = polya(...words, '1');
  expect(one.status).toBe(3);
  expect(one.stderr).toMatch(/hostile\.csv:6000[1-9]/);
  const four = polya(...words, '4');
  expect({ ...four, stderr: four.stderr.replace('--threads 4', '--threads 1') }).toEqual(one); // the command it advises
});
