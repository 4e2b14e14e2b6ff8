/** The parts of a post that can be removed: its header, its signature, the lines it quotes. */
export type NewsgroupPart = 'headers' | 'footers' | 'quotes';

const QUOTE = /writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^\||^>/;

/** White space as Python's `str.strip` has it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separators U+001C–1F are among them
const BLANK = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Removes the named parts of a post exactly as scikit-learn 1.9 does: header, footer, quotes, in this order. */
export function stripNewsgroup(text: string, remove: readonly NewsgroupPart[]): string {
  let rest = text;
  if (remove.includes('headers')) rest = stripHeader(rest);
  if (remove.includes('footers')) rest = stripFooter(rest);
  if (remove.includes('quotes')) rest = stripQuotes(rest);
  return rest;
}

/** Everything after the first empty line; the empty string if there is none. */
function stripHeader(text: string): string {
  const end = text.indexOf('\n\n');
  return end < 0 ? '' : text.slice(end + 2);
}

/** Everything before the last line that is empty or consists of hyphens, unless that is the first line. */
function stripFooter(text: string): string {
  const lines = strip(text).split('\n');
  const last = lines.findLastIndex((line) => /^-*$/.test(strip(line)));
  return last > 0 ? lines.slice(0, last).join('\n') : text;
}

function stripQuotes(text: string): string {
  const lines = text.split('\n').filter((line) => !QUOTE.test(line));
  return lines.join('\n');
}

/** Trims white space at both ends in linear time. */
function strip(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text[start]!)) start++;
  while (end > start && BLANK.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}
