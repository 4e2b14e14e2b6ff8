import { refuse, show } from '../errors.ts';
import { WHITE_SPACE } from './characters.ts';

/** scikit-learn's pattern for words, in Python's spelling: two or more letters, numbers or underscores. */
export const DEFAULT_PATTERN = '(?u)\\b\\w\\w+\\b';

/** What Python's `\w` stands for, as the inside of a character class; JavaScript's is ASCII alone. */
export const WORD_CLASS = '\\p{L}\\p{N}_';

const WORD = `[${WORD_CLASS}]`;

/** Python's letter escapes outside a character class. */
const OUTSIDE = new Map([
  ['w', WORD],
  ['W', `[^${WORD_CLASS}]`],
  ['d', '\\p{Nd}'],
  ['D', '\\P{Nd}'],
  ['s', `[${WHITE_SPACE}]`],
  ['S', `[^${WHITE_SPACE}]`],
  ['b', `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`],
  ['B', `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`],
  ['A', '(?<![^])'],
  ['Z', '(?![^])'],
  ['a', '\\x07'],
]);

/** Python's letter escapes inside a character class; a negated set cannot be a part of one in JavaScript. */
const INSIDE = new Map([
  ['w', WORD_CLASS],
  ['d', '\\p{Nd}'],
  ['D', '\\P{Nd}'],
  ['s', WHITE_SPACE],
  ['b', '\\x08'],
  ['a', '\\x07'],
]);

/** Escapes that mean the same in both languages; numbers are back-references. */
const SHARED = /^[nrtfv0-9xu^$\\.*+?()[\]{}|/]$/;

const FLAGS = /^\(\?([aiLmsux]+)\)/;

/**
 * The regular expression for a pattern: a RegExp as it is, or a string in Python's spelling, such as `(?u)\b\w\w+\b`, in
 * which `\w`, `\d`, `\s` and `\b` know all of Unicode. It may capture one group at most, which is then the token.
 */
export function compilePattern(pattern: string | RegExp): RegExp {
  const compiled = typeof pattern === 'string' ? fromPython(pattern) : withFlag(pattern, 'g');
  const groups = new RegExp(`${compiled.source}|`, compiled.flags).exec('')!.length - 1;
  if (groups > 1) {
    refuse('E_PARAM', `tokenPattern captures ${groups} groups; a token is the whole match or one group`, {
      name: 'tokenPattern',
      limit: 1,
      actual: groups,
    });
  }
  return compiled;
}

/** All tokens of a text: the group where there is one, the whole match otherwise. */
export function findTokens(pattern: RegExp, text: string): string[] {
  try {
    return Array.from(text.matchAll(pattern), (match) => (match.length > 1 ? (match[1] ?? '') : match[0]));
  } catch (cause) {
    // The matcher of JavaScript keeps its way back on a stack, which one run of millions of letters can overflow.
    return refuse('E_LIMIT', `tokenPattern cannot match a document of ${text.length} characters`, {}, cause);
  }
}

const withFlag = ({ source, flags }: RegExp, flag: string) =>
  new RegExp(source, flags.replace(/y/, '') + (flags.includes(flag) ? '' : flag));

function fromPython(pattern: string): RegExp {
  const given = FLAGS.exec(pattern)?.[1] ?? '';
  if (/[aLx]/.test(given)) refusePattern(pattern, `the flag (?${given}) is not supported`);
  const body = pattern.replace(FLAGS, '');
  const dot = given.includes('s') ? '[^]' : '[^\\n]';
  const flags = `gu${given.includes('i') ? 'i' : ''}${given.includes('m') ? 'm' : ''}`;
  try {
    return new RegExp(translate(body, dot, given.includes('m')), flags);
  } catch (cause) {
    return refusePattern(pattern, 'it is no regular expression', cause);
  }
}

function refusePattern(pattern: string, reason: string, cause?: unknown): never {
  return refuse('E_PARAM', `tokenPattern ${show(pattern)} cannot be used: ${reason}`, { name: 'tokenPattern' }, cause);
}

/** The pieces of a pattern: an escape, the head of a group, a repetition, a class with its inside, or one character. */
const PIECE = /\\(.)|\(\?P<|\(\?P=(\w+)\)|\{(\d*)(,?)(\d*)\}|\[(\^?)(\]?(?:\\.|[^\]\\])*)\]|./gsu;

function translate(body: string, dot: string, multiline: boolean): string {
  return body.replace(PIECE, (piece, ...found: (string | undefined)[]) => {
    const [escaped, name, least, comma, most, caret, inside] = found;
    if (escaped !== undefined) return OUTSIDE.get(escaped) ?? plainEscape(escaped);
    if (inside !== undefined) return `[${caret}${translateClass(inside)}]`;
    if (name !== undefined) return `\\k<${name}>`;
    if (comma !== undefined) return least || comma ? `{${least || 0}${comma}${most}}` : `\\${piece.slice(0, -1)}\\}`;
    if (piece === '(?P<') return '(?<';
    if (piece === '.') return dot;
    if (piece === '$') return multiline ? '(?=\\n|(?![^]))' : '(?=\\n?(?![^]))';
    return /[\]{}]/.test(piece) ? `\\${piece}` : piece;
  });
}

/** Inside a class: `]` may come first, and `[` is an ordinary character. */
function translateClass(inside: string): string {
  return inside.replace(/\\(.)|[[\]]/gsu, (piece, escaped?: string) => {
    if (escaped === undefined) return `\\${piece}`;
    if (escaped === '-') return '\\-';
    return INSIDE.get(escaped) ?? plainEscape(escaped);
  });
}

/** An escape that both languages share stays; of any other sign the sign itself is meant. */
function plainEscape(sign: string): string {
  if (SHARED.test(sign)) return `\\${sign}`;
  if (/[\p{L}\p{N}]/u.test(sign)) throw new SyntaxError(`bad escape \\${sign}`);
  return sign;
}
