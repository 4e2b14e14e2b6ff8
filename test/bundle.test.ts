import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import * as polya from '../src/index.ts';
import { launch } from './browser.ts';

const door = new URL('../src/index.ts', import.meta.url).pathname;

/** Packages that are loaded only when asked for by name. */
const optional = ['snowball-stemmers', '@node-rs/jieba', '@node-rs/jieba/dict.js'];

/** Bundles a program for the browser; whatever it imports must be inside. */
async function bundle(program: string): Promise<string> {
  const build = await rolldown({
    input: 'program',
    platform: 'browser',
    external: optional,
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : id === 'polya' ? door : null),
        load: (id) => (id === 'program' ? program : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  return output[0].code;
}

const lesson = `
  const X = [[1, 0, 1], [1, 1, 1], [0, 1, 0], [0, 0, 1]];
  const nb = new polya.BernoulliNB({ alpha: 0.5 }).fit(X, ['a', 'a', 'b', 'b']);
  return { proba: Array.from(polya.load(nb.toBytes()).predictProba(X).data), bytes: Array.from(nb.toBytes()) };
`;

test('the core bundle has no dependency, nothing from node:, and says the same in a browser', async () => {
  const code = await bundle("import * as polya from 'polya'; globalThis.polya = polya;");
  expect(code).not.toMatch(/['"]node:|require\(/);
  const words = await bundle(
    "import { CountVectorizer, MultinomialNB } from 'polya'; globalThis.polya = [CountVectorizer, MultinomialNB];",
  );
  const size = (bytes: string) => `${(gzipSync(bytes).length / 1000).toFixed(1)} kB`;
  console.info(`minified and compressed: all ${size(code)}, CountVectorizer and MultinomialNB alone ${size(words)}`);

  const server = createServer((request, response) => {
    const script = request.url === '/bundle.js';
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    response.end(
      script ? code : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/bundle.js"></script>',
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction('globalThis.polya !== undefined');
    const there = await page.evaluate<{ proba: number[]; bytes: number[] }>(`(() => {${lesson}})()`);
    const here = new Function('polya', lesson)(polya) as typeof there;
    expect(there.bytes).toEqual(here.bytes);
    there.proba.forEach((p, i) => {
      expect(Math.abs(p - here.proba[i])).toBeLessThanOrEqual(1e-12);
    });
  } finally {
    await browser.close();
    server.close();
  }
}, 120_000);
