import { Random } from '../../src/index.ts';

/**
 * Row indices in a fixed random order in which every prefix has about the class proportions of the whole, because files are often sorted by
 * label. Row k of the n rows of a class gets the key (k + u) / n with u uniform on [0, 1); the keys are sorted.
 */
export function shuffled(places: readonly number[], labels: readonly string[]): number[] {
  const random = new Random(1);
  const byClass = new Map<string, number[]>();
  for (const place of places) {
    const own = byClass.get(labels[place]);
    if (own) own.push(place);
    else byClass.set(labels[place], [place]);
  }
  const keyed = [...byClass.values()].flatMap((own) =>
    Array.from(random.permutation(own.length), (k, position) => ({
      place: own[k],
      key: (position + random.uniform()) / own.length,
    })),
  );
  return keyed.sort((a, b) => a.key - b.key).map(({ place }) => place);
}

/** A shuffled stratified sample of at most `most` row indices. */
export const sampleOf = (places: readonly number[], labels: readonly string[], most: number): number[] =>
  shuffled(places, labels).slice(0, most);

/** The indices of all rows. */
export const placesOf = (rows: readonly unknown[]): number[] => [...rows.keys()];
