import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** How long a step may take before a test says which one it was; a busy machine may pause for long. */
export const PATIENCE = 120_000;

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A browser that is installed: the one in CHROMIUM, else the first on the path. */
function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    process.env.CHROMIUM ?? '',
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ];
  return candidates.find((path) => {
    if (path === '') return false;
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * The browser of the development dependencies, unpacked on first use: under a name of this process, then renamed, so that nobody starts
 * one that another process has half written.
 */
async function bundled(): Promise<string> {
  const modules = join(import.meta.dirname, '..', 'node_modules');
  const { version } = JSON.parse(readFileSync(join(modules, '@sparticuz', 'chromium', 'package.json'), 'utf8'));
  const cache = join(modules, '.cache', 'polya');
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) await unpack(cache, folder);
  return join(folder, 'chromium');
}

async function unpack(cache: string, folder: string): Promise<void> {
  const { default: packed } = await import('@sparticuz/chromium');
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(`${folder}.partial-`);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = own; // where the package unpacks
  try {
    await packed.executablePath();
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // else another process was faster
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** Starts a headless browser: an installed one, or the one that comes with the development dependencies. */
export async function launch(more: readonly string[] = []): Promise<Browser> {
  const own = installed();
  const executablePath = own ?? (await bundled());
  console.info(`browser: ${own ? `found ${own}` : 'none installed, using the one of the development dependencies'}`);
  const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-sync', ...quiet, ...more];
  return chromium.launch({ executablePath, args, timeout: PATIENCE });
}
