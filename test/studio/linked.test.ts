import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadIris } from '../../src/index.ts';
import { Bench, settled, show, trainMessages, trainSample, violations } from './harness.ts';

/** Tips of pictures, and the rows that belong to a part of one. */
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

const figure = (page: Page, title: string): Locator => page.locator(`figure.chart:has(b:text-is("${title}"))`);

/** Visits the first tips of every chart of a screen by the arrow keys; each says something with a number. */
async function everyChartHasTips(page: Page, screen: string, view = ''): Promise<number> {
  await show(page, screen, view);
  const charts = await page.locator('figure.chart:has(svg[role=img])').all();
  for (const chart of charts) {
    const place = chart.locator('.picture');
    await place.focus();
    await page.keyboard.press('Home');
    const tip = chart.locator('.tip');
    await expect.poll(() => tip.isVisible(), { timeout: 10_000 }).toBe(true);
    expect(await tip.textContent(), `${screen}${view}`).toMatch(/\d/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    expect(await tip.isVisible()).toBe(false);
  }
  return charts.length;
}

test('every chart has tips by pointer and by keyboard', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  let charts = await everyChartHasTips(page, 'evaluate');
  charts += await everyChartHasTips(page, 'train');
  for (const tab of ['words', 'assumptions', 'posterior', 'urn', 'smoothing'])
    charts += await everyChartHasTips(page, 'understand', `?tab=${tab}`);
  await show(page, 'try');
  await page.fill('textarea', 'call now to claim your free prize');
  await page.waitForFunction(() => document.querySelector('[data-answer]')?.textContent === 'spam');
  charts += await everyChartHasTips(page, 'try');
  await trainSample(page, 'iris', 'gaussian');
  for (const tab of ['densities', 'likelihood', 'posterior'])
    charts += await everyChartHasTips(page, 'understand', `?tab=${tab}`);
  charts += await everyChartHasTips(page, 'boundary');
  expect(charts).toBeGreaterThanOrEqual(17);
  await show(page, 'data');
  const bars = page.locator('.spark').first();
  await bars.focus();
  await page.keyboard.press('Home');
  expect(await bars.locator('.tip').textContent()).toMatch(/^4\.3 – [\d.]+\nn = \d+$/);
  await page.keyboard.press('Escape');
  await show(page, 'evaluate');
  const chart = figure(page, 'Calibration').locator('.picture');
  await chart.focus(); // the keyboard says where a mark is, and the pointer goes there
  await page.keyboard.press('End');
  const { x, y, width, height } = (await chart.locator('.tipmark').boundingBox())!;
  await page.keyboard.press('Escape');
  await page.mouse.move(x + width / 2, y + height / 2);
  await expect.poll(() => chart.locator('.tip').textContent()).toMatch(/predicted probability/);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a bin and a word show their rows, and a row opens its waterfall on Try', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await show(page, 'evaluate', '?class=spam');
  const histogram = figure(page, 'Scores by class').locator('.picture');
  await histogram.focus();
  await page.keyboard.press('End');
  const said = await histogram.locator('.tip').textContent();
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-chosen-rows]');
  const [own, others] = [/spam ([\d,]+)/.exec(said!)![1], /others ([\d,]+)/.exec(said!)![1]].map(Number);
  expect(await page.locator('[data-chosen-rows] h2').textContent()).toMatch(new RegExp(`^${own + others} of `));
  expect(await page.locator('[data-chosen-rows] tbody tr').count()).toBe(own + others);
  await show(page, 'understand', '?tab=words');
  await page.locator('[data-find]').first().click();
  const word = await page.locator('[data-find]').first().textContent();
  await page.waitForSelector('[data-chosen-rows] tbody tr');
  const contents = await page.locator('[data-chosen-rows] tbody tr td:nth-child(5)').allTextContents();
  for (const content of contents) expect(content.toLowerCase()).toContain(word!);
  await page.locator('[data-open-row]').first().click();
  await page.waitForFunction(
    () => document.querySelector('.rail a[aria-current=page]')?.getAttribute('href') === '#/try',
  );
  await expect.poll(() => page.locator('textarea').inputValue()).toBe(contents[0]);
  await settled(page);
  expect(await figure(page, 'From prior to posterior').count()).toBe(1);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a rectangle of Boundary lists its rows, drawn by pointer or set by keys, and moves no point', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris', 'gaussian');
  await show(page, 'boundary', '?x=petal_length&y=petal_width');
  const svg = page.locator('.picture svg[role=img]');
  await svg.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await svg.boundingBox())!;
  await page.mouse.move(x + 0.5 * width, y + 0.75 * height); // where no point is
  await page.mouse.down();
  await page.mouse.move(x + 0.7 * width, y + 0.5 * height, { steps: 4 });
  expect(await page.locator('.picture .brush').count()).toBe(1);
  await page.mouse.move(x + 0.8 * width, y + 0.3 * height, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector('[data-chosen-rows] tbody tr');
  const title = (await page.locator('[data-chosen-rows] h2').textContent())!;
  const [, n, left, right, low, high] =
    /^(\d+) of 150 rows: petal_length ([\d.]+) – ([\d.]+), petal_width ([\d.]+) – ([\d.]+)/.exec(title)!.map(Number);
  const expected = loadIris().rows.filter(
    ({ petal_length: a, petal_width: b }) =>
      Number(a) >= left && Number(a) <= right && Number(b) >= low && Number(b) <= high,
  );
  expect(n).toBe(expected.length);
  expect(n).toBeGreaterThan(5);
  expect(await page.locator('[data-chosen-rows] tbody tr').count()).toBe(n);
  expect(await page.locator('.panel button').first().textContent()).not.toContain('moved');
  await settled(page);
  expect(await violations(page)).toEqual([]);
  await page.reload(); // the choice is in the address
  await page.waitForSelector('[data-chosen-rows] tbody tr');
  expect(await page.locator('[data-chosen-rows] h2').textContent()).toBe(title);
  await page.locator('summary:has-text("rectangle")').click();
  const side = page.locator('label:has-text("petal_length from") input');
  await side.focus();
  await page.keyboard.press('End'); // as far as the other side
  await expect.poll(() => page.locator('[data-chosen-rows] h2').textContent()).toMatch(/^\d of 150/);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a picture that is saved carries its title, its legend and its number of rows', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await show(page, 'evaluate', '?class=spam');
  const histogram = figure(page, 'Scores by class');
  const n = await histogram.locator('.n').textContent();
  await histogram.locator('.picture').focus();
  await page.keyboard.press('Home'); // the mark of a tip is not saved
  const saved = page.waitForEvent('download');
  await histogram.getByRole('button', { name: 'SVG' }).click();
  const svg = readFileSync(await (await saved).path(), 'utf8');
  for (const part of ['Scores by class', n!, '>spam<', '>others<']) expect(svg).toContain(part);
  expect(svg).not.toContain('tipmark');
  const image = page.waitForEvent('download');
  await histogram.getByRole('button', { name: 'PNG' }).click();
  const png = readFileSync(await (await image).path());
  const [, height] = /viewBox="0 0 [\d.]+ ([\d.]+)"/.exec(svg)!;
  expect(png.readUInt32BE(20)).toBe(2 * Number(height));
  await page.close();
});
