import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeMessages } from './fixtures.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);

beforeAll(async () => {
  mkdirSync(join(path, 'data'));
  writeMessages(path);
  writeFileSync(join(path, 'data', 'mail.csv'), 'label,text\nham,hello there you\n');
  const { code } = await polya(['fit', 'sms.csv', '--model', 'multinomial', '-o', 'spam.polya', '-q'], { cwd: path });
  expect(code).toBe(0);
});

// What is typed, what is answered in the first line, the command that was meant, the exit code.
test.each([
  ['a command', ['fti', 'sms.csv'], 'Unknown command "fti". Did you mean "fit"?', 'polya fit sms.csv', 2],
  [
    'an option',
    ['fit', 'sms.csv', '--traget', 'label'],
    'Unknown option "--traget" of fit. Did you mean "--target"?',
    'polya fit sms.csv --target label',
    2,
  ],
  [
    'an option with =',
    ['fit', 'sms.csv', '--traget=label'],
    'Unknown option "--traget" of fit. Did you mean "--target"?',
    'polya fit sms.csv --target=label',
    2,
  ],
  [
    'a value',
    ['predict', 'sms.csv', '-m', 'spam.polya', '--output', 'cvs'],
    '--output does not accept "cvs".',
    'polya predict sms.csv -m spam.polya --output csv',
    2,
  ],
  [
    'a model kind',
    ['fit', 'sms.csv', '--model', 'multinomal'],
    '--model does not accept "multinomal".',
    'polya fit sms.csv --model multinomial',
    2,
  ],
  [
    'a model kind by folds',
    ['evaluate', 'sms.csv', '--cv', '3', '--model', 'gausian'],
    '--model does not accept "gausian".',
    'polya evaluate sms.csv --cv 3 --model gaussian',
    2,
  ],
  [
    'a column',
    ['fit', 'sms.csv', '--target', 'lable'],
    'Column "lable" is not in sms.csv.',
    'polya fit sms.csv --target label',
    3,
  ],
  [
    'a column of a list',
    ['fit', 'sms.csv', '--features', 'txet'],
    'Column "txet" is not in sms.csv.',
    'polya fit sms.csv --features text',
    3,
  ],
  [
    'a label',
    ['predict', '-m', 'spam.polya', '--text', 'x', '--threshold', 'spma=0.9'],
    'The model has no class "spma". Did you mean "spam"?',
    'polya predict -m spam.polya --text x --threshold spam=0.9',
    3,
  ],
  [
    'a label to explain',
    ['explain', '-m', 'spam.polya', '--class', 'hma'],
    'The model has no class "hma". Did you mean "ham"?',
    'polya explain -m spam.polya --class ham',
    3,
  ],
  ['a file', ['fit', 'smss.csv'], '"smss.csv" does not exist', 'polya fit sms.csv', 5],
  ['a file in a folder', ['inspect', 'data/mial.csv'], '"mial.csv" does not exist', 'polya inspect data/mail.csv', 5],
  [
    'a model file',
    ['predict', 'sms.csv', '-m', 'sapm.polya'],
    'There is no file "sapm.polya".',
    'polya predict sms.csv -m spam.polya',
    5,
  ],
  [
    'a score',
    ['evaluate', 'sms.csv', '-m', 'spam.polya', '--fail-under', 'acuracy=0.5'],
    'There is no score "acuracy".',
    'polya evaluate sms.csv -m spam.polya --fail-under accuracy=0.5',
    2,
  ],
  ['a topic', ['help', 'modles'], 'There is no help on "modles". Did you mean "models"?', 'polya help models', 2],
  ['a shell', ['completion', 'bsah'], 'completion does not accept "bsah".', 'polya completion bash', 2],
  ['a sample', ['demo', 'irsi'], 'There is no dataset "irsi". Did you mean "iris"?', 'polya demo iris', 2],
  ['an alias', ['tarin', 'sms.csv'], 'Unknown command "tarin". Did you mean "train"?', 'polya train sms.csv', 2],
])('%s', async (_, words, sentence, meant, exit) => {
  const { code, out, err } = await polya(words, { cwd: path, columns: 200 });
  const lines = err.split('\n').filter((line) => !/^(target|!)/.test(line));
  expect(lines[0]).toContain(`✖ ${sentence}`);
  expect(lines.map((line) => line.trim())).toContain(meant);
  expect([code, out]).toEqual([exit, '']);
});

test('nothing is suggested where nothing is near', async () => {
  const { err, code } = await polya(['xyzzy'], { cwd: path });
  expect(code).toBe(2);
  expect(err).not.toContain('Did you mean');
  expect(err).toContain('polya --help');
});
