import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folder, polya, type World } from '../../test/cli/harness.ts';

const { path, remove } = folder();
afterAll(remove);
mkdirSync(join(path, 'below'));

const config = (content: unknown, at = path) =>
  writeFileSync(
    join(at, 'polya.config.json'),
    typeof content === 'string' ? content : JSON.stringify(content, null, 2),
  );

/** The settings of `predict` with their origins. */
async function settings(words: string[], world: Partial<World> = {}) {
  const { out, err, code } = await polya(['predict', ...words, '--print-config', '--json'], { cwd: path, ...world });
  expect(err).toBe('');
  expect(code).toBe(0);
  return JSON.parse(out).settings as Record<string, { value: unknown; origin: string; from: string }>;
}

test('a flag is stronger than the environment, that than the file, that than the default', async () => {
  config({ output: 'tsv' });
  const env = { POLYA_OUTPUT: 'jsonl' };
  expect((await settings(['--output', 'csv'], { env })).output).toEqual({
    value: 'csv',
    origin: 'flag',
    from: '--output',
  });
  expect((await settings([], { env })).output).toEqual({ value: 'jsonl', origin: 'environment', from: 'POLYA_OUTPUT' });
  expect((await settings([])).output).toEqual({ value: 'tsv', origin: 'config', from: 'polya.config.json' });
  config({});
  expect((await settings([])).output).toEqual({ value: 'text', origin: 'default', from: '' });
});

test('the file is found upwards, and what stands under a command is for that command', async () => {
  config({ $schema: 'x', reject: 0.5, predict: { reject: 0.7, 'max-bad-rows': 3 }, fit: { reject: 1 } });
  expect((await polya(['predict', '--print-config'], { cwd: path })).code).toBe(0); // a section is checked when its command runs
  const refused = await polya(['fit', '--print-config'], { cwd: path });
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('sets "fit.reject", which is not a setting');
  config({ $schema: 'x', reject: 0.5, predict: { reject: 0.7, 'max-bad-rows': 3 } });
  const found = await settings([], { cwd: join(path, 'below') });
  expect(found.reject).toEqual({ value: 0.7, origin: 'config', from: join('..', 'polya.config.json') });
  expect(found.maxBadRows.value).toBe(3);
});

test('--config names another file, and an option that a file set is taken back', async () => {
  config({ proba: true }, join(path, 'below'));
  const found = await settings(['--config', 'below/polya.config.json']);
  expect(found.proba).toMatchObject({ value: true, origin: 'config' });
  expect((await settings(['--config', 'below/polya.config.json', '--no-proba'])).proba).toMatchObject({ value: false });
});

test.each([
  ['{ "output": "cvs" }', '"output" in polya.config.json does not accept "cvs"'],
  ['{ "top": 0 }', '"top" in polya.config.json must be a whole number of at least 1, not "0"'],
  ['{ "top": "many" }', 'a whole number'],
  ['{ "proba": "perhaps" }', '"proba" in polya.config.json must be true or false'],
  ['{ "outptu": "csv" }', 'sets "outptu", which is not a setting'],
  ['{ "output": "csv", "output": "tsv" }', 'is not valid JSON'],
  ['{ "output": ', 'is not valid JSON'],
  ['[1]', 'is not a JSON object'],
])('a config file %s is refused as wrong usage', async (content, sentence) => {
  config(content);
  const { code, err, out } = await polya(['predict'], { cwd: path });
  expect([code, out]).toEqual([2, '']);
  expect(err.split('\n')[0]).toContain(sentence);
  expect(err.split('\n')[0]).toMatch(/E_USAGE$/);
});

test('a setting of the environment is read like a flag', async () => {
  config({});
  const env = { POLYA_PROBA: 'yes', POLYA_KEEP: 'id,name', POLYA_TOP: '3' };
  const found = await settings([], { env });
  expect([found.proba.value, found.keep.value, found.top.value]).toEqual([true, ['id', 'name'], 3]);
  const wrong = await polya(['predict'], { cwd: path, env: { POLYA_TOP: 'x' } });
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('POLYA_TOP must be a whole number');
});

test('--print-config is a table for people too', async () => {
  config({ reject: 0.5 });
  const { out, code } = await polya(['predict', '--print-config', '-k', '2'], { cwd: path });
  expect(code).toBe(0);
  expect(out).toMatch(/^Settings .flag over environment over polya.config.json over default.:$/m);
  expect(out).toMatch(/^ {2}top +2 +flag --top$/m);
  expect(out).toMatch(/^ {2}reject +0.5 +config polya.config.json$/m);
  expect(out).toMatch(/^ {2}model +– +default$/m);
});
