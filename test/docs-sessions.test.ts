import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { steady } from './cli/sessions.ts';
import { allPages } from './pages.ts';
import { bundledCommand, replayPage, rounded, sessionPages } from './replay-pages.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.info('skipped: sessions with curl, which is not installed');
const pages = sessionPages().filter(({ text }) => hasCurl || !text.includes('$ curl '));

describe.skipIf(process.platform === 'win32')('sessions of the tutorial, guides and concepts: npm run sessions', () => {
  let command = '';
  beforeAll(async () => {
    command = await bundledCommand();
  });

  test.each(pages.map((page) => [page.path, page] as const))('%s shows what is printed', async (_, page) =>
    expect(rounded(steady(await replayPage(page, command)))).toBe(rounded(steady(page.text))),
  );

  test.each(blocksOfThisTest('docs/cli.md').flatMap(linesOf))('%s', async (line) => {
    const folder = folderWithModel(command, 'spam.polya');
    expect(await startAndStop(command, line.split(' ').slice(1), folder)).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['docs/guides/server.md', 'docs/zh/guides/server.md'])(
    'the program of %s gets a response',
    async (path) => {
      const folder = folderWithModel(command, 'sms.polya');
      const [program] = blocksOfThisTest(path);
      let printed = '';
      const ask = (address: string) => {
        const file = join(folder, 'program.mjs');
        writeFileSync(file, program.replace('http://127.0.0.1:8787', address));
        printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
      };
      expect(await startAndStop(command, ['serve', '-m', 'sms.polya'], folder, ask)).toBe(0);
      expect(printed).toMatch(/^1 spam /);
      rmSync(folder, { recursive: true, force: true });
    },
  );
});

/** The blocks of a page that name this test. */
function blocksOfThisTest(path: string): string[] {
  const [page] = allPages().filter((own) => own.path === path);
  const blocks = page.blocks.filter(({ runBy }) => runBy === 'test/docs-sessions.test.ts');
  expect(blocks.length).toBe(1);
  return blocks.map(({ code }) => code);
}

/** The commands of an example, without comments. */
const linesOf = (code: string): string[] => [...code.matchAll(/^\$ (.+?) {3}#/gm)].map(([, line]) => line);

/** An empty folder, except for the sample of messages and a model of it. */
function folderWithModel(command: string, model: string): string {
  const cwd = mkdtempSync(join(tmpdir(), 'polya-serving-'));
  const polya = (...words: string[]) => spawnSync(process.execPath, [command, ...words], { cwd });
  polya('demo', 'sms');
  expect(polya('fit', 'sms.csv', '-t', 'label', '--model', 'multinomial', '-o', model).status).toBe(0);
  return cwd;
}

/** Runs a command until it prints its address, uses it, stops it, and returns its exit code. */
function startAndStop(
  command: string,
  words: readonly string[],
  cwd: string,
  use: (address: string) => void = () => undefined,
): Promise<number | null> {
  const port = words.includes('--check') ? [] : ['--port', '0'];
  const served = spawn(process.execPath, [command, ...words, ...port], { cwd });
  let said = '';
  const listen = (piece: Buffer) => {
    said += piece;
    const [address] = /http:\/\/127\.0\.0\.1:\d+\b/.exec(said) ?? [];
    if (address === undefined || port.length === 0 || served.killed) return;
    use(address);
    served.kill('SIGTERM');
  };
  served.stdout.on('data', listen);
  served.stderr.on('data', listen);
  return new Promise((resolve) => served.on('close', resolve));
}
