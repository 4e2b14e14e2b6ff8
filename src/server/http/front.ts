import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PolyaError } from '../../errors.ts';
import { busy, type Direct } from './direct.ts';
import { directHead, receiveDirect } from './direct-request.ts';
import type { Guard } from './guard.ts';
import { Lanes } from './lane/lanes.ts';
import type { Limits } from './limits.ts';
import type { Pressure } from './pressure.ts';
import { PROBLEM, problemOf, retryAfter } from './problem.ts';
import { nextId } from './request-id.ts';
import type { SlowBodies } from './slow-bodies.ts';
import { statusOf } from './status.ts';

/** What stands before the routes. */
export interface Front {
  readonly limits: Limits;
  readonly pressure: Pressure;
  readonly slow: SlowBodies;
  /** Known once the port is. */
  readonly guard: () => Guard | undefined;
  /** Answers what is asked most, past the routes. */
  readonly direct: Direct;
  /** Told of every refusal. */
  readonly refused: (code: string) => void;
}

/** Addresses that are answered however busy the server is. */
const vital: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/v2/health/live', '/v2/health/ready']);

/**
 * Node's server with every limit set, and before the routes the checks that hold for all of them: who calls, from where, and
 * whether there is room.
 */
export function frontServer(handler: RequestListener, front: Front): { server: Server; lanes: Lanes } {
  const { limits, pressure, slow, direct, guard } = front;
  const server = createServer(
    {
      headersTimeout: limits.headersTime,
      requestTimeout: 0, // bodies have a watch of their own, so that a stream may be long
      connectionsCheckingInterval: Math.min(1000, limits.headersTime),
      keepAliveTimeout: limits.idleTime,
      maxHeaderSize: limits.headerBytes,
      noDelay: true,
    },
    (request, response) => {
      const refusal = refusalOf(front, request);
      if (refusal) return refuseAtOnce(request, response, refusal, front);
      if (cors(front, request, response)) return;
      pressure.inFlight++;
      slow.watch(request, response);
      response.once('close', () => {
        pressure.inFlight--;
        slow.forget(request);
      });
      const head = directHead(request, limits);
      if (head) receiveDirect(request, response, head, direct);
      else handler(request, response);
    },
  );
  server.maxConnections = limits.connections;
  server.maxHeadersCount = 100;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => clientError(error, socket, front));
  const [toNode] = server.listeners('connection') as ((socket: Socket) => void)[];
  const lanes = new Lanes({ limits, pressure, direct, guard, give: (socket) => toNode.call(server, socket) });
  server.removeAllListeners('connection').on('connection', (socket) => lanes.take(socket));
  return { server, lanes };
}

function refusalOf({ guard, limits, pressure }: Front, request: IncomingMessage): PolyaError | undefined {
  const own = guard();
  if (!own) return new PolyaError('E_OVERLOADED', 'the server is starting');
  const refusal = own.refusal(request);
  if (refusal) return refusal;
  const url = request.url ?? '';
  if (url.length > limits.addressLength) return new PolyaError('E_BAD_REQUEST', 'the address is too long');
  return pressure.tooMuch && !vital.has(url) ? busy() : undefined;
}

/** Lets pages of listed origins call; answers their question whether they may. */
function cors({ guard }: Front, request: IncomingMessage, response: ServerResponse): boolean {
  const origin = request.headers.origin === undefined ? undefined : guard()?.allowedOrigin(request.headers);
  if (origin === undefined) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  response.setHeader('access-control-expose-headers', 'etag, x-request-id, retry-after, location');
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, DELETE');
  response.setHeader(
    'access-control-allow-headers',
    'content-type, authorization, idempotency-key, if-match, if-none-match',
  );
  response.writeHead(204).end();
  return true;
}

/** Answers a request without reading its body; what is still on the way is not waited for. */
export function refuseAtOnce(
  request: IncomingMessage,
  response: ServerResponse,
  error: PolyaError,
  { refused }: Pick<Front, 'refused'>,
): void {
  refused(error.code);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const id = nextId();
  const body = JSON.stringify(problemOf(error, id));
  const wait = retryAfter(error.code);
  const unread = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  const headers: Record<string, string | number> = {
    'content-type': PROBLEM,
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    'cache-control': 'no-store',
  };
  if (wait !== undefined) headers['retry-after'] = wait;
  if (error.code === 'E_AUTH') headers['www-authenticate'] = 'Bearer';
  if (unread) headers.connection = 'close';
  response.writeHead(statusOf(error.code), headers);
  response.end(body);
}

/** What cannot be read as a request gets its status and no more. */
function clientError(error: NodeJS.ErrnoException, socket: Socket, { refused }: Front): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, code, title] = clientErrors[error.code ?? ''] ?? clientErrors.malformed;
  refused(code);
  const body = JSON.stringify({ ...problemOf(new PolyaError(code, title), nextId(), status), status });
  const reason =
    status === 408 ? 'Request Timeout' : status === 431 ? 'Request Header Fields Too Large' : 'Bad Request';
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: ${PROBLEM}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const clientErrors: Readonly<Record<string, readonly [number, 'E_TIMEOUT' | 'E_TOO_LARGE' | 'E_BAD_REQUEST', string]>> =
  {
    ERR_HTTP_REQUEST_TIMEOUT: [408, 'E_TIMEOUT', 'the headers of the request took too long'],
    HPE_HEADER_OVERFLOW: [431, 'E_TOO_LARGE', 'the headers of the request are too large'],
    malformed: [400, 'E_BAD_REQUEST', 'the request is not well-formed HTTP'],
  };
