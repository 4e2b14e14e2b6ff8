// One handler for Bun.serve, Deno.serve and every framework with Request and Response. Guide: docs/guides/bun-and-deno.md
import { Classifier, loadTitanic } from 'polya';

const model = Classifier.fit(loadTitanic().rows, { target: 'survived', model: 'categorical', evaluate: false });

const handler = {
  async fetch(request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response('send a passenger', { status: 405 });
    return Response.json({ survived: model.classify((await request.json()) as Record<string, unknown>).label });
  },
};

const body = JSON.stringify({ class: '3rd', sex: 'male', age: null });
console.log(await (await handler.fetch(new Request('http://localhost/', { method: 'POST', body }))).json());
console.log((await handler.fetch(new Request('http://localhost/'))).status);

export default handler;

/* prints
{ survived: 'no' }
405
*/
