import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './pages.ts';

interface Links {
  readonly dead: readonly string[];
  readonly outside: ReadonlyMap<string, string>;
}

test('links of the built site work: pages, files, anchors; external ones are listed', async () => {
  const { linksOf } = (await import(join(root, 'scripts', 'site-links.mjs'))) as { linksOf: (site: string) => Links };
  const site = mkdtempSync(join(tmpdir(), 'polya-site-'));
  mkdirSync(join(site, 'guides'));
  const links = [
    'guides/',
    '/guides/index.html#there',
    'guides/#not-there',
    '/missing.html',
    'https://example.org/',
    'picture.png',
  ];
  writeFileSync(join(site, 'index.html'), links.map((link) => `<a href="${link}">link</a>`).join('\n'));
  writeFileSync(
    join(site, 'guides', 'index.html'),
    '<h2 id="there">There</h2><a href="../index.html">back</a><a href="#there">up</a>',
  );
  const { dead, outside } = linksOf(site);
  rmSync(site, { recursive: true });
  expect(dead).toEqual(['index.html → guides/#not-there', 'index.html → /missing.html', 'index.html → picture.png']);
  expect([...outside]).toEqual([['https://example.org/', 'index.html']]);
});
