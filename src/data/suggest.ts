/**
 * The distance of two words: how many letters have to be put in, left out, exchanged or swapped with their neighbour.
 * Optimal string alignment after Damerau (1964), in one row less than the table has.
 */
export function distance(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

/** Long words are not compared letter by letter. */
const LONGEST = 100;

/** The known word that was probably meant, or undefined. Case counts half of nothing: `Label` is nearest to `label`. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted === '' || wanted.length > LONGEST) return undefined;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    if (candidate === word || Math.abs(other.length - wanted.length) > 3) continue;
    const far = distance(wanted, other);
    const limit = Math.min(3, Math.max(1, Math.floor(0.34 * Math.max(wanted.length, other.length))));
    if (far > limit || far >= Math.max(wanted.length, other.length) || far >= least) continue;
    [best, least] = [candidate, far];
  }
  return best ?? startOf(wanted, known);
}

/** A known word of which the beginning was typed, where there is just one. */
function startOf(wanted: string, known: Iterable<string>): string | undefined {
  if (wanted.length < 2) return undefined;
  const found = [...known].filter((candidate) => candidate.toLowerCase().startsWith(wanted));
  return found.length === 1 ? found[0] : undefined;
}
