import { spawn } from 'node:child_process';

/** Opens an address in the browser; errors are ignored, since the address is printed too. */
export function openPage(url: string): void {
  const [program, ...words] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
