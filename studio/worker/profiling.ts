import { profileRows } from '../../src/auto/profile.ts';
import { cellOf, type DataRow, isBlank, numberOf, wordOf } from '../../src/data/cells.ts';
import { refuse, show } from '../../src/errors.ts';
import { entropy } from '../../src/features/information.ts';
import type { ColumnCard, Profile } from '../protocol.ts';

const BARS = 24;
/** Values beyond these are one more; numbers are cut into as many parts. */
const MOST_LEVELS = 50;
const CUTS = 10;
/** Labels beyond this are no classes that a picture could show. */
const MOST_CLASSES = 1_000;

/** Profiles rows as the command line does; without a target the likeliest column is taken for it. */
export function profileOf(rows: readonly DataRow[], asked?: string): Profile {
  if (asked !== undefined) requireLabels(rows, asked);
  if (asked !== undefined && !rows.some((row) => Object.hasOwn(row, asked))) return profileWithout(rows, asked);
  const found = profileRows(rows, { target: asked });
  const labels = found.target && rows.map((row) => wordOf(cellOf(row, found.target!.name) ?? ''));
  return {
    ...(found.target && { target: found.target }),
    columns: found.columns.map((column) => cardOf(rows, column, labels)),
    duplicates: found.duplicates,
    warnings: found.warnings,
  };
}

/** The profile of rows whose labels are still to be given, in a column of this name. */
function profileWithout(rows: readonly DataRow[], name: string): Profile {
  const { columns, duplicates } = profileRows(rows);
  const cards = columns.map((column) =>
    cardOf(rows, column.role === 'target' ? { ...column, role: 'feature' } : column, undefined),
  );
  const target = { name, guessed: false, reason: 'asked for', classes: [], missing: rows.length };
  return { target, columns: cards, duplicates, warnings: [] };
}

/** Refuses a target that has no labels. */
export function requireLabels(rows: readonly DataRow[], target: string): void {
  const labels = new Set<string>();
  for (const row of rows) {
    const cell = cellOf(row, target);
    if (!isBlank(cell)) labels.add(String(cell));
  }
  if (labels.size > MOST_CLASSES) {
    const sentence = `column ${show(target)} has ${labels.size} different labels and this page shows up to ${MOST_CLASSES}; choose another target`;
    refuse('E_LIMIT', sentence, { limit: MOST_CLASSES, actual: labels.size });
  }
}

function cardOf(
  rows: readonly DataRow[],
  { name, kind, role, reason, missing, distinct, format, ...more }: ReturnType<typeof profileRows>['columns'][number],
  labels: readonly string[] | undefined,
): ColumnCard {
  const { top, typicalLength } = more;
  const base: ColumnCard = {
    ...{ name, kind, role, reason, missing, distinct },
    ...(top && { top }),
    ...(typicalLength !== undefined && { typicalLength }),
  };
  if (kind === 'text') return base;
  const cells = rows.map((row) => cellOf(row, name));
  const numbers = kind === 'number' ? Float64Array.from(cells, (cell) => numberOf(cell, format?.numbers)) : undefined;
  const tells = labels && role === 'feature' ? informationOf(numbers ? levelsOf(numbers) : words(cells), labels) : NaN;
  return {
    ...base,
    ...(numbers && { histogram: histogramOf(numbers) }),
    ...(Number.isFinite(tells) && { information: tells }),
  };
}

function histogramOf(numbers: Float64Array): NonNullable<ColumnCard['histogram']> {
  const own = numbers.filter(Number.isFinite);
  const [from, to] = own.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
  const bars = Array.from({ length: BARS }, () => 0);
  for (const x of own) bars[Math.min(BARS - 1, Math.floor(((x - from) / (to - from || 1)) * BARS))]++;
  return { from, to, bars };
}

/** Numbers as tenths of their order; a missing one is a level of its own. */
function levelsOf(numbers: Float64Array): string[] {
  const sorted = numbers.filter(Number.isFinite).sort();
  const cuts = Array.from({ length: CUTS - 1 }, (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / CUTS)]);
  return Array.from(numbers, (x) => (Number.isNaN(x) ? '' : String(cuts.findIndex((cut) => x < cut))));
}

function words(cells: readonly unknown[]): string[] {
  const all = cells.map((cell) => (isBlank(cell) ? '' : wordOf(cell)));
  const counts = new Map<string, number>();
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = new Set(
    [...counts]
      .sort(([, m], [, n]) => n - m)
      .slice(0, MOST_LEVELS)
      .map(([word]) => word),
  );
  return all.map((word) => (known.has(word) ? word : '\u0000'));
}

/** I(X; C) = H(X) + H(C) − H(X, C) in bits. */
function informationOf(levels: readonly string[], labels: readonly string[]): number {
  const count = (keys: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return entropy([...counts.values()]);
  };
  const nats =
    count(levels) + count(labels) - count(levels.map((level, i) => `${labels[i].length}:${labels[i]}${level}`));
  return Math.max(0, nats / Math.LN2);
}
