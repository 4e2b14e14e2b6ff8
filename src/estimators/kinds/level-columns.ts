import type { Shape } from '../../data/batch.ts';
import { readDictionaries } from '../../data/dictionaries.ts';
import type { LevelPolicy } from '../../data/levels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse } from '../../errors.ts';
import type { Accepts } from './kind.ts';

/** What rows of levels may hold: numbers of levels. */
export const levelRows = (): Accepts => ({ nonNegative: true });

/** Throws if dictionaries do not fit the counts. */
export function checkLevels(shape: Shape, schema: JsonValue | undefined, least?: LevelPolicy['least']): void {
  readDictionaries(columnsOf(schema), levelsOf(shape), least);
}

/** The dictionaries of a schema: all of it, or its entry `levels` where the first rows chose something beside them. */
export function columnsOf(schema: JsonValue | undefined): JsonValue | undefined {
  return isObject(schema) ? schema.levels : schema;
}

/** Whether a schema has more than dictionaries. */
export const isObject = (schema: JsonValue | undefined): schema is { [name: string]: JsonValue } =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema);

/** The number of levels of each column. */
export function levelsOf({ levels, features }: Shape): Int32Array {
  return levels ?? new Int32Array(features);
}

/** A table of pairs has no more cells than this: 256 MB of counts, such as 2 classes and 4096 levels. */
const MOST_PAIR_CELLS: number = 2 ** 25;

/** Refuses a table of pairs, classes × levels², that would not fit in memory. */
export function requirePairs({ classes, features, levels = new Int32Array(0) }: Shape): void {
  const count = Math.max(
    features, // of a column without levels nothing is counted, and its pairs are still looked at
    levels.reduce((sum, own) => sum + own, 0),
  );
  const cells = classes * count * count;
  if (cells <= MOST_PAIR_CELLS) return;
  const sentence = `${classes} classes and ${count} levels make ${cells} pairs to count, ${MOST_PAIR_CELLS} are the limit`;
  refuse('E_LIMIT', `${sentence}; join rare levels, or use CategoricalNB`, { limit: MOST_PAIR_CELLS, actual: cells });
}
