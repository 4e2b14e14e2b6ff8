import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { freePorts } from '../scripts/engines/processes.ts';
import { replay } from './cli/sessions.ts';
import { allPages, type Page, root } from './pages.ts';

const PORT = '8787';
const MARKED = /(^<!-- (?:not run|run by)\b.+? -->\n```)console$/gm;

/** The readme and the pages of the tutorial, guides, concepts, lessons and commands whose console blocks are run; Chinese pages have the same blocks. */
export const sessionPages = (): Page[] =>
  allPages().filter(
    ({ path, blocks }) =>
      /^(README\.md$|docs\/(tutorial\.md$|(guides|concepts|lessons)\/|cli\.md$)|examples\/tasks\/)/.test(path) &&
      blocks.some(
        ({ language, excuse, runBy }) => language === 'console' && excuse === undefined && runBy === undefined,
      ),
  );

/** Bundles the command into the cache of the repository, where it finds optional packages, and returns its file. */
export async function bundledCommand(): Promise<string> {
  const outDir = join(root, '.cache', 'pages', 'dist', 'cli');
  mkdirSync(outDir, { recursive: true });
  for (const name of ['package.json', 'data'])
    cpSync(join(root, name), join(root, '.cache', 'pages', name), { recursive: true }); // the version, and the samples
  await build({ root, configFile: join(root, 'vite.cli.config.ts'), logLevel: 'error', build: { outDir } });
  return join(outDir, 'cli.js');
}

/** A page with its console blocks run anew in an empty folder. */
export async function replayPage({ text }: Page, command: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-pages-'));
  try {
    const port = String((await freePorts(1))[0]); // that of the pages may be taken
    const page = text.replaceAll(MARKED, '$1marked').replaceAll(PORT, port);
    return replay(page, command, folder)
      .replaceAll(port, PORT)
      .replaceAll(/^(<!-- (?:not run|run by)\b.+? -->\n```)marked$/gm, '$1console');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A page with the console blocks of another in the place of its own, one by one. */
export function withSessionsOf(page: string, other: string): string {
  const sessions = [...other.matchAll(/^```console\n.*?^```$/gms)].map(([block]) => block);
  return page.replaceAll(/^```console\n.*?^```$/gms, () => sessions.shift() ?? '');
}

/** A page with long fractions cut to nine digits: the last ones are those of the machine's logarithms. */
export const rounded = (page: string): string =>
  page.replaceAll(/\d+\.\d{10,}(?:e[+-]\d+)?/g, (number) => Number(number).toPrecision(9));
