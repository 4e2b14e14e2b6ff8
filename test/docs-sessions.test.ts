import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { steady } from './cli/sessions.ts';
import { bundledCommand, replayPage, rounded, sessionPages } from './replay-pages.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.info('skipped: sessions with curl, which is not here');
const pages = sessionPages().filter(({ text }) => hasCurl || !text.includes('$ curl '));

describe.skipIf(process.platform === 'win32')('sessions of first steps and guides: npm run sessions', () => {
  let command = '';
  beforeAll(async () => {
    command = await bundledCommand();
  }, 120_000);

  test.each(pages.map((page) => [page.path, page] as const))(
    '%s shows what is printed',
    (_, page) => expect(rounded(steady(replayPage(page, command)))).toBe(rounded(steady(page.text))),
    300_000,
  );
});
