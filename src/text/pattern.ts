import { refuse, show } from '../errors.ts';
import { WHITE_SPACE } from './characters.ts';
import { WORD_CLASS } from './words.ts';

/** scikit-learn's word pattern, in Python syntax: two or more letters, numbers or underscores. */
export const DEFAULT_PATTERN = '(?u)\\b\\w\\w+\\b';

/** Python's `\w`, `\d` and `\s` as the inside of a character class: they cover all of Unicode. */
const SETS: ReadonlyMap<string, string> = new Map([
  ['w', WORD_CLASS],
  ['d', '\\p{Nd}'],
  ['s', WHITE_SPACE],
]);

const EDGE = (inside: string, outside: string) => {
  const word = `[${WORD_CLASS}])`;
  return `(?:(?<=${word}(?${inside}${word}|(?<!${word}(?${outside}${word})`;
};

/** Python's other escapes outside a character class. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', EDGE('!', '=')],
  ['B', EDGE('=', '!')],
  ['A', '(?<![^])'],
  ['Z', '(?![^])'],
  ['a', '\\x07'],
]);

/**
 * The regular expression for a pattern: a RegExp as it is, or a string in Python syntax, such as `(?u)\b\w\w+\b`. It
 * may capture at most one group, which is then the token.
 */
export function compilePattern(pattern: string | RegExp): RegExp {
  let compiled: RegExp;
  let groups = 0;
  try {
    compiled = typeof pattern === 'string' ? fromPython(pattern) : withoutState(pattern);
    groups = new RegExp(`${compiled.source}|`, compiled.flags).exec('')!.length - 1;
    if (groups > 1) throw new SyntaxError(`it captures ${groups} groups; a token is the whole match or one group`);
  } catch (cause) {
    return refuse('E_PARAM', `tokenPattern ${show(String(pattern))} cannot be used: ${(cause as Error).message}`, {
      name: 'tokenPattern',
      actual: groups,
    });
  }
  return compiled;
}

/** All tokens of a text: the group if there is one, otherwise the whole match. */
export function findTokens(pattern: RegExp, text: string): string[] {
  try {
    return Array.from(text.matchAll(pattern), (match) => (match.length > 1 ? (match[1] ?? '') : match[0]));
  } catch (cause) {
    // JavaScript's matcher backtracks on a stack, which a run of millions of letters can overflow.
    return refuse('E_LIMIT', `tokenPattern cannot match a document of ${text.length} characters`, {}, cause);
  }
}

/** The same expression with the global flag, starting at index 0. */
function withoutState({ source, flags }: RegExp): RegExp {
  return new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);
}

function fromPython(pattern: string): RegExp {
  const [head, given] = /^\(\?([imsu]+)\)/.exec(pattern) ?? ['', ''];
  const dot = given.includes('s') ? '[^]' : '[^\\n]';
  const end = given.includes('m') ? '(?=\\n|(?![^]))' : '(?=\\n?(?![^]))';
  return new RegExp(translate(pattern.slice(head.length), dot, end), `g${given.replace(/[us]/g, '')}u`);
}

/** The parts of a pattern: an escape, the head of a group, a repetition, a class with its content, or one character. */
const PIECE = /\\(.)|\(\?P<|\(\?P=(\w+)\)|\{(\d*)(,?)(\d*)\}|\[(\^?)(\]?(?:\\.|[^\]\\])*)\]|./gsu;

function translate(body: string, dot: string, end: string): string {
  return body.replace(PIECE, (piece, ...found: (string | undefined)[]) => {
    const [sign, name, least, comma, most, caret, inside] = found;
    if (sign !== undefined) return ESCAPES.get(sign) ?? setOf(sign) ?? plain(sign);
    if (inside !== undefined) return translateClass(caret === '^', inside);
    if (name !== undefined) return `\\k<${name}>`;
    if (comma !== undefined) return least || comma ? `{${least || 0}${comma}${most}}` : `\\${piece.slice(0, -1)}\\}`;
    if (piece === '(?P<') return '(?<';
    if (piece === '.') return dot;
    if (piece === '$') return end;
    return /[\]{}]/.test(piece) ? `\\${piece}` : piece;
  });
}

/**
 * A class: `]` may come first inside, and `[` is an ordinary character. JavaScript has no class with a negated Unicode
 * set such as `\W` inside, so each of these becomes an alternative.
 */
function translateClass(negated: boolean, inside: string): string {
  const alternatives: string[] = [];
  const own = inside.replace(/\\(.)|[[\]]/gsu, (piece, sign?: string) => {
    if (sign === undefined || sign === '-') return `\\${sign ?? piece}`;
    const set = setOf(sign);
    if (set?.startsWith('[^')) alternatives.push(set);
    return { b: '\\x08', a: '\\x07' }[sign] ?? (set ? (set.startsWith('[^') ? '' : set.slice(1, -1)) : plain(sign));
  });
  if (alternatives.length === 0) return `[${negated ? '^' : ''}${own}]`;
  if (own !== '') alternatives.push(`[${own}]`);
  return negated ? `(?:(?!${alternatives.join('|')})[^])` : `(?:${alternatives.join('|')})`;
}

/** Python's set of characters as a class; a capital letter means its complement. */
function setOf(sign: string): string | undefined {
  const set = SETS.get(sign.toLowerCase());
  return set && `[${SETS.has(sign) ? '' : '^'}${set}]`;
}

/**
 * An escape that both languages share is kept (numbers are back-references); any other escaped character stands for
 * itself.
 */
function plain(sign: string): string {
  if (/[nrtfv0-9xu^$\\.*+?()[\]{}|/]/.test(sign)) return `\\${sign}`;
  if (/[\p{L}\p{N}]/u.test(sign)) throw new SyntaxError(`bad escape \\${sign}`);
  return sign;
}
