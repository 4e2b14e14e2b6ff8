import type { State } from '../core/artifact.ts';
import { compareCodePoints } from '../data/order.ts';
import type { Tensor, TensorData } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { decodeUtf8 } from '../data/utf8.ts';
import { refuse } from '../errors.ts';
import type { Reader } from './reader.ts';
import { Vocabulary } from './vocabulary.ts';

/** Parameters as plain JSON: of a function its name, of a regular expression its text. */
export function toJson(params: object): Record<string, JsonValue> {
  const entries = Object.entries(params).map(([name, value]): [string, JsonValue] => {
    if (typeof value === 'function') return [name, { function: value.name }];
    if (value instanceof RegExp) return [name, { pattern: value.source, flags: value.flags }];
    return [name, JSON.parse(JSON.stringify(value)) as JsonValue];
  });
  return Object.fromEntries(entries);
}

/** Whether two estimators have the same parameters; functions are the same only if they are one. */
export function sameParams(a: object, b: object): boolean {
  const functions = (params: object) => Object.values(params).filter((value) => typeof value === 'function');
  const [mine, theirs] = [functions(a), functions(b)];
  const same = mine.length === theirs.length && mine.every((value, k) => value === theirs[k]);
  return same && JSON.stringify(toJson(a)) === JSON.stringify(toJson(b));
}

/** Refuses a damaged model. */
export const corrupt = (what: string): never => refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`);

/** A vocabulary as plain data: the terms in UTF-8 one after another, where each ends, and the counts. */
export function saveVocabulary(vocabulary: Vocabulary): Pick<State, 'learned' | 'arrays'> {
  const { documents, pruned, terms, fixed } = vocabulary;
  const shape = [terms.length];
  const arrays: Record<string, Tensor> = {
    df: { shape, data: vocabulary.df },
    tf: { shape, data: vocabulary.tf },
  };
  if (!fixed) {
    const encoder = new TextEncoder();
    const ends = new Uint32Array(terms.length);
    const bytes = encoder.encode(terms.join(''));
    for (let j = 0, end = 0; j < terms.length; j++) ends[j] = end += encoder.encode(terms[j]).length;
    arrays.terms = { shape: [bytes.length], data: bytes };
    arrays.ends = { shape, data: ends };
  }
  return { learned: { documents, pruned }, arrays };
}

/** The inverse of `saveVocabulary`; believes nothing. `given` are the terms of a fixed vocabulary. */
export function loadVocabulary(state: State, reader: Reader, given: readonly string[] | null): Vocabulary {
  const { documents, pruned } = state.learned;
  requireKeys(state, ['documents', 'pruned'], given ? ['df', 'tf'] : ['df', 'tf', 'terms', 'ends']);
  if (!isWeight(documents) || typeof pruned !== 'boolean') return corrupt('its number of documents is wrong');
  const terms = given ?? readTerms(state.arrays);
  const vocabulary = new Vocabulary(reader, terms, given !== null);
  vocabulary.setCounts(
    documents,
    readWeightArray(state.arrays.df, terms.length),
    readWeightArray(state.arrays.tf, terms.length),
  );
  vocabulary.pruned = pruned;
  return vocabulary;
}

const isWeight = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;

/** Refuses a state with other entries or arrays than these. */
export function requireKeys({ learned, arrays }: State, entries: readonly string[], names: readonly string[]): void {
  const fits = Object.keys(learned).sort().join() === [...entries].sort().join();
  if (!fits || Object.keys(arrays).sort().join() !== [...names].sort().join())
    corrupt('it has other entries than it should');
}

/** An array of weights: finite, not negative, of the right length. */
export function readWeightArray(tensor: Tensor | undefined, length: number): Float64Array {
  if (!(tensor?.data instanceof Float64Array) || tensor.data.length !== length)
    return corrupt('an array has a wrong size');
  return tensor.data.every(isWeight) ? tensor.data.slice() : corrupt('an array holds something else than weights');
}

function readTerms({ terms, ends }: State['arrays']): string[] {
  const [bytes, places]: (TensorData | undefined)[] = [terms?.data, ends?.data];
  if (!(bytes instanceof Uint8Array) || !(places instanceof Uint32Array)) return corrupt('its terms are not text');
  if ((places.at(-1) ?? 0) !== bytes.length) corrupt('its terms have a wrong length');
  const list: string[] = [];
  for (let j = 0, start = 0; j < places.length; start = places[j++]) {
    const term = places[j] >= start ? decodeUtf8(bytes.subarray(start, places[j])) : undefined;
    if (term === undefined) return corrupt('its terms are not text');
    if (j > 0 && compareCodePoints(list[j - 1], term) >= 0) corrupt('its terms are not in order');
    list.push(term);
  }
  return list;
}
