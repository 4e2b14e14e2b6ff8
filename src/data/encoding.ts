import { refuse, show } from '../errors.ts';
import { wideOf } from './binary.ts';
import { ByteWindow } from './bytes.ts';
import { LF } from './line-ends.ts';
import { decodeSingle, singleToUtf8 } from './single-byte.ts';
import { findInvalidUtf8, showUtf8 } from './utf8.ts';

/** The supported text encodings. UTF-8 is the default. */
export const textEncodings = [
  'utf-8',
  'latin1',
  'windows-1252',
  'gb18030',
  'gbk',
  'big5',
  'shift_jis',
  'euc-kr',
  'utf-16le',
  'utf-16be',
] as const;

/** See `textEncodings`. Latin-1 is ISO 8859-1 proper: byte 0x93 is the control character U+0093, not a quote. */
export type TextEncoding = (typeof textEncodings)[number];

const MOST_LINE = 1 << 26;

/** The encoding of a name; see `knownEncoding`. Throws `E_PARAM` for others. */
export function encodingOf(name: string): TextEncoding {
  const known = knownEncoding(name);
  if (known !== undefined) return known;
  const sentence = `encoding ${show(name)} is not known; known are ${textEncodings.join(', ')}`;
  refuse('E_PARAM', sentence, { option: 'encoding', known: [...textEncodings] });
}

/** The encoding of a name in any case, with or without hyphens, or of a common alias; otherwise undefined. */
export function knownEncoding(name: unknown): TextEncoding | undefined {
  const plain = bare(String(name));
  return textEncodings.find((encoding) => bare(encoding) === (aliases.get(plain) ?? plain));
}

const bare = (name: string) => name.toLowerCase().replace(/[-_]/g, '');

const aliases: ReadonlyMap<string, string> = new Map([
  ['iso88591', 'latin1'],
  ['cp1252', 'windows1252'],
  ['gb2312', 'gbk'],
  ['sjis', 'shiftjis'],
  ['utf16', 'utf16le'],
]);

/**
 * The likeliest encoding of a text by its first bytes: UTF-16 by its mark or its zeros, UTF-8 where the bytes are well-formed, the one of
 * the East Asian encodings in which most characters are frequent ones, and else Windows-1252.
 */
export function detectEncoding(head: Uint8Array): TextEncoding {
  const wide = wideOf(head, 0.02);
  if (wide !== undefined) return wide;
  const bad = findInvalidUtf8(head);
  if (bad < 0 || bad > head.length - 4) return 'utf-8'; // the last character may be cut
  const whole = head.subarray(0, head.lastIndexOf(LF) + 1 || head.length);
  const likely = doubleByte
    .map(([encoding, isFrequent]) => ({ encoding, ...frequentPairs(whole, isFrequent) }))
    .filter(({ encoding, share, distinct }) => share > FREQUENT && (encoding !== 'euc-kr' || distinct >= FEW))
    .sort((a, b) => b.share - a.share);
  return likely.find(({ encoding }) => decodeText(whole, encoding, 'strict') !== undefined)?.encoding ?? 'windows-1252';
}

/** The share of frequent characters above which a text is taken for one of an encoding. */
const FREQUENT = 0.7;

/** Fewer different characters that could be Hangul are Chinese as well as Korean. */
const FEW = 10;

/** Which pairs of bytes are frequent characters; where two encodings have equal shares, the first one is meant. */
const doubleByte: readonly (readonly [TextEncoding, (lead: number, trail: number) => boolean])[] = [
  // Hangul; a Chinese text uses leads up to 0xd7
  ['euc-kr', (lead, trail) => trail >= 0xa1 && ((lead >= 0xa1 && lead <= 0xa3) || (lead >= 0xb0 && lead <= 0xc8))],
  // punctuation, kana and the first level of kanji
  ['shift_jis', (lead) => (lead >= 0x81 && lead <= 0x83) || (lead >= 0x88 && lead <= 0x97)],
  // punctuation and the first level of GB 2312
  ['gb18030', (lead, trail) => trail >= 0xa1 && ((lead >= 0xa1 && lead <= 0xa3) || (lead >= 0xb0 && lead <= 0xd7))],
  // punctuation and the first level of Big5
  ['big5', (lead, trail) => trail >= 0x40 && ((lead >= 0xa1 && lead <= 0xa3) || (lead >= 0xa4 && lead <= 0xc6))],
];

/** The share of pairs of bytes, of those that begin above ASCII, which are frequent characters, and how many different ones there are. */
function frequentPairs(bytes: Uint8Array, isFrequent: (lead: number, trail: number) => boolean) {
  const pairs = new Set<number>();
  let [all, frequent] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] < 0x80) continue;
    all++;
    if (i + 1 < bytes.length && isFrequent(bytes[i], bytes[i + 1])) {
      frequent++;
      pairs.add(bytes[i] * 256 + bytes[i + 1]);
    }
    i++;
  }
  return { share: all > 0 ? frequent / all : 0, distinct: pairs.size };
}

/** What to do with invalid bytes: throw, skip, or replace with U+FFFD. */
export type DecodeError = 'strict' | 'ignore' | 'replace';

/** The text of bytes in an encoding; undefined if they are invalid and the mode is 'strict'. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding, errors: DecodeError): string | undefined {
  if (encoding === 'latin1' || encoding === 'windows-1252') return decodeSingle(bytes, encoding);
  if (errors === 'ignore' && encoding === 'utf-8') return decodeValid(bytes);
  try {
    const text = decoderOf(encoding, errors === 'strict').decode(bytes);
    return errors === 'ignore' ? text.replaceAll('\ufffd', '') : text;
  } catch {
    return undefined;
  }
}

/** The text of UTF-8 without the invalid bytes. */
function decodeValid(bytes: Uint8Array): string {
  let text = '';
  let rest = bytes;
  for (let bad = findInvalidUtf8(rest); bad >= 0; bad = findInvalidUtf8(rest)) {
    text += showUtf8(rest.subarray(0, bad));
    rest = rest.subarray(bad + 1);
  }
  return text + showUtf8(rest);
}

/** Converts bytes in an encoding to UTF-8, piece by piece; the first invalid byte is `E_ENCODING` with its position. */
export async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (encoding === 'utf-8') return yield* chunks;
  if (encoding === 'latin1' || encoding === 'windows-1252') {
    for await (const chunk of chunks) yield singleToUtf8(chunk, encoding);
    return;
  }
  const transcoder = new Transcoder(encoding);
  for await (const chunk of chunks) {
    const bytes = transcoder.push(chunk);
    if (bytes.length > 0) yield bytes;
  }
  const rest = transcoder.end();
  if (rest.length > 0) yield rest;
}

/** GBK is read as GB 18030, its superset: Node's own GBK decoder accepts byte 0xFF. */
function decoderOf(encoding: TextEncoding, fatal = true): TextDecoder {
  return new TextDecoder(encoding === 'gbk' ? 'gb18030' : encoding, { fatal, ignoreBOM: true });
}

/**
 * Decodes whole lines: in all of these encodings a line feed is never part of another character, so the decoder needs
 * no state between pieces, and an error can be located within its line.
 */
class Transcoder {
  private readonly encoding: TextEncoding;
  private readonly decoder: TextDecoder;
  private readonly encoder = new TextEncoder();
  private readonly window = new ByteWindow();
  private searched = 0;
  private line = 1;

  constructor(encoding: TextEncoding) {
    this.encoding = encoding;
    this.decoder = decoderOf(encoding);
  }

  push(chunk: Uint8Array): Uint8Array {
    this.window.push(chunk);
    const whole = this.lastLineEnd();
    this.searched = this.window.size - whole;
    if (this.searched > MOST_LINE) {
      const sentence = `line ${this.line} is longer than ${MOST_LINE} bytes`;
      refuse('E_LIMIT', sentence, { line: this.line, limit: MOST_LINE });
    }
    return whole === 0 ? new Uint8Array() : this.decode(whole);
  }

  end(): Uint8Array {
    return this.decode(this.window.size);
  }

  /** The number of bytes up to and including the last line feed. */
  private lastLineEnd(): number {
    const { bytes, start, end, offset } = this.window;
    for (let i = end - 1; i >= start + this.searched; i--) {
      if (bytes[i] !== LF) continue;
      if (this.encoding === 'utf-16le' && ((offset + i - start) % 2 === 1 || bytes[i + 1] !== 0 || i + 1 >= end))
        continue;
      if (this.encoding === 'utf-16be' && ((offset + i - start) % 2 === 0 || bytes[i - 1] !== 0)) continue;
      return i - start + (this.encoding === 'utf-16le' ? 2 : 1);
    }
    return 0;
  }

  private decode(length: number): Uint8Array {
    const bytes = this.window.view(0, length);
    let text: string;
    try {
      text = this.decoder.decode(bytes);
    } catch (error) {
      this.refuse(bytes, error);
    }
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) this.line++;
    this.window.start += length;
    return this.encoder.encode(text);
  }

  /**
   * Finds the first invalid sequence by decoding byte by byte: it begins after the last byte that completed a
   * character.
   */
  private refuse(bytes: Uint8Array, cause: unknown): never {
    const decoder = decoderOf(this.encoding);
    let good = 0;
    let text = '';
    try {
      for (let i = 0; i < bytes.length; i++) {
        const more = decoder.decode(bytes.subarray(i, i + 1), { stream: true });
        text += more;
        if (more !== '') good = i + 1;
      }
    } catch {} // stop at the first failure; a truncated sequence fails only at the end
    const lines = text.split(/\r\n|\r|\n/);
    const place = { line: this.line + lines.length - 1, column: [...lines.at(-1)!].length + 1 };
    const offset = this.window.offset + good;
    const byte = bytes[good]!.toString(16).padStart(2, '0');
    const fault = `byte 0x${byte} at offset ${offset} is not valid ${this.encoding}; name another encoding`;
    const sentence = `line ${place.line}, column ${place.column}: ${fault}`;
    refuse('E_ENCODING', sentence, { ...place, offset, fault, encoding: this.encoding }, cause);
  }
}
