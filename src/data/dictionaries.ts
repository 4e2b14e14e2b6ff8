import { refuse } from '../errors.ts';
import { type Dictionary, type LevelPolicy, levelCounts } from './levels.ts';
import { compareCodePoints } from './order.ts';
import type { JsonValue } from './strict-json.ts';

/** The union of two lists of dictionaries; one column cannot have both words and numbers. */
export function uniteDictionaries(mine: readonly Dictionary[], theirs: readonly Dictionary[]): Dictionary[] {
  return mine.map((a, j) => {
    const b = theirs[j];
    if (a === null || b === null) return a ?? b;
    if (typeof a === 'number' && typeof b === 'number') return Math.max(a, b);
    if (typeof a === 'number' || typeof b === 'number') {
      return refuse('E_MERGE_MISMATCH', `column ${j} holds words in one estimator and numbers in the other`, {
        column: j,
      });
    }
    return [...new Set([...a, ...b])].sort(compareCodePoints);
  });
}

/** The index of each level of all columns in another list of dictionaries; −1 if it is missing. */
export function levelMoves(
  from: readonly Dictionary[],
  to: readonly Dictionary[],
  least?: LevelPolicy['least'],
): Int32Array {
  const [before, after] = [levelCounts(from, least), levelCounts(to, least)];
  const moves: number[] = [];
  let offset = 0;
  for (let j = 0; j < from.length; j++) {
    const [a, b] = [from[j], to[j]];
    const place = isWords(a) && isWords(b) ? new Map(b.map((word, v) => [word, v])) : undefined;
    for (let v = 0; v < before[j]; v++) {
      const moved = place ? place.get((a as readonly string[])[v]) : v < after[j] ? v : undefined;
      moves.push(moved === undefined ? -1 : offset + moved);
    }
    offset += after[j];
  }
  return Int32Array.from(moves);
}

/** Whether a dictionary is a list of words. */
export function isWords(dictionary: Dictionary): dictionary is readonly string[] {
  return Array.isArray(dictionary);
}

/** Whether two lists of dictionaries are the same. */
export function sameDictionaries(a: readonly Dictionary[], b: readonly Dictionary[]): boolean {
  return a.every((dictionary, j) => {
    const other = b[j];
    if (!isWords(dictionary) || !isWords(other)) return dictionary === other;
    return dictionary.length === other.length && dictionary.every((word, v) => word === other[v]);
  });
}

/** The dictionaries without levels of zero weight: those that rows without these levels would have produced. */
export function shrinkDictionaries(
  dictionaries: readonly Dictionary[],
  weights: readonly Float64Array[],
): Dictionary[] {
  return dictionaries.map((dictionary, j) => {
    const bound = weights[j].findLastIndex((weight) => weight > 0) + 1;
    if (dictionary === null || bound === 0) return null;
    return isWords(dictionary) ? dictionary.filter((_, v) => weights[j][v] > 0) : bound;
  });
}

/** Dictionaries from a model file, validated. */
export function readDictionaries(
  schema: JsonValue | undefined,
  levels: Int32Array,
  least?: LevelPolicy['least'],
): Dictionary[] {
  const fits =
    Array.isArray(schema) &&
    schema.length === levels.length &&
    schema.every(isDictionary) &&
    levelCounts(schema as Dictionary[], least).every((count, j) => count === levels[j]);
  if (!fits) refuse('E_MODEL_CORRUPT', 'the lists of levels do not fit the counts');
  return schema as Dictionary[];
}

function isDictionary(value: JsonValue): boolean {
  if (value === null) return true;
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0;
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((word, v) => {
    if (typeof word !== 'string' || !word.isWellFormed()) return false;
    return v === 0 || compareCodePoints(value[v - 1] as string, word) < 0;
  });
}
