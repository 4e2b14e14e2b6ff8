import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PolyaClient } from '../../src/client.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { openStore } from '../../src/server/store/index.ts';
import { latencyOf, mixOf, rateOf, sampleOf } from '../../studio/server/traffic.ts';
import { models } from '../server/harness.ts';
import { Bench, pictures, settled, show, speak, violations } from './harness.ts';

/** The Server screen with a running server whose counts are on disk. */
let bench: Bench;
let server: RunningServer;
let folder: string;
const token = 'a-token-of-twenty-four-letters';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polya-console-'));
  server = await startServer({ store: await openStore(folder, models()), port: 0, token });
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test('a running server is watched, corrected durably and rolled back', async () => {
  const client = new PolyaClient(server.url, { token });
  const spam = client.model('spam');
  await spam.predict(['free prize', 'lunch tomorrow', 'call tomorrow'], { remember: true });
  const [least] = await spam.open({ below: 0.9 });
  const page = await bench.page();
  await show(page, 'server');
  await page.fill('input[type=url]', server.url);
  await page.fill('input[type=password]', token);
  await page.click('main form button');
  await page.waitForSelector('section[data-part=traffic]');
  await page.selectOption('main select', 'spam');
  const request = page.locator(`[data-request="${least.id}"]`);
  expect(await request.textContent()).toContain(least.instance as string);
  const chance = least.label === 'ham' ? 'spam' : 'ham';
  await request.locator(`button[data-label=${chance}]`).click();
  await page.waitForSelector('[data-learned]:not(:empty)');
  expect(await page.textContent('[data-learned]')).toContain('version 2');
  expect(await request.count()).toBe(0);
  expect((await spam.versions()).map(({ origin }) => origin)).toEqual(['loaded', 'learned']);
  await page.waitForSelector('[data-back="1"]'); // the list follows within two polls
  await page.locator('section[data-part=versions] button', { hasText: 'Compare with now' }).click();
  await page.waitForSelector('h3:has-text("From version 1 to 2")');
  await page.click('[data-back="1"]');
  expect((await spam.card()).version).toBe(2); // the first click asks
  await page.click('[data-back="1"]');
  await expect.poll(async () => (await spam.card()).version).toBe(3);
  await settled(page);
  expect(await page.textContent('body')).not.toContain(token);
  mkdirSync(pictures, { recursive: true });
  await client.model('spam').predict(['free prize', 'lunch tomorrow', 'free call tomorrow'], { remember: true });
  await show(page, 'label'); // uncertain requests are a queue of Label too
  const queued = page.locator('section[data-part=requests]:has(h2:has-text("spam")) [data-request]').first();
  await queued.locator('button[data-label=ham]').click();
  await expect.poll(async () => (await spam.card()).version).toBe(4);
  expect(await violations(page)).toEqual([]);
  await show(page, 'server', '?model=spam');
  await page.waitForTimeout(5000); // two polls
  for (const tag of ['en', 'zh-CN']) {
    await speak(page, tag);
    await settled(page);
    expect(await violations(page), tag).toEqual([]);
    await page.screenshot({ path: join(pictures, `server-connected-${tag}.png`), fullPage: true });
  }
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('counters become rates, latencies and class shares', () => {
  const text = (predicts: number, ham: number) => `# HELP a counter
polya_request_seconds_bucket{le="0.001",method="POST",route="/v1/models/:model/predict",status="200"} ${predicts / 2}
polya_request_seconds_bucket{le="0.01",method="POST",route="/v1/models/:model/predict",status="200"} ${predicts}
polya_request_seconds_bucket{le="+Inf",method="POST",route="/v1/models/:model/predict",status="200"} ${predicts}
polya_request_seconds_count{method="POST",route="/v1/models/:model/predict",status="200"} ${predicts}
polya_refused_total{code="E_AUTH"} 3
polya_predictions_total{model="spam",class="ham"} ${ham}
polya_predictions_total{model="spam",class="a \\"quoted\\"\\\\n"} ${predicts - ham}
`;
  const first = sampleOf(text(1000, 800), 0);
  const last = sampleOf(text(1400, 900), 50_000);
  expect(first).toMatchObject({ requests: 1000, refused: 3 });
  expect(rateOf(first, last)).toBe(8);
  expect(latencyOf(first, last, 0.5)).toBeCloseTo(0.001, 12);
  expect(latencyOf(first, last, 0.75)).toBeCloseTo(0.0055, 12);
  expect(latencyOf(last, last, 0.5)).toBeUndefined();
  expect(mixOf([first, last], 'spam')).toEqual({
    mix: [
      { label: 'ham', before: 0.8, now: 0.25, drifts: true },
      { label: 'a "quoted"\\n', before: 0.2, now: 0.75, drifts: true },
    ],
    n: 400,
  });
  const same = sampleOf(text(1100, 882), 50_000);
  expect(mixOf([first, same], 'spam').mix.map(({ drifts }) => drifts)).toEqual([false, false]);
});
