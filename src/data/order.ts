import { refuse, show } from '../errors.ts';

/** UTF-16 surrogates sort below U+E000…U+FFFF; moving them above makes code units compare as code points do. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Compares two strings by code point, independent of the locale: negative, zero or positive. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Throws for a string with a lone surrogate, which cannot be encoded as UTF-8. */
export function requireWellFormed(text: string, what: string): void {
  if (!text.isWellFormed()) refuse('E_UNICODE', `${what} ${show(text)} holds a lone surrogate`, { text });
}
