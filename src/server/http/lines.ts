import type { Readable } from 'node:stream';
import { PolyaError, refuse } from '../../errors.ts';
import type { Limits } from './limits.ts';
import { problemOf } from './problem.ts';
import { parseBody } from './strict-body.ts';

/** A line of a stream: its number from 1 on, and its value or what is wrong with it. */
export type Line =
  | { readonly line: number; readonly value: unknown; readonly bytes: Buffer }
  | { readonly line: number; readonly error: PolyaError };

const NEWLINE = 0x0a;

/**
 * The lines of a stream of JSON as they come, those of one piece together. A line that is wrong is told and skipped; a line
 * or a stream that is too long ends it.
 */
export async function* readLines(
  source: Readable,
  { lineBytes, uploadBytes, depth }: Pick<Limits, 'lineBytes' | 'uploadBytes' | 'depth'>,
): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  let total = 0;
  const parse = (bytes: Buffer): Line[] => {
    line++;
    if (bytes.every(isBlank)) return [];
    try {
      return [{ line, value: parseBody(bytes, depth), bytes }];
    } catch (error) {
      if (error instanceof PolyaError) return [{ line, error }];
      throw error;
    }
  };
  for await (const piece of source as AsyncIterable<Buffer>) {
    total += piece.length;
    if (total > uploadBytes)
      refuse('E_TOO_LARGE', `the stream is longer than ${uploadBytes} bytes`, { limit: uploadBytes });
    const found: Line[] = [];
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      const own = piece.subarray(start, end);
      if (rest.length + own.length > lineBytes) refuseLine(line + 1, lineBytes);
      found.push(...parse(rest.length > 0 ? Buffer.concat([rest, own]) : own));
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    rest = start === 0 && rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece.subarray(start));
    if (rest.length > lineBytes) refuseLine(line + 1, lineBytes);
    if (found.length > 0) yield found;
  }
  const last = rest.length > 0 ? parse(rest) : [];
  if (last.length > 0) yield last;
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;

function refuseLine(line: number, limit: number): never {
  return refuse('E_LIMIT', `line ${line} is longer than ${limit} bytes`, { line, limit });
}

/** A line of the answer that tells what was wrong with a line of the request; a bug is told as one. */
export function errorLine(line: number | undefined, error: unknown, requestId: string): string {
  const own = error instanceof PolyaError ? error : new PolyaError('E_INTERNAL', 'a bug in Pólya', {}, error);
  return `${JSON.stringify({ ...(line !== undefined && { line }), error: problemOf(own, requestId) })}\n`;
}

/** A line of the answer: what `act` makes of a line of the request, or why that was refused. */
export function answerLine(own: Line, requestId: string, act: (line: number, value: unknown) => object): string {
  try {
    if ('error' in own) throw own.error;
    return `${JSON.stringify(act(own.line, own.value))}\n`;
  } catch (error) {
    return errorLine(own.line, error, requestId);
  }
}
