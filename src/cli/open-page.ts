import { spawn } from 'node:child_process';

/** Asks the desktop to open an address; where there is none, the printed address is enough. */
export function openPage(url: string): void {
  const [program, ...words] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
