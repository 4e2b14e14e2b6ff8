import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

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

/** The browser of the development dependencies, unpacked on first use. */
async function bundled(): Promise<string> {
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}

/** Starts a headless browser: an installed one, or the one that comes with the development dependencies. */
export async function launch(more: readonly string[] = []): Promise<Browser> {
  const own = installed();
  const executablePath = own ?? (await bundled());
  console.info(`browser: ${own ? `found ${own}` : 'none installed, using the one of the development dependencies'}`);
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
  return chromium.launch({ executablePath, args: [...args, '--disable-component-update', '--disable-sync', ...more] });
}
