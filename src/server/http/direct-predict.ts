import type { IncomingMessage, ServerResponse } from 'node:http';
import { Compile } from 'typebox/compile';
import { PolyaError } from '../../errors.ts';
import { findModel } from '../find-model.ts';
import { predictAll, predictShort } from '../routes/predict.ts';
import { type PredictBody, predictBody } from '../routes/predict-schema.ts';
import type { Service } from '../service.ts';
import { ownError, PROBLEM, problemOf, retryAfter } from './problem.ts';
import { requestId } from './request-id.ts';
import { isShort } from './slices.ts';
import { parseBody } from './strict-body.ts';

const PREFIX = '/v1/models/';
const SUFFIX = '/predict';
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const JSON_TYPE = /^application\/json(; *charset=utf-8)?$/i;

/**
 * The one route that is asked thousands of times a second, without the framework around it: hooks, its reader of bodies and its
 * replies cost as much as the prediction of a short text. Whatever is not plain is left to the routes, which give the same
 * answers.
 */
export function directPredict(service: Service): (request: IncomingMessage, response: ServerResponse) => boolean {
  const validator = Compile(predictBody);
  const note = service.metrics.timer('POST', '/v1/models/:model/predict');
  return (request, response) => {
    const { url = '', method, headers } = request;
    if (method !== 'POST' || !url.startsWith(PREFIX) || !url.endsWith(SUFFIX)) return false;
    const name = url.slice(PREFIX.length, -SUFFIX.length);
    const length = Number(headers['content-length']);
    if (!NAME.test(name) || !(length > 0 && length <= service.limits.bodyBytes)) return false;
    if (headers['content-encoding'] !== undefined || !JSON_TYPE.test(headers['content-type'] ?? '')) return false;
    const id = requestId(headers['x-request-id']);
    const send = sender(response, id, note);
    const fail = (error: unknown) => refuse(service, error, id, send);
    receive(request, length, (bytes) => {
      try {
        const given = parseBody(bytes, service.limits.depth) as PredictBody;
        if (!validator.Check(given)) throw { validation: validator.Errors(given), validationContext: 'body' };
        const served = findModel(service.store, name);
        const answer = (version: number, text: string) =>
          send(200, 'application/json; charset=utf-8', text, ['etag', `"${version}"`]);
        if (isShort(given.instances.length)) answer(served.version, predictShort(service, served, given));
        else predictAll(service, served, given).then(({ of, text }) => answer(of.version, text), fail);
      } catch (error) {
        fail(error);
      }
    });
    return true;
  };
}

function sender(response: ServerResponse, id: string, note: (status: number, milliseconds: number) => void): Send {
  const started = performance.now();
  const always = ['x-request-id', id, 'cache-control', 'no-store', 'x-content-type-options', 'nosniff'];
  return (status, type, text, more = []) => {
    if (response.destroyed || response.headersSent) return;
    const length = String(Buffer.byteLength(text));
    response.writeHead(status, ['content-type', type, 'content-length', length, ...always, ...more]);
    response.end(text);
    note(status, performance.now() - started);
  };
}

type Send = (status: number, type: string, text: string, more?: readonly string[]) => void;

function refuse({ metrics, log }: Service, error: unknown, id: string, send: Send): void {
  let own = ownError(error);
  if (!own) {
    log('error', 'bug', { requestId: id, message: String(error), stack: (error as Error).stack?.slice(0, 2000) });
    own = new PolyaError('E_INTERNAL', `a bug in Pólya; the log tells more under ${id}`, {}, error);
  }
  metrics.refusedWith(own.code);
  const wait = retryAfter(own.code);
  const problem = problemOf(own, id);
  send(problem.status, PROBLEM, JSON.stringify(problem), wait === undefined ? [] : ['retry-after', String(wait)]);
}

/** The whole body; one that ends early is never answered, since nobody waits for it. */
function receive(request: IncomingMessage, length: number, done: (bytes: Buffer) => void): void {
  let first: Buffer | undefined;
  let pieces: Buffer[] | undefined;
  request.on('data', (piece: Buffer) => {
    if (!first) first = piece;
    else (pieces ??= [first]).push(piece);
  });
  request.on('end', () => {
    const bytes = pieces ? Buffer.concat(pieces) : (first ?? Buffer.alloc(0));
    if (bytes.length === length) done(bytes);
  });
}
