import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const put = (name: string, lines: readonly string[]) => writeFileSync(join(path, name), `${lines.join('\n')}\n`);
const run = (...words: string[]) => polya(words, { cwd: path, columns: 100 });

/** Sixty rows of two classes; the row on the line named in `odd` has another cell in x or w. */
function table(odd: { readonly line: number; readonly x?: string; readonly w?: string }): string[] {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const here = i + 2 === odd.line;
    return `${(here && odd.x) || (i % 2) + 1 + ((i * 3) % 4)},${(here && odd.w) || 1},${'ab'[i % 2]}`;
  });
  return ['x,w,label', ...rows];
}

beforeAll(async () => {
  put('good.csv', table({ line: 0 }));
  const words = ['fit', 'good.csv', '--target', 'label', '--features', 'x', '--model', 'gaussian', '-o', 'good.polya'];
  expect((await run(...words)).code).toBe(0);
});

test.each([
  ['a negative count', 'poisson', { line: 35, x: '-4' }, 'E_NEGATIVE', 'column "x" holds -4'],
  ['a weight that is none', 'gaussian', { line: 42, w: 'much' }, 'E_WEIGHT_INVALID', '"much" in column "w"'],
  ['a number that is too large', 'gaussian', { line: 50, x: '2e200' }, 'E_VALUE_RANGE', 'column "x" holds 2e200'],
])('%s is reported by its line in the file, not by its row number in a block', async (...given) => {
  const [, model, odd, code, words] = given;
  put('odd.csv', table(odd));
  const asked = ['fit', 'odd.csv', '--target', 'label', '--features', 'x', '--weights', 'w', '--model', model];
  const { code: exit, out, err } = await run(...asked, '--json');
  expect([exit, out]).toEqual([3, '']);
  expect(JSON.parse(err)).toMatchObject({ code, details: { line: odd.line } });
  expect(JSON.parse(err).message).toContain(`odd.csv:${odd.line}  ${words}`);
});

test('a row that cannot be scored is reported with its line, far behind the first rows too', async () => {
  put('far.csv', ['x', ...Array.from({ length: 3000 }, (_, i) => (i === 2500 ? '1e300' : String(i % 7)))]);
  const { code, err } = await run('predict', 'far.csv', '-m', 'good.polya', '-q');
  expect(code).toBe(3);
  expect(err).toMatch(/^✖ far\.csv:2502 {2}column "x" holds 1e300; numbers beyond 1e\+150 .* E_VALUE_RANGE\n$/);
});

test('no rows on stdin are no rows, for a model of columns as for one of text', async () => {
  expect(await run('predict', '-', '-m', 'good.polya', '-q')).toEqual({ code: 0, out: '', err: '' });
});

test('a column that the model has a use for is not proposed for another', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => `${i % 5},${(i % 2) + (i % 3)},${'ab'[i % 2]}`);
  put('two.csv', ['petal_length,petal_width,label', ...rows]);
  const asked = ['fit', 'two.csv', '--target', 'label', '--model', 'gaussian', '-o', 'two.polya', '-q'];
  expect((await run(...asked)).code).toBe(0);
  put('less.csv', ['petal_width', '1']);
  expect((await run('predict', 'less.csv', '-m', 'two.polya')).err).not.toContain('Did you mean');
  put('named.csv', ['petal_width,Petal_Length', '1,2']);
  expect((await run('predict', 'named.csv', '-m', 'two.polya')).err).toContain('Did you mean "Petal_Length"?');
});

test('rows that a model has learned are named as such before they count twice, or make a curve', async () => {
  const again = await run('update', 'good.csv', '-m', 'good.polya', '-o', 'twice.polya');
  expect(again.err).toContain('! the model was already trained on good.csv, so its rows now count twice;');
  const curve = await run('calibrate', 'good.csv', '-m', 'good.polya', '-o', 'curve.polya');
  expect(curve.err).toContain('! the model was trained on these rows, so it is overconfident on them;');
  put('others.csv', table({ line: 7, x: '3' }));
  for (const command of ['update', 'calibrate']) {
    const other = await run(command, 'others.csv', '-m', 'good.polya', '-o', `other-${command}.polya`);
    expect([other.code, other.err.includes('!')], other.err).toEqual([0, false]);
  }
});

test('a model of words that SQL cannot part is refused with the option that leaves such texts out', async () => {
  put('words.csv', ['label,text', ...Array.from({ length: 40 }, (_, i) => `${'ab'[i % 2]},word number ${i % 9} here`)]);
  const asked = ['fit', 'words.csv', '-t', 'label', '-x', 'text', '--model', 'multinomial', '-o', 'words.polya', '-q'];
  expect((await run(...asked)).code).toBe(0);
  const { code, out, err } = await run('export', '-m', 'words.polya', '--to', 'sql');
  expect([code, out]).toEqual([6, '']);
  expect(err).toMatch(
    / E_ENGINE_CAPABILITY\n {2}polya export -m words\.polya --to sql --unspaced null --key COLUMN\n$/,
  );
  expect((await run('export', '-m', 'words.polya', '--to', 'sql', '--unspaced', 'null', '--key', 'id')).code).toBe(0);
});

test('a command without its data says so in English, and a terminal of one column gets no line for every word', async () => {
  const { code, err } = await polya(['inspect'], { cwd: path, columns: 1 });
  expect(code).toBe(2);
  expect(err).toMatch(/^✖ inspect needs data\. {2}E_USAGE\n {2}a file, a folder of texts, or - for\n {2}stdin\n/);
});

test('classes and columns whose names are numbers keep their places in a table', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `r${i},${[10, 2, 9][i % 3] * 3 + (i % 5) / 10},A${i},B${i},${[10, 2, 9][i % 3]}`,
  );
  put('digits.csv', ['id,x,2020,2019,class', ...rows]);
  const asked = [
    'fit',
    'digits.csv',
    '-t',
    'class',
    '--features',
    'x',
    '--model',
    'gaussian',
    '-o',
    'digits.polya',
    '-q',
  ];
  expect((await run(...asked)).code).toBe(0);
  const said = ['predict', 'digits.csv', '-m', 'digits.polya', '--max-rows', '3', '--proba', '-q'];
  const [names, ...cells] = (await run(...said, '--output', 'csv')).out
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  expect(names).toEqual(['id', '2020', '2019', 'label', 'probability', 'p_10', 'p_2', 'p_9']);
  for (const [i, row] of cells.entries()) {
    expect(row.slice(0, 4)).toEqual([`r${i}`, `A${i}`, `B${i}`, ['10', '2', '9'][i]]);
    expect(row[names.indexOf(`p_${row[3]}`)]).toBe(row[4]);
  }
  const [header, first] = (await run(...said)).out.split('\n');
  expect([header, first]).toEqual(['label\t10\t2\t9', '10\t1.0000\t0.0000\t0.0000']);
});

test('a column that is named like an answer is handed on under another name, and the table can be read again', async () => {
  const said = ['predict', 'good.csv', '-m', 'good.polya', '--max-rows', '1', '--keep', 'all', '-q', '--output'];
  expect((await run(...said, 'csv')).out.split('\n')[0]).toBe('x,w,label_given,label,probability');
  expect(JSON.parse((await run(...said, 'jsonl')).out)).toMatchObject({ label_given: 'a', x: '1', w: '1' });
  await run(...said, 'csv', '--out', 'answers.csv');
  expect((await run('inspect', 'answers.csv')).code).toBe(0);
  put('mixed.jsonl', ['{"x":1,"a":"p"}', '{"a":"q","x":2,"b":"r"}']);
  const table = await run('predict', 'mixed.jsonl', '-m', 'good.polya', '--keep', 'all', '-q', '--output', 'csv');
  expect(table.out.split('\n').map((line) => line.split(',').slice(0, 2).join(','))).toEqual(['x,a', '1,p', '2,q', '']);
});
