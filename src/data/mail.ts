import { textOfHtml } from './html-text.ts';
import { CR, LF } from './line-ends.ts';
import { contentTypeOf, decodeWords, type MailHeaders, readHeaders } from './mail-headers.ts';
import { decodeBase64, decodeCharset, decodeQuotedPrintable } from './transfer-encoding.ts';

/** A mail as a row: sender, recipient, subject, date, Gmail labels, and text. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly labels: string;
  readonly text: string;
}

const MOST_DEPTH = 16;

/**
 * Parses a message (RFC 5322, MIME). Its text is the plain alternative, else HTML without its tags; attachments are
 * skipped. Never throws: malformed parts are taken as text.
 */
export function parseMail(bytes: Uint8Array): Mail {
  const { headers, body } = splitMessage(bytes);
  const field = (name: string) => decodeWords(headers.get(name) ?? '');
  return {
    from: field('from'),
    to: field('to'),
    subject: field('subject'),
    date: field('date'),
    labels: field('x-gmail-labels'),
    text: textOfPart(headers, body, 0).trim(),
  };
}

function splitMessage(bytes: Uint8Array): { headers: MailHeaders; body: Uint8Array } {
  for (let line = 0; line < bytes.length; line = nextLine(bytes, line)) {
    if (bytes[line] === LF || bytes[line] === CR) {
      return { headers: readHeaders(bytes.subarray(0, line)), body: bytes.subarray(nextLine(bytes, line)) };
    }
  }
  return { headers: readHeaders(bytes), body: bytes.subarray(bytes.length) };
}

/** The start of the line after the one at `from`. */
function nextLine(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && bytes[i] !== LF && bytes[i] !== CR) i++;
  return bytes[i] === CR && bytes[i + 1] === LF ? i + 2 : i + 1;
}

function textOfPart(headers: MailHeaders, body: Uint8Array, depth: number): string {
  const { type, charset, boundary } = contentTypeOf(headers);
  if (depth > MOST_DEPTH || /^\s*attachment/i.test(headers.get('content-disposition') ?? '')) return '';
  if (type.startsWith('multipart/') && boundary !== undefined) {
    return textOfParts(partsOf(body, boundary).map(splitMessage), type === 'multipart/alternative', depth);
  }
  if (type === 'message/rfc822') {
    const { headers: inner, body: rest } = splitMessage(body);
    return textOfPart(inner, rest, depth + 1);
  }
  if (type !== 'text/plain' && type !== 'text/html') return '';
  const text = decodeCharset(decodeTransfer(body, headers), charset).replaceAll(/\r\n|\r/g, '\n');
  return type === 'text/html' ? textOfHtml(text) : text;
}

type Part = ReturnType<typeof splitMessage>;

function textOfParts(parts: readonly Part[], alternatives: boolean, depth: number): string {
  const isPlain = ({ headers }: Part) => contentTypeOf(headers).type === 'text/plain';
  const order = alternatives ? [...parts].sort((a, b) => Number(isPlain(b)) - Number(isPlain(a))) : parts;
  const texts: string[] = [];
  for (const { headers, body } of order) {
    const text = textOfPart(headers, body, depth + 1).trim();
    if (text !== '') texts.push(text);
    if (alternatives && texts.length === 1) break;
  }
  return texts.join('\n');
}

function decodeTransfer(body: Uint8Array, headers: MailHeaders): Uint8Array {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return decodeBase64(body);
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body;
}

/** The parts between lines of `--boundary`, up to `--boundary--` or the end (RFC 2046 §5.1.1). */
function partsOf(body: Uint8Array, boundary: string): Uint8Array[] {
  const mark = new TextEncoder().encode(`--${boundary}`);
  const parts: Uint8Array[] = [];
  let start = -1;
  for (let line = 0; line < body.length; line = nextLine(body, line)) {
    if (!startsWith(body, line, mark)) continue;
    if (start >= 0) parts.push(body.subarray(start, line));
    const after = line + mark.length;
    if (body[after] === 0x2d && body[after + 1] === 0x2d) return parts;
    start = nextLine(body, line);
  }
  if (start >= 0) parts.push(body.subarray(start));
  return parts;
}

function startsWith(bytes: Uint8Array, at: number, mark: Uint8Array): boolean {
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false;
  const next = bytes[at + mark.length];
  const closes = next === 0x2d && bytes[at + mark.length + 1] === 0x2d;
  return closes || next === undefined || next === LF || next === CR || next === 0x20 || next === 0x09;
}
