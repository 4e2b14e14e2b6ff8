import { MODEL } from '../../shapes.ts';

/** What is done most often, without the framework around it. */
export type DirectVerb = 'predict' | 'learn' | 'unlearn';

/** What the head of a plain request says. */
export interface Head {
  readonly verb: DirectVerb;
  readonly model: string;
  /** Bytes of the body. */
  readonly length: number;
  /** The headers that matter, by their names in small letters; no others were there that could. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The addresses of what is done most often, as a pattern: model and verb. */
export const DIRECT_ADDRESS = `/v1/models/(${MODEL})/(predict|learn|unlearn)`;

/** The media type of their bodies. */
export const JSON_TYPE = /^application\/json(; ?charset=utf-8)?$/i;

const LINE = new RegExp(`^POST ${DIRECT_ADDRESS} HTTP/1\\.1$`);
const HEADER = /^([A-Za-z0-9-]{1,64}): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
const LENGTH = /^[1-9][0-9]{0,8}$/;

/** Headers that change what is done. */
const telling: ReadonlySet<string> = new Set([
  'host',
  'content-type',
  'content-length',
  'connection',
  'authorization',
  'x-request-id',
  'idempotency-key',
  'if-match',
]);

/** Headers that change nothing here; one that is in neither list makes the request one for Node. */
const idle: ReadonlySet<string> = new Set([
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
]);

/**
 * Reads the head of a request, from its first letter to the one before the blank line, or answers undefined where it is not
 * plain. Plain is a small part of what HTTP allows, chosen so that no two readers can understand it differently: one known line,
 * headers of one line each from a list, none twice, a length and no transfer coding. RFC 9112 (2022), §3, §5 and §6.
 */
export function readHead(text: string, longest: number): Head | undefined {
  const lines = text.split('\r\n');
  const [, model, verb] = LINE.exec(lines[0]) ?? [];
  if (model === undefined) return undefined;
  const headers: Record<string, string> = Object.create(null);
  for (let k = 1; k < lines.length; k++) {
    const [, name, value] = HEADER.exec(lines[k]) ?? [];
    if (name === undefined) return undefined;
    const own = name.toLowerCase();
    if (own in headers || !(telling.has(own) || idle.has(own))) return undefined;
    headers[own] = value;
  }
  const { host, connection = 'keep-alive' } = headers;
  if (host === undefined || connection.toLowerCase() !== 'keep-alive') return undefined;
  if (!LENGTH.test(headers['content-length'] ?? '') || !JSON_TYPE.test(headers['content-type'] ?? '')) return undefined;
  const length = Number(headers['content-length']);
  return length <= longest ? { verb: verb as DirectVerb, model, length, headers } : undefined;
}

/** Heads that were read before: clients say the same again and again, apart from the length. */
export class Heads {
  private readonly known = new Map<string, Head>();
  private readonly longest: number;

  constructor(longest: number) {
    this.longest = longest;
  }

  read(text: string): Head | undefined {
    const before = this.known.get(text);
    if (before) return before;
    const head = readHead(text, this.longest);
    if (head && !('x-request-id' in head.headers) && !('idempotency-key' in head.headers)) this.keep(text, head);
    return head;
  }

  private keep(text: string, head: Head): void {
    if (text.length > 1024) return;
    if (this.known.size >= 1024) this.known.clear();
    this.known.set(text, head);
  }
}
