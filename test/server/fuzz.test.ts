import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/server/store/index.ts';
import { type Description, type JsonSchema, type MadeUp, requestsFor } from './fuzz-requests.ts';
import { ask, models, serve, spamRows } from './harness.ts';

const REQUESTS = 10_000;
const SEED = 1_906;
/** Streams without an end, and what takes the others their model or fills the disk with copies. */
const leftOut = new Set(['watchJob', 'startJob', 'uploadModel', 'uploadDataset', 'snapshot', 'removeModel']);

test(`${REQUESTS} requests made up from the description find no 500, and no answer outside it`, {
  timeout: 300_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'polya-fuzz-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = await openStore(folder, models());
  const server = await serve({ store });
  const { body: description } = (await ask(server, '/openapi.json')) as { body: Description };
  const lines = spamRows.map((row) => JSON.stringify(row)).join('\n');
  const set = await ask(server, '/v1/datasets', lines, { headers: { 'content-type': 'application/x-ndjson' } });
  const job = await ask(server, '/v1/jobs', {
    kind: 'fit',
    data: set.body.id,
    config: { target: 'label', model: 'multinomial' },
  });
  const known = {
    model: ['spam', 'records', 'bells', 'none'],
    id: [set.body.id, job.body.id],
    feature: ['free', 'text', '0', 'x1'],
    'if-match': ['"1"', '"2"', '*'],
    'idempotency-key': ['one', 'two', 'three'],
  };
  const checks = checksOf(description);
  const requests = fc.sample(requestsFor(description, known, leftOut), { seed: SEED, numRuns: REQUESTS });
  const seen = new Map<number, number>();
  const faults: string[] = [];
  let next = 0;
  const client = async () => {
    while (next < requests.length) {
      const own = requests[next++];
      const status = await check(server.url, own, checks, faults);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
  };
  await Promise.all([client(), client(), client(), client()]);
  expect(faults.slice(0, 5)).toEqual([]);
  expect(seen.get(500)).toBeUndefined();
  expect(seen.get(200)).toBeGreaterThan(REQUESTS / 10);
  expect(seen.get(400)).toBeGreaterThan(REQUESTS / 10);
  expect(seen.get(422)).toBeGreaterThan(10);
  expect(server.events.filter(({ event }) => event === 'bug')).toEqual([]);
  expect((await ask(server, '/healthz')).status).toBe(200);
});

type Checks = Map<string, ReturnType<typeof Compile>>;

/** A check for every answer of every operation, by operation, status and media type. */
function checksOf({ paths, components }: Description): Checks {
  const checks: Checks = new Map();
  const inline = (schema: JsonSchema): JsonSchema =>
    JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));
  const definitions = Object.fromEntries(Object.entries(components.schemas).map(([name, own]) => [name, inline(own)]));
  for (const verbs of Object.values(paths)) {
    for (const { operationId, responses } of Object.values(verbs)) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const [type, { schema }] of Object.entries(content)) {
          checks.set(
            `${operationId} ${status} ${type}`,
            Compile({ ...inline(schema ?? {}), $defs: definitions } as never),
          );
        }
      }
    }
  }
  return checks;
}

/** Sends a request and notes every response that the OpenAPI description does not allow. */
async function check(url: string, made: MadeUp, checks: Checks, faults: string[]): Promise<number> {
  const { operationId, responses } = made.operation;
  const method = made.verb.toUpperCase();
  const response = await fetch(url + made.url, {
    method,
    headers: made.headers,
    redirect: 'manual',
    ...(made.body !== undefined && { body: made.body }),
  });
  const text = await response.text();
  const { status } = response;
  const blame = (why: string) =>
    faults.push(`${method} ${made.url} ${made.body?.slice(0, 300) ?? ''} → ${status} ${why}: ${text.slice(0, 300)}`);
  const type = (response.headers.get('content-type') ?? '').split(';')[0];
  const declared = Object.hasOwn(responses, String(status)) ? String(status) : 'default';
  if (status === 302 || status === 304 || status === 204 || method === 'HEAD') return status;
  const check = checks.get(`${operationId} ${declared} ${type}`);
  if (status >= 500 && status !== 503 && status !== 507) blame('a bug');
  else if (declared === 'default' && status < 400) blame('a status that is not declared');
  else if (!check) blame(`the media type ${type} is not declared`);
  else if (type === 'application/x-ndjson') {
    for (const line of text.split('\n').filter(Boolean))
      if (!check.Check(JSON.parse(line))) blame('a line outside the schema');
  } else if (type.includes('json') && !check.Check(JSON.parse(text)))
    blame(`outside the schema ${JSON.stringify(check.Errors(JSON.parse(text))).slice(0, 300)}`);
  return status;
}
