import { type ColumnTally, describeTally, type Verdict } from './schema-kinds.ts';

/** The column that is probably the label, and why, as a part of a sentence. */
export interface TargetGuess {
  readonly name: string;
  readonly reason: string;
}

/** Names that labels have, the surer ones first: a class may also be that of a ticket. */
const labelNames = [
  /^(labels?|target|y|outcome|response|(is_?)?(spam|fraud|churn(ed)?)|survived|diagnosis|species|sentiment|polarity|topic|income|intent)$/i,
  /^(class(es)?|category|categories)$/i,
];

/** A column has no more labels than this, unless its name says that it has labels. */
const MOST_CLASSES = 50;
/** Whole numbers are labels only if they are this few, or as few as other labels if the name says so. */
const MOST_NUMBERS = 10;

/**
 * Guesses the column to learn from the counted cells of all columns: one that is named like a label, else the last or the first that
 * has few values, else the one with the fewest. Returns `undefined` when no column has between two values and a value for every second row.
 */
export function guessTarget(tallies: ReadonlyMap<string, ColumnTally>): TargetGuess | undefined {
  const columns = [...tallies.keys()];
  const verdicts = new Map<string, Verdict>();
  const likely = (name: string): Verdict | undefined => {
    const tally = tallies.get(name)!;
    if (!verdicts.has(name)) verdicts.set(name, describeTally(name, tally));
    const isNamed = labelNames.some((pattern) => pattern.test(name));
    return couldBeLabel(verdicts.get(name)!, tally, isNamed) ? verdicts.get(name) : undefined;
  };
  const tries: [name: string | undefined, why: string][] = [
    ...labelNames
      .flatMap((pattern) => columns.filter((name) => pattern.test(name)))
      .map((name): [string, string] => [name, 'named like a label']),
    [columns.at(-1), 'the last column'],
    [columns[0], 'the first column'],
  ];
  for (const [name, why] of tries) {
    const verdict = name === undefined ? undefined : likely(name);
    if (verdict !== undefined) return { name: name!, reason: `${why}, ${verdict.counts.size} values` };
  }
  const others = columns.flatMap((name) => {
    const verdict = likely(name);
    return verdict === undefined ? [] : [{ name, size: verdict.counts.size }];
  });
  const fewest = others.sort((a, b) => a.size - b.size)[0];
  return fewest && { name: fewest.name, reason: `the fewest values of all columns: ${fewest.size}` };
}

/** Labels are few, unless the column is named like a label; they occur again, and are words or small whole numbers. */
function couldBeLabel({ kind, counts }: Verdict, tally: ColumnTally, isNamed: boolean): boolean {
  let rows = 0;
  for (const count of tally.values()) rows += count;
  if (counts.size < 2 || counts.size > rows / 2) return false;
  if (kind === 'category' || kind === 'boolean') return isNamed || counts.size <= MOST_CLASSES;
  const isFew = counts.size <= (isNamed ? MOST_CLASSES : MOST_NUMBERS);
  return kind === 'number' && isFew && [...counts.keys()].every((word) => /^-?\d+$/.test(word));
}
