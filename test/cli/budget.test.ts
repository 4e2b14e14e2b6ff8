import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millisecondsOf } from '../../src/cli/work/budget.ts';
import { folder, polya } from './harness.ts';

const place = folder();
const world = { cwd: place.path };

beforeAll(async () => {
  for (const name of ['sms', 'iris']) await polya(['datasets', name, '-q'], world);
});
afterAll(() => place.remove());

test.each([
  ['10s', 10_000],
  ['500ms', 500],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['3', 3000],
])('a budget of %s is %i milliseconds', (word, milliseconds) => {
  expect(millisecondsOf(word)).toBe(milliseconds);
});

test.each(['', '0s', 'ten', '5 days', '-1s'])('a budget of %j is refused', async (word) => {
  const { code, err } = await polya(['fit', 'iris.csv', `--budget=${word}`, '-o', 'x.polya'], world);
  expect(code).toBe(2);
  expect(err).toContain('--budget has the form 500ms, 10s, 2m or 1h');
});

test('fit ends its choice when the budget is spent, with a model that works', async () => {
  const words = ['fit', 'iris.csv', '--model', 'auto', '-o', 'b.polya', '--json', '-f'];
  const [short, whole] = [await polya([...words, '--budget', '1ms'], world), await polya(words, world)];
  const tried = (said: { out: string }) => JSON.parse(said.out).tried.length;
  expect(short.code).toBe(0);
  expect(tried(short)).toBeLessThan(tried(whole));
  const { code } = await polya(['predict', 'iris.csv', '-m', 'b.polya'], world);
  expect(code).toBe(0);
});

test('tune shows and writes the best so far, and says what it left out', async () => {
  const words = ['tune', 'sms.csv', '--target', 'label', '--budget', '1ms', '-o', 'best.polya', '--cv', '3'];
  const { code, out, err } = await polya(words, world);
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toHaveLength(2);
  expect(err).toContain('stopped early: 1 of 18 settings were tried');
  expect(err).toContain('the search was not evaluated with outer folds');
  expect(err).toContain('wrote best.polya');
});

test('a search that takes longer than a moment shows its best settings before it ends', async () => {
  await setTimeout(Math.max(0, 1500 - performance.now()));
  const words = ['tune', 'iris.csv', '--try', 'model=gaussian|lda|qda', '--no-nested'];
  const { code, out, err } = await polya([...words, '--progress', 'none'], { ...world, tty: { err: true } });
  expect(code).toBe(0);
  expect(out.match(/log-loss/g)).toHaveLength(1);
  const [, early] = err.split('the best after 1 of 3 settings:\n');
  expect(early).toMatch(/^ {2}model +log-loss +accuracy +rows\n {2}gaussian /);
  expect(err).not.toContain('after 2 of 3');
  expect((await polya(words, world)).err).not.toContain('log-loss');
});

test('compare stops after a model, and names those it left out', async () => {
  const words = ['compare', 'iris.csv', '-m', 'lda', '-m', 'qda', '-m', 'gaussian', '--budget', '1ms'];
  const { code, out, err } = await polya(words, world);
  expect(code).toBe(0);
  expect(out).toContain('lda');
  expect(out).not.toContain('qda');
  expect(err).toContain('stopped early; not evaluated: qda, gaussian');
});

test('folds of a choice have no common budget', async () => {
  const { code, err } = await polya(['fit', 'iris.csv', '--cv', '3', '--budget', '5s'], world);
  expect(code).toBe(2);
  expect(err).toContain('--budget and --cv cannot be used together');
});
