import { type Piece, piece } from './piece.ts';

/** Words of scripts that put no spaces between them. */
export const segmentPieces: Readonly<Record<string, Piece>> = {
  segmentWords: piece(
    String.raw`
/** Words by the script of each run: by Intl.Segmenter where a script puts no spaces between them, else by letters and marks. */
function segmentWords(text) {
  const parts = [[]];
  const waiting = { lines: "", ends: [], parts: [] };
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = sliceEnd(text, from, 2 ** 19);
    for (const [run, packed] of text.slice(from, to).matchAll(RUN)) {
      if (packed === undefined || /^[\p{L}\p{N}]$/u.test(run)) parts[parts.length - 1].push(run);
      else {
        const part = [];
        addRun(waiting, run, part);
        parts.push(part, []);
      }
    }
  }
  flushRuns(waiting);
  return parts.flat();
}
const SCRIPTS = ["Hani", "Hira", "Kana", "Thai", "Laoo", "Khmr", "Mymr"].map((script) => "\\p{scx=" + script + "}").join("");
const PACKED = "(?=[\\p{L}\\p{M}\\p{N}])[" + SCRIPTS + "]";
const RUN = new RegExp(
  "((?:" + PACKED + ")+)|(?!" + PACKED + ")[\\p{L}\\p{N}_](?:(?!" + PACKED + ")[\\p{L}\\p{M}\\p{N}_\\u200c\\u200d])+",
  "gu",
);
const SLICE = 256;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
/** Short runs wait until there are enough of them, one to a line; long ones are cut. */
function addRun(waiting, run, part) {
  if (waiting.lines.length + run.length > SLICE) flushRuns(waiting);
  if (run.length > SLICE) pushSlices(run, part);
  else {
    waiting.lines += run + "\n";
    waiting.ends.push(waiting.lines.length);
    waiting.parts.push(part);
  }
}
function flushRuns(waiting) {
  let line = 0;
  for (const { segment, index, isWordLike } of segmenter.segment(waiting.lines)) {
    while (index >= waiting.ends[line]) line++;
    if (isWordLike) waiting.parts[line].push(segment);
  }
  waiting.lines = "";
  waiting.ends.length = 0;
  waiting.parts.length = 0;
}
function pushSlices(run, words) {
  let from = 0;
  while (from < run.length) {
    const last = from + SLICE >= run.length;
    const segments = [...segmenter.segment(run.slice(from, sliceEnd(run, from, SLICE)))];
    if (!last && segments.length > 1) segments.pop();
    for (const { segment, isWordLike } of segments) if (isWordLike) words.push(segment);
    const { index, segment } = segments[segments.length - 1];
    from += index + segment.length;
  }
}
/** Where a slice ends: behind a space near its end, or else between two code points. */
function sliceEnd(text, from, length) {
  const end = from + length;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - length / 8; at--) if (text.charCodeAt(at - 1) <= 0x20) return at;
  const unit = text.charCodeAt(end);
  return unit >= 0xdc00 && unit < 0xe000 ? end - 1 : end;
}`,
  ),
};
