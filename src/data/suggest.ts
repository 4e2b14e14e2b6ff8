import { show } from '../errors.ts';

/**
 * The edit distance of two words: insertions, deletions, substitutions and swaps of neighbouring letters.
 * Optimal string alignment after Damerau (1964).
 */
export function distance(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  const table: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const last = table[i - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? table[i - 2][j - 2] : Infinity;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), swapped + 1);
    }
    table.push(row);
  }
  return table[a.length][b.length];
}

/** The known word that was probably meant, or undefined. Case is ignored. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted === '' || wanted.length > 100) return undefined; // comparing takes time proportional to the product of the lengths
  const starts: string[] = [];
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    if (wanted.length > 1 && other.startsWith(wanted)) starts.push(candidate);
    if (candidate === word || Math.abs(other.length - wanted.length) > 3) continue;
    const far = distance(wanted, other);
    const longest = Math.max(wanted.length, other.length);
    if (far <= Math.min(3, Math.max(1, 0.34 * longest)) && far < longest && far < least)
      [best, least] = [candidate, far];
  }
  return best ?? (starts.length === 1 ? starts[0] : undefined);
}

/** `; did you mean "label"?`, to be appended to a message, or an empty string if no known word is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = suggest(word, known);
  return near === undefined ? '' : `; did you mean ${show(near)}?`;
}

/** The known file that was probably meant. An extension that both names have is ignored. */
export function suggestFile(name: string, known: Iterable<string>): string | undefined {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const others = [...known];
  const alike = extension === '' ? [] : others.filter((other) => other.endsWith(extension));
  const stems = alike.map((other) => other.slice(0, other.length - extension.length));
  const near = suggest(name.slice(0, Math.max(0, dot)), stems);
  if (near !== undefined) return near + extension;
  return suggest(
    name,
    others.filter((other) => !alike.includes(other)),
  );
}
