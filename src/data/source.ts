import { PolyaError, refuse, show } from '../errors.ts';
import { findLoneSurrogate } from './utf8.ts';

/** A text source: memory, a browser File, a stream, or an iterable of pieces in order. */
export type Source =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | Iterable<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>;

/** Sources in memory, which can be read synchronously. */
export type MemorySource = string | Uint8Array | ArrayBuffer;

const MOST_PIECE = 1 << 17; // a piece fits into the processor's cache and into a window that need not grow

/** The bytes of a source in pieces of at most 128 KiB; strings become UTF-8. Failures of the source are `E_IO`. */
export async function* chunksOf(source: Source, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new PieceEncoder();
  try {
    for await (const piece of piecesOf(source)) {
      if (signal?.aborted) refuse('E_CANCELLED', 'reading was aborted by the caller', {}, signal.reason);
      yield* encoder.encode(piece);
    }
    encoder.end();
  } catch (error) {
    if (error instanceof PolyaError) throw error;
    if (error instanceof Error && error.name === 'AbortError') {
      refuse('E_CANCELLED', 'reading was aborted by the caller', {}, error);
    }
    refuse('E_IO', 'the source failed while it was being read', {}, error);
  }
}

/** The bytes of a source in memory, in pieces of at most 128 KiB. */
export function* chunksOfMemory(source: MemorySource): Generator<Uint8Array, void, undefined> {
  const encoder = new PieceEncoder();
  yield* encoder.encode(source);
  encoder.end();
}

function piecesOf(source: Source): Iterable<unknown> | AsyncIterable<unknown> {
  if (isMemory(source)) return [source];
  if (typeof Blob !== 'undefined' && source instanceof Blob) return readStream(source.stream());
  if (source !== null && typeof source === 'object') {
    if ('getReader' in source) return readStream(source); // Safari's streams cannot be iterated
    if (Symbol.asyncIterator in source || Symbol.iterator in source) return source;
  }
  refuse('E_PARAM', `a source is text, bytes, a Blob, a stream or an iterable of pieces, not ${show(source)}`);
}

function isMemory(piece: unknown): piece is MemorySource {
  return typeof piece === 'string' || piece instanceof Uint8Array || piece instanceof ArrayBuffer;
}

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  let over = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      over = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!over) await reader.cancel().catch(() => undefined); // the first failure is the one to report
    reader.releaseLock();
  }
}

/** Converts pieces of text or bytes to bytes; a character may span two pieces of text. */
class PieceEncoder {
  private readonly encoder = new TextEncoder();
  private offset = 0;
  private half = ''; // a high surrogate whose partner may begin the next piece

  *encode(piece: unknown): Generator<Uint8Array, void, undefined> {
    if (!isMemory(piece)) refuse('E_PARAM', `a source yields text or bytes, not ${show(piece)}`);
    if (typeof piece === 'string') {
      for (let i = 0; i < piece.length; i += MOST_PIECE) yield* this.text(piece.slice(i, i + MOST_PIECE));
      return;
    }
    this.end();
    const bytes = piece instanceof ArrayBuffer ? new Uint8Array(piece) : piece;
    this.offset += bytes.length;
    for (let i = 0; i < bytes.length; i += MOST_PIECE) yield bytes.subarray(i, i + MOST_PIECE);
  }

  /** Throws for a high surrogate without its partner. */
  end(): void {
    if (this.half !== '') this.refuseSurrogate();
  }

  private *text(piece: string): Generator<Uint8Array, void, undefined> {
    const whole = this.half + piece;
    const splits = isFirstHalf(whole.charCodeAt(whole.length - 1));
    const text = splits ? whole.slice(0, -1) : whole;
    this.half = splits ? whole.slice(-1) : '';
    const lone = findLoneSurrogate(text);
    const bytes = this.encoder.encode(lone < 0 ? text : text.slice(0, lone));
    this.offset += bytes.length;
    // Text before the error is read first, so that the first error of the text is reported.
    if (bytes.length > 0) yield bytes;
    if (lone >= 0) this.refuseSurrogate();
  }

  private refuseSurrogate(): never {
    const sentence = `byte ${this.offset} of the text as UTF-8 is a lone surrogate; repair or remove that character`;
    refuse('E_UNICODE', sentence, { offset: this.offset });
  }
}

const isFirstHalf = (unit: number) => (unit & 0xfc00) === 0xd800;
