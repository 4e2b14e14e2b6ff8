import { QUOTE } from './csv-cells.ts';
import { CR, LF } from './line-ends.ts';

/** The delimiters that are told apart when none is given, the more usual first. */
export const knownDelimiters = [',', '\t', ';', '|'] as const;

/** How many bytes of a text are looked at to find its delimiter. */
export const SAMPLE_BYTES: number = 1 << 16;

const MOST_ROWS = 100;

/** What speaks for a delimiter. */
export interface DelimiterEvidence {
  readonly delimiter: string;
  /** How often it stands in the first row; 0 when none of the known ones does. */
  readonly inFirst: number;
  /** How many rows were looked at, and how many of them have it as often as the first. */
  readonly rows: number;
  readonly alike: number;
}

/**
 * The delimiter of a sample: of those that stand in its first row, the one whose number is the same in the most rows, then
 * the most frequent one, then the more usual one; a comma when there is none. Quoted text does not count.
 */
export function sniffDelimiter(sample: Uint8Array): string {
  return weighDelimiters(sample).delimiter;
}

/** The delimiter that `sniffDelimiter` finds, and how sure that is. */
export function weighDelimiters(sample: Uint8Array): DelimiterEvidence {
  const rows = countDelimiters(sample);
  let best: DelimiterEvidence = { delimiter: knownDelimiters[0], inFirst: 0, rows: rows.length, alike: 0 };
  for (const [d, delimiter] of knownDelimiters.entries()) {
    const inFirst = rows[0]?.[d] ?? 0;
    if (inFirst === 0) continue;
    const alike = rows.filter((row) => row[d] === inFirst).length;
    if (alike < best.alike || (alike === best.alike && inFirst <= best.inFirst)) continue;
    best = { delimiter, inFirst, rows: rows.length, alike };
  }
  return best;
}

/** How often each delimiter stands outside quotes, row by row; the row that the sample cuts short is left out. */
function countDelimiters(sample: Uint8Array): number[][] {
  const codes = knownDelimiters.map((delimiter) => delimiter.charCodeAt(0));
  const rows: number[][] = [];
  let row = codes.map(() => 0);
  let quoted = false;
  let opens = true; // whether a quote here would open a cell, or go on with one it seemed to close
  let start = 0;
  for (let i = 0; i < sample.length && rows.length < MOST_ROWS; i++) {
    const byte = sample[i]!;
    if (byte === QUOTE) {
      if (quoted || opens) quoted = !quoted;
      opens = true;
    } else if (!quoted) {
      const d = codes.indexOf(byte);
      const ends = byte === LF || byte === CR;
      if (d >= 0) row[d]!++;
      opens = ends || d >= 0;
      if (ends && i > start) rows.push(row);
      if (ends) row = codes.map(() => 0);
      if (ends) start = i + 1;
    }
  }
  const wholeLast = sample.length < SAMPLE_BYTES && start < sample.length;
  return rows.length === 0 || (wholeLast && rows.length < MOST_ROWS) ? [...rows, row] : rows;
}
