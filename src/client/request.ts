import { type ErrorCode, type ErrorDetails, PolyaError, refusals } from '../errors.ts';

/** Client options. */
export interface ClientOptions {
  /** The bearer token, if the server requires one. Default: none. */
  readonly token?: string | undefined;
  /** How often an idempotent request is retried when the server is busy or unreachable. Default: 2. */
  readonly retries?: number | undefined;
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of one request. */
export interface CallOptions {
  /** Aborts the request. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** The request. */
export interface Outgoing extends CallOptions {
  readonly method?: string;
  /** Sent as JSON, unless it is a form or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Whether the request may be retried. Default: true. */
  readonly repeatable?: boolean;
}

const LONGEST_WAIT = 10;

/** Sends requests to a server, retries where that is safe, and turns problem responses into `PolyaError`s. */
export class Caller {
  private readonly base: string;
  private readonly token: string | undefined;
  private readonly retries: number;
  private readonly fetch: typeof fetch;

  constructor(url: string | URL, { token, retries = 2, fetch: own = globalThis.fetch }: ClientOptions = {}) {
    this.base = String(url).replace(/\/+$/, '');
    this.token = token;
    this.retries = retries;
    this.fetch = own;
  }

  /** Returns the response as JSON. */
  async json<T>(path: string, outgoing: Outgoing = {}): Promise<T> {
    const response = await this.send(path, outgoing);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  /** Returns the response; throws on a problem. */
  async send(path: string, outgoing: Outgoing = {}): Promise<Response> {
    for (let left = outgoing.repeatable === false ? 0 : this.retries; ; left--) {
      const response = await this.once(path, outgoing).catch((error: unknown) =>
        this.unreachable(error, outgoing, left),
      );
      if (response?.ok || response?.status === 304) return response;
      if (response && (left <= 0 || response.status !== 503)) throw await problemOf(response);
      await pause(Math.min(LONGEST_WAIT, Number(response?.headers.get('retry-after') ?? 1)), outgoing.signal);
    }
  }

  private once(path: string, { method, body, headers = {}, signal }: Outgoing): Promise<Response> {
    const own = new Headers();
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) own.set(name, value);
    if (this.token !== undefined) own.set('authorization', `Bearer ${this.token}`);
    const form = body instanceof FormData;
    if (body !== undefined && !form) own.set('content-type', 'application/json');
    return this.fetch.call(globalThis, this.base + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: own,
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  private unreachable(error: unknown, { signal }: Outgoing, left: number): undefined {
    if (signal?.aborted) throw new PolyaError('E_CANCELLED', 'the call was cancelled', {}, error);
    if (left > 0) return undefined;
    throw new PolyaError('E_IO', `the server at ${this.base} cannot be reached`, {}, error);
  }
}

/** The server's error under its code; `details` has the HTTP status and the request id. */
async function problemOf(response: Response): Promise<PolyaError> {
  const { status } = response;
  const found = (await response.json().catch(() => ({}))) as {
    readonly code?: string;
    readonly detail?: string;
    readonly details?: ErrorDetails;
    readonly requestId?: string;
    readonly errors?: readonly { readonly pointer: string }[];
  };
  const code = (
    found.code !== undefined && Object.hasOwn(refusals, found.code) ? found.code : 'E_INTERNAL'
  ) as ErrorCode;
  const pointer = found.errors?.[0]?.pointer;
  return new PolyaError(code, found.detail ?? `the server answered with ${status}`, {
    ...found.details,
    status,
    ...(found.requestId !== undefined && { requestId: found.requestId }),
    ...(pointer !== undefined && { pointer }),
  });
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new PolyaError('E_CANCELLED', 'the call was cancelled'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
