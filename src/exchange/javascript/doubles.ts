import { fromBase64 } from '../../math/base64.ts';

/** Numbers as base64, eight bytes each, little-endian. */
export function packDoubles(values: ArrayLike<number>): string {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < values.length; k++) view.setFloat64(8 * k, values[k], true);
  const parts: string[] = [];
  const size = 3 * 2 ** 12; // whole groups of three, so that only the last part is padded
  for (let from = 0; from < bytes.length; from += size) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(from, from + size))));
  }
  return parts.join('');
}

/** The numbers that `packDoubles` wrote, or those of a list. */
export function doubles(written: string | readonly number[]): Float64Array {
  if (typeof written !== 'string') return Float64Array.from(written);
  const { buffer } = fromBase64(written);
  const view = new DataView(buffer);
  return Float64Array.from({ length: buffer.byteLength / 8 }, (_, k) => view.getFloat64(8 * k, true));
}
