import { decodeSingle } from './single-byte.ts';
import { decodeUtf8 } from './utf8.ts';

const base64Values = new Int8Array(256).fill(-1);
for (const [i, sign] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  base64Values[sign.charCodeAt(0)] = i;
}

/** Decodes base64, RFC 2045 §6.8; characters outside the alphabet are skipped, as line ends must be. */
export function decodeBase64(text: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let [length, bits, held] = [0, 0, 0];
  for (const sign of text) {
    const value = base64Values[sign]!;
    if (value < 0) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = held >> bits;
  }
  return bytes.subarray(0, length);
}

const hexOf = (byte: number | undefined): number => {
  const value = Number.parseInt(String.fromCharCode(byte ?? 0), 16);
  return Number.isNaN(value) ? -1 : value;
};

/** Decodes quoted-printable, RFC 2045 §6.7; in headers an underscore is a blank (RFC 2047 §4.2). */
export function decodeQuotedPrintable(text: Uint8Array, inHeader = false): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (sign !== 0x3d) {
      bytes[length++] = inHeader && sign === 0x5f ? 0x20 : sign;
      continue;
    }
    const [high, low] = [hexOf(text[i + 1]), hexOf(text[i + 2])];
    const lineEnd = softBreak(text, i + 1);
    if (high >= 0 && low >= 0) {
      bytes[length++] = 16 * high + low;
      i += 2;
    } else if (lineEnd > 0) i = lineEnd;
    else bytes[length++] = sign;
  }
  return bytes.subarray(0, length);
}

/** The index of the line end after an equals sign and blanks, which form a soft line break; 0 if there is none. */
function softBreak(text: Uint8Array, from: number): number {
  let i = from;
  while (text[i] === 0x20 || text[i] === 0x09) i++;
  if (text[i] === 0x0d && text[i + 1] === 0x0a) return i + 1;
  return text[i] === 0x0a || text[i] === 0x0d ? i : 0;
}

/**
 * Decodes bytes in the declared character set of a mail. Mails often declare a wrong one or none: the fallbacks are
 * UTF-8 and then Windows-1252, which always decodes, so no character is lost to U+FFFD.
 */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const name = (charset ?? '').trim().toLowerCase();
  const stated = /^(|us-ascii|ascii|utf-?8|iso-8859-1|latin1|windows-1252|cp1252)$/.test(name) ? undefined : name;
  return (stated && decodeStrictly(bytes, stated)) ?? decodeUtf8(bytes) ?? decodeSingle(bytes, 'windows-1252');
}

function decodeStrictly(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const isChinese = /^(gbk|gb2312|gb_2312-80|x-gbk|cp936)$/.test(charset);
    return new TextDecoder(isChinese ? 'gb18030' : charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined; // an unknown name, or bytes that are not in that charset
  }
}
