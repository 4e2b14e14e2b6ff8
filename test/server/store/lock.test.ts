import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownFolder } from '../../../src/node/folder-owner.ts';
import { codeOf, newFolder } from './subjects.ts';

let place = '';
let script = '';

/** A process that owns a folder until it is killed, as one file that Node runs. */
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'polya-lock-'));
  script = join(place, 'owner.mjs');
  const source = new URL('../../../src/node/folder-owner.ts', import.meta.url).pathname;
  const code = `import { ownFolder } from ${JSON.stringify(source)};
    const said = await ownFolder(process.argv[2]).then(() => 'owned', ({ code }) => code);
    process.stdout.write(said + '\\n');
    if (said === 'owned') setInterval(() => undefined, 1000);`;
  const bundle = await rolldown({
    input: 'entry',
    platform: 'node',
    external: [/^node:/],
    logLevel: 'silent',
    plugins: [
      { name: 'entry', resolveId: (id) => (id === 'entry' ? id : null), load: (id) => (id === 'entry' ? code : null) },
    ],
  });
  await bundle.write({ file: script, format: 'esm' });
  await bundle.close();
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Starts an owner, perhaps in another PID namespace, and returns what it says. */
async function start(folder: string, under: readonly string[] = []): Promise<{ said: string; child: ChildProcess }> {
  const [program, ...rest] = [...under, process.execPath, script, folder];
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await new Promise<string>((resolve) => {
    child.stdout.once('data', (piece: Buffer) => resolve(piece.toString().trim()));
    child.once('exit', () => resolve('ended'));
  });
  return { said, child };
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

const sockets = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.sock'));

test('a living owner is not replaced; one that was killed is, at once', async () => {
  const folder = newFolder();
  const { said, child } = await start(folder);
  expect(said).toBe('owned');
  expect((await start(folder)).said).toBe('E_STORE_LOCKED');
  expect(await codeOf(ownFolder(folder))).toBe('E_STORE_LOCKED');
  expect(sockets(folder).length).toBe(1);
  await kill(child);
  const release = await ownFolder(folder);
  expect(sockets(folder).length).toBe(1);
  release();
  expect(sockets(folder)).toEqual([]);
});

const namespaces = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const why =
  spawnSync(namespaces[0], [...namespaces.slice(1), 'true']).status === 0 ? '' : ' (skipped: no namespaces here)';

test.skipIf(why !== '')(
  `two owners in PID namespaces of their own, as containers with one volume have${why}`,
  async () => {
    const folder = newFolder();
    const first = await start(folder, namespaces);
    expect(first.said).toBe('owned');
    expect((await start(folder, namespaces)).said).toBe('E_STORE_LOCKED');
    expect((await start(folder)).said).toBe('E_STORE_LOCKED');
    await kill(first.child);
    const next = await start(folder, namespaces);
    expect(next.said).toBe('owned');
    await kill(next.child);
  },
);

test('of many that start at the same time, one owns the folder', async () => {
  const folder = newFolder();
  for (let round = 0; round < 10; round++) {
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => ownFolder(folder)));
    const owners = all.flatMap((own) => (own.status === 'fulfilled' ? [own.value] : []));
    expect(owners.length).toBe(1);
    owners[0]();
  }
});

test('a path longer than the system allows for sockets is no obstacle', async () => {
  const folder = join(newFolder(), 'a'.repeat(120));
  mkdirSync(folder);
  const release = await ownFolder(folder);
  expect(await codeOf(ownFolder(folder))).toBe('E_STORE_LOCKED');
  release();
});

test('an owner on another machine is known by the time of its file, and taken over when that stands still', async () => {
  const folder = newFolder();
  const name = join(folder, `owner-${'0'.repeat(8)}-${'1'.repeat(16)}.sock`);
  const server = createServer().listen(name);
  await new Promise((resolve) => server.once('listening', resolve));
  const beat = setInterval(() => utimesSync(name, new Date(), new Date()), 500);
  expect(await codeOf(ownFolder(folder))).toBe('E_STORE_LOCKED');
  clearInterval(beat);
  const release = await ownFolder(folder);
  release();
  server.close();
}, 30_000);
