import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Direct } from './direct.ts';
import { type Answer, typeOf } from './lane/answer-head.ts';
import { DIRECT_ADDRESS, type DirectVerb, type Head, JSON_TYPE } from './lane/head.ts';
import type { Limits } from './limits.ts';

const ADDRESS = new RegExp(`^${DIRECT_ADDRESS}$`);

/** The head of a request that Node has read and that goes past the framework; undefined for what the routes are to look at. */
export function directHead({ url = '', method, headers }: IncomingMessage, limits: Limits): Head | undefined {
  if (method !== 'POST') return undefined;
  const [, model, verb] = ADDRESS.exec(url) ?? [];
  const length = Number(headers['content-length']);
  if (model === undefined || !(length > 0 && length <= limits.bodyBytes)) return undefined;
  if (headers['content-encoding'] !== undefined || !JSON_TYPE.test(headers['content-type'] ?? '')) return undefined;
  return { verb: verb as DirectVerb, model, length, headers: headers as Record<string, string> };
}

/** Waits for the whole body and answers; one that ends early is never answered, since nobody waits for it. */
export function receiveDirect(request: IncomingMessage, response: ServerResponse, head: Head, direct: Direct): void {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    if (bytes.length !== head.length) return;
    direct.answer(head, bytes, { tell: (answer) => tell(response, answer) });
    direct.finish();
  });
}

function tell(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.headersSent) return;
  const { status, text, id, version, wait } = answer;
  const headers = ['content-type', typeOf(answer), 'content-length', String(Buffer.byteLength(text))];
  headers.push('x-request-id', id, 'cache-control', 'no-store', 'x-content-type-options', 'nosniff');
  if (version !== undefined) headers.push('etag', `"${version}"`);
  if (wait !== undefined) headers.push('retry-after', String(wait));
  response.writeHead(status, headers);
  response.end(text);
}
