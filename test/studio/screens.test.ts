import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { screens } from '../../studio/screen-names.ts';
import { Bench, pictures, settled, show, speak, trainMessages, trainSample, violations } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  bench = await Bench.open();
});
afterAll(() => bench.close());

/** The pictures of Understand that texts have, and those that numbers have. */
const texts = ['words', 'nomogram', 'assumptions', 'posterior', 'urn', 'smoothing'];
const numbers = ['densities', 'likelihood', 'nomogram', 'assumptions', 'posterior'];

/** Runs in the page: texts with two English words in a row that are neither data nor code. */
function englishIn(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node.textContent ?? '').replaceAll(/polya [a-z]+|JSON Lines|ONNX Runtime|JSON Schema/g, '');
    const isOwn = node.parentElement!.closest('bdi, code, pre, textarea, option, dd, script, style') === null;
    if (isOwn && /[A-Za-z]{3,} [A-Za-z]{3,}/.test(text)) found.push(text);
  }
  return found;
}

const schemes = ['light', 'dark'] as const;
const tags = ['en', 'zh-CN'] as const;

test.each(schemes.flatMap((scheme) => tags.map((tag) => [scheme, tag] as const)))(
  'every screen is free of axe violations: %s, %s',
  async (colorScheme, tag) => {
    const page = await bench.page({ colorScheme });
    await speak(page, tag);
    await (colorScheme === 'light' ? trainMessages(page) : trainSample(page, 'iris'));
    await show(page, 'train');
    await page.keyboard.press('Control+Enter'); // a second run, to be compared
    await page.waitForSelector('[data-evaluation]');
    await settled(page);
    for (const [name] of screens) {
      await show(page, name, name === 'compare' ? '?pair=1,2' : '');
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${tag}.png`), fullPage: name !== 'data' });
      expect(await violations(page), name).toEqual([]);
      if (tag === 'zh-CN') expect(await page.evaluate(englishIn), name).toEqual([]);
    }
    for (const tab of colorScheme === 'light' ? texts : numbers) {
      await show(page, 'understand', `?tab=${tab}`);
      await page.screenshot({ path: join(pictures, `understand-${tab}-${colorScheme}-${tag}.png`), fullPage: true });
      expect(await violations(page), tab).toEqual([]);
    }
    await page.close();
    expect(bench.faults).toEqual([]);
  },
);

test('every picture of Understand and the drawer are free of axe violations, and every chart has its numbers', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  const charts = new Map<string, number>();
  for (const tab of texts) {
    await show(page, 'understand', `?tab=${tab}`);
    await page.screenshot({ path: join(pictures, `understand-${tab}.png`), fullPage: true });
    expect(await violations(page), tab).toEqual([]);
    charts.set(tab, await page.locator('figure.chart svg[role=img]').count());
    for (const figure of await page.locator('figure.chart').all()) {
      await figure.locator('summary').click();
      await expect.poll(() => figure.locator('tbody tr').count()).toBeGreaterThan(0);
    }
  }
  expect(Object.fromEntries(charts)).toEqual({
    words: 1,
    nomogram: 0,
    assumptions: 1,
    posterior: 1,
    urn: 2,
    smoothing: 1,
  });
  await show(page, 'try');
  await page.fill('textarea', 'call now to claim your free prize');
  await page.waitForFunction(() => document.querySelector('[data-answer]')?.textContent === 'spam');
  await page.locator('.switches button').first().click();
  await page.waitForSelector('.drawer pre');
  await settled(page);
  await page.screenshot({ path: join(pictures, 'try-sms.png'), fullPage: true });
  expect(await violations(page)).toEqual([]);
  await trainSample(page, 'iris', 'gaussian');
  for (const tab of ['densities', 'likelihood', 'posterior']) {
    await show(page, 'understand', `?tab=${tab}`);
    expect(await violations(page), tab).toEqual([]);
    expect(await page.locator('figure.chart svg[role=img]').count()).toBe(1);
  }
  await show(page, 'boundary');
  expect(await violations(page)).toEqual([]);
  await page.screenshot({ path: join(pictures, 'boundary-iris.png'), fullPage: true });
  await show(page, 'boundary', '?axes=1&lambda=1');
  await expect.poll(() => page.textContent('.picture')).toContain('LD1');
  await show(page, 'understand', '?tab=densities&column=petal_width');
  await page.locator('main .row button').first().click();
  await page.waitForFunction(() => document.querySelector('.where')?.textContent?.endsWith('Run 2'));
  expect(await page.textContent('.where')).toContain('3 columns');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('an empty page offers a sample on every screen, and 320 pixels are wide enough', async () => {
  const page = await bench.page({ viewport: { width: 320, height: 700 } });
  for (const [name] of screens.slice(1).filter(([own]) => own !== 'server')) {
    await show(page, name);
    expect(await page.locator('.empty button').count(), name).toBe(1);
  }
  await trainMessages(page);
  for (const [name] of screens) {
    await show(page, name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, `${name} scrolls sideways`).toBeLessThanOrEqual(320);
  }
  await page.screenshot({ path: join(pictures, 'narrow.png') });
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('forced colours and every width from 320 to 1440 pixels: nothing scrolls sideways, and axe finds nothing', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris');
  await page.emulateMedia({ forcedColors: 'active' });
  for (const width of [320, 480, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [name] of screens) {
      await show(page, name);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${name} scrolls sideways at ${width}`).toBeLessThanOrEqual(width);
      if (width === 320 || width === 1440) expect(await violations(page), `${name} at ${width}`).toEqual([]);
    }
    await bench.picture(page, `forced-export-${width}`);
  }
  await page.close();
  expect(bench.faults).toEqual([]);
});
