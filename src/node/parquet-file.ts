import { type FileHandle, open } from 'node:fs/promises';
import { refuse } from '../errors.ts';
import { refuseFile } from './file.ts';
import type { Peeked } from './peek.ts';

/** Random access to the bytes of a file. */
export interface Slices {
  readonly byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  close(): Promise<void>;
}

const MOST_BYTES = 2 ** 30;

/** Whether bytes begin like Parquet. */
export function isParquet(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PAR1';
}

/** Random access to a file on disk; `onBytes` is called with the number of bytes read. */
export async function slicesOfFile(path: string | URL, onBytes: (bytes: number) => void): Promise<Slices> {
  const file = await open(path).catch((error: unknown) => refuseFile(path, error));
  const { size } = await file.stat();
  const read = async (start: number, end: number) => {
    const bytes = new Uint8Array(end - start);
    let length = 0;
    while (length < bytes.length) length += await readSome(file, bytes, length, start + length);
    onBytes(length);
    return bytes.buffer;
  };
  return { byteLength: size, slice: (start, end = size) => read(start, end), close: () => file.close() };
}

async function readSome(file: FileHandle, bytes: Uint8Array, at: number, position: number): Promise<number> {
  const { bytesRead } = await file.read(bytes, at, bytes.length - at, position);
  if (bytesRead === 0) refuse('E_FORMAT', 'the file is cut short', {});
  return bytesRead;
}

/** The bytes of a stream, all in memory because Parquet files and workbooks are read from their ends. */
export async function slicesOfStream(stream: Peeked): Promise<Slices> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream.chunks) {
    pieces.push(piece);
    size += piece.length;
    if (size <= MOST_BYTES) continue;
    const sentence = `this format is held in memory if it comes from a stream, and there are more than ${MOST_BYTES} bytes; name a file`;
    refuse('E_LIMIT', sentence, { limit: MOST_BYTES });
  }
  const bytes = Uint8Array.from(Buffer.concat(pieces));
  const slice = async (start: number, end = size) => bytes.buffer.slice(start, end);
  return { byteLength: size, slice, close: async () => undefined };
}
