import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './pages.ts';

const phrases =
  /\b(told|whoever|who asks|who waits|somebody|nobody|so many|the plain way|the long way|judged?|judgements?|honest|spoilt|in one place|learns no more|answers whether|the house)\b/gi;

/** Words of data and of the system: English stop words, former names of fields, a user of the system. */
const exceptions = ['src/text/english.ts', 'studio/saved-run.ts', 'scripts/engines/postgres-server.ts'];

test('code, comments, pages and messages keep to the vocabulary of the field', () => {
  const folders = ['src', 'studio', 'kernels', 'bench', 'scripts', 'examples', 'docs', 'README.md'];
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed
    .split('\n')
    .filter((name) => /\.(tsx?|mjs|css|md)$/.test(name) && !/\.test\.ts$/.test(name) && !exceptions.includes(name))
    .filter((name) => existsSync(join(root, name)));
  expect(files.length).toBeGreaterThan(1000);
  const foundIn = (names: readonly string[], pattern: RegExp) =>
    names.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(pattern)].map(([phrase]) => `${name}: ${phrase}`),
    );
  expect(foundIn(files, phrases)).toEqual([]);
  const studio = files.filter((name) => name.startsWith('studio/'));
  expect(studio.length).toBeGreaterThan(100);
  expect(foundIn(studio, /\b(lessons?|taught|committee)\b/gi)).toEqual([]);
});
