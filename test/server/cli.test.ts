import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Check } from 'typebox/schema';
import { expect, onTestFinished, test } from 'vitest';
import { declaration } from '../../src/cli/commands/serve.ts';
import { kebab } from '../../src/cli/declare.ts';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { writeAtomic } from '../../src/node/atomic-file.ts';
import { polya } from '../cli/harness.ts';
import { lastSegment } from '../faults/flips.ts';
import { atMost } from '../quiet.ts';
import { ask, spamClassifier, spamPipeline } from './harness.ts';

async function folder(): Promise<string> {
  const own = await mkdtemp(join(tmpdir(), 'polya-serve-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  await writeFile(join(own, 'spam.polya'), spamPipeline().toBytes());
  await writeFile(join(own, 'Two.polya'), spamClassifier().toBytes());
  return own;
}

/** A command that goes on: what it has said so far, its keys, and the way to end it. */
async function begin(words: readonly string[], cwd: string, tty = false) {
  const said = { out: '', err: '' };
  const keys: string[] = [];
  let stop: ((code: number) => Promise<number>) | undefined;
  const io: Io = {
    env: {},
    cwd,
    stdin: { tty, bytes: pressed, raw: () => () => undefined },
    stdout: {
      tty,
      columns: 80,
      write: (text) => {
        expect(stop, 'a server that is announced can be stopped').toBeDefined();
        said.out += text;
      },
    },
    stderr: { tty, columns: 80, write: (text) => void (said.err += text) },
    save: (path, bytes) => writeAtomic(path, bytes),
    guard: () => () => undefined,
    onInterrupt: () => () => undefined,
    onStop: (own) => {
      stop = own;
    },
  };
  async function* pressed(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const key = keys.shift();
      if (key === undefined) await wait(10);
      else yield new TextEncoder().encode(key);
    }
  }
  const ended = run(words, io);
  await expect.poll(() => said.out.includes('\n') || said.err.includes('✖')).toBe(true);
  const url = /http:\/\/[\d.:]+/.exec(said.out)?.[0] ?? '';
  return { said, keys, url, ended, stop: () => stop?.(143) };
}

const schemaNamed = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.1.schema.json`, import.meta.url), 'utf8'));

test('--check loads everything, prints what would be served, and ends', async () => {
  const cwd = await folder();
  const result = await polya(['serve', '-m', 'spam=spam.polya', '-m', 'Two.polya', '--check'], { cwd });
  expect(result.code).toBe(0);
  expect(result.out).toContain('ready to serve 2 models');
  expect(result.out).toContain('two@v1');
  const json = await polya(['serve', '-m', 'spam.polya', '--learn', '--check', '--json'], { cwd });
  const value = JSON.parse(json.out);
  expect(Check(schemaNamed('serve-check'), value)).toBe(true);
  expect(value).toMatchObject({ models: [{ name: 'spam', version: 1 }], learning: 'ready' });
});

test.each([
  [['-m', 'Bad Name=spam.polya'], 2, 'E_USAGE'],
  [['-m', 'a=spam.polya', '-m', 'a=spam.polya'], 2, 'E_USAGE'],
  [['-m', 'spam.poly'], 5, 'E_PATH'],
  [['-m', 'broken.polya'], 4, 'E_MODEL'],
  [['-m', 'spam.polya', '--host', '0.0.0.0'], 2, 'E_USAGE'],
  [['-m', 'spam.polya', '--host', '0.0.0.0', '--token-file', 'empty.txt'], 2, 'E_USAGE'],
  [['-m', 'spam.polya', '--token-file', 'absent.txt'], 5, 'E_PATH'],
  [['-m', 'spam.polya', '--allow-origin', 'example.org'], 2, 'E_USAGE'],
  [['-m', 'spam.polya', '--host', '192.0.2.1', '--token-file', 'token.txt'], 5, 'E_IO'],
])('serve %j ends with %i', async (words, code, name) => {
  const cwd = await folder();
  await writeFile(join(cwd, 'broken.polya'), 'no model');
  await writeFile(join(cwd, 'empty.txt'), '\n');
  await writeFile(join(cwd, 'token.txt'), 'a token of many letters\n');
  const result = await polya(['serve', ...words], { cwd });
  expect(result).toMatchObject({ code });
  expect(result.err).toContain(name);
});

test('the unit for systemd and the container file give options that there are', async () => {
  const known = new Set(Object.keys(declaration.options).map((name) => `--${kebab(name)}`));
  for (const name of ['polya.service', 'Containerfile']) {
    const text = await readFile(new URL(`../../examples/serve/${name}`, import.meta.url), 'utf8');
    const lines = text.split('\n').filter((line) => /polya serve|"polya", "serve"|^CMD/.test(line));
    expect(lines.length, name).toBeGreaterThan(0);
    for (const [flag] of lines.join(' ').matchAll(/--[a-z-]+/g)) expect(known, `${name}: ${flag}`).toContain(flag);
  }
});

test('it serves until it is stopped, and ends with 0', async () => {
  const { said, url, ended, stop } = await begin(
    ['serve', '-m', 'spam.polya', '--port', '0', '--json'],
    await folder(),
  );
  const first = JSON.parse(said.out);
  expect(Check(schemaNamed('serve'), first)).toBe(true);
  expect((await ask({ url }, '/v1/models/spam/predict', { instances: ['free prize'] })).body.predictions[0].label).toBe(
    'spam',
  );
  expect((await ask({ url }, '/openapi.json')).body.info.title).toBe('Pólya');
  expect(await stop()).toBe(0);
  expect(await ended).toBe(0);
  const events = said.err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events).toEqual(['start', 'drain', 'end']);
});

test('keys on a terminal: help, reload, snapshot, quit', async () => {
  const cwd = await folder();
  const own = await begin(
    ['serve', '-m', 'spam.polya', '--learn', '--journal', './learn', '--port', '0', '--color', 'never'],
    cwd,
    true,
  );
  expect(own.said.out).toMatch(/^polya serve {2}http:\/\/127\.0\.0\.1:\d+ {3}docs \/docs .* models: spam@v1$/m);
  await ask(own, '/v1/models/spam/learn', { examples: [{ text: 'win', label: 'spam' }] });
  own.keys.push('h', 's', 'r', 'x');
  await expect.poll(() => own.said.err).toContain('is now');
  expect(own.said.err).toContain('s write snapshots');
  expect(own.said.err).toContain('snapshot spam@v2 written');
  expect(own.said.err).toContain('spam is now v3');
  own.keys.push('q');
  expect(await own.ended).toBe(0);
  const again = await begin(['serve', '-m', 'spam.polya', '--journal', './learn', '--port', '0'], cwd);
  expect((await ask(again, '/v1/models/spam')).body.version).toBe(3); // continued from the journal
  await again.stop();
});

test('SIGTERM ends the process within five seconds with 0; its journal has one owner', async () => {
  const cwd = await folder();
  const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
  const tsx = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
  const start = (...words: string[]) => {
    const child = spawn(process.execPath, ['--import', tsx, main, 'serve', '-m', 'spam.polya', '--learn', ...words], {
      cwd,
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (piece) => (said.out += piece));
    child.stderr.on('data', (piece) => (said.err += piece));
    return { child, said, ended: new Promise<number | null>((resolve) => child.on('exit', resolve)) };
  };
  const first = start('--port', '0');
  onTestFinished(() => void first.child.kill('SIGKILL'));
  await expect.poll(() => first.said.out).toContain('\n');
  const url = /http:\/\/[\d.:]+/.exec(first.said.out)![0];
  const second = start('--port', '0');
  expect(await second.ended).toBe(5);
  expect(second.said.err).toContain('E_STORE_LOCKED');
  let acknowledged = 0;
  let going = true;
  const load = Array.from({ length: 4 }, async () => {
    while (going) {
      const reply = await ask({ url }, '/v1/models/spam/learn', { examples: [{ text: 'win', label: 'spam' }] }).catch(
        () => undefined,
      );
      if (reply?.status === 200) acknowledged = Math.max(acknowledged, reply.body.version);
      else going = false;
    }
  });
  await expect.poll(() => acknowledged).toBeGreaterThan(1);
  const asked = performance.now();
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(performance.now() - asked).toBeLessThan(atMost(2000));
  going = false;
  await Promise.all(load);
  const result = await polya(['serve', '--learn', '--check', '--json'], { cwd });
  expect(JSON.parse(result.out).models[0].version).toBeGreaterThanOrEqual(acknowledged);
});

test('--repair makes a damaged journal usable, and reports what was lost', async () => {
  const cwd = await folder();
  const serving = ['serve', '-m', 'spam.polya', '--journal', 'learn', '--port', '0'];
  const server = await begin(serving, cwd);
  for (const text of ['zebra', 'lion']) {
    const reply = await ask(server, '/v1/models/spam/learn', { examples: [{ text, label: 'ham' }] });
    expect(reply.status).toBe(200);
  }
  await cp(join(cwd, 'learn'), join(cwd, 'hurt'), { recursive: true, filter: (name) => !name.endsWith('.sock') });
  await server.stop();
  const path = lastSegment(join(cwd, 'hurt'));
  const log = await readFile(path);
  log[log.indexOf('"zebra"') + 1] ^= 1;
  await writeFile(path, log);
  expect((await polya(['serve', '--journal', 'hurt', '--check'], { cwd })).code).toBe(5);
  const result = await polya(['serve', '--journal', 'hurt', '--repair', '--check'], { cwd });
  expect(result.code).toBe(0);
  expect(result.err).toContain('spam@v4 is v1 and 1 row learned since; lost: versions 2');
  expect((await polya(['serve', '--journal', 'hurt', '--check'], { cwd })).out).toContain('spam@v4');
});
