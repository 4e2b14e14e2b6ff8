import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder, polya } from '../cli/harness.ts';
import { Bench, settled, show, speak, violations } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

/** A page of somebody who was never here: the live example is there and trained. */
async function firstVisit(options: Parameters<Bench['page']>[0] = {}): Promise<Page> {
  const page = await bench.page(options);
  await page.waitForSelector('[data-live-score]');
  await settled(page);
  return page;
}

const slider = (page: Page, label: string) => page.locator(`.workbench label:has-text("${label}") input`);
const score = async (page: Page) => Number(await page.locator('[data-live-score]').getAttribute('data-live-score'));

/** What `polya fit` says of a sample. */
async function fitted(sample: string, ...words: string[]): Promise<{ accuracy: number; logLoss: number }> {
  const cwd = folder().path;
  await polya(['demo', sample], { cwd });
  const all = ['fit', `${sample}.csv`, '-o', 'm.polya', '--calibrate', 'none', '--json', ...words];
  const { out, code, err } = await polya(all, { cwd });
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  const { accuracy, logLoss } = JSON.parse(out).evaluation;
  return { accuracy: accuracy.value, logLoss };
}

test('on a first visit a model is trained before the first click, and every slider trains it anew, as polya fit does', async () => {
  const page = await firstVisit();
  const rda = ['--model', 'rda', '--features', 'sepal_width', '--features', 'sepal_length'];
  await page.locator('.workbench select').nth(1).selectOption('sepal_width');
  await page.locator('.workbench select').first().selectOption('sepal_length');
  const usual = await fitted('iris', ...rda, '--smoothing', 'lambda=0,gamma=0');
  await expect.poll(() => score(page)).toBe(usual.accuracy);
  const before = await page.locator('.picture svg').innerHTML();
  await slider(page, 'Equal variances').fill('1');
  await slider(page, 'Share held out').fill('0.3');
  const moved = await fitted('iris', ...rda, '--smoothing', 'lambda=0,gamma=1', '--holdout', '0.3');
  await expect.poll(() => score(page)).toBe(moved.accuracy);
  const shown = page.locator('section.card:has([data-live-score])');
  await expect.poll(() => shown.textContent()).toContain(`log-loss ${moved.logLoss.toFixed(3)}`);
  expect(await shown.textContent()).toContain('Before the last change');
  expect(await page.locator('.picture svg').innerHTML()).not.toBe(before);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('the texts of the live example have sliders too, and open in the studio', async () => {
  const page = await firstVisit();
  await page.locator('.live button[aria-pressed=false]').click();
  await page.waitForFunction(() => document.querySelector('.workbench')?.textContent?.includes('Words that decide'));
  await slider(page, 'Training rows used').fill('1');
  await slider(page, 'Smoothing').fill('3');
  const { accuracy } = await fitted('sms', '--model', 'multinomial', '--alpha', '0.1');
  await expect.poll(() => score(page), { timeout: 20_000 }).toBe(accuracy);
  const words = await page.locator('.workbench .picture').textContent();
  expect(words).toMatch(/claim|prize/);
  await page.click('[data-live-open]');
  await page.waitForSelector('.column');
  expect(await page.textContent('.where')).toContain('sms.csv');
  await page.reload(); // no longer a first visit
  await show(page, 'start');
  expect(await page.locator('.workbench').count()).toBe(0);
  await page.click('[data-live-show]');
  await page.waitForSelector('[data-live-score]');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test.each([
  ['light', 'en', 1440],
  ['light', 'zh-CN', 320],
  ['dark', 'zh-CN', 1280],
  ['dark', 'en', 768],
] as const)('the live example is free of axe violations: %s, %s, %i pixels', async (colorScheme, tag, width) => {
  const page = await firstVisit({ colorScheme, viewport: { width, height: 900 } });
  await speak(page, tag);
  for (const k of [0, 1]) {
    await page.locator('.live button[aria-pressed]').nth(k).click();
    await page.waitForSelector('[data-live-score]');
    await settled(page);
    await bench.picture(page, `live-${k}-${colorScheme}-${tag}`);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('the tour leads through nine screens, makes what they need, and ends where it is', async () => {
  const page = await firstVisit();
  await page.click('[data-tour]');
  const screens: string[] = [];
  for (let k = 1; k <= 9; k++) {
    await expect.poll(() => page.textContent('.tour p')).toBe(`Stop ${k} of 9`);
    await page.waitForFunction(() => document.querySelector<HTMLButtonElement>('[data-tour-next]')?.disabled === false);
    await settled(page);
    screens.push(new URL(page.url()).hash.split('?')[0]);
    expect(await page.textContent('h1')).toBe(await page.textContent('.tour h2'));
    await expect.poll(() => violations(page), { message: `stop ${k}` }).toEqual([]); // pictures may still be drawn anew
    await page.locator('[data-tour-next]').press('Enter');
  }
  const names = ['start', 'data', 'train', 'evaluate', 'understand', 'boundary', 'try', 'label', 'export'];
  expect(screens).toEqual(names.map((name) => `#/${name}`));
  await page.waitForSelector('.tour', { state: 'detached' });
  expect(await page.textContent('.where')).toContain('Run 1');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('what auto tries is drawn as a race while it runs, and all of it is kept with the run', async () => {
  const page = await bench.page();
  await page.click('[data-sample=sms]');
  await page.waitForSelector('.column');
  await show(page, 'train');
  const seen = page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const found: string[] = [];
        const look = () => {
          const title = [...document.querySelectorAll('figure.chart p')].map(({ textContent }) => textContent ?? '');
          const own = title.find((text) => text.includes('models so far'));
          if (own && document.querySelector('.progress') && own !== found.at(-1)) found.push(own);
          if (document.querySelector('[data-evaluation]')) resolve(found);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  await page.keyboard.press('Control+Enter');
  const leaders = await seen;
  expect(leaders.length).toBeGreaterThan(1);
  const counts = leaders.map((text) => Number.parseInt(text, 10));
  expect([...counts].sort((a, b) => a - b)).toEqual(counts);
  await settled(page);
  await show(page, 'train');
  const chart = page.locator('figure.chart:has(b:text-is("What was tried"))');
  await chart.locator('summary').click();
  await expect.poll(() => chart.locator('tbody tr').count()).toBeGreaterThan(counts.at(-1)!); // and the ensemble
  const rows = await chart.locator('tbody tr').allTextContents();
  expect(rows.filter((row) => row.endsWith('✓')).length).toBeGreaterThan(1);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a time limit ends the search, and is part of the copied command', async () => {
  const page = await bench.page();
  await page.click('[data-sample=reviews]');
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('label:has-text("Time for the search") input').fill('0'); // the first step: one second
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await settled(page);
  await show(page, 'train');
  await page.locator('.switches button').first().click();
  await page.waitForSelector('.drawer pre');
  expect(await page.locator('.drawer pre').first().textContent()).toContain('--budget 1s');
  const lanes = async () => (await page.locator('figure.chart').last().locator('svg[role=img]').textContent()) ?? '';
  const few = (await lanes()).split('multinomial').length;
  await page.locator('label:has-text("Time for the search") input').fill('8'); // no limit
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('.where')?.textContent?.endsWith('Run 2'));
  await settled(page);
  await show(page, 'train');
  expect((await lanes()).split('multinomial').length).toBeGreaterThanOrEqual(few); // a fast machine tries all in a second
  expect(await page.locator('.drawer pre').first().textContent()).not.toContain('--budget');
  await page.close();
  expect(bench.faults).toEqual([]);
});
