import { intern, Lexicon, wordLength, wordStart } from './lexicon';
import { take } from './memory';

/** Words one after another, as threads and files have them. */

/** The words with these numbers one after another, and where each ends; the ends come first, as u32. */
export function writeWords(lexicon: Lexicon, ids: usize, count: u32): usize {
  let size: usize = 0;
  for (let k: u32 = 0; k < count; k++) size += wordLength(lexicon, load<u32>(ids + (usize(k) << 2)));
  const ends = take((usize(count) << 2) + size);
  const bytes = ends + (usize(count) << 2);
  let at = bytes;
  for (let k: u32 = 0; k < count; k++) {
    const id = load<u32>(ids + (usize(k) << 2));
    const start = wordStart(lexicon, id);
    const length = usize(wordLength(lexicon, id));
    for (let done: usize = 0; done < length; done += 8) store<u64>(at + done, load<u64>(start + done));
    at += length;
    store<u32>(ends + (usize(k) << 2), u32(at - bytes));
  }
  return ends;
}

/** The numbers of words that lie one after another, in the place of their ends. */
export function internAll(lexicon: Lexicon, bytes: usize, ends: usize, count: u32): void {
  let start: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const place = ends + (usize(k) << 2);
    const end = load<u32>(place);
    store<u32>(place, intern(lexicon, bytes + start, end - start, true));
    start = end;
  }
}
