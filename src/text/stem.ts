import { requireLike } from '../data/arguments.ts';
import { refuse, show } from '../errors.ts';
import type { TextFunction } from './words.ts';

/** The languages that Snowball stems. */
export const stemLanguages = [
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'czech',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'hungarian',
  'irish',
  'italian',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'slovene',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
] as const;

/** A language that Snowball stems. */
export type StemLanguage = (typeof stemLanguages)[number];

/** A stemmer package: snowball-stemmers, or anything with its `newStemmer`. */
export interface Snowball {
  newStemmer(language: string): { stem(word: string): string };
}

/** The stemmer of a language from an imported package, for the option `stemmer`. */
export function snowballStemmer(snowball: Snowball, language: StemLanguage): TextFunction {
  if (!stemLanguages.includes(language)) {
    refuse('E_PARAM', `there is no stemmer for ${show(language)}; there is one for ${stemLanguages.join(', ')}`, {
      name: 'language',
    });
  }
  const stemmer = requireLike(snowball, 'the module snowball-stemmers', { newStemmer: 'function' }).newStemmer(
    language,
  );
  return (word) => stemmer.stem(word);
}

/**
 * Loads the package snowball-stemmers and returns its stemmer for a language. Throws E_ENGINE_UNAVAILABLE if it is not
 * installed; in a bundle, import the package yourself and use `snowballStemmer`.
 */
export async function loadStemmer(language: StemLanguage): Promise<TextFunction> {
  const name: string = 'snowball-stemmers'; // not a literal, so that bundlers don't follow it
  const loaded = (await import(name).catch((cause: unknown) =>
    refuse('E_ENGINE_UNAVAILABLE', 'stemming needs its package: npm install snowball-stemmers', {}, cause),
  )) as { default: Snowball };
  return snowballStemmer(loaded.default, language);
}
