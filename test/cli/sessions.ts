import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = /^```console\n(.*?)^```$/gms;

/** A page with the commands of its console blocks run anew in a folder, one shell for all, and their output in place of the old. */
export function replay(page: string, cli: string, folder: string): string {
  const commands = join(folder, '.bin');
  mkdirSync(commands);
  writeFileSync(join(commands, 'polya'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  chmodSync(join(commands, 'polya'), 0o755);
  const lines = [...page.matchAll(BLOCK)].flatMap(([, block]) => commandsOf(block));
  const said = run(lines, commands, folder);
  let next = 0;
  return page.replace(BLOCK, (_, block: string) => {
    const parts = commandsOf(block).map((line) => `$ ${line}\n${said[next++]}`);
    return `\`\`\`console\n${parts.join('')}\`\`\``;
  });
}

const commandsOf = (block: string): string[] =>
  block
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2));

function run(lines: readonly string[], commands: string, cwd: string): string[] {
  const mark = '\u0001';
  const steps = lines.map((line) => `__code=$?; printf '${mark}'; (exit $__code)\n${line}`);
  const script = `${steps.join('\n')}\n`;
  const env = {
    PATH: `${commands}:${process.env.PATH}`,
    HOME: cwd,
    NO_COLOR: '1',
    COLUMNS: '100',
    POLYA_PROGRESS: 'none',
  };
  const options = { cwd, encoding: 'utf8', env: env as never, timeout: 540_000 } as const; // a server that does not come is no hang
  const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], options);
  return stdout.split(mark).slice(1);
}

/** A page without what differs between runs and versions: times, speeds (printed only for slow work), sizes of files. */
export const steady = (page: string): string =>
  page
    .replaceAll(/\d+\.\d s\b|\d+ min \d+ s\b/g, 'T s')
    .replaceAll(/ · [\d,.]+[kM]? rows\/s/g, '')
    .replaceAll(/[\d.]+ [kM]?B\b/g, 'S kB');
