import { quoteString, type SqlDialect } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import { refuse } from '../../errors.ts';

/** White space as JavaScript's `trim` and `\\s` have it. */
export const BLANKS =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** A value as a text without blanks around it. */
export function trimmed(dialect: SqlDialect, value: string): string {
  const { trim, text } = wordsOf(dialect);
  return trim(text(value), quoteString(dialect, BLANKS));
}

/** Throws for models that SQL cannot compute as the library does, before anything is written. */
export function cannotSay(what: string, why: string): never {
  return refuse('E_ENGINE_CAPABILITY', `SQL cannot represent ${what}: ${why}`, { what });
}
