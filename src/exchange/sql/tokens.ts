import { quoteString, type SqlDialect } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import { compilePattern } from '../../text/pattern.ts';
import type { PlanAnalysis } from '../plan.ts';
import { capitals, DOTTED_I, type LetterSet, letterClass, letters } from './letters.ts';
import { cannotSay } from './words.ts';

/** Patterns of runs of letters, numbers and underscores of one or more. */
const SHORT_RUNS = new Set(
  ['(?u)\\b\\w+\\b', '\\b\\w+\\b', '(?u)\\w+', '\\w+'].map((pattern) => compilePattern(pattern).source),
);

/** How words are found: runs of one or of two letters at least, or what the tokenizer 'auto' finds where words have spaces between them. */
export type WordRule = 'short' | 'long' | 'spaced';

/** The rule for words. Throws for rules that no engine applies in the same way. */
export function wordRule(analysis: PlanAnalysis, unspaced: 'refuse' | 'null'): WordRule {
  const { unit, words } = analysis;
  if (unit !== 'word') return cannotSay(`terms of characters (analyzer '${unit}')`, 'only words are counted here');
  requirePlainText(analysis);
  if (words.kind === 'runs') return 'long';
  if (words.kind === 'pattern') {
    const known = words.flags === 'gu' && SHORT_RUNS.has(words.source);
    return known ? 'short' : cannotSay('a token pattern of its own', 'engines match other letters with it');
  }
  if (unspaced === 'null') return 'spaced';
  return cannotSay(
    "the tokenizer 'auto'",
    "it splits scripts without spaces by dictionaries; unspaced: 'null' leaves such texts out",
  );
}

/** Throws for text transformations that no engine does in the same way. */
export function requirePlainText({ normalize, stripAccents }: PlanAnalysis): void {
  if (normalize) cannotSay(`the normal form ${normalize}`, 'normalise the column before it is scored');
  if (stripAccents) cannotSay(`stripAccents: '${stripAccents}'`, 'engines know other accents; strip them before');
}

/** The pattern of a word. */
export function wordPattern(dialect: SqlDialect, rule: WordRule): string {
  const set = (name: LetterSet) => letterClass(dialect, name);
  if (rule === 'spaced') return quoteString(dialect, `${set('first')}${set('rest')}+`);
  return quoteString(dialect, `${set('word')}${rule === 'long' ? '{2,}' : '+'}`);
}

/** The pattern of a character. */
export function characterPattern(dialect: SqlDialect): string {
  return quoteString(dialect, letterClass(dialect, 'any'));
}

/** The pattern of what stands between white space. */
export function piecePattern(dialect: SqlDialect): string {
  return quoteString(dialect, `[^${letters(dialect, 'blank')}]+`);
}

/** Whether a text has this many characters. */
export function hasLength(dialect: SqlDialect, text: string, length: number): string {
  return wordsOf(dialect).matches(text, quoteString(dialect, `${letterClass(dialect, 'any')}{${length}}`));
}

/** A text with a space for each run of white space. */
export function collapsed(dialect: SqlDialect, text: string): string {
  const runs = quoteString(dialect, `${letterClass(dialect, 'blank')}{2,}`);
  return changesOf(dialect).replace(text, runs, quoteString(dialect, ' '));
}

/** Whether a text holds a letter of a script that is written without spaces. */
export function holdsUnspaced(dialect: SqlDialect, text: string): string {
  return wordsOf(dialect).matches(text, quoteString(dialect, letterClass(dialect, 'packed')));
}

/** How an engine changes texts. Arguments are SQL, but for signs. */
interface Changes {
  /** All matches of a pattern, replaced. */
  replace(text: string, pattern: string, by: string): string;
  /** The sign in front of the number of a group in what replaces a match. */
  readonly group: string;
  readonly end: string;
  contains(text: string, part: string): string;
  lower(text: string): string;
  translate(text: string, from: string, to: string): string;
}

/** The characters of a text, in ClickHouse; the text is not NULL where this is used. */
const lettersOf = (text: string) => `extractAll(assumeNotNull(${text}), '(?s).')`;

const common: Changes = {
  replace: (text, pattern, by) => `regexp_replace(${text}, ${pattern}, ${by})`,
  group: '\\',
  end: '\\z',
  contains: (text, part) => `contains(${text}, ${part})`,
  lower: (text) => `lower(${text})`,
  translate: (text, from, to) => `translate(${text}, ${from}, ${to})`,
};

const globally = (text: string, pattern: string, by: string) => `regexp_replace(${text}, ${pattern}, ${by}, 'g')`;
const byPosition = (text: string, part: string) => `(strpos(${text}, ${part}) > 0)`;

const changes: Readonly<Record<SqlDialect, Partial<Changes>>> = {
  duckdb: { replace: globally },
  clickhouse: {
    replace: (text, pattern, by) => `replaceRegexpAll(${text}, ${pattern}, ${by})`,
    contains: (text, part) => `(position(${text}, ${part}) > 0)`,
    lower: (text) => `lowerUTF8(${text})`,
    // older servers have no translateUTF8
    translate: (text, from, to) =>
      `arrayStringConcat(arrayMap(c -> transform(c, ${lettersOf(from)}, ${lettersOf(to)}, c), ${lettersOf(text)}))`,
  },
  postgres: {
    replace: globally,
    end: '\\Z',
    contains: byPosition,
    lower: (text) => `lower(${text} COLLATE "C")`,
  },
  spark: { group: '$' },
  bigquery: { contains: byPosition },
  snowflake: { end: '$' },
  trino: { group: '$', contains: byPosition },
};

const changesOf = (dialect: SqlDialect): Changes => ({ ...common, ...changes[dialect] });

/** A text that a pattern matches as a whole, made of other texts and of groups of the pattern by their numbers. */
export function groupsOf(
  dialect: SqlDialect,
  text: string,
  pattern: string,
  parts: readonly (string | number)[],
): string {
  const { replace, group } = changesOf(dialect);
  const by = parts.map((part) => (typeof part === 'number' ? group + part : part)).join('');
  return replace(text, quoteString(dialect, pattern), quoteString(dialect, by));
}

/**
 * A text in lower case as JavaScript writes it, in steps, each applied to the result of the one before: İ becomes two letters, Σ at the end
 * of a word becomes ς, and capitals that the engine may not know are listed one by one. For PostgreSQL all capitals are listed, since its
 * `lower` depends on the locale of the database; for ClickHouse too, since version 18.16 lacks 599 of them. Texts without such letters skip
 * these steps.
 */
export function lowerSteps(dialect: SqlDialect): ((text: string) => string)[] {
  const { replace, group: sign, end, contains, lower, translate } = changesOf(dialect);
  const { matches } = wordsOf(dialect);
  const quote = (literal: string) => quoteString(dialect, literal);
  const [cased, ignorable] = [letters(dialect, 'cased'), letters(dialect, 'ignorable')];
  const group = dialect === 'snowflake' ? '(' : '(?:'; // Snowflake has groups that capture only
  const last = quote(`([${cased}][${ignorable}]*)\u03a3([${ignorable}]*${group}[^${cased}${ignorable}]|${end}))`);
  const { from, to } = capitals(dialect === 'duckdb' || dialect === 'spark' ? 'young' : 'all');
  // Java tries the letters one by one; the range in front of them rules most characters out with one comparison
  const young = dialect === 'spark' ? `\\x{1c89}-\\x{1efff}&&[${from}]` : from;
  const foreign = quote(`[${dialect === 'postgres' ? '^\\u0001-\\u007f' : young}]`);
  return [
    (text) => `replace(${text}, ${quote(String.fromCodePoint(DOTTED_I))}, ${quote('i\u0307')})`,
    (text) =>
      `CASE WHEN ${contains(text, quote('\u03a3'))} THEN ${replace(text, last, quote(`${sign}1\u03c2${sign}2`))} ELSE ${text} END`,
    (text) => lower(text),
    (text) => `CASE WHEN ${matches(text, foreign)} THEN ${translate(text, quote(from), quote(to))} ELSE ${text} END`,
  ];
}
