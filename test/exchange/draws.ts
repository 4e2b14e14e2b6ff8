import type { Label, Matrix } from '../../src/index.ts';
import type { Random } from '../../src/math/random.ts';

/** A fitted model as exports see it, and rows to ask it about. */
export interface Case {
  readonly model: Answering;
  readonly rows: readonly unknown[];
}

/** What answers. */
export interface Answering {
  readonly classes: readonly Label[];
  predictLogProba(rows: never, options?: { readonly strict?: boolean }): Matrix;
}

/** The label of every row: the first class of the greatest log-probability. */
export function labelsOf({ classes }: Answering, logProba: Matrix): Label[] {
  return Array.from({ length: logProba.rows }, (_, i) => {
    const row = logProba.row(i);
    return classes[row.indexOf(Math.max(...row))];
  });
}

/** A kind of model: every seed is another fitted one. */
export interface Subject {
  readonly name: string;
  readonly draw: (random: Random) => Case;
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(list.length)];
export const times = <T>(n: number, make: (k: number) => T): T[] => Array.from({ length: n }, (_, k) => make(k));
export const round = (value: number) => Math.round(value * 1000) / 1000;

/** Labels of one type, every class at least three times; hostile words among them. */
export function labels(random: Random, rows: number): Label[] {
  const lists: readonly (readonly Label[])[] = [
    ['ham', 'spam'],
    ['__proto__', '</script>', 'a"b\'c`\u0024{x}'],
    ['', '😀', 'naïve\u2028'],
    [-3, 0, 12],
    [false, true],
    ['one'],
    ['b', 'a', 'c', 'd'],
  ];
  const list = pick(random, lists);
  return times(rows, (i) => (i < 3 * list.length ? list[i % list.length] : pick(random, list)));
}

/** Draws a cell of a column. */
export type Cell = (random: Random, column: number) => number;
export const count: Cell = (random) => (random.uniform() < 0.5 ? 0 : random.integer(4));
export const fraction: Cell = (random) => (random.uniform() < 0.4 ? 0 : round(3 * random.uniform()));
export const real: Cell = (random, column) => round(random.normal() * (1 + column) + 5 * column);
export const gapped =
  (cell: Cell): Cell =>
  (random, column) =>
    random.uniform() < 0.2 ? Number.NaN : cell(random, column);

export const table = (random: Random, rows: number, width: number, cell: Cell) =>
  times(rows, () => times(width, (j) => cell(random, j)));

const NAMES = ['__proto__', 'x', '7', 'größe "x"', ''];

/** Rows as lists, or by hostile names. */
function named(rows: readonly (readonly unknown[])[]): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(row.map((cell, j) => [NAMES[j] ?? `c${j}`, cell])));
}

/** What is fitted. */
export interface Fitting {
  fit(X: never, y: never): Answering;
}

/** Numbers in columns, as lists or with names. */
export function numbers(name: string, cell: Cell, make: (random: Random, width: number) => Fitting): Subject {
  return {
    name,
    draw(random) {
      const width = 1 + random.integer(4);
      const rows = 14 + random.integer(8);
      const names = random.uniform() < 0.3;
      const [X, more] = [table(random, rows, width, cell), table(random, 6, width, cell)];
      const y = labels(random, rows);
      const dress = (own: readonly (readonly unknown[])[]) => (names ? named(own) : own);
      const model = make(random, width).fit(dress(X) as never, y as never);
      return { model, rows: dress([...X.slice(0, 6), ...more]) };
    },
  };
}

export const WORDS = ['red', '__proto__', '', 'grün 😀', "o'hara", '</script>'];

/** Levels in columns: words, or whole numbers; some rows hold levels that were never learned. */
export function levels(name: string, make: (random: Random) => Fitting & { getParams(): object }): Subject {
  return {
    name,
    draw(random) {
      const width = 1 + random.integer(3);
      const rows = 14 + random.integer(6);
      const words = times(width, () => random.uniform() < 0.7);
      const estimator = make(random);
      const { missing, unknown } = estimator.getParams() as { missing: string; unknown: string };
      const cell = (j: number, most: number) => {
        if (missing === 'ignore' && random.uniform() < 0.15) return null;
        const level = random.integer(most);
        return words[j] ? WORDS[level] : level;
      };
      const X = times(rows, () => times(width, (j) => cell(j, 4)));
      const more = times(6, () => times(width, (j) => cell(j, unknown === 'error' ? 1 : 6)));
      if (unknown === 'error') X[0] = times(width, (j) => (words[j] ? WORDS[0] : 0));
      const dress = (own: readonly (readonly unknown[])[]) => (words[0] ? named(own) : own);
      const model = estimator.fit(dress(X) as never, labels(random, rows) as never);
      return { model, rows: dress([...X.slice(0, 5), ...more]) };
    },
  };
}

const TOKENS = [
  'cheap',
  'pills',
  'now',
  'Lunch',
  'at',
  'noon',
  '__proto__',
  'constructor',
  'été',
  'ΣΑΣ',
  '東京タワー',
  'a',
  '😀x',
  '</script>',
  'the',
  'don’t',
  '\u2028',
];

/** A text of some words; some are never learned. */
export function text(random: Random): string {
  const n = random.uniform() < 0.1 ? 0 : 1 + random.integer(8);
  return times(n, () => (random.uniform() < 0.05 ? 'zzz' : pick(random, TOKENS))).join(pick(random, [' ', ', ', '  ']));
}

/** Texts through a pipeline. */
export function texts(name: string, make: (random: Random) => Fitting): Subject {
  return {
    name,
    draw(random) {
      const rows = 14 + random.integer(8);
      const X = times(rows, () => `${text(random)} pills noon`);
      const more = [...times(8, () => text(random)), '', 'unknown', '!?'];
      return { model: make(random).fit(X as never, labels(random, rows) as never), rows: [...X.slice(0, 4), ...more] };
    },
  };
}

/** Pseudo-counts, none among them. */
export const alphas = [0, 0.5, 1, 2];
/** How counts are smoothed. */
export const smooth = (random: Random) => ({ alpha: pick(random, alphas), fitPrior: random.uniform() < 0.8 });
