/** What long work is doing, in a word. */
export const phases = {
  reading: () => 'reading',
  learning: () => 'learning',
  again: () => 'all rows',
  judging: () => 'judging',
  folding: () => 'folds',
  fold: (k: number, all: number) => `fold ${k} of ${all}`,
  trying: () => 'trying',
  fetching: () => 'fetching',
  measuring: () => 'measuring',
} as const;
