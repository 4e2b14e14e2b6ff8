import { wordLength, wordStart } from './lexicon';
import { give, take, takeZeros } from './memory';
import { orderWords } from './order';
import { hasRuns, lexicon, nodePaths, runLength, termsKnown, writeRun } from './terms';

/**
 * The ids of all terms sorted by code point, u32 each; a region of 4 bytes per term that the caller frees. Runs of
 * words are ordered as a tree: the space between two words comes before every character of a word, so runs are compared
 * word by word.
 */
export function orderTerms(): usize {
  const words = orderWords(lexicon());
  if (!hasRuns()) return words;
  const size = usize(termsKnown()) << 2;
  const paths = nodePaths();
  const starts = take(size + 8);
  const byWord = take(size);
  sortByLastWord(paths, words, byWord);
  give(words, usize(lexicon().count) << 2);
  const children = take(size);
  sortByParent(paths, byWord, starts, children);
  const sizes = take(size); // of the tree below each node, itself included
  const places = byWord;
  for (let at: usize = 0; at < size; at += 4) store<u32>(sizes + at, 1);
  for (let node = i32(termsKnown()) - 1; node >= 0; node--) {
    const parent = parentOf(paths, node); // older, so its number is smaller
    if (parent >= 0) addAt(sizes, parent, load<u32>(sizes + (usize(node) << 2)));
  }
  placeChildren(-1, 0, starts, children, sizes, places);
  for (let node = 0; node < i32(termsKnown()); node++) {
    placeChildren(node, load<u32>(places + (usize(node) << 2)) + 1, starts, children, sizes, places);
  }
  const order = children;
  for (let node: u32 = 0; node < termsKnown(); node++) {
    store<u32>(order + (usize(load<u32>(places + (usize(node) << 2))) << 2), node);
  }
  give(places, size);
  give(sizes, size);
  give(starts, size + 8);
  return order;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function addAt(numbers: usize, k: u32, more: u32): void {
  const place = numbers + (usize(k) << 2);
  store<u32>(place, load<u32>(place) + more);
}

// @ts-ignore
@inline
function parentOf(paths: usize, node: u32): i32 {
  return load<i32>(paths + (usize(node) << 3), 4);
}

/** Turns counts of keys, each one index too far, into start positions. */
function sumUp(starts: usize, keys: u32): void {
  for (let at = starts + 4, end = starts + (usize(keys) << 2); at < end; at += 4) {
    store<u32>(at, load<u32>(at) + load<u32>(at - 4));
  }
}

/** Writes a node to the next position of its key. */
// @ts-ignore
@inline
function put(to: usize, starts: usize, key: u32, node: u32): void {
  const start = starts + (usize(key) << 2);
  store<u32>(to + (usize(load<u32>(start)) << 2), node);
  store<u32>(start, load<u32>(start) + 1);
}

/** Writes all nodes to `to`, in the order of their last words. */
function sortByLastWord(paths: usize, words: usize, to: usize): void {
  const count = lexicon().count;
  const ranks = take(usize(count) << 2);
  const next = takeZeros((usize(count) << 2) + 4);
  for (let k: u32 = 0; k < count; k++) store<u32>(ranks + (usize(load<u32>(words + (usize(k) << 2))) << 2), k);
  for (let node: u32 = 0; node < termsKnown(); node++) addAt(next, rankOf(ranks, paths, node) + 1, 1);
  sumUp(next, count);
  for (let node: u32 = 0; node < termsKnown(); node++) put(to, next, rankOf(ranks, paths, node), node);
  give(next, (usize(count) << 2) + 4);
  give(ranks, usize(count) << 2);
}

// @ts-ignore
@inline
function rankOf(ranks: usize, paths: usize, node: u32): u32 {
  return load<u32>(ranks + (usize(load<u32>(paths + (usize(node) << 3))) << 2));
}

/**
 * Writes nodes to `to` by parent, those of one parent in the order of `from`; afterwards starts[p + 1] is the end of
 * the children of p.
 */
function sortByParent(paths: usize, from: usize, starts: usize, to: usize): void {
  const nodes = termsKnown();
  memory.fill(starts, 0, (usize(nodes) << 2) + 8);
  for (let node: u32 = 0; node < nodes; node++) addAt(starts, parentOf(paths, node) + 2, 1);
  sumUp(starts, nodes + 1);
  for (let at = from, end = from + (usize(nodes) << 2); at < end; at += 4) {
    const node = load<u32>(at);
    put(to, starts, parentOf(paths, node) + 1, node);
  }
}

/** Assigns positions to the children of a node, from `next` on. */
function placeChildren(node: i32, next: u32, starts: usize, children: usize, sizes: usize, places: usize): void {
  const first: u32 = node < 0 ? 0 : load<u32>(starts + (usize(node) << 2));
  const end = load<u32>(starts + (usize(node + 1) << 2));
  for (let k = first; k < end; k++) {
    const child = load<u32>(children + (usize(k) << 2));
    store<u32>(places + (usize(child) << 2), next);
    next += load<u32>(sizes + (usize(child) << 2));
  }
}

let ends: usize = 0;
let endsSize: usize = 0;

/** Writes terms consecutively and returns their address; their ends are at `termEnds`. Free both with `giveTerms`. */
export function writeTerms(ids: usize, count: u32): usize {
  const paths = hasRuns() ? nodePaths() : 0;
  endsSize = usize(count) << 2;
  ends = take(endsSize);
  let size: u32 = 0;
  for (let at: usize = 0; at < endsSize; at += 4) {
    const id = load<u32>(ids + at);
    size += paths ? runLength(paths, id) : wordLength(lexicon(), id);
    store<u32>(ends + at, size);
  }
  const bytes = take(size);
  let start = bytes;
  for (let at: usize = 0; at < endsSize; at += 4) {
    const id = load<u32>(ids + at);
    const end = bytes + load<u32>(ends + at);
    if (paths) writeRun(paths, id, end);
    else memory.copy(start, wordStart(lexicon(), id), end - start);
    start = end;
  }
  return bytes;
}

/** The end of each written term, u32 each. */
export function termEnds(): usize {
  return ends;
}

export function giveTerms(bytes: usize): void {
  if (endsSize > 0) give(bytes, load<u32>(ends + endsSize - 4));
  give(ends, endsSize);
}
