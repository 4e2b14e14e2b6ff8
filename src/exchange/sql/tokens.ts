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

/** How words are found: runs of so many letters at least, or what the tokenizer 'auto' finds where words have spaces between them. */
export type WordRule = 'short' | 'long' | 'spaced';

/** The rule for words; everything else is refused, since no engine would find the same words. */
export function wordRule(
  { unit, words, normalize, stripAccents }: PlanAnalysis,
  unspaced: 'refuse' | 'null',
): WordRule {
  if (unit !== 'word') return cannotSay(`terms of characters (analyzer '${unit}')`, 'only words are tokens in SQL');
  if (normalize) return cannotSay(`the normal form ${normalize}`, 'normalise the column before it is scored');
  if (stripAccents)
    return cannotSay(`stripAccents: '${stripAccents}'`, 'engines know other accents; strip them before');
  if (words.kind === 'runs') return 'long';
  if (words.kind === 'pattern') {
    const known = words.flags === 'gu' && SHORT_RUNS.has(words.source);
    return known ? 'short' : cannotSay('a token pattern of its own', 'engines match other letters with it');
  }
  if (unspaced === 'null') return 'spaced';
  return cannotSay(
    "the tokenizer 'auto'",
    "it cuts scripts without spaces by dictionaries; unspaced: 'null' leaves such texts out",
  );
}

/** The pattern of a word. */
export function wordPattern(dialect: SqlDialect, rule: WordRule): string {
  const set = (name: LetterSet) => letterClass(dialect, name);
  if (rule === 'spaced') return quoteString(dialect, `${set('first')}${set('rest')}+`);
  return quoteString(dialect, `${set('word')}${rule === 'long' ? '{2,}' : '+'}`);
}

/** Whether a text holds a letter of a script that is written without spaces. */
export function holdsUnspaced(dialect: SqlDialect, text: string): string {
  return wordsOf(dialect).matches(text, quoteString(dialect, letterClass(dialect, 'packed')));
}

/** How an engine changes texts. Arguments are SQL. */
interface Changes {
  /** All matches of a pattern with two groups, with a sign between the groups. */
  between(text: string, pattern: string, sign: string): string;
  readonly end: string;
  contains(text: string, part: string): string;
  lower(text: string): string;
  translate(text: string, from: string, to: string): string;
}

/** The characters of a text, in ClickHouse; what is asked only of texts that are there needs no place for NULL. */
const lettersOf = (text: string) => `extractAll(assumeNotNull(${text}), '(?s).')`;

const changes: Readonly<Record<SqlDialect, Changes>> = {
  duckdb: {
    between: (text, pattern, sign) =>
      `regexp_replace(${text}, ${pattern}, ${quoteString('duckdb', `\\1${sign}\\2`)}, 'g')`,
    end: '\\z',
    contains: (text, part) => `contains(${text}, ${part})`,
    lower: (text) => `lower(${text})`,
    translate: (text, from, to) => `translate(${text}, ${from}, ${to})`,
  },
  clickhouse: {
    between: (text, pattern, sign) =>
      `replaceRegexpAll(${text}, ${pattern}, ${quoteString('clickhouse', `\\1${sign}\\2`)})`,
    end: '\\z',
    contains: (text, part) => `(position(${text}, ${part}) > 0)`,
    lower: (text) => `lowerUTF8(${text})`,
    // translateUTF8 is younger than many a server
    translate: (text, from, to) =>
      `arrayStringConcat(arrayMap(c -> transform(c, ${lettersOf(from)}, ${lettersOf(to)}, c), ${lettersOf(text)}))`,
  },
  postgres: {
    between: (text, pattern, sign) =>
      `regexp_replace(${text}, ${pattern}, ${quoteString('postgres', `\\1${sign}\\2`)}, 'g')`,
    end: '\\Z',
    contains: (text, part) => `(strpos(${text}, ${part}) > 0)`,
    lower: (text) => `lower(${text} COLLATE "C")`,
    translate: (text, from, to) => `translate(${text}, ${from}, ${to})`,
  },
  spark: {
    between: (text, pattern, sign) => `regexp_replace(${text}, ${pattern}, ${quoteString('spark', `$1${sign}$2`)})`,
    end: '\\z',
    contains: (text, part) => `contains(${text}, ${part})`,
    lower: (text) => `lower(${text})`,
    translate: (text, from, to) => `translate(${text}, ${from}, ${to})`,
  },
  bigquery: {
    between: (text, pattern, sign) =>
      `REGEXP_REPLACE(${text}, ${pattern}, ${quoteString('bigquery', `\\1${sign}\\2`)})`,
    end: '\\z',
    contains: (text, part) => `(STRPOS(${text}, ${part}) > 0)`,
    lower: (text) => `LOWER(${text})`,
    translate: (text, from, to) => `TRANSLATE(${text}, ${from}, ${to})`,
  },
  snowflake: {
    between: (text, pattern, sign) =>
      `REGEXP_REPLACE(${text}, ${pattern}, ${quoteString('snowflake', `\\1${sign}\\2`)})`,
    end: '$',
    contains: (text, part) => `CONTAINS(${text}, ${part})`,
    lower: (text) => `LOWER(${text})`,
    translate: (text, from, to) => `TRANSLATE(${text}, ${from}, ${to})`,
  },
};

/**
 * A text in small letters, as JavaScript has them, step by step, each from the one before: İ becomes two letters, Σ at the end of
 * a word becomes ς, and capitals that are younger than the tables of the engine are told one by one. PostgreSQL is told all of
 * them, since its own depend on the locale of the database, and so is ClickHouse, of which version 18.16 knows 599 less. Texts
 * without such letters are not looked at twice.
 */
export function lowerSteps(dialect: SqlDialect): ((text: string) => string)[] {
  const { between, end, contains, lower, translate } = changes[dialect];
  const { matches } = wordsOf(dialect);
  const quote = (literal: string) => quoteString(dialect, literal);
  const [cased, ignorable] = [letters(dialect, 'cased'), letters(dialect, 'ignorable')];
  const group = dialect === 'snowflake' ? '(' : '(?:'; // Snowflake has groups that capture only
  const last = quote(`([${cased}][${ignorable}]*)\u03a3([${ignorable}]*${group}[^${cased}${ignorable}]|${end}))`);
  const { from, to } = capitals(dialect === 'duckdb' || dialect === 'spark' ? 'young' : 'all');
  // Java tries the letters one by one, so that the span in front of them spares most characters all of it
  const young = dialect === 'spark' ? `\\x{1c89}-\\x{1efff}&&[${from}]` : from;
  const foreign = quote(`[${dialect === 'postgres' ? '^\\u0001-\\u007f' : young}]`);
  return [
    (text) => `replace(${text}, ${quote(String.fromCodePoint(DOTTED_I))}, ${quote('i\u0307')})`,
    (text) => `CASE WHEN ${contains(text, quote('\u03a3'))} THEN ${between(text, last, '\u03c2')} ELSE ${text} END`,
    (text) => lower(text),
    (text) => `CASE WHEN ${matches(text, foreign)} THEN ${translate(text, quote(from), quote(to))} ELSE ${text} END`,
  ];
}
