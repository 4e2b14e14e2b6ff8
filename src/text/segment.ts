/** Scripts that are written without spaces between words. */
const UNSPACED = ['Hani', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/** A letter, mark or number of a script without spaces; the lookahead excludes punctuation that these scripts share. */
export const PACKED: string = `(?=[\\p{L}\\p{M}\\p{N}])[${UNSPACED}]`;

/** Letters, numbers, and combining marks and joiners: vowel signs, virama, accents. */
const SPELLED = `(?!${PACKED})[\\p{L}\\p{N}_](?:(?!${PACKED})[\\p{L}\\p{M}\\p{N}_\\u200c\\u200d])+`;

const RUN: RegExp = new RegExp(`((?:${PACKED})+)|${SPELLED}`, 'gu');
/** Whether a text may contain a script without spaces; marks and apostrophes that other scripts share don't count. */
export const MAY_BE_PACKED: RegExp = /[\u0240-\u037f\u0800-\uffff]/;
/** A character for which `segmentWords` may find other words than runs of letters, numbers and underscores. */
export const SEGMENTED: RegExp = new RegExp(`${PACKED}|[\\p{M}\\u200c\\u200d]`, 'u');

const SPACED: RegExp = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]+/gu;
const ONE_LETTER = /^[\p{L}\p{N}]$/u;

/** Intl.Segmenter in Node 20 takes quadratic time; on slices of this length it is linear in the document. */
const LONGEST_SLICE = 256;

/**
 * A run of a few million letters would overflow the matcher's stack; such a text is cut, at a space if there is one.
 */
const LONGEST_STRETCH = 2 ** 19;

/**
 * Splits a text into words by the script of each run: Han, kana, Thai, Lao, Khmer and Myanmar with the dictionaries of
 * Intl.Segmenter, everything else by letters, numbers and marks, where a single character is not a word.
 */
export function segmentWords(text: string): string[] {
  if (text.length <= LONGEST_STRETCH && !MAY_BE_PACKED.test(text)) return text.match(SPACED) ?? [];
  const parts: string[][] = [[]];
  const segments = new Segments();
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = sliceEnd(text, from, LONGEST_STRETCH);
    for (const [run, packed] of text.slice(from, to).matchAll(RUN)) {
      if (packed === undefined || ONE_LETTER.test(run)) parts[parts.length - 1].push(run);
      else {
        const part: string[] = [];
        segments.add(run, part);
        parts.push(part, []);
      }
    }
  }
  segments.flush();
  return parts.length === 1 ? parts[0] : parts.flat();
}

// The dictionaries are chosen by script; a fixed locale makes the result independent of the machine's.
let segmenter: Intl.Segmenter | undefined;

/** Short runs are joined, one per line, because a call costs more than its text; long ones are cut into slices. */
class Segments {
  private lines = '';
  private readonly ends: number[] = [];
  private readonly parts: string[][] = [];

  /** Adds the words of `run` to `part`, now or at the next flush. */
  add(run: string, part: string[]): void {
    if (this.lines.length + run.length > LONGEST_SLICE) this.flush();
    if (run.length > LONGEST_SLICE) pushSlices(run, part);
    else {
      this.lines += `${run}\n`;
      this.ends.push(this.lines.length);
      this.parts.push(part);
    }
  }

  flush(): void {
    let line = 0;
    for (const { segment, index, isWordLike } of segmentsOf(this.lines)) {
      while (index >= this.ends[line]) line++;
      if (isWordLike) this.parts[line].push(segment);
    }
    this.lines = '';
    this.ends.length = 0;
    this.parts.length = 0;
  }
}

function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return segmenter.segment(text);
}

function pushSlices(run: string, words: string[]): void {
  let from = 0;
  while (from < run.length) {
    const last = from + LONGEST_SLICE >= run.length;
    const segments = [...segmentsOf(run.slice(from, sliceEnd(run, from, LONGEST_SLICE)))];
    // The word at the cut may be split: it is read again with what follows.
    if (!last && segments.length > 1) segments.pop();
    for (const { segment, isWordLike } of segments) if (isWordLike) words.push(segment);
    const { index, segment } = segments[segments.length - 1];
    from += index + segment.length;
  }
}

/** The end of a slice: after the last space of its last part, or else between two code points. */
function sliceEnd(text: string, from: number, length: number): number {
  const end = from + length;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - length / 8; at--) if (text.charCodeAt(at - 1) <= 0x20) return at;
  const unit = text.charCodeAt(end);
  return unit >= 0xdc00 && unit < 0xe000 ? end - 1 : end;
}
