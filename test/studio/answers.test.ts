import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, openFile, settled, show, trainMessages } from './harness.ts';

/** What Try says of one row: the waterfall and the marked words. */
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

/** The steps of the waterfall, as its CSV has them. */
async function steps(page: Page): Promise<{ readonly name: string; readonly adds: number }[]> {
  const saved = page.waitForEvent('download');
  await page.locator('figure.chart:has-text("From prior to posterior")').getByRole('button', { name: 'CSV' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  return lines.slice(1).map((line) => {
    const at = line.lastIndexOf(',');
    return { name: line.slice(0, at), adds: Number(line.slice(at + 1)) };
  });
}

/** The greatest probability on the page, as it is written. */
const probability = async (page: Page): Promise<string> => (await page.locator('.bars .number').first().textContent())!;

const percent = (share: number): string =>
  share > 0.9995 ? '> 99.9%' : share < 0.0005 ? '< 0.1%' : `${(100 * share).toFixed(1)}%`;

/** All steps but the last add up to the last, whose probability is the one above. */
async function endsAtProbability(page: Page): Promise<string[]> {
  await settled(page);
  const all = await steps(page);
  const sum = all.slice(0, -1).reduce((total, { adds }) => total + adds, 0);
  expect(sum).toBeCloseTo(all.at(-1)!.adds, 9);
  expect(percent(1 / (1 + Math.exp(-sum)))).toBe(await probability(page));
  expect(await page.textContent('figure.chart .picture')).toMatch(new RegExp(`, p (= )?${await probability(page)}`));
  return all.map(({ name }) => name);
}

async function choose(page: Page, label: string, value: string): Promise<void> {
  await page.locator(`label.field:has-text("${label}") select`).selectOption(value);
}

async function trainSettings(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await page.waitForFunction(() => !document.querySelector('.progress'));
}

test('the waterfall of a calibrated model ends at the probability shown', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await show(page, 'train');
  await choose(page, 'Smoothing', '1');
  await choose(page, 'Calibration', 'sigmoid');
  await trainSettings(page);
  await show(page, 'try');
  const words = 'ok lor see you at home later then we go for lunch and call me when you are free to claim it ya';
  await page.fill('textarea', words);
  await expect.poll(() => page.locator('[data-answer]').textContent()).not.toBe('');
  expect(await endsAtProbability(page)).toContain('calibration');
  await page.close();
});

test('the waterfall of three classes ends at the probability shown', async () => {
  const page = await bench.page();
  const rows = Array.from({ length: 90 }, (_, i) => `${'abc'[i % 3]},${(i * 7) % 11},${((i * 5) % 9) + (i % 3)}`);
  await openFile(page, 'close.csv', ['label,x,y', ...rows, ''].join('\n'));
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('gaussian');
  await trainSettings(page);
  await show(page, 'try');
  expect(await endsAtProbability(page)).toContain('1 other class');
  await page.close();
});

test('a term that makes a class impossible is drawn as infinite', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await show(page, 'train');
  await choose(page, 'Smoothing', '0');
  await choose(page, 'Calibration', 'none');
  await trainSettings(page);
  await show(page, 'try');
  await page.fill('textarea', 'lor call'); // no spam has the first word
  await expect.poll(() => page.locator('[data-answer]').textContent()).toBe('ham');
  await settled(page);
  const all = await steps(page);
  expect(all.find(({ name }) => name === 'lor')?.adds).toBe(Infinity);
  const picture = (await page.textContent('figure.chart .picture'))!;
  expect(picture).toContain('+∞, p = 100.0%');
  const widths = await page
    .locator('figure.chart .picture rect')
    .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('width'))));
  expect(Math.max(...widths)).toBeGreaterThan(100);
  expect(widths[all.findIndex(({ name }) => name === 'lor')]).toBeGreaterThan(20);
  expect(widths.every(Number.isFinite)).toBe(true);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('words of scripts without spaces are marked one by one', async () => {
  const good = ['质量很好', '非常喜欢', '物流很快', 'とても良い', 'ใช้งานดีมาก'];
  const bad = ['质量太差', '十分失望', '物流太慢', 'とても悪い', 'ใช้งานไม่ดี'];
  const rows = Array.from({ length: 60 }, (_, i) => {
    const own = i % 2 ? good : bad;
    return `${i % 2 ? 'good' : 'bad'},${own[i % 5]}，${own[(i * 7 + 1) % 5]}${i % 3 ? '这个商品' : '这家店'}`;
  });
  const page = await bench.page();
  await openFile(page, 'reviews.csv', ['label,text', ...rows, ''].join('\n'));
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('multinomial');
  await trainSettings(page);
  await show(page, 'try');
  await page.fill('textarea', '质量很好，物流太慢。とても良い ใช้งานดีมาก');
  await expect.poll(() => page.locator('.marked .evidence').count()).toBeGreaterThan(3);
  const marked = await page.locator('.marked .evidence').allTextContents();
  expect(marked).toContain('很好');
  expect(marked).toContain('良い');
  expect(marked.some((word) => /^[\u0e00-\u0e7f]+$/.test(word))).toBe(true);
  expect(await page.locator('p.marked').textContent()).toBe('质量很好，物流太慢。とても良い ใช้งานดีมาก');
  await page.close();
  expect(bench.faults).toEqual([]);
});
