/**
 * The door `polya/light`: a vectorizer and a classifier of text for a browser that counts its bytes. What the full door names by a
 * word is a value here, and comes along only where it is imported.
 * @module polya/light
 */
export type { Label } from './data/labels.ts';
export { Matrix } from './data/matrix.ts';
export type { SparseMatrix } from './data/sparse.ts';
export { type ErrorCode, type ErrorDetails, PolyaError } from './errors.ts';
export type { Contribution, Explanation } from './estimators/explanation.ts';
export { CountVectorizer, type CountVectorizerOptions, type Texts } from './light/count-vectorizer.ts';
export { type Loaded, load } from './light/load.ts';
export { MultinomialNB, type MultinomialNBOptions } from './light/multinomial-nb.ts';
export { makePipeline, Pipeline } from './light/pipeline.ts';
export type { LightFeatures } from './light/rows.ts';
export { type CharacterOptions, characterTerms, patternTokenizer } from './light/values.ts';
export { stripAccentsAscii, stripAccentsUnicode } from './text/accents.ts';
export { englishStopWords } from './text/english.ts';
export { prune } from './text/pruning.ts';
export { segmentWords } from './text/segment.ts';
export { type StopWordLanguage, stopWords } from './text/stop-words.ts';
