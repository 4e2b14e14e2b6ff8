import { characterGrams, wordCharacterGrams } from '../text/characters.ts';
import type { TokenFunction } from '../text/options.ts';
import { compilePattern, findTokens } from '../text/pattern.ts';
import { preparing } from '../text/terms.ts';
import type { Cleaning, TextFunction } from '../text/words.ts';

/** How `characterTerms` reads: as the options of these names at the full door. */
export interface CharacterOptions extends Partial<Cleaning> {
  readonly preprocessor?: TextFunction | null;
  readonly ngramRange?: readonly [lowest: number, highest: number];
}

/** What the full door calls `analyzer: 'char'` or `'char_wb'`, as a function. */
export function characterTerms(kind: 'char' | 'char_wb', options: CharacterOptions = {}): TokenFunction {
  const { ngramRange = [1, 1], normalize = null, lowercase = true, stripAccents = null, preprocessor = null } = options;
  const grams = kind === 'char' ? characterGrams : wordCharacterGrams;
  const ready = preparing(preprocessor, { normalize, lowercase, stripAccents });
  return (text) => grams(ready(text), ...ngramRange);
}

/** What the full door calls `tokenPattern`, as a function. */
export function patternTokenizer(pattern: string | RegExp): TokenFunction {
  const compiled = compilePattern(pattern);
  return (text) => findTokens(compiled, text);
}
