// A model behind node:http, with a status for requests that do not fit. Guide: docs/guides/frameworks.md
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Classifier, PolyaError } from 'polya';
import { readModel } from 'polya/node';

const model = await readModel<Classifier<'ham' | 'spam'>>('spam.polya');
const server = createServer(async (request, response) => {
  try {
    const { label, probability } = model.classify(Object(await json(request)));
    response.end(JSON.stringify({ label, sure: probability > 0.9 }));
  } catch (error) {
    response.statusCode = error instanceof PolyaError ? 422 : 400;
    response.end(JSON.stringify({ code: error instanceof PolyaError ? error.code : 'no JSON' }));
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
for (const body of ['{"text": "free entry, call now to win"}', '{"message": "hello"}', 'hello']) {
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
  console.log(response.status, await response.text());
}
server.close();

/* prints
200 {"label":"spam","sure":true}
422 {"code":"E_FEATURE_MISSING"}
400 {"code":"no JSON"}
*/
