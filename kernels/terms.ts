import { foldedSize, foldedText, isAscii, markBits, markSpaces } from './fold';
import { createLexicon, intern, Lexicon, wordLength, wordStart } from './lexicon';
import { give, resize, roomFor, take, takeZeros } from './memory';
import { setSpan } from './order';

/**
 * Maps a folded document to the ids of its terms: words, runs of words, or runs of characters. Ids are assigned in
 * order of arrival. A run of words is a node of a tree, found by the pair (node of the run without its last word, last
 * word), so no text is built for it.
 */

const WORD: u32 = 0;
const CHAR: u32 = 1;

const ROOT: i32 = -1;
const UNKNOWN: i32 = -2;

let analyzer: u32 = WORD;
let lowest: u32 = 1;
let highest: u32 = 1;
let stops: i32 = 0; // words with a smaller id are dropped
let words: Lexicon = changetype<Lexicon>(0); // words, or runs of characters

let ids: usize = 0; // of the words or character runs of the document, i32 each
let starts: usize = 0; // by word: its first byte and its end; by character: its first byte
let room: usize = 0; // capacity in entries
let count: u32 = 0;

let roots: usize = 0; // by word: the node of the run of this word alone, plus one, u32 each
let rootRoom: u32 = 0;
let slots: usize = 0; // of longer runs: their nodes plus one, u32 each; 0 for an empty slot
let slotMask: u32 = 0;
let nodes: usize = 0; // by node: its last word and the node before it, u32 each
let nodeRoom: u32 = 0;
let nodeCount: u32 = 0;
let runs: usize = 0; // ids of the runs of the document
let runRoom: usize = 0;
let wordCount: u32 = 0; // of the document, before its words were joined

let joined: usize = 0; // the words of the document, separated by single spaces
let joinedRoom: usize = 0;

let text: usize = 0; // characters of the document, white space collapsed or words padded
let textRoom: usize = 0;

/** Sets the units of terms (0 words, 1 characters, 2 characters within words) and the lengths of runs. */
export function setAnalyzer(kind: u32, low: u32, high: u32): void {
  analyzer = kind;
  lowest = low;
  highest = high;
  words = createLexicon();
  if (kind != WORD) markSpaces();
  else if (high > 1) {
    slotMask = 1023;
    slots = takeZeros(1024 << 2);
  }
}

/** Makes the words known so far stop words. */
export function setStops(): void {
  stops = words.count;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
export function hasRuns(): bool {
  return analyzer == WORD && highest > 1;
}

export function lexicon(): Lexicon {
  return words;
}

/** The number of terms with an id. */
export function termsKnown(): u32 {
  return hasRuns() ? nodeCount : words.count;
}

/** The ids of the terms of the document. */
export function documentTerms(): usize {
  return hasRuns() ? runs : ids;
}

/** The ids of the words of the document, before they are combined into runs. */
export function documentWords(): usize {
  return ids;
}

export function documentSize(): u32 {
  return count;
}

function reserve(entries: usize): void {
  if (entries <= room) return;
  const size = max(entries, max(room * 2, usize(1 << 12)));
  ids = resize(ids, room << 2, size << 2);
  starts = resize(starts, room << 2, size << 2);
  room = size;
}

// @ts-ignore
@inline
function lengthOf(lead: u8): u32 {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The word characters of 64 bytes, without those of a word of one byte. */
// @ts-ignore
@inline
function wordBits(bits: usize, block: u32, end: u32, before: u64): u64 {
  const own = bitsAt(bits, block, end);
  const after = block + 64 < end ? load<u64>(bits + (block >> 3), 8) & 1 : 0;
  return own & ((own << 1) | before | (own >> 1) | (after << 63));
}

// @ts-ignore
@inline
function bitsAt(bits: usize, block: u32, end: u32): u64 {
  const own = load<u64>(bits + (block >> 3));
  return end - block < 64 ? own & ((u64(1) << u64(end - block)) - 1) : own;
}

/** Writes the first eight edges of a block and returns the others. */
// @ts-ignore
@inline
function putEight(to: usize, block: u32, edges: u64): u64 {
  store<u32>(to, block + u32(ctz(edges)));
  edges &= edges - 1;
  store<u32>(to, block + u32(ctz(edges)), 4);
  edges &= edges - 1;
  store<u32>(to, block + u32(ctz(edges)), 8);
  edges &= edges - 1;
  store<u32>(to, block + u32(ctz(edges)), 12);
  edges &= edges - 1;
  store<u32>(to, block + u32(ctz(edges)), 16);
  edges &= edges - 1;
  store<u32>(to, block + u32(ctz(edges)), 20);
  edges &= edges - 1;
  store<u32>(to, block + u32(ctz(edges)), 24);
  edges &= edges - 1;
  store<u32>(to, block + u32(ctz(edges)), 28);
  return edges & (edges - 1);
}

/**
 * Finds the runs of two or more word characters in the folded document; returns their number. `starts` has the begin
 * and end of each.
 */
function splitWords(): u32 {
  const end = u32(foldedSize());
  const bits = markBits();
  reserve((foldedSize() * 2) / 3 + 64); // two edges for at least three bytes
  let before: u64 = 0; // whether the last byte of the previous block belongs to a word
  let open: u64 = 0; // and to a word that is not left out
  let to = starts;
  for (let block: u32 = 0; block < end; block += 64) {
    const own = wordBits(bits, block, end, before);
    before = bitsAt(bits, block, end) >> 63;
    let edges = own ^ ((own << 1) | open);
    open = own >> 63;
    const last = to + (usize(popcnt(edges)) << 2);
    for (; to < last; to += 32) edges = putEight(to, block, edges); // their number is unpredictable, so some are past the last
    to = last;
  }
  if (open) {
    store<u32>(to, end);
    to += 4;
  }
  return u32((to - starts) >> 3);
}

/** Removes words of one multi-byte character; returns the number of remaining words. */
function dropLetters(many: u32): u32 {
  const at = foldedText();
  let kept: usize = 0;
  for (let k: usize = 0; k < usize(many) << 3; k += 8) {
    const start = load<u32>(starts + k);
    const end = load<u32>(starts + k, 4);
    store<u32>(starts + kept, start);
    store<u32>(starts + kept, end, 4);
    if (end - start > lengthOf(load<u8>(at + start))) kept += 8;
  }
  return u32(kept >> 3);
}

/** Finds the words of the folded document without stop words; unknown ones get an id, or −1. */
export function findWords(add: bool): void {
  count = splitWords();
  if (!isAscii()) count = dropLetters(count);
  const at = foldedText();
  let from = starts;
  for (let to = ids, end = ids + (usize(count) << 2); to < end; to += 4, from += 8) {
    const start = usize(load<u32>(from));
    store<i32>(to, intern(words, at + start, usize(load<u32>(from, 4)) - start, add));
  }
  dropStops();
}

function dropStops(): void {
  if (stops == 0) return;
  let kept: usize = 0;
  const end = usize(count) << 2;
  for (let k: usize = 0; k < end; k += 4) {
    const id = load<i32>(ids + k);
    store<i32>(ids + kept, id);
    if (id < 0 || id >= stops) kept += 4;
  }
  count = u32(kept >> 2);
}

/** Finds the terms of the folded document, of any kind. */
export function findTerms(add: bool): void {
  if (analyzer != WORD) return findCharacters(add);
  findWords(add);
  joinWords(add);
}

/** Takes the first `size` of `documentWords` as the words of the document, after the host has set them. */
export function setWords(size: u32): void {
  count = size;
  dropStops();
}

/** The address for the ids of `size` words. */
export function reserveWords(size: u32): usize {
  reserve(size);
  return ids;
}

/** Combines words into runs, if terms are runs. */
export function joinWords(add: bool): void {
  if (!hasRuns()) return;
  const length = count;
  wordCount = length;
  const longest = min(highest, length);
  const most = usize(length) * usize(longest < lowest ? 0 : longest - lowest + 1);
  if (most > runRoom) {
    const size = max(most, max(runRoom * 2, usize(1 << 12)));
    give(runs, runRoom << 2);
    runs = take(size << 2);
    runRoom = size;
  }
  let to = runs;
  for (let i: u32 = 0; i < length; i++) {
    let node = ROOT;
    const end = min(longest, length - i);
    for (let n: u32 = 1; n <= end; n++) {
      const word = load<i32>(ids + (usize(i + n - 1) << 2));
      node = word < 0 || node == UNKNOWN ? UNKNOWN : child(node, word, add);
      if (n < lowest) continue;
      store<i32>(to, max(node, -1));
      to += 4;
    }
  }
  count = u32((to - runs) >> 2);
}

/**
 * Writes the text spans of the distinct runs of the document, by their number in order of first occurrence; numbers[id]
 * is the number of the run with an id. Nothing may have been added to the lexicon since the words were found.
 */
export function runTexts(numbers: usize, distinct: u32, spans: usize): void {
  joinTexts();
  let next: u32 = 0;
  let at = runs;
  for (let i: u32 = 0; i < wordCount && next < distinct; i++) {
    const start = load<u32>(starts + (usize(i) << 2));
    for (let last = i + lowest - 1, end = min(i + highest, wordCount); last < end; last++, at += 4) {
      const id = load<i32>(at);
      if (id < 0 || load<u32>(numbers + (usize(id) << 2)) != next) continue;
      const stop = load<u32>(starts + (usize(last + 1) << 2)) - 1;
      setSpan(spans, next++, joined + start, stop - start);
    }
  }
}

/** Writes the words of the document to `joined`, an unknown one as an empty string; word k then begins at starts[k]. */
function joinTexts(): void {
  reserve(usize(wordCount) + 1);
  let size: usize = 0;
  for (let k: u32 = 0; k < wordCount; k++) {
    const id = load<i32>(ids + (usize(k) << 2));
    store<u32>(starts + (usize(k) << 2), u32(size));
    size += id < 0 ? 1 : usize(wordLength(words, id)) + 1;
  }
  store<u32>(starts + (usize(wordCount) << 2), u32(size));
  if (size > joinedRoom) {
    give(joined, joinedRoom);
    joinedRoom = max(size, joinedRoom * 2);
    joined = take(joinedRoom);
  }
  let to = joined;
  for (let k: u32 = 0; k < wordCount; k++) {
    const id = load<i32>(ids + (usize(k) << 2));
    if (id >= 0) {
      const from = wordStart(words, id);
      const length = usize(wordLength(words, id));
      for (let done: usize = 0; done < length; done += 8) store<u64>(to + done, load<u64>(from + done));
      to += length;
    }
    store<u8>(to++, 0x20);
  }
}

// @ts-ignore
@inline
function slotOf(key: u64, mask: u32): u32 {
  return u32((key * 0x9e3779b97f4a7c15) >> 32) & mask;
}

/** The node of a run followed by a word; an unknown one is added, or gives −2. */
// @ts-ignore
@inline
export function child(parent: i32, word: i32, add: bool): i32 {
  if (parent == ROOT) {
    const node = u32(word) < rootRoom ? load<i32>(roots + (usize(word) << 2)) : 0;
    return node > 0 ? node - 1 : add ? addRoot(word) : UNKNOWN;
  }
  const key = (u64(u32(parent)) << 32) | u64(u32(word));
  let slot = slotOf(key, slotMask);
  while (true) {
    const next = load<u32>(slots + (usize(slot) << 2));
    if (next == 0) return add ? addChild(key, slot) : UNKNOWN;
    if (load<u64>(nodes + (usize(next) << 3) - 8) == key) return i32(next) - 1;
    slot = (slot + 1) & slotMask;
  }
  return UNKNOWN;
}

function addNode(key: u64): u32 {
  if (nodeCount == nodeRoom) {
    const room = roomFor(nodeCount + 1, nodeRoom);
    nodes = nodeRoom == 0 ? take(usize(room) << 3) : resize(nodes, usize(nodeRoom) << 3, usize(room) << 3);
    nodeRoom = room;
  }
  store<u64>(nodes + (usize(nodeCount) << 3), key);
  return nodeCount++;
}

function addRoot(word: u32): i32 {
  if (word >= rootRoom) {
    const room = roomFor(word + 1, rootRoom);
    roots = rootRoom == 0 ? takeZeros(usize(room) << 2) : resize(roots, usize(rootRoom) << 2, usize(room) << 2);
    rootRoom = room;
  }
  const node = addNode((u64(u32(ROOT)) << 32) | u64(word));
  store<u32>(roots + (usize(word) << 2), node + 1);
  return node;
}

function addChild(key: u64, slot: u32): i32 {
  const node = addNode(key);
  store<u32>(slots + (usize(slot) << 2), node + 1);
  if (nodeCount > (slotMask >> 2) * 3) spreadNodes();
  return node;
}

function spreadNodes(): void {
  give(slots, usize(slotMask + 1) << 2);
  slotMask = slotMask * 2 + 1;
  slots = takeZeros(usize(slotMask + 1) << 2);
  for (let node: u32 = 0; node < nodeCount; node++) {
    const key = load<u64>(nodes + (usize(node) << 3));
    if (i32(key >> 32) == ROOT) continue;
    let slot = slotOf(key, slotMask);
    while (load<u32>(slots + (usize(slot) << 2)) != 0) slot = (slot + 1) & slotMask;
    store<u32>(slots + (usize(slot) << 2), node + 1);
  }
}

/** Finds the runs of characters of the folded document; unknown ones get an id, or −1. */
export function findCharacters(add: bool): void {
  count = 0;
  const size = foldedSize() + 2;
  if (size > textRoom) {
    give(text, textRoom);
    textRoom = max(size, textRoom * 2);
    text = take(textRoom);
  }
  reserve(size + 1); // a start for each character, including the spaces around a word, and the end of the last
  if (analyzer == CHAR) collapsed(add);
  else wordByWord(add);
}

// @ts-ignore
@inline
function isMarked(at: usize): bool {
  return ((load<u8>(markBits() + (at >> 3)) >> u8(at & 7)) & 1) != 0;
}

/** All characters, with each run of two or more white-space characters as one space. */
function collapsed(add: bool): void {
  const from = foldedText();
  const end = foldedSize();
  let to: u32 = 0;
  let characters: u32 = 0;
  for (let at: usize = 0; at < end; ) {
    const length = usize(lengthOf(load<u8>(from + at)));
    const next = at + length;
    const spaced = isMarked(at) && next < end && isMarked(next);
    store<u32>(starts + (usize(characters++) << 2), to);
    if (spaced) {
      store<u8>(text + to++, 0x20);
      at = next;
      while (at < end && isMarked(at)) at += usize(lengthOf(load<u8>(from + at)));
      continue;
    }
    for (let k: usize = 0; k < length; k++) store<u8>(text + to++, load<u8>(from + at + k));
    at = next;
  }
  store<u32>(starts + (usize(characters) << 2), to);
  for (let n = lowest; n <= highest && n <= characters; n++) pushRuns(characters, n, add);
}

/** The characters of each word, with a space on either side. */
function wordByWord(add: bool): void {
  const from = foldedText();
  const end = foldedSize();
  let at: usize = 0;
  while (true) {
    while (at < end && isMarked(at)) at++;
    if (at >= end) return;
    let characters: u32 = 0;
    let to: u32 = 1;
    store<u8>(text, 0x20);
    store<u32>(starts, 0);
    characters++;
    while (at < end && !isMarked(at)) {
      const length = usize(lengthOf(load<u8>(from + at)));
      store<u32>(starts + (usize(characters++) << 2), to);
      for (let k: usize = 0; k < length; k++) store<u8>(text + to++, load<u8>(from + at + k));
      at += length;
    }
    store<u32>(starts + (usize(characters++) << 2), to);
    store<u8>(text + to++, 0x20);
    store<u32>(starts + (usize(characters) << 2), to);
    const longest = min(highest, max(lowest, characters));
    for (let n = lowest; n <= longest; n++) pushRuns(characters, min(n, characters), add);
  }
}

/** The runs of n of the characters that begin at `starts`. */
function pushRuns(characters: u32, n: u32, add: bool): void {
  const many = characters - n + 1;
  reserve(max(usize(count + many), usize(characters + 1)));
  for (let i: u32 = 0; i < many; i++) {
    const start = load<u32>(starts + (usize(i) << 2));
    const length = load<u32>(starts + (usize(i + n) << 2)) - start;
    store<i32>(ids + (usize(count++) << 2), intern(words, text + start, length, add));
  }
}

/** Replaces the ends of consecutive terms by their ids; unknown ones are added. */
export function internTerms(bytes: usize, ends: usize, many: u32): void {
  let at = bytes;
  for (let k: u32 = 0; k < many; k++) {
    const place = ends + (usize(k) << 2);
    const end = bytes + usize(load<u32>(place));
    store<i32>(place, hasRuns() ? internRun(at, end) : intern(words, at, end - at, true));
    at = end;
  }
}

/** The id of a run whose words are separated by single spaces. */
function internRun(at: usize, end: usize): i32 {
  let node = ROOT;
  while (true) {
    let next = at;
    while (next < end && load<u8>(next) != 0x20) next++;
    node = child(node, intern(words, at, next - at, true), true);
    if (next >= end) return node;
    at = next + 1;
  }
  return node;
}

/** By node: its last word and the node before it, u32 each. */
export function nodePaths(): usize {
  return nodes;
}

export function runLength(paths: usize, node: u32): u32 {
  let length: u32 = 0;
  for (let at = i32(node); at >= 0; at = load<i32>(paths + (usize(at) << 3), 4)) {
    length += wordLength(words, load<u32>(paths + (usize(at) << 3))) + 1;
  }
  return length - 1;
}

/** Writes the words of a run, last word first, before `end`. */
export function writeRun(paths: usize, node: u32, end: usize): void {
  for (let at = i32(node); at >= 0; ) {
    const word = load<u32>(paths + (usize(at) << 3));
    const length = usize(wordLength(words, word));
    end -= length;
    memory.copy(end, wordStart(words, word), length);
    at = load<i32>(paths + (usize(at) << 3), 4);
    if (at >= 0) store<u8>(--end, 0x20);
  }
}
