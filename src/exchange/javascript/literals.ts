import { toBase64 } from './base64.ts';

/** A number as it reads back to the same bits. */
export function numberLiteral(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Text that stays a string in a script, whatever it holds: no end of a script, no line of its own. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(/[<\u2028\u2029\u007f-\u009f\ufeff]/g, escaped);
}

const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A label or level: a string, a number, true or false. */
export function valueLiteral(value: string | number | boolean): string {
  if (typeof value === 'string') return stringLiteral(value);
  return typeof value === 'number' ? numberLiteral(value) : String(value);
}

/** So many numbers are still written out. */
const FEW = 32;

/** A list of numbers: written out where there are few, else as a call of `doubles` on base64. */
export function numbersLiteral(values: ArrayLike<number>): { readonly code: string; readonly packed: boolean } {
  if (values.length <= FEW) return { code: `[${Array.from(values, numberLiteral).join(', ')}]`, packed: false };
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < values.length; k++) view.setFloat64(8 * k, values[k], true);
  return { code: `doubles("${toBase64(bytes)}")`, packed: true };
}
