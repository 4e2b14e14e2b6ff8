import { QUOTE } from './csv-cells.ts';
import { CR, LF } from './line-ends.ts';

/** The delimiters that are detected, most common first. */
export const knownDelimiters = [',', '\t', ';', '|'] as const;

/** The number of bytes that are read to detect the delimiter. */
export const SAMPLE_BYTES: number = 1 << 16;

const MOST_ROWS = 100;

/** The evidence for a delimiter. */
export interface DelimiterEvidence {
  readonly delimiter: string;
  /** How often it occurs in the first row; 0 if no known delimiter does. */
  readonly inFirst: number;
  /** How many rows were read, and how many of them have it as often as the first. */
  readonly rows: number;
  readonly alike: number;
}

/**
 * The delimiter of a sample: of those in its first row, the one whose number is the same in the most rows, then the
 * most frequent one, then the more common one; a comma if there is none. Quoted text does not count.
 */
export function sniffDelimiter(sample: Uint8Array): string {
  return weighDelimiters(sample).delimiter;
}

/** The delimiter that `sniffDelimiter` finds, with the evidence. */
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

// The meaning of bytes: delimiters by their index from 1 on, line ends, quotes; 0 for all others.
const END_MARK = knownDelimiters.length + 1;
const QUOTE_MARK = END_MARK + 1;
const marks = new Uint8Array(256);
for (const [d, delimiter] of knownDelimiters.entries()) marks[delimiter.charCodeAt(0)] = d + 1;
marks[LF] = marks[CR] = END_MARK;
marks[QUOTE] = QUOTE_MARK;

/** How often each delimiter occurs outside quotes, row by row; a truncated last row is left out. */
function countDelimiters(sample: Uint8Array): number[][] {
  const rows: number[][] = [];
  const row = new Int32Array(knownDelimiters.length);
  let quoted = false;
  let opens = 0; // where a quote would open a cell, or continue one that seemed closed
  let start = 0;
  for (let i = nextMark(sample, 0); i < sample.length && rows.length < MOST_ROWS; i = nextMark(sample, i + 1)) {
    const mark = marks[sample[i]!]!;
    if (mark === QUOTE_MARK) {
      quoted = !quoted && i === opens;
      opens = i + 1;
    } else if (!quoted) {
      opens = i + 1;
      if (mark < END_MARK) row[mark - 1]!++;
      else {
        if (i > start) rows.push(Array.from(row));
        row.fill(0);
        start = i + 1;
      }
    }
  }
  const wholeLast = sample.length < SAMPLE_BYTES && start < sample.length;
  const cut = rows.length === 0 || (wholeLast && rows.length < MOST_ROWS);
  return cut ? [...rows, Array.from(row)] : rows;
}

/** The next byte with a meaning at or after a position. */
function nextMark(sample: Uint8Array, from: number): number {
  let at = from;
  while (at < sample.length && marks[sample[at]!] === 0) at++;
  return at;
}
