import { decodeBase64, decodeCharset, decodeQuotedPrintable } from './transfer-encoding.ts';

/** Header fields by lower-case name; the first of duplicates. */
export type MailHeaders = ReadonlyMap<string, string>;

const MOST_FIELD = 1 << 16;

/** Reads the fields of a header, unfolded (RFC 5322 §2.2.3) and not yet decoded. */
export function readHeaders(bytes: Uint8Array): MailHeaders {
  const fields = new Map<string, string>();
  const unfolded = decodeCharset(bytes, undefined).replaceAll(/(\r\n|\r|\n)(?=[ \t])/g, '');
  for (const line of unfolded.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1, colon + 1 + MOST_FIELD).trim());
  }
  return fields;
}

const ENCODED_WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?\s]*)\?=/gi;

/** A field as text: encoded words resolved, blanks between two of them dropped (RFC 2047 §6.2). */
export function decodeWords(field: string): string {
  let text = '';
  let end = 0; // of the last encoded word
  let pending: { charset: string; bytes: Uint8Array } | undefined;
  for (const { 0: whole, 1: stated, 2: kind, 3: word, index } of field.matchAll(ENCODED_WORD)) {
    const charset = stated!.replace(/\*.*/, '').toLowerCase(); // a language may follow (RFC 2231 §5)
    const bytes = decodeWord(word!, kind!);
    const between = field.slice(end, index);
    if (pending !== undefined && between.trim() === '' && pending.charset === charset) {
      pending.bytes = joined(pending.bytes, bytes); // a character may be split over two words
    } else {
      if (pending !== undefined) text += decodeCharset(pending.bytes, pending.charset);
      text += pending !== undefined && between.trim() === '' ? '' : between;
      pending = { charset, bytes };
    }
    end = index + whole.length;
  }
  if (pending !== undefined) text += decodeCharset(pending.bytes, pending.charset);
  return (text + field.slice(end)).trim();
}

function decodeWord(word: string, kind: string): Uint8Array {
  const bytes = new TextEncoder().encode(word);
  return kind.toLowerCase() === 'b' ? decodeBase64(bytes) : decodeQuotedPrintable(bytes, true);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The type of a mail part. */
export interface ContentType {
  readonly type: string;
  readonly charset: string | undefined;
  readonly boundary: string | undefined;
}

/** Parses a `Content-Type` (RFC 2045 §5.1, with the continuations of RFC 2231 §3); plain text if there is none. */
export function contentTypeOf(headers: MailHeaders): ContentType {
  const field = headers.get('content-type') ?? '';
  const type = /^\s*([\w!#$&^+.-]+\/[\w!#$&^+.-]+)/.exec(field)?.[1]?.toLowerCase() ?? 'text/plain';
  const parameters = new Map<string, string>();
  for (const { 1: name, 2: quoted, 3: plain } of field.matchAll(
    /;\s*([\w-]+)(?:\*\d{0,3}\*?)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g,
  )) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain!;
    parameters.set(name!.toLowerCase(), (parameters.get(name!.toLowerCase()) ?? '') + value);
  }
  return { type, charset: parameters.get('charset'), boundary: parameters.get('boundary') };
}
