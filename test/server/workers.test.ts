import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ask, spamPipeline } from './harness.ts';

const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const tsx = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;

/** `polya serve` with two processes for predictions, run from the sources. */
async function serveWith(more: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
  const cwd = await mkdtemp(join(tmpdir(), 'polya-workers-test-'));
  await writeFile(join(cwd, 'spam.polya'), spamPipeline().toBytes());
  const words = ['serve', '-m', 'spam=spam.polya', '--port', '0', '--json', '--workers', '2', ...more];
  const child = spawn(process.execPath, ['--import', tsx, main, ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(cwd, { recursive: true, force: true });
  });
  let text = '';
  child.stdout?.on('data', (piece) => {
    text += piece;
  });
  await expect.poll(() => text, { timeout: 60_000 }).toContain('\n');
  return { url: JSON.parse(text).url, child };
}

const question = { instances: ['lottery'] };
const versionsOf = async (server: { url: string }) => {
  const all = await Promise.all(Array.from({ length: 12 }, () => ask(server, '/v1/models/spam/predict', question)));
  return all.map(({ body }) => body);
};

test('all processes follow what one of them learns, and SIGTERM ends them with 0', { timeout: 120_000 }, async () => {
  const { url, child } = await serveWith(['--learn']);
  const server = { url };
  for (const body of await versionsOf(server)) expect(body.version).toBe(1);
  const examples = [{ instance: 'lottery', label: 'spam' }];
  for (let version = 2; version <= 6; version++) {
    expect(await ask(server, '/v1/models/spam/learn', { examples })).toMatchObject({ status: 200, body: { version } });
  }
  await expect.poll(async () => (await versionsOf(server)).every(({ version }) => version === 6)).toBe(true);
  const model = spamPipeline().partialFit(
    examples.concat(examples, examples, examples, examples).map(({ instance }) => instance),
    Array(5).fill('spam'),
  );
  const expected = model.predictProba(['lottery']).at(0, 1);
  for (const { predictions } of await versionsOf(server)) {
    expect(predictions[0].probabilities.spam).toBeCloseTo(expected, 12);
  }
  expect(await ask(server, '/v1/models/spam/unlearn', { examples })).toMatchObject({
    status: 200,
    body: { version: 7 },
  });
  await expect.poll(async () => (await versionsOf(server)).every(({ version }) => version === 7)).toBe(true);
  const remembered = await ask(server, '/v1/models/spam/predict', { ...question, remember: true });
  const { id } = remembered.body.predictions[0];
  expect(await ask(server, '/v1/models/spam/feedback', { id, label: 'spam' })).toMatchObject({ body: { version: 8 } });
  const wrong = await ask(server, '/v1/models/none/learn', { examples });
  expect(wrong).toMatchObject({ status: 404, body: { code: 'E_NOT_FOUND' } });
  expect(wrong.headers.get('content-security-policy')).toContain("default-src 'none'");
  const { body: metrics } = await ask(server, '/metrics');
  const counted = [...String(metrics).matchAll(/^polya_predictions_total\{.*\} (\d+)$/gm)].map(([, n]) => Number(n));
  expect(counted.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(37);
  expect(String(metrics)).toContain('polya_model_version{model="spam"} 8');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** The processes that another one has started. */
const childrenOf = ({ pid }: ChildProcess): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));

test('kill -9 of a worker: nothing acknowledged is lost, predictions go on, and it is replaced', {
  timeout: 120_000,
}, async () => {
  const { url, child } = await serveWith(['--learn']);
  const server = { url };
  const before = childrenOf(child);
  expect(before.length).toBe(2);
  let going = true;
  const statuses = new Set<number>();
  const learned = new Set<string>();
  /** Sends a request until it is answered; only a connection that is cut is tried again. */
  const answerTo = async (path: string, body: object, headers = {}): Promise<boolean> => {
    while (going) {
      try {
        const { status } = await ask(server, path, body, { headers: { connection: 'close', ...headers } });
        statuses.add(status);
        return true;
      } catch {
        // the connection was cut; try again
      }
    }
    return false;
  };
  const clients = Array.from({ length: 8 }, async (_, c) => {
    for (let k = 0; going; k++) {
      const word = `word${c}x${k}`;
      const examples = [{ instance: word, label: 'spam' }];
      const key = { 'idempotency-key': word };
      if (await answerTo('/v1/models/spam/learn', { examples }, key)) learned.add(word);
      await answerTo('/v1/models/spam/predict', question);
    }
  });
  await pause(500);
  process.kill(before[0], 'SIGKILL');
  await expect.poll(() => childrenOf(child).filter((pid) => !before.includes(pid)).length, { timeout: 60_000 }).toBe(1);
  await pause(2000);
  going = false;
  await Promise.all(clients);
  expect([...statuses]).toEqual([200]);
  expect(learned.size).toBeGreaterThan(20);
  const { body } = await ask(server, '/v1/models/spam');
  expect(body.version).toBe(learned.size + 1);
  await expect.poll(async () => (await versionsOf(server)).every(({ version }) => version === body.version)).toBe(true);
  const unlearned = [...learned].map((instance) => ({ instance, label: 'spam' }));
  expect(await ask(server, '/v1/models/spam/unlearn', { examples: unlearned })).toMatchObject({ status: 200 });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
