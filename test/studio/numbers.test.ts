import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/index.ts';
import { folder, polya } from '../cli/harness.ts';
import { Bench, openFile, settled, show } from './harness.ts';

/** The numbers of pictures, compared with those that the command prints. */
const { path, remove } = folder();
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
  remove();
});

const CLASSES = ['sport', 'trade', 'world'];

/** Rows of three classes: an amount that is nearly always zero, a size, a colour, and a text. */
function newsRows(rows: number): string[][] {
  const random = new Random(3);
  return Array.from({ length: rows }, (_, i) => {
    const c = random.integer(3);
    const amount = random.uniform() < 0.06 + 0.1 * c ? String(1000 + random.integer(5000) * (c + 1)) : '0';
    const words = Array.from({ length: 6 }, () => {
      const own = random.uniform() < 0.3;
      return own ? `${CLASSES[c]}${random.integer(4)}` : `word${random.integer(12)}`;
    });
    if (random.uniform() < [0.7, 0.35, 0.05][c]) words.push('graded'); // tells all three classes apart
    const size = (10 * c + 20 * random.uniform()).toFixed(1);
    const colour = random.uniform() < 0.6 ? ['red', 'green', 'blue'][c] : 'grey';
    return [CLASSES[c], amount, size, colour, `${words.join(' ')} n${i % 50}`];
  });
}

const csvOf = (columns: readonly number[], rows: number): string => {
  const names = ['label', 'amount', 'size', 'colour', 'text'];
  const lines = [names, ...newsRows(rows)].map((row) => columns.map((k) => row[k]).join(','));
  return `${lines.join('\n')}\n`;
};

/** Opens rows on the page and puts the same file where the command looks for it. */
async function opened(name: string, csv: string): Promise<Page> {
  writeFileSync(join(path, name), csv);
  const page = await bench.page();
  await openFile(page, name, csv);
  await page.waitForSelector('.column');
  await settled(page);
  return page;
}

async function trainWith(page: Page, model: string): Promise<void> {
  await show(page, 'train');
  await page.locator('main select').first().selectOption(model);
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-judgement]');
  await page.waitForFunction(() => !document.querySelector('.progress'));
  await settled(page);
}

/** What a command prints as JSON. */
async function said<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await polya([...words, '--json'], { cwd: path });
  expect([code, code === 0 ? '' : err], words.join(' ')).toEqual([0, '']);
  return JSON.parse(out) as T;
}

interface Ranked {
  readonly features: readonly {
    readonly feature: string;
    readonly class: string;
    readonly mi: number;
    readonly chi2: number;
    readonly logOdds: number;
  }[];
}

test('the information of columns is what polya features prints, also where most numbers are zero', async () => {
  const page = await opened('columns.csv', csvOf([0, 1, 2, 3], 900));
  const { features } = await said<Ranked>('features', 'columns.csv', '--target', 'label');
  expect(features.map(({ feature }) => feature).sort()).toEqual(['amount', 'colour', 'size']);
  for (const { feature, mi } of features) {
    expect(mi).toBeGreaterThan(0.01);
    const card = await page.locator(`.column:has-text("${feature}")`).textContent();
    expect(card, feature).toContain(`tells ${mi.toFixed(3)} bits`);
  }
  await page.close();
});

test('the information of words about more than two classes is what polya features prints', async () => {
  const page = await opened('words.csv', csvOf([0, 4], 600));
  await trainWith(page, 'multinomial');
  await show(page, 'understand', '?tab=words');
  const { features } = await said<Ranked>('features', 'words.csv', '--target', 'label', '--top', '12');
  const cells = await page
    .locator('section:has(h2:text("Ranking")) tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent)));
  for (const [k, { feature, class: label, mi, chi2, logOdds }] of features.entries()) {
    expect(cells[k].slice(1, 6)).toEqual([feature, label, mi.toFixed(3), chi2.toFixed(1), logOdds.toFixed(2)]);
  }
  await page.close();
  expect(bench.faults).toEqual([]);
});
