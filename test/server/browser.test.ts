import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { launch } from '../browser.ts';
import { ask, serve } from './harness.ts';

/** A page of another site, on a port of its own. */
async function strangeSite(): Promise<number> {
  const site = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>other</title>'),
  );
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void site.close());
  return (site.address() as AddressInfo).port;
}

test('in a real browser, rebinding and cross-site requests reach no route', async () => {
  const server = await serve();
  const port = await strangeSite();
  const browser = await launch(['--host-resolver-rules=MAP evil.example 127.0.0.1, MAP other.example 127.0.0.1']);
  onTestFinished(() => browser.close());
  const page = await browser.newPage();

  const rebound = await page.goto(`http://evil.example:${server.port}/v1/models`);
  expect(rebound?.status()).toBe(421);
  const fromThere = await page.evaluate(() =>
    fetch('/v1/models/spam/predict', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"instances":["a"]}',
    }).then(
      () => 'sent',
      () => 'stopped',
    ),
  );
  expect(fromThere).toBe('stopped'); // by the policy of the refusal, before it is sent; security.test.ts has the 421 of such a request

  for (const site of [`http://other.example:${port}`, `http://127.0.0.1:${port}`]) {
    await page.goto(site);
    const outcomes = await page.evaluate(async (target) => {
      const attempt = async (path: string, init: RequestInit): Promise<string> => {
        try {
          const response = await fetch(target + path, init);
          return response.type === 'opaque' ? 'opaque' : `read ${response.status}`;
        } catch {
          return 'blocked';
        }
      };
      const json = { 'content-type': 'application/json' };
      const form = new FormData();
      form.set('name', 'spam');
      const image = await new Promise<string>((resolve) => {
        const own = new Image();
        own.onload = () => resolve('loaded');
        own.onerror = () => resolve('error');
        own.src = `${target}/v1/models`;
      });
      return [
        await attempt('/v1/models/spam/predict', { method: 'POST', headers: json, body: '{"instances":["a"]}' }),
        await attempt('/v1/models/spam', { method: 'DELETE' }),
        await attempt('/v1/models/spam/rollback', { method: 'PUT', headers: json, body: '{}' }),
        await attempt('/v1/models', { method: 'GET' }),
        await attempt('/v1/models/spam/learn', { method: 'POST', mode: 'no-cors', body: '{"examples":[]}' }),
        await attempt('/v1/models', { method: 'POST', mode: 'no-cors', body: form }),
        image,
      ];
    }, server.url);
    expect(outcomes).toEqual(['blocked', 'blocked', 'blocked', 'blocked', 'blocked', 'blocked', 'error']);
    const posted = page.waitForResponse((response) => response.url().startsWith(server.url));
    await page.evaluate((target) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'POST', action: `${target}/v1/models/spam/learn`, enctype: 'text/plain' });
      document.body.append(form);
      form.submit();
    }, server.url);
    expect((await posted).status()).toBe(403);
    await page.waitForURL(`${server.url}/**`); // the page of the refusal, before the next one is opened
  }
  const { body } = await ask(server, '/metrics');
  expect(Number(/polya_refused_total\{code="E_HOST"\} (\d+)/.exec(body)![1])).toBeGreaterThanOrEqual(1);
  expect(Number(/polya_refused_total\{code="E_ORIGIN"\} (\d+)/.exec(body)![1])).toBeGreaterThanOrEqual(14);
  expect(body).not.toMatch(/route="\/v1\/models\/:model\/(learn|rollback)"/); // no route was reached
  expect((await ask(server, '/v1/models/spam')).body.version).toBe(1);
});

test('the page /docs loads nothing from elsewhere, and breaks no rule of its policy', async () => {
  const server = await serve();
  const browser = await launch();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  const response = await page.goto(`${server.url}/docs`);
  expect(response?.status()).toBe(200);
  expect(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'))).toEqual([]);
  expect(complaints).toEqual([]);
  expect(await page.locator('details').count()).toBeGreaterThan(25);
  expect(await page.locator('#E_BAD_REQUEST').textContent()).toContain('malformed');
  expect(await page.locator('h1').textContent()).toContain('Pólya');
});
