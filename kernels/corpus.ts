import { intern, Lexicon } from './lexicon';
import { line, lineLabel, lineLabelLength, lineScanned, lineText, lineTextLength } from './lines';
import { fits, noteLine } from './rows';
import { begin, resolve, scan } from './scan';
import { tally } from './tally';

/**
 * Labelled documents in JSON Lines, counted by class. The loop runs here and stops where the host has to help: at a strange line,
 * and at a byte of text that is not ASCII.
 */

const DONE: i32 = 0;
const STRANGE_LINE: i32 = 1;
const FOREIGN_TEXT: i32 = 2;

let next: usize = 0; // behind the line whose text is being read; 0 between lines
let cursor: usize = 0; // the line to be read
let place: usize = 0; // in its text

/** Where the line begins that is being read or strange. */
export function lineStart(): usize {
  return cursor;
}

/** Where in its text the reading stands. */
export function textPlace(): usize {
  return place;
}

/** Goes on with the line that begins there. */
export function goToLine(at: usize): void {
  cursor = at;
  next = 0;
}

/** Goes on behind what the host has read of the text. */
export function goToText(at: usize): void {
  place = at;
}

/** Counts the lines up to `end`, from where the reading stands. */
export function countLines(words: Lexicon, labels: Lexicon, end: usize, stops: i32, presence: bool): i32 {
  while (true) {
    if (next == 0) {
      while (cursor < end && load<u8>(cursor) == 0x0a) cursor++;
      if (cursor >= end) return DONE;
      next = line(cursor, end);
      if (next == 0 || !fits()) {
        next = 0;
        return STRANGE_LINE;
      }
      if (!lineScanned()) begin(lineTextLength());
      place = 0;
    }
    if (lineScanned()) resolve(words, 0, true);
    else place = scan(words, lineText(), place, lineTextLength(), true);
    if (!lineScanned() && place < lineTextLength()) return FOREIGN_TEXT;
    const label = intern(labels, lineLabel(), lineLabelLength(), true);
    tally(words, label, stops, presence);
    noteLine();
    cursor = next;
    next = 0;
  }
  return DONE;
}
