import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Classifier } from '../../src/index.ts';
import { folder, polya } from './harness.ts';

// Tables as a spreadsheet of Central Europe saves them: a mark, semicolons, CRLF, decimal commas, quoted line ends, a blank last line.
const { path, remove } = folder();
afterAll(remove);
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(path, name), content);
const run = (...words: string[]) => polya(words, { cwd: path, columns: 100 });

const comma = (value: number) => value.toFixed(2).replace('.', ',');
const lines = Array.from({ length: 60 }, (_, i) => {
  const size = (i % 2 === 0 ? 10 : 20) + ((i * 7) % 11) / 10;
  const name = i % 7 === 0 ? `"Kunde ${i}\nzweite Zeile"` : `Kunde ${i}`;
  return `${name};${comma(size)};1.${100 + i},5;${['rot', 'grün', 'blau'][i % 3]};${i % 2 === 0 ? 'Ja' : 'Nein'}`;
});
const table = ['Name;Größe;Umsatz;Farbe;Gekauft', ...lines, ''].join('\r\n');

beforeAll(() => {
  put('excel.csv', `\ufeff${table}`);
  put('wide.csv', Buffer.from(`\ufeff${table}`, 'utf16le'));
  put('western.csv', Buffer.from(table, 'latin1'));
});

test('numbers with decimal commas are read as such, column by column, and the model remembers it', async () => {
  const { code, out, err } = await run('inspect', 'excel.csv');
  expect(code).toBe(0);
  expect(out).toMatch(/Größe +number +numbers, \d+ different; with decimal commas/);
  expect(out).toMatch(/Umsatz +number +numbers, 60 different; with decimal commas/);
  expect(err).toContain('→ polya fit excel.csv -o excel.polya\n');
  const fitted = await run('fit', 'excel.csv', '--features', 'Größe', '-o', 'plain.polya');
  expect(fitted.out).toContain('accuracy 1.000');
  const said = await run('predict', 'excel.csv', '-m', 'plain.polya', '--max-rows', '2');
  expect(said.out).toMatch(/^Ja\t\S+\nNein\t\S+\n$/);
  expect(said.err).not.toContain('!');
});

test('with --decimal comma they are numbers, thousands too, and the next command says so again', async () => {
  const { out, err } = await run('inspect', 'excel.csv', '--decimal', 'comma');
  expect(out).toMatch(/Größe +number +numbers, \d+ different/);
  expect(out).toMatch(/Umsatz +number +numbers, 60 different/);
  expect(err).toContain('→ polya fit excel.csv --decimal comma -o excel.polya\n');
  const fitted = await run('fit', 'excel.csv', '--decimal', 'comma', '--features', 'Größe', '-o', 'excel.polya');
  expect(fitted.code).toBe(0);
  expect(fitted.out).toContain('accuracy 1.000');
  expect(fitted.err).toContain('→ polya predict excel.csv --decimal comma -m excel.polya\n');
  const said = await run('predict', 'excel.csv', '--decimal', 'comma', '-m', 'excel.polya', '--max-rows', '2');
  expect(said.out).toMatch(/^Ja\t\S+\nNein\t\S+\n$/);
  expect(said.err).not.toContain('!');
});

test('a model of numbers refuses a word at its line, unless such cells are to count as missing', async () => {
  put('points.csv', table.replaceAll('.', '').replaceAll(',', '.'));
  expect((await run('fit', 'points.csv', '--features', 'Größe', '-o', 'excel.polya', '--force')).code).toBe(0);
  const asked = ['predict', 'excel.csv', '-m', 'excel.polya', '--max-rows', '2'];
  const { code, out, err } = await run(...asked);
  expect([code, out]).toEqual([3, '']);
  expect(err).toMatch(/^✖ excel\.csv:2 {2}"10,00" is not a number, but column "Größe" holds numbers\. +E_TYPE\n/);
  expect(err).toContain('  polya predict excel.csv -m excel.polya --max-rows 2 --decimal comma\n');
  const evaluated = await run('evaluate', 'excel.csv', '-m', 'excel.polya');
  expect([evaluated.code, evaluated.err]).toEqual([3, expect.stringContaining('excel.csv:2  "10,00" is not a number')]);
  put('odd.csv', 'Größe\n10.5\n?\n\nten\n');
  const odd = await run('predict', 'odd.csv', '-m', 'excel.polya');
  expect([odd.code, odd.err]).toEqual([3, expect.stringContaining('odd.csv:5  "ten" is not a number')]);
  expect(odd.err).toContain('--no-strict');
  for (const command of ['predict', 'evaluate']) {
    const lenient = await run(command, 'excel.csv', '-m', 'excel.polya', '--no-strict');
    expect([lenient.code, lenient.err.includes('✖')], lenient.err).toEqual([0, false]);
  }
  expect((await run('predict', 'odd.csv', '-m', 'excel.polya', '--no-strict')).out.trim().split('\n')).toHaveLength(3);
});

test('a column that is said to hold numbers is refused where it does not, at its line', async () => {
  const { code, out, err } = await run('fit', 'excel.csv', '--kinds', 'Farbe=number', '-o', 'never.polya');
  expect([code, out]).toEqual([3, '']);
  expect(err).toMatch(/✖ excel\.csv:2 {2}"rot" is not a number, but --kinds says .*"Farbe" holds numbers\. +E_TYPE\n/);
  const absent = await run('fit', 'excel.csv', '--kinds', 'Größen=number');
  expect(absent.err).toContain('Did you mean "Größe"?');
  const rows = Array.from({ length: 40 }, (_, i) => ({ x: i === 3 ? 'nine' : String(i), y: i % 2 ? 'a' : 'b' }));
  for (const model of ['auto', 'gaussian', 'mixed'] as const) {
    expect(() => Classifier.fit(rows, { target: 'y', model, kinds: { x: 'number' } }), model).toThrow(
      expect.objectContaining({ code: 'E_TYPE', details: expect.objectContaining({ row: 3, feature: 'x' }) }),
    );
  }
});

test('what is not UTF-8 is refused with an encoding to try, not with rows to leave out', async () => {
  const western = await run('inspect', 'western.csv');
  expect(western.err).toMatch(/^✖ western\.csv:1:8 {2}byte 0xf6 .* E_ENCODING\n/);
  expect(western.err).toContain('  polya inspect western.csv --encoding windows-1252\n');
  expect(western.err).not.toContain('--max-bad-rows'); // the names of the columns cannot be left out
  const read = await run('inspect', 'western.csv', '--encoding', 'windows-1252', '--decimal', 'comma');
  expect(read.out).toMatch(/Größe +number/);
  expect(read.err).toContain('→ polya fit western.csv --encoding windows-1252 --decimal comma -o western.polya\n');
  const wide = await run('inspect', 'wide.csv');
  expect(wide.out).toMatch(/60 rows · 5 columns · csv, semicolon · UTF-16LE/); // by its byte order mark
});

test('one row is one row', async () => {
  put('gap.csv', 'x,y\n1,a\n2,b\n3,\n4,a\n5,b\n6,a\n7,b\n');
  const refused = await run('fit', 'gap.csv', '--target', 'y');
  expect(refused.err).toMatch(/✖ 1 of 7 rows has no label in "y", at gap\.csv:4\. +E_LABEL_MISSING\n/);
  const left = await run(
    'fit',
    'gap.csv',
    '--target',
    'y',
    '--model',
    'gaussian',
    '--skip-unlabeled',
    '-o',
    'gap.polya',
  );
  expect(left.err).toContain('! one row without a label is skipped\n');
});

test('of very many columns some are shown, and the target', async () => {
  const names = Array.from({ length: 300 }, (_, j) => `c${j}`);
  const rows = Array.from({ length: 30 }, (_, i) => [...names.map((_, j) => (i * 7 + j * 3) % 13), 'ab'[i % 2]]);
  put('columns.csv', [[...names, 'label'], ...rows].map((cells) => cells.join(',')).join('\n'));
  const { out } = await run('inspect', 'columns.csv');
  expect(out).toMatch(
    / {2}c58 .*\n {2}label +category .*← target\n {2}… and 241 more columns; --verbose shows all of them\n/,
  );
  expect((await run('inspect', 'columns.csv', '--verbose')).out).toMatch(/ {2}c299 /);
});

test('a workbook is read like a table, its sheet is named, and a bad cell has its address', async () => {
  const file = new URL('../reference/data/xlsx/openpyxl.xlsx', import.meta.url);
  put('book.xlsx', readFileSync(file));
  const { out, err } = await run('inspect', 'book.xlsx');
  expect(out).toMatch(/3 rows · 7 columns · xlsx/);
  expect(err).toContain('sheet  Customers & more  (the first one; use --sheet for another one: Hidden, Empty)\n');
  expect(err).toContain('the later columns are called "name_2"');
  const near = await run('inspect', 'book.xlsx', '--sheet', 'Hiden');
  expect([near.code, near.err]).toEqual([3, expect.stringContaining('polya inspect book.xlsx --sheet Hidden\n')]);
  const fitted = await run('fit', 'book.xlsx', '--target', 'active', '--kinds', 'note=number', '-o', 'book.polya');
  expect(fitted.err).toMatch(/✖ book\.xlsx:E2 {2}"two.*" is not a number, but --kinds says .*"note" holds numbers/);
});

test('update, unlearn and explain name the line of a bad cell', async () => {
  const rows = Array.from({ length: 80 }, (_, i) => `${(i % 2) * 3 + ((i * 7) % 10) / 10},${i % 2 ? 'a' : 'b'}`);
  put('good.csv', ['x,y', ...rows].join('\n'));
  put('wrong.csv', ['x,y', ...rows.slice(0, 40), 'ten,a'].join('\n'));
  expect((await run('fit', 'good.csv', '--model', 'gaussian', '-o', 'good.polya')).code).toBe(0);
  for (const words of [
    ['update'],
    ['unlearn'],
    ['explain', '--row', '41'],
    ['calibrate'],
    ['report', '-o', 'x.html'],
  ]) {
    const { code, err } = await run(words[0], 'wrong.csv', '-m', 'good.polya', ...words.slice(1));
    expect([code, err], words[0]).toEqual([3, expect.stringContaining('wrong.csv:42  "ten" is not a number')]);
    expect(err).toContain('--no-strict');
  }
  const { err } = await run('fit', 'wrong.csv', '--model', 'gaussian', '--kinds', 'x=number', '-o', 'never.polya');
  expect(err).not.toContain('--no-strict'); // fit does not have it
});

test('a title above the names of columns, and options that a model file ignores, are named', async () => {
  put('title.csv', `Sales 2024,,\nregion,sum,churn\n${'N,1,yes\nS,2,no\n'.repeat(20)}`);
  expect((await run('inspect', 'title.csv')).err).toContain('the first row of title.csv names 1 of 3 columns');
  const { code, err } = await run('evaluate', 'good.csv', '-m', 'good.polya', '--priors', 'uniform');
  expect([code, err]).toEqual([2, expect.stringContaining('--priors needs --cv: a model file has its own settings.')]);
});

test('calibrate follows --target, as evaluate does', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => `${(i % 2) * 0.5 + ((i * 7) % 10) / 10},${i % 2 ? 'a' : 'b'}`);
  put('other.csv', ['x,answer', ...rows].join('\n'));
  const { code, err } = await run(
    'calibrate',
    'other.csv',
    '-m',
    'good.polya',
    '-t',
    'answer',
    '-o',
    'calibrated.polya',
  );
  expect(code, err).toBe(0);
});
