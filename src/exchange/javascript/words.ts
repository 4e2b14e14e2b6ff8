import { type Piece, piece } from './piece.ts';

/** From a text to its terms and their counts, as the exported module does it. */
export const wordPieces: Readonly<Record<string, Piece>> = {
  plainWords: piece(String.raw`
/** Runs of two or more letters, numbers and underscores; a text of millions of letters is read bit by bit. */
function plainWords(text) {
  if (text.length <= 2 ** 20) return text.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  const words = [];
  let [word, end] = ["", 0];
  const push = () => {
    if (word.length > 2 || (word.length === 2 && word.codePointAt(0) < 0x10000)) words.push(word);
  };
  for (const { 0: bit, index } of text.matchAll(/[\p{L}\p{N}_]{1,4096}/gu)) {
    if (index > end) {
      push();
      word = "";
    }
    word += bit;
    end = index + bit.length;
  }
  push();
  return words;
}`),

  matches: piece(`
/** All matches of a pattern, or its group where it has one. */
const matches = (text, pattern) =>
  Array.from(text.matchAll(pattern), (match) => (match.length > 1 ? (match[1] ?? "") : match[0]));`),

  wordGrams: piece(`
/** Runs of words joined by one space. */
function wordGrams(words, lowest, highest) {
  const grams = [];
  for (let n = lowest; n <= highest && n <= words.length; n++) {
    for (let i = 0; i + n <= words.length; i++) grams.push(words.slice(i, i + n).join(" "));
  }
  return grams;
}`),

  pushGrams: piece(`
/** Where each code point begins, and the end. */
function boundaries(text) {
  const places = [];
  for (let at = 0; at < text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) places.push(at);
  places.push(text.length);
  return places;
}
function pushGrams(text, places, n, grams) {
  for (let i = 0; i + n < places.length; i++) grams.push(text.slice(places[i], places[i + n]));
}`),

  characterGrams: piece(
    String.raw`
/** Substrings of some code points; runs of white space count as one space. */
function characterGrams(text, lowest, highest) {
  const plain = text.replace(/[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]{2,}/g, " ");
  const places = boundaries(plain);
  const grams = [];
  for (let n = lowest; n <= highest && n < places.length; n++) pushGrams(plain, places, n, grams);
  return grams;
}`,
    'pushGrams',
  ),

  wordCharacterGrams: piece(
    String.raw`
/** Substrings within words, each between two spaces. */
function wordCharacterGrams(text, lowest, highest) {
  const grams = [];
  for (const [word] of text.matchAll(/[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g)) {
    const padded = " " + word + " ";
    const places = boundaries(padded);
    for (let n = lowest; n <= highest; n++) {
      if (n >= places.length - 1) {
        grams.push(padded);
        break;
      }
      pushGrams(padded, places, n, grams);
    }
  }
  return grams;
}`,
    'pushGrams',
  ),

  stripMarks: piece(String.raw`
/** Letters without accents: marks of a combining class other than 0 are those that change places with others. */
const combining = new Map();
function isCombining(mark) {
  let known = combining.get(mark);
  if (known === undefined) {
    const row = "\u0345" + mark + "\u0334";
    combining.set(mark, (known = row.normalize("NFD") !== row));
  }
  return known;
}
const stripMarks = (text) => text.normalize("NFKD").replace(/\p{M}/gu, (mark) => (isCombining(mark) ? "" : mark));`),

  stripToAscii: piece(String.raw`
const stripToAscii = (text) => text.normalize("NFKD").replace(/[^\0-\x7f]+/g, "");`),

  inOrder: piece(`
/** Cells other than zero, by column. */
function inOrder(counts) {
  const at = [...counts.keys()].filter((j) => counts.get(j) !== 0).sort((a, b) => a - b);
  return { at, of: at.map((j) => counts.get(j)) };
}`),

  countTerms: piece(
    `
function countTerms(terms, columns, binary) {
  const counts = new Map();
  for (const term of terms) {
    const j = columns.get(term);
    if (j !== undefined) counts.set(j, binary ? 1 : (counts.get(j) ?? 0) + 1);
  }
  return inOrder(counts);
}`,
    'inOrder',
  ),

  hashTerms: piece(
    `
/** The signed MurmurHash3 (x86, 32 bits) of a term in UTF-8. */
function murmur3(bytes) {
  const rotate = (value, bits) => (value << bits) | (value >>> (32 - bits));
  const scramble = (block) => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
  const blocks = bytes.length & ~3;
  let hash = 0;
  for (let i = 0; i < blocks; i += 4) {
    const block = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    hash = (Math.imul(rotate(hash ^ scramble(block), 13), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= blocks; i--) tail = (tail << 8) | bytes[i];
  hash ^= scramble(tail) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
function hashTerms(terms, width, signed, binary) {
  const counts = new Map();
  const encoder = new TextEncoder();
  for (const term of terms) {
    const hash = murmur3(encoder.encode(term));
    const j = Math.abs(hash) % width;
    counts.set(j, binary ? 1 : (counts.get(j) ?? 0) + (signed && hash < 0 ? -1 : 1));
  }
  return inOrder(counts);
}`,
    'inOrder',
  ),
};
