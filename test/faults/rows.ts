import type { Example } from '../../src/server/model/served-model.ts';

/** The row with this number: one word that no other row has, and a common one. */
export const rowOf = (id: number): Example => ({ instance: `u${id} common${id % 50}`, label: id % 2 ? 'ham' : 'spam' });

/** What a writer says of a row, one line each: it tries to learn it, has learned it, tries to unlearn it, has unlearned it. */
export type Saying = 'try' | 'learned' | 'forget' | 'forgotten';

/** What is known of rows from what writers said. */
export interface Said {
  readonly tried: Set<number>;
  readonly learned: Set<number>;
  readonly forgetting: Set<number>;
  readonly forgotten: Set<number>;
  /** Codes of refusals, and how often. */
  readonly refused: Map<string, number>;
}

export const nothingSaid = (): Said => ({
  tried: new Set(),
  learned: new Set(),
  forgetting: new Set(),
  forgotten: new Set(),
  refused: new Map(),
});

/** Takes in the lines of a writer; a last line that is cut off is as if it was not said. */
export function hear(said: Said, text: string): void {
  const sets = { try: said.tried, learned: said.learned, forget: said.forgetting, forgotten: said.forgotten };
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    const [word, what] = line.split(' ');
    if (word === 'refused') said.refused.set(what, (said.refused.get(what) ?? 0) + 1);
    else if (word in sets) sets[word as Saying].add(Number(what));
  }
}
