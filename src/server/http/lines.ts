import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { PolyaError, refuse } from '../../errors.ts';
import type { Limits } from './limits.ts';
import { problemOf, toPolyaError } from './problem.ts';
import { parseBody } from './strict-body.ts';

/** A line of a stream: its number from 1 on, and its value or what is wrong with it. */
export interface Line {
  readonly line: number;
  readonly value?: unknown;
  readonly error?: PolyaError;
}

/** The media type of streams: lines of JSON. */
export const NDJSON = 'application/x-ndjson';

const NEWLINE = 0x0a;

/**
 * Answers a stream line by line, in bounded memory: `act` turns a line into what is sent for it. Lines that arrive together are handled
 * together. A line that is refused is answered with its problem; an error that ends the stream is the last line of the answer.
 */
export function answerLines(
  reply: FastifyReply,
  source: Readable,
  limits: Limits,
  act: (line: Line) => object | Promise<object>,
): FastifyReply {
  const { id } = reply.request;
  const problemLine = (error: unknown, line?: number) =>
    jsonLine({ ...(line !== undefined && { line }), error: problemOf(toPolyaError(error), id) });
  const answer = async (own: Line): Promise<string> => {
    try {
      if (own.error) throw own.error;
      return jsonLine(await act(own));
    } catch (error) {
      return problemLine(error, own.line);
    }
  };
  async function* answers(): AsyncGenerator<string> {
    try {
      for await (const lines of readLines(source, limits)) yield (await Promise.all(lines.map(answer))).join('');
    } catch (error) {
      yield problemLine(error);
    }
  }
  return reply
    .header('content-type', NDJSON)
    .send(Readable.from(answers(), { objectMode: false, highWaterMark: 65_536 }));
}

const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`;

/** The lines of a stream of JSON, those of one chunk together. A line or a stream that is too long ends it. */
async function* readLines(source: Readable, { lineBytes, uploadBytes, depth }: Limits): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  let [line, total] = [0, 0];
  const parse = (bytes: Buffer): Line[] => {
    line++;
    if (bytes.every(isBlank)) return [];
    try {
      return [{ line, value: parseBody(bytes, depth) }];
    } catch (error) {
      if (error instanceof PolyaError) return [{ line, error }];
      throw error;
    }
  };
  const requireShort = (length: number) => {
    if (length <= lineBytes) return;
    refuse('E_LIMIT', `line ${line + 1} is longer than ${lineBytes} bytes`, { line: line + 1, limit: lineBytes });
  };
  for await (const piece of source as AsyncIterable<Buffer>) {
    total += piece.length;
    if (total > uploadBytes)
      refuse('E_TOO_LARGE', `the stream is longer than ${uploadBytes} bytes`, { limit: uploadBytes });
    const found: Line[] = [];
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      const own = piece.subarray(start, end);
      requireShort(rest.length + own.length);
      found.push(...parse(rest.length > 0 ? Buffer.concat([rest, own]) : own));
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    rest = start === 0 && rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece.subarray(start));
    requireShort(rest.length);
    if (found.length > 0) yield found;
  }
  const last = rest.length > 0 ? parse(rest) : [];
  if (last.length > 0) yield last;
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;
