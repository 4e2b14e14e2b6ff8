import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const studio = new URL('../../studio', import.meta.url).pathname;
const phrases =
  /\b(told|whoever|who asks|who waits|somebody|nobody|so many|the plain way|the long way|judged?|judgements?|honest|spoilt|in one place|learns no more|answers whether|the house|lessons?|taught|committee)\b/gi;

test('code, comments and English texts of the studio keep to the vocabulary of the field', () => {
  const files = readdirSync(studio, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|css|js)$/.test(name))
    .filter((name) => name !== 'saved-run.ts'); // reads the former names of two fields
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((name) =>
    [...readFileSync(join(studio, name), 'utf8').matchAll(phrases)].map(([phrase]) => `${name}: ${phrase}`),
  );
  expect(found).toEqual([]);
});
