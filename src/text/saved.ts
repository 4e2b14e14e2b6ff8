import type { State } from '../core/artifact.ts';
import { type CountArray, isUnsigned, numbersOf, type Tensor, type TensorData } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import { Columns, placed } from './columns.ts';
import type { Counts } from './document-counter.ts';
import { encodeTerms } from './encoded.ts';
import type { EncodedTerms, Reader } from './reader.ts';
import { corrupt, readTerms } from './saved-terms.ts';
import { someOf, Vocabulary } from './vocabulary.ts';

/**
 * A vocabulary as plain data: the terms as concatenated UTF-8, the end of each, and the counts. For a slim model, only
 * the document frequencies, if rows are weighted by them.
 */
export function saveVocabulary(
  vocabulary: Vocabulary,
  slim?: 'df' | 'none' | false,
): Pick<State, 'learned' | 'arrays'> {
  const left = vocabulary.counts.left ?? (slim || 'all');
  const { documents, pruned, fixed, columns } = vocabulary;
  const shape = [columns.ids.length];
  const arrays: Record<string, Tensor> = {};
  if (left !== 'none') arrays.df = { shape, data: vocabulary.byColumn('df') };
  if (left === 'all') arrays.tf = { shape, data: vocabulary.byColumn('tf') };
  const { uncounted } = vocabulary.counts;
  // not needed if none of them is in a counted document: see readUncounted
  if (uncounted && left === 'all' && columns.ids.some((id) => uncounted.has(id) && vocabulary.counts.df[id] > 0)) {
    arrays.uncounted = { shape, data: Uint8Array.from(columns.ids, (id) => Number(uncounted.has(id))) };
  }
  if (!fixed) {
    const { bytes, ends } = columns.encoded();
    arrays.terms = { shape: [bytes.length], data: bytes };
    arrays.ends = { shape, data: ends };
  }
  return { learned: { documents, pruned, ...(left !== 'all' && { slim: true }) }, arrays };
}

/**
 * The inverse of `saveVocabulary`. Validates everything, unless the state is `own`, that is, not from a file. `given`
 * are the terms of a fixed vocabulary.
 */
export function loadVocabulary(state: State, reader: Reader, given: readonly string[] | null, own = false): Vocabulary {
  const { learned, arrays } = state;
  const { documents, pruned, slim } = learned;
  const left = slim === undefined ? 'all' : 'df' in arrays ? 'df' : 'none';
  const marked = left === 'all' && given === null && 'uncounted' in arrays;
  const counts: readonly string[] = { all: ['df', 'tf', ...(marked ? ['uncounted'] : [])], df: ['df'], none: [] }[left];
  requireKeys(
    state,
    ['documents', 'pruned', ...(slim === true ? ['slim'] : [])],
    [...counts, ...(given ? [] : ['terms', 'ends'])],
  );
  if (!isWeight(documents) || typeof pruned !== 'boolean') return corrupt('its number of documents is wrong');
  const terms = given ? encodeTerms(given) : readTerms(arrays, own);
  const columns = new Columns(reader, idsByFrequency(reader, terms, arrays.df?.data));
  const read = (name: 'df' | 'tf') => placed(readCounts(arrays[name], columns.ids.length), columns.ids, reader.size);
  const uncounted = left === 'all' && given === null ? readUncounted(arrays, columns.ids) : undefined;
  const known =
    left === 'all' ? { documents, df: read('df'), tf: read('tf'), uncounted } : new SlimCounts(documents, left, read);
  return new Vocabulary(reader, columns, given !== null, known, pruned);
}

/**
 * Assigns the first ids to frequent terms, as reading documents would: they are then adjacent in memory and found at
 * the first probe, and documents are read twice as fast.
 */
function idsByFrequency(reader: Reader, terms: EncodedTerms, df: TensorData | undefined): Uint32Array {
  const { bytes, ends } = terms;
  if (df?.length !== ends.length) return reader.idsOf(terms);
  const order = byMagnitude(df);
  const sorted = { bytes: new Uint8Array(bytes.length), ends: new Uint32Array(ends.length) };
  for (let k = 0, at = 0; k < order.length; k++) {
    const j = order[k];
    for (let from = j === 0 ? 0 : ends[j - 1]; from < ends[j]; from++) sorted.bytes[at++] = bytes[from];
    sorted.ends[k] = at;
  }
  const found = reader.idsOf(sorted);
  const ids = new Uint32Array(found.length);
  for (let k = 0; k < order.length; k++) ids[order[k]] = found[k];
  return ids;
}

/** The indices of numbers, grouped by descending powers of two. */
function byMagnitude(numbers: TensorData): Uint32Array {
  const power = (k: number) => Math.clz32(numbers[k]);
  const next = new Uint32Array(34);
  for (let k = 0; k < numbers.length; k++) next[power(k) + 1]++;
  for (let p = 0; p < 33; p++) next[p + 1] += next[p];
  const order = new Uint32Array(numbers.length);
  for (let k = 0; k < numbers.length; k++) order[next[power(k)]++] = k;
  return order;
}

/** The ids of terms with uncounted documents: those that are marked, and those with a column but no document. */
function readUncounted({ df, uncounted }: State['arrays'], ids: Uint32Array): ReadonlySet<number> | undefined {
  const marks = uncounted && readWeightArray(uncounted, ids.length);
  const counts = df?.data;
  const found = ids.filter((_, j) => Number(counts?.[j]) === 0 || (marks !== undefined && marks[j] > 0));
  return someOf(found);
}

/** The counts of a slim model: anything that needs them throws. */
class SlimCounts implements Counts {
  readonly documents: number;
  readonly left: 'df' | 'none';
  private readonly kept: CountArray | undefined;

  constructor(documents: number, left: 'df' | 'none', read: (name: 'df') => CountArray) {
    this.documents = documents;
    this.left = left;
    this.kept = left === 'df' ? read('df') : undefined;
  }

  get df(): CountArray {
    return this.kept ?? refuseSlim();
  }

  get tf(): Float64Array {
    return refuseSlim();
  }
}

function refuseSlim(): never {
  return refuse(
    'E_CONFLICT',
    'this vocabulary was saved slim, without counts: load the full file to learn or to get counts',
    {
      slim: true,
    },
  );
}

const isWeight = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;

/** Throws if a state has other entries or arrays than these. */
export function requireKeys({ learned, arrays }: State, entries: readonly string[], names: readonly string[]): void {
  const fits = Object.keys(learned).sort().join() === [...entries].sort().join();
  if (!fits || Object.keys(arrays).sort().join() !== [...names].sort().join()) corrupt('it has unexpected entries');
}

/** An array of weights: finite, not negative, of the right length. */
export function readWeightArray(tensor: Tensor | undefined, length: number): Float64Array {
  const weights = numbersOf(tensor);
  if (weights?.length !== length) return corrupt('an array has a wrong size');
  return weights.every(isWeight) ? weights : corrupt('an array has values that are not weights');
}

/** Counts of a file: integers without a copy. */
function readCounts(tensor: Tensor | undefined, length: number): CountArray {
  return tensor?.data.length === length && isUnsigned(tensor.data) ? tensor.data : readWeightArray(tensor, length);
}
