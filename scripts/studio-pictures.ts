// Takes the screenshots of docs/studio.md: `npx tsx scripts/studio-pictures.ts`. With a folder, every screen is written
// there instead, in both colour schemes and languages, at 320 pixels and wide, for inspection: `npx tsx
// scripts/studio-pictures.ts FOLDER`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { Bench, settled, show, trainSample } from '../test/studio/harness.ts';
import { palettePng } from './palette-png.ts';

const bench = await Bench.open();

async function take(page: Page, path: string, fullPage: boolean): Promise<void> {
  await settled(page);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300); // colours change within 120 ms
  await page.screenshot({ path, fullPage });
}

/** Reads the pixels of a picture with the browser and writes it again with a palette. */
async function compress(path: string): Promise<void> {
  const page = await bench.browser.newPage();
  const source = `data:image/png;base64,${readFileSync(path).toString('base64')}`;
  const { width, height, pixels } = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let text = '';
    for (let k = 0; k < data.length; k += 8192) text += String.fromCharCode(...data.subarray(k, k + 8192));
    return { width: image.width, height: image.height, pixels: btoa(text) };
  }, source);
  writeFileSync(path, palettePng(Buffer.from(pixels, 'base64'), width, height));
  await page.close();
}

/** The pictures of the documentation. */
async function forDocs(): Promise<void> {
  const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
  const viewport = { width: 1280, height: 860 };
  const shot = async (page: Page, name: string) => {
    const path = join(folder, `studio-${name}.png`);
    await take(page, path, false);
    await compress(path);
  };
  const light = await bench.page({ viewport, colorScheme: 'light' });
  await light.waitForSelector('[data-live-score]');
  await light.evaluate(() => document.querySelector('.live')?.scrollIntoView());
  await shot(light, 'live');
  await trainSample(light, 'reviews');
  await show(light, 'evaluate', '?class=positive&threshold=0.4');
  await light.evaluate(() => document.querySelector('.pair')?.scrollIntoView());
  await shot(light, 'evaluate');
  await trainSample(light, 'sms');
  await show(light, 'try');
  await light.fill('textarea', 'call now to claim your free prize, Tom');
  await shot(light, 'try');
  await trainSample(light, 'iris');
  await show(light, 'boundary', '?lambda=0.2');
  await shot(light, 'boundary');
  const dark = await bench.page({ viewport, colorScheme: 'dark' });
  await trainSample(dark, 'reviews');
  await show(dark, 'evaluate', '?class=positive&threshold=0.4');
  await dark.evaluate(() => document.querySelector('.pair')?.scrollIntoView());
  await shot(dark, 'evaluate-dark');
  await trainSample(dark, 'sms');
  await dark.locator('.switches select').last().selectOption('zh-CN');
  await show(dark, 'understand', '?tab=words');
  await shot(dark, 'understand-zh');
}

const plain = ['start', 'data', 'train', 'evaluate', 'try', 'label', 'compare?pair=1,2', 'export'];
const tabs = (...names: readonly string[]) => names.map((name) => `understand?tab=${name}`);
const texts = [...plain, ...tabs('words', 'nomogram', 'assumptions', 'posterior', 'urn', 'smoothing')];
const numbers = [
  ...['data', 'evaluate', 'try', 'boundary?lambda=0.2', 'boundary?axes=1'],
  ...tabs('densities', 'likelihood', 'nomogram', 'assumptions', 'posterior'),
];

/** Name, sample, a model of its kind, language, screens, and browser settings. */
type Tour = readonly [string, string, string, string, readonly string[], BrowserContextOptions];

const at = (width: number, colorScheme: 'light' | 'dark') => ({ viewport: { width, height: 800 }, colorScheme });

const tours: readonly Tour[] = [
  ['en-light', 'sms', 'multinomial', 'en', texts, at(1280, 'light')],
  ['zh-dark', 'reviews', 'multinomial', 'zh-CN', texts, at(1280, 'dark')],
  ['en-dark', 'iris', 'gaussian', 'en', numbers, at(1280, 'dark')],
  ['zh-light', 'iris', 'gaussian', 'zh-CN', numbers, at(1280, 'light')],
  ['narrow-en', 'sms', 'multinomial', 'en', texts, at(320, 'light')],
  ['narrow-zh', 'iris', 'gaussian', 'zh-CN', numbers, at(320, 'dark')],
  ['wide', 'titanic', 'categorical', 'en', [...plain, ...tabs('nomogram', 'posterior')], at(1920, 'light')],
];

/** Trains twice, then takes every screen of a tour. */
async function travel([name, sample, model, language, screens, options]: Tour, folder: string): Promise<void> {
  const page = await bench.page(options);
  await page.locator('.switches select').last().selectOption(language);
  await trainSample(page, sample);
  await show(page, 'train');
  await page.locator('main select').first().selectOption(model);
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await settled(page);
  for (const screen of screens) {
    const [path, query] = screen.split('?');
    await show(page, path, query ? `?${query}` : '');
    if (path === 'try' && model === 'multinomial')
      await page.fill('textarea', 'call now to claim your free prize, Tom');
    await take(page, join(folder, `${name}-${screen.replaceAll(/[^a-z0-9]+/gi, '-')}.png`), true);
  }
  await page.close();
}

const [folder] = process.argv.slice(2);
if (folder === undefined) await forDocs();
else {
  mkdirSync(folder, { recursive: true });
  for (const tour of tours) await travel(tour, folder);
}
await bench.close();
