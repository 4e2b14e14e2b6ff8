import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Classifier } from '../../src/auto/classifier.ts';
import { folder, polya } from './harness.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

const put = (name: string, lines: readonly string[]) =>
  writeFileSync(join(cwd, name), lines.map((line) => `${line}\n`).join(''));

const run = (...words: string[]) => polya(words, { cwd });

const rowOf = (i: number) => `${i},${['red', 'green', 'blue'][i % 3]},${(i * 7) % 5 < 2 ? 'yes' : 'no'}`;
const rows = Array.from({ length: 90 }, (_, i) => rowOf(i));
put('one.csv', ['x,color,label', ...rows.slice(0, 40)]);
put('two.csv', ['x,color,label', ...rows.slice(40)]);
put('all.csv', ['x,color,label', ...rows]);
put('header.csv', ['x,color,label']);
put('blank.csv', ['x,color,label', '', '']);
put('empty.csv', []);
put('wide.csv', ['x,label,size', ...rows.slice(40).map((row, i) => `${i},${row.split(',')[2]},${i % 4}`)]);

const learn = (output: string, ...words: string[]) =>
  run('fit', ...words, '--target', 'label', '--model', 'mixed', '--holdout', '0', '-f', '-o', output);
const answers = async (model: string) => (await run('predict', 'all.csv', '-m', model, '--proba', '-q')).out;

test('--max-rows counts the rows that pass --where, whatever the command', async () => {
  const some = ['--where', 'color=red', '--max-rows', '20'];
  put('red.csv', ['x,color,label', ...rows.filter((row) => row.includes('red')).slice(0, 20)]);
  expect((await learn('some.polya', 'one.csv', 'two.csv', ...some)).code).toBe(0);
  expect((await learn('red.polya', 'red.csv')).code).toBe(0);
  expect(await answers('some.polya')).toBe(await answers('red.polya'));
  expect((await run('predict', 'one.csv', 'two.csv', '-m', 'red.polya', '-q', ...some)).out.split('\n')).toHaveLength(
    21,
  );
  const evaluated = await run('evaluate', 'one.csv', 'two.csv', '-m', 'red.polya', '--json', ...some);
  expect(JSON.parse(evaluated.out)).toMatchObject({ rows: 20 });
});

test('files after each other are learned as one file', async () => {
  await learn('two.polya', 'one.csv', 'two.csv');
  await learn('one.polya', 'all.csv');
  expect(await answers('two.polya')).toBe(await answers('one.polya'));
});

test('a file without rows is refused by its name, alone or after others', async () => {
  for (const [name, message] of [
    ['header.csv', '"header.csv" has no rows'],
    ['blank.csv', '"blank.csv" has no rows'],
    ['empty.csv', '"empty.csv" is empty'],
  ]) {
    for (const files of [[name], ['one.csv', name]]) {
      const said = await learn('none.polya', ...files);
      expect([said.code, said.err]).toEqual([3, expect.stringContaining(message)]);
      expect(said.err).toContain('E_EMPTY_INPUT');
    }
  }
});

test('a column of the second file is used, and cells that a file does not have are missing', async () => {
  await learn('wide.polya', 'one.csv', 'wide.csv');
  const { columns } = Classifier.load(readFileSync(join(cwd, 'wide.polya')));
  expect(columns.map(({ name }) => name).sort()).toEqual(['color', 'size', 'x']);
});
