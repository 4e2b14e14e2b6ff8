import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withReference } from '../../scripts/cli-reference.ts';
import { exitOf, Problem } from '../../src/cli/problem.ts';
import { allCommands } from '../../src/cli/registry.ts';
import { refusals } from '../../src/errors.ts';
import { writeMessages } from './fixtures.ts';
import { folder, polya, wordsOf } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const base = join(path, 'base');
const commands = await allCommands();

beforeAll(async () => {
  mkdirSync(base);
  writeMessages(base);
  const make = async (...words: string[]) => {
    const { code, err } = await polya([...words, '-q'], { cwd: base });
    expect([code, err]).toEqual([0, '']);
  };
  await make('demo', 'iris');
  await make('fit', 'sms.csv', '-t', 'label', '-o', 'spam.polya');
  await make('fit', 'sms.csv', '-t', 'label', '--model', 'multinomial', '-o', 'words.polya');
  await make('fit', 'sms.csv', 'more.csv', '-t', 'label', '--model', 'multinomial', '-o', 'grown.polya');
  await make('fit', 'more.csv', '-t', 'label', '--model', 'multinomial', '-o', 'more.polya');
  await make('fit', 'iris.csv', '--model', 'lda', '-o', 'iris.polya');
});

const examples = commands
  .filter(({ name }) => name !== 'serve' && name !== 'studio') // they go on until they are stopped
  .flatMap(({ name, examples: own }) => Object.keys(own).map((line) => [name, line] as const));

test.each(examples)('%s: %s', async (name, line) => {
  const cwd = join(path, 'run');
  rmSync(cwd, { recursive: true, force: true });
  cpSync(base, cwd, { recursive: true });
  if (name === 'unlearn') cpSync(join(base, 'grown.polya'), join(cwd, 'words.polya'));
  if (name === 'import') writeFileSync(join(cwd, 'sklearn.json'), sklearnModel());
  const [first, second] = line.split(' | ');
  const piped = second !== undefined;
  const words = wordsOf(piped ? second : first);
  const output = words[words.indexOf('-o') + 1];
  if (words.includes('-o') && !words.includes('--force')) rmSync(join(cwd, output), { force: true });
  const stdin = piped ? readFileSync(join(cwd, wordsOf(first)[1])) : '';
  expect(words[0]).toBe('polya');
  const { code, err } = await polya(words.slice(1), { cwd, stdin });
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
});

/** Parameters that scikit-learn learned. */
function sklearnModel(): string {
  const models = readFileSync(new URL('../reference/exchange/sklearn/models.json', import.meta.url), 'utf8');
  return JSON.stringify(JSON.parse(models)[0].document);
}

test('every command has a short page with two examples at most, and a full one with all options', async () => {
  for (const { name, options } of commands) {
    const short = (await polya([name, '-h'], { cwd: path })).out;
    const full = (await polya([name, '--help'], { cwd: path })).out;
    expect(short.split('\n').filter((line) => /^ {2}(cat .*\| )?polya /.test(line)).length, name).toBeLessThanOrEqual(
      2,
    );
    expect(short).toContain('Examples');
    expect(short.match(/^ {2}(-\w, | {4})--/gm)?.length ?? 0).toBeLessThanOrEqual(12);
    for (const option of Object.keys(options)) {
      const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      expect(full, `${name} ${flag}`).toContain(flag);
    }
    expect((await polya(['help', name], { cwd: path })).out).toBe(full);
    for (const page of [short, full])
      for (const line of page.split('\n').filter((own) => !/polya /.test(own)))
        expect(line.length).toBeLessThanOrEqual(80);
  }
});

test('the start page, the list of commands and the topics', async () => {
  const start = (await polya([], { cwd: path })).out;
  expect(start.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  for (const { name } of commands) expect(start).toContain(name);
  expect((await polya(['--help'], { cwd: path })).out).toContain('train');
  for (const topic of ['formats', 'models', 'smoothing', 'config', 'exit-codes']) {
    const { code, out } = await polya(['help', topic], { cwd: path });
    expect([code, out.length > 200]).toEqual([0, true]);
  }
});

test('docs/cli.md is as the source is: run node scripts/cli-docs.mjs', async () => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  expect(await withReference(page)).toBe(page);
});

test('every error code has an exit code, and a line in the documentation', () => {
  const pages = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  for (const code of Object.keys(refusals) as (keyof typeof refusals)[]) {
    expect([1, 2, 3, 4, 5, 6, 7, 130]).toContain(exitOf(new Problem(code, '')));
    expect(pages).toContain(code);
  }
  expect(exitOf(new Error('x'))).toBe(1);
});

test('aliases do what their commands do', async () => {
  for (const [alias, name] of [
    ['train', 'fit'],
    ['test', 'evaluate'],
    ['learn', 'update'],
  ]) {
    expect((await polya([alias, '--help'], { cwd: path })).out).toBe(
      (await polya([name, '--help'], { cwd: path })).out,
    );
  }
});
