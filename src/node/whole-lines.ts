import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { PolyaError } from '../errors.ts';
import { refuseFile } from './file.ts';

/** A file is cut into so many ranges at the least, so that threads end together, but none is larger or smaller than these. */
const RANGES = 24;
const [MOST_BYTES, LEAST_BYTES] = [2 << 20, 1 << 18];
const NEWLINE = 10;

/** The borders of ranges of whole lines. */
export function wholeLines(path: string): Float64Array {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    const { size } = stat;
    const step = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.ceil(size / RANGES)));
    const borders = [0];
    for (let from = 0; from < size; borders.push(from)) from = lineEnd(file, Math.min(size, from + step), size);
    return Float64Array.from(borders);
  } catch (error) {
    if (error instanceof PolyaError) throw error;
    return refuseFile(path, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Behind the first newline at this place or later; the size where there is none. */
function lineEnd(file: number, from: number, size: number): number {
  const chunk = new Uint8Array(1 << 14);
  for (let at = from; at < size; ) {
    const read = readSync(file, chunk, 0, chunk.length, at);
    if (read === 0) break;
    const found = chunk.subarray(0, read).indexOf(NEWLINE);
    if (found >= 0) return at + found + 1;
    at += read;
  }
  return size;
}
