import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);

async function does(...line: string[]) {
  const said = await polya(line, { cwd: path });
  expect([said.code, said.code === 0 ? '' : said.err]).toEqual([0, '']);
  return said;
}
const json = async (...line: string[]) => JSON.parse((await does(...line, '--json', '-q')).out);

/** Rows of a common and a rare class that overlap; of texts, a share keeps its label. */
function csv(rows: number, every: number, seed: number, labelled = 1): string {
  const random = new Random(seed);
  const lines = Array.from({ length: rows }, (_, i) => {
    const rare = i % every === 0;
    const words = Array.from({ length: 8 }, () => `w${random.integer(40) + (rare ? 15 : 0)}`).join(' ');
    const label = i < rows * labelled ? (rare ? 'rare' : 'common') : '';
    return `${(random.normal() + (rare ? 1.5 : 0)).toFixed(3)},${words},${label}`;
  });
  return ['size,text,label', ...lines, ''].join('\n');
}

beforeAll(async () => {
  writeFileSync(join(path, 'train.csv'), csv(1200, 130, 1));
  writeFileSync(join(path, 'test.csv'), csv(400, 10, 2));
  writeFileSync(join(path, 'some.csv'), csv(400, 2, 3, 0.05));
  const fit = ['fit', 'train.csv', '--model', 'gaussian', '--features', 'size', '--holdout', '0'];
  await does(...fit, '-o', 'plain.polya');
  await does(...fit, '--class-weight', 'balanced', '-o', 'balanced.polya', '-q');
});

const recall = async (...options: string[]) =>
  (await json('evaluate', 'test.csv', '-t', 'label', ...options)).report.rare.recall;

test('a rare class is warned about, and found with class weights', async () => {
  const line = ['fit', 'train.csv', '--model', 'gaussian', '--features', 'size', '-o', 'x.polya', '--force'];
  const plain = await does(...line);
  expect(plain.err).toMatch(/class "rare" \(10 rows, 0\.8 %\) is rare/);
  expect(plain.err).toContain('--class-weight balanced');
  expect((await does(...line, '--class-weight', 'balanced')).err).not.toContain('--class-weight balanced');
  expect(await recall('-m', 'plain.polya')).toBeLessThan(0.2);
  expect(await recall('-m', 'balanced.polya')).toBeGreaterThan(0.6);
  await does(...line, '--class-weight', 'rare=130,common=1', '-q');
  expect(await recall('-m', 'x.polya')).toBeGreaterThan(0.6);
  const typo = await polya([...line, '--class-weight', 'rrae=2'], { cwd: path });
  expect([typo.code, typo.err]).toEqual([3, expect.stringContaining('did you mean "rare"')]);
  expect((await polya([...line, '--class-weight', 'balance'], { cwd: path })).code).toBe(2);
});

test('evaluate finds a threshold for a goal, and predict takes it', async () => {
  const evaluate = ['evaluate', 'test.csv', '-m', 'plain.polya', '-t', 'label'];
  const { thresholds, report } = await json(...evaluate, '--threshold', 'rare=recall:0.8');
  expect(thresholds).toEqual([expect.objectContaining({ label: 'rare', goal: 'recall:0.8' })]);
  const [{ threshold, precision, recall: reached }] = thresholds;
  expect(reached).toBeGreaterThanOrEqual(0.8);
  expect([report.rare.recall, report.rare.precision]).toEqual([reached, precision]);
  const { out } = await does('predict', 'test.csv', '-m', 'plain.polya', '--threshold', `rare=${threshold}`);
  const given = out.split('\n').filter((line) => line.startsWith('rare\t')).length;
  expect(given).toBe(Math.round((reached * 40) / precision));
  const said = await does(...evaluate, '--threshold', 'rare=precision:0.5');
  expect(said.out).toMatch(
    /^threshold for rare to reach precision:0\.5: 0\.\d+ \(precision 0\.\d+, recall 0\.\d+, chosen/m,
  );
  for (const goal of ['cost:0.2', 'f1', 'balancedAccuracy', '0.05'])
    await does(...evaluate, '--threshold', `rare=${goal}`);
  for (const goal of ['recall:2', 'best', '', 'cost:']) {
    expect((await polya([...evaluate, '--threshold', `rare=${goal}`], { cwd: path })).code, goal).toBe(2);
  }
  const early = await polya(['predict', 'test.csv', '-m', 'plain.polya', '--threshold', 'rare=f1'], { cwd: path });
  expect([early.code, early.err]).toEqual([2, expect.stringContaining('polya evaluate test.csv')]);
});

test('costs of mistakes move labels, and evaluate prints what they amount to', async () => {
  const evaluate = ['evaluate', 'test.csv', '-m', 'plain.polya', '-t', 'label'];
  const cheap = await json(...evaluate, '--cost', 'rare:common=200');
  const plain = await json(...evaluate, '--cost', 'rare:common=1');
  expect(cheap.report.rare.recall).toBeGreaterThan(plain.report.rare.recall + 0.4);
  expect(plain.cost).toBeCloseTo(1 - plain.accuracy.value, 12);
  expect((await does(...evaluate, '--cost', 'rare:common=200')).out).toMatch(/^mean cost per row \d/m);
  const line = (await does('predict', 'test.csv', '-m', 'plain.polya', '--cost', 'rare:common=1e9')).out.split('\n')[0];
  expect(line).toMatch(/^rare\t/);
  for (const bad of ['rare:common=x', 'rare=2', 'rare:comon=2']) {
    expect((await polya([...evaluate, '--cost', bad], { cwd: path })).code, bad).toBeGreaterThan(1);
  }
  const both = ['--cost', 'rare:common=2', '--threshold', 'rare=0.1'];
  expect((await polya([...evaluate, ...both], { cwd: path })).code).toBe(2);
});

test('rows without a label are refused, left out, or learned from', async () => {
  const fit = ['fit', 'some.csv', '-t', 'label', '-x', 'text', '--model', 'multinomial', '-o', 's.polya', '--force'];
  const refused = await polya(fit, { cwd: path });
  expect(refused.code).toBe(3);
  expect(refused.err).toContain('--unlabeled use');
  writeFileSync(join(path, 'fresh.csv'), csv(400, 2, 4));
  const accuracy = async (...options: string[]) => {
    await does(...fit, ...options, '-q');
    return (await json('evaluate', 'fresh.csv', '-m', 's.polya', '-t', 'label')).accuracy.value;
  };
  const skipped = await accuracy('--unlabeled', 'skip', '--holdout', '0');
  const used = await accuracy('--unlabeled', 'use', '--holdout', '0');
  expect(used).toBeGreaterThan(skipped + 0.03);
  const said = await does(...fit, '--unlabeled', 'use');
  expect(said.err).toContain('380 rows without a label');
  expect(said.out).toMatch(/^held out: 4 of 20 rows/m);
  await does(...fit, '--unlabeled', 'use', '--cv', '3', '-q');
  const pool = await polya(['fit', 'some.csv', '-t', 'label', '--unlabeled', 'use', '-o', 'p.polya'], { cwd: path });
  expect([pool.code, pool.err]).toEqual([2, expect.stringContaining('--model multinomial')]);
  await does(
    'fit',
    'some.csv',
    '-t',
    'label',
    '-x',
    'text',
    '--model',
    'bernoulli',
    '--unlabeled',
    'use',
    '-o',
    'o.polya',
    '-q',
  );
});
