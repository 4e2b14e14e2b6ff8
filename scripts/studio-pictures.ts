// Takes the pictures of docs/studio.md: run `npm run build`, then `npx tsx scripts/studio-pictures.ts`.
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { Bench, settled, show, trainSample } from '../test/studio/harness.ts';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const bench = await Bench.open();
const viewport = { width: 1120, height: 760 };

async function take(page: Page, name: string): Promise<void> {
  await settled(page);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300); // colours change within 120 ms
  await page.screenshot({ path: `${folder}studio-${name}.png` });
}

const light = await bench.page({ viewport, colorScheme: 'light' });
await trainSample(light, 'news');
await show(light, 'evaluate', '?class=sport&threshold=0.4');
await light.evaluate(() => document.querySelector('.confusion')?.scrollIntoView());
await take(light, 'evaluate');
await trainSample(light, 'sms');
await show(light, 'try');
await light.fill('textarea', 'call now to claim your free prize, Tom');
await take(light, 'try');
await trainSample(light, 'iris');
await show(light, 'boundary', '?lambda=0.2');
await take(light, 'boundary');

const dark = await bench.page({ viewport, colorScheme: 'dark' });
await trainSample(dark, 'sms');
await dark.locator('.switches select').last().selectOption('zh-CN');
await show(dark, 'understand', '?tab=words');
await take(dark, 'understand-zh');
await bench.close();
