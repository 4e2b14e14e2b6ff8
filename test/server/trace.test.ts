import { expect, test } from 'vitest';
import { ask, serve } from './harness.ts';

test('a trace begins with the route and the trace context of a request and ends with its status', async () => {
  const seen: object[] = [];
  const server = await serve({
    trace: ({ method, route, traceparent }) => {
      return ({ status }) => seen.push({ method, route, traceparent, status });
    },
  });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await ask(server, '/v1/models/spam/predict', { instances: ['free'] }, { headers: { traceparent } });
  await ask(server, '/v1/models/none/predict', { instances: ['free'] });
  await ask(server, '/nowhere');
  const route = '/v1/models/:model/predict';
  await expect
    .poll(() => seen)
    .toEqual([
      { method: 'POST', route, traceparent, status: 200 },
      { method: 'POST', route, traceparent: undefined, status: 404 },
    ]);
});
