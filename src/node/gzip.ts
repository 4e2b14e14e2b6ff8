import { pipeline, Readable } from 'node:stream';
import { createGunzip, type Gunzip, type InflateRaw } from 'node:zlib';
import { PolyaError, refuse, show } from '../errors.ts';
import { peek } from './peek.ts';

/** Limits on decompression. */
export interface GunzipOptions {
  /** The maximum output in bytes. Default: 16 GiB. */
  readonly maxOutputBytes?: number;
  /** The maximum ratio of output to input, checked after the first MiB. Default: 300. */
  readonly maxRatio?: number;
}

/** The names of `GunzipOptions`. */
export const gunzipOptions: readonly string[] = ['maxOutputBytes', 'maxRatio'];

const GRACE_BYTES = 1 << 20; // a small file of zeros is not a bomb
const MOST_OUTPUT = 16 * 2 ** 30;
const MOST_RATIO = 300; // tables of numbers and of text stay below 100; the maximum of gzip is 1032

/**
 * Unpacks content that begins like gzip (1F 8B, RFC 1952 §2.3.1) and passes other content on unchanged. Damage is
 * `E_FORMAT`; output beyond the limits is `E_LIMIT`.
 */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  options: GunzipOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const { head, chunks: whole } = await peek(chunks, 2);
  if (isGzip(head)) yield* unpack(whole, createGunzip({ chunkSize: 1 << 16 }), 'the gzip stream', options);
  else yield* whole;
}

/** Whether bytes begin like gzip. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

function positive(name: string, value: number): number {
  if (value > 0) return value;
  refuse('E_PARAM', `option ${name} is a number above 0, not ${show(value)}`, { option: name });
}

/** Unpacks a compressed stream, which errors call `what`, within the limits. */
export async function* unpack(
  packed: AsyncIterable<Uint8Array>,
  stream: Gunzip | InflateRaw,
  what: string,
  options: GunzipOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const maxOutputBytes = positive('maxOutputBytes', options.maxOutputBytes ?? MOST_OUTPUT);
  const maxRatio = positive('maxRatio', options.maxRatio ?? MOST_RATIO);
  pipeline(Readable.from(packed), stream, () => undefined); // a failing source destroys the stream as well
  let output = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      output += chunk.length;
      if (output > maxOutputBytes) {
        const sentence = `${what} unpacks to more than ${maxOutputBytes} bytes; raise maxOutputBytes if it should`;
        refuse('E_LIMIT', sentence, { limit: maxOutputBytes });
      }
      if (output > GRACE_BYTES && output > maxRatio * stream.bytesWritten) {
        const sentence = `${what} grows more than ${maxRatio} times; raise maxRatio if it should`;
        refuse('E_LIMIT', sentence, { limit: maxRatio });
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof PolyaError) throw error;
    if (isDamage(error)) refuse('E_FORMAT', `${what} is damaged or cut short`, { output }, error);
    refuse('E_IO', `${what} failed while it was being read`, { output }, error);
  }
}

const isDamage = (error: unknown) => error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
