import type { Random } from '../../src/index.ts';
import type { Row } from './check-sequence.ts';

/** A labelled text, as the list of its words. */
export interface Text extends Row {
  readonly words: readonly string[];
}

/** The sizes of the texts of a law and of its sequences. */
export interface Size {
  /** The number of distinct words. */
  readonly words: number;
  readonly classes: number;
  /** The number of texts of the first operation, and of the others. */
  readonly starts: readonly number[];
  readonly counts: readonly number[];
  readonly steps: number;
  readonly runs: number;
}

/**
 * Sizes on both sides of every threshold at which another implementation takes over: 64 and 256 texts at once, 500
 * texts scored, 1,024 words and 1,024 new ones, 65,536 cells of classes × words, and counts above 255.
 */
export const SIZES: Readonly<Record<string, Size>> = {
  'a few texts': { words: 12, classes: 3, starts: [1, 5], counts: [1, 2, 5], steps: 12, runs: 10 },
  'a few hundred texts': {
    words: 4000,
    classes: 3,
    starts: [50, 200, 255, 256],
    counts: [1, 1, 3, 65, 255, 256, 257],
    steps: 8,
    runs: 2,
  },
  'thousands of words in 20 classes': {
    words: 5000,
    classes: 20,
    starts: [2000],
    counts: [1, 1, 64, 300],
    steps: 6,
    runs: 1,
  },
};

/** Words in plain letters, with accents, outside the basic plane, and with the names of object properties. */
export const word = (k: number): string =>
  ['constructor', '__proto__', 'café', '𐐷𐐷', '\uff41b'][k % 97] ?? `w${k.toString(36)}`;

/** A text as a user has it. */
export const asText = ({ words }: Text): string => words.join(' ');

/**
 * Texts of up to 20 words, common ones far more often than rare ones; each class has typical words. Some texts are
 * empty, but not the first. All weights are one, or integers.
 */
export function drawTexts(random: Random, count: number, { words, classes }: Size): Text[] {
  const weighted = random.integer(2) === 0;
  return Array.from({ length: count }, (_, i) => {
    const c = random.integer(classes);
    const favourite = () => (Math.floor(words * random.uniform() ** 3) + c * 7) % words;
    const length = i > 0 && random.integer(40) === 0 ? 0 : 1 + random.integer(20);
    return {
      words: Array.from({ length }, () => word(favourite())),
      label: `class ${c}`,
      weight: weighted ? 1 + random.integer(3) : 1,
    };
  });
}

/** Weights as an option, only if they are needed: texts without weights may be counted in another way. */
export function weightsOf(rows: readonly Row[]): { sampleWeight?: number[] } {
  const weights = rows.map(({ weight }) => weight);
  return weights.every((weight) => weight === 1) ? {} : { sampleWeight: weights };
}

/** A few texts to predict: some that were learned, one with unknown words, and one without words. */
export const asked = (rows: readonly Text[]): string[] => [
  ...rows.slice(0, 3).map(asText),
  'w0 w1 never met before',
  '',
];

/** A model as text, to be compared. */
export const bytesOf = (model: { toBytes(): Uint8Array }): string => Buffer.from(model.toBytes()).toString('base64');
