import type { State } from '../core/artifact.ts';
import { numbersOf, type Tensor, type TensorData } from '../data/safetensors.ts';
import { decodeUtf8, findInvalidUtf8 } from '../data/utf8.ts';
import { refuse } from '../errors.ts';
import { Columns } from './columns.ts';
import type { Counts } from './lesson.ts';
import type { Reader } from './reader.ts';
import { SortedTerms } from './sorted-terms.ts';
import { Vocabulary } from './vocabulary.ts';

/** Refuses a damaged model. */
export const corrupt = (what: string): never => refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`);

/**
 * A vocabulary as plain data: the terms in UTF-8 one after another, where each ends, and the counts; of a slim one, in how
 * many documents terms were where rows are weighed by that.
 */
export function saveVocabulary(
  vocabulary: Vocabulary,
  slim?: 'df' | 'none' | false,
): Pick<State, 'learned' | 'arrays'> {
  const left = vocabulary.counts.left ?? (slim || 'all');
  const { documents, pruned, fixed, columns } = vocabulary;
  const shape = [columns.ids.length];
  const arrays: Record<string, Tensor> = {};
  if (left !== 'none') arrays.df = { shape, data: vocabulary.df };
  if (left === 'all') arrays.tf = { shape, data: vocabulary.tf };
  if (!fixed) {
    const { bytes, ends } = columns.encoded ?? encode(columns.terms);
    arrays.terms = { shape: [bytes.length], data: bytes };
    arrays.ends = { shape, data: ends };
  }
  return { learned: { documents, pruned, ...(left !== 'all' && { slim: true }) }, arrays };
}

const encode = (terms: readonly string[]) => ({
  bytes: new TextEncoder().encode(terms.join('')),
  ends: endsOf(terms),
});

/** Where each term ends among the bytes of all. */
function endsOf(terms: readonly string[]): Uint32Array {
  const ends = new Uint32Array(terms.length);
  for (let j = 0, end = 0; j < terms.length; j++) {
    for (let k = 0; k < terms[j].length; k++) end += bytesOf(terms[j].charCodeAt(k));
    ends[j] = end;
  }
  return ends;
}

/** The bytes of a UTF-16 unit in UTF-8; of a pair, half of its four each. */
function bytesOf(unit: number): number {
  if (unit < 0x800) return unit < 0x80 ? 1 : 2;
  return unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
}

/** The inverse of `saveVocabulary`; believes nothing unless the state is `own`, not of a file. `given` are the terms of a fixed vocabulary. */
export function loadVocabulary(state: State, reader: Reader, given: readonly string[] | null, own = false): Vocabulary {
  const { learned, arrays } = state;
  const { documents, pruned, slim } = learned;
  const left = slim === undefined ? 'all' : 'df' in arrays ? 'df' : 'none';
  const counts: readonly string[] = { all: ['df', 'tf'], df: ['df'], none: [] }[left];
  requireKeys(
    state,
    ['documents', 'pruned', ...(slim === true ? ['slim'] : [])],
    [...counts, ...(given ? [] : ['terms', 'ends'])],
  );
  if (!isWeight(documents) || typeof pruned !== 'boolean') return corrupt('its number of documents is wrong');
  const columns = given ? new Columns(reader, given) : readColumns(arrays, reader, own);
  const place = (values: TensorData) => {
    const placed = new Float64Array(reader.size);
    for (let j = 0; j < values.length; j++) placed[columns.ids[j]] = values[j];
    return placed;
  };
  const read = (name: 'df' | 'tf') => place(readWeightArray(arrays[name], columns.ids.length));
  const later = (name: 'df' | 'tf') => {
    const values = isUnsigned(arrays[name], columns.ids.length) && arrays[name].data.slice();
    return values ? () => place(values) : read(name);
  };
  const known =
    left === 'all' ? new SavedCounts(documents, later('df'), later('tf')) : new SlimCounts(documents, left, read);
  return new Vocabulary(reader, columns, given !== null, known, pruned);
}

/** Whether an array can hold nothing but weights. */
const isUnsigned = (tensor: Tensor | undefined, length: number): tensor is Tensor =>
  tensor?.data.length === length && [Uint8Array, Uint16Array, Uint32Array].some((kind) => tensor.data instanceof kind);

/** Counts of a file that are read when they are first asked for: to classify, nobody asks. */
class SavedCounts implements Counts {
  readonly documents: number;
  private readonly later: Record<'df' | 'tf', Float64Array | (() => Float64Array)>;

  constructor(documents: number, df: Float64Array | (() => Float64Array), tf: Float64Array | (() => Float64Array)) {
    this.documents = documents;
    this.later = { df, tf };
  }

  get df(): Float64Array {
    return this.now('df');
  }

  get tf(): Float64Array {
    return this.now('tf');
  }

  private now(name: 'df' | 'tf'): Float64Array {
    const { later } = this;
    const counts = later[name];
    if (counts instanceof Float64Array) return counts;
    return (later[name] = counts());
  }
}

/** What is left of counts in a slim model: whoever needs more of them is refused. */
class SlimCounts implements Counts {
  readonly documents: number;
  readonly left: 'df' | 'none';
  private readonly kept: Float64Array | undefined;

  constructor(documents: number, left: 'df' | 'none', read: (name: 'df') => Float64Array) {
    this.documents = documents;
    this.left = left;
    this.kept = left === 'df' ? read('df') : undefined;
  }

  get df(): Float64Array {
    return this.kept ?? refuseSlim();
  }

  get tf(): Float64Array {
    return refuseSlim();
  }
}

function refuseSlim(): never {
  return refuse(
    'E_CONFLICT',
    'this vocabulary was saved slim, without counts: load the full file to learn or tell from it',
    {
      slim: true,
    },
  );
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
  const weights = numbersOf(tensor);
  if (weights?.length !== length) return corrupt('an array has a wrong size');
  return weights.every(isWeight) ? weights : corrupt('an array holds something else than weights');
}

/** The columns of a file. Terms become strings when they are asked for, where the reader takes them as bytes. */
function readColumns({ terms, ends }: State['arrays'], reader: Reader, own: boolean): Columns {
  const kept = (data: TensorData | undefined) => (own ? data : data?.slice()); // the file is not
  const [bytes, places] = [kept(terms?.data), kept(ends?.data)];
  if (!(bytes instanceof Uint8Array) || !(places instanceof Uint32Array)) return corrupt('its terms are not text');
  if (!own) requireTerms(bytes, places);
  const text = () => cutTerms(decodeUtf8(bytes) ?? corrupt('its terms are not text'), bytes.length, places);
  const ids = reader.idsOf?.(new SortedTerms(bytes, places));
  return new Columns(reader, ids ? text : text(), ids, { bytes, ends: places });
}

/** Refuses terms that are not UTF-8, do not tile their bytes between two characters, or are not in order. */
function requireTerms(bytes: Uint8Array, ends: Uint32Array): void {
  if (findInvalidUtf8(bytes) >= 0) corrupt('its terms are not text');
  for (let j = 0, [before, start] = [0, 0]; j < ends.length; j++) {
    const end = ends[j];
    const cut = end < bytes.length && (bytes[end] & 0xc0) === 0x80; // between two bytes of one character
    if (end < start || end > bytes.length || cut) corrupt('its terms have a wrong length');
    if (j > 0 && !isBefore(bytes, before, start, end)) corrupt('its terms are not in order');
    [before, start] = [start, end];
  }
  if ((ends.at(-1) ?? 0) !== bytes.length) corrupt('its terms have a wrong length');
}

/** Whether bytes[from … middle) come before bytes[middle … to); the order of UTF-8 is that of code points. */
function isBefore(bytes: Uint8Array, from: number, middle: number, to: number): boolean {
  const shorter = Math.min(middle - from, to - middle);
  for (let k = 0; k < shorter; k++) {
    if (bytes[from + k] !== bytes[middle + k]) return bytes[from + k] < bytes[middle + k];
  }
  return middle - from < to - middle;
}

/** The terms as strings: the text was decoded at once and is cut where terms end. */
function cutTerms(text: string, bytes: number, ends: Uint32Array): string[] {
  const plain = text.length === bytes; // ASCII: a character is a byte
  const list = new Array<string>(ends.length);
  for (let j = 0, [at, end] = [0, 0]; j < ends.length; j++) {
    const start = at;
    if (plain) at = ends[j];
    else while (end < ends[j]) end += bytesOf(text.charCodeAt(at++));
    list[j] = text.slice(start, at);
  }
  return list;
}
