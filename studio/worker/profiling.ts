import { columnInformation, profileRows } from '../../src/index.ts';
import { cellOf, type DataRow, isBlank, numberOf, refuse, show } from '../../src/workbench.ts';
import { binEdge } from '../bins.ts';
import type { ColumnCard, Profile } from '../protocol.ts';

const BARS = 24;
/** More distinct labels than this are not shown as classes. */
const MOST_CLASSES = 1_000;

/** Profiles rows as the command line does; without a target the most likely column is chosen. */
export function profileOf(rows: readonly DataRow[], asked?: string): Profile {
  if (asked !== undefined) requireLabels(rows, asked);
  if (asked !== undefined && !rows.some((row) => Object.hasOwn(row, asked))) return profileWithout(rows, asked);
  const found = profileRows(rows, { target: asked });
  const bits = found.target && columnInformation(rows, found.target.name, found.columns);
  return {
    ...(found.target && { target: found.target }),
    columns: found.columns.map((column) => cardOf(rows, column, bits?.get(column.name))),
    duplicates: found.duplicates,
    warnings: found.warnings,
  };
}

/** The profile of unlabelled rows, with a new target column of this name. */
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
    const sentence = `column ${show(target)} has ${labels.size} distinct labels and this page shows up to ${MOST_CLASSES}; choose another target`;
    refuse('E_LIMIT', sentence, { limit: MOST_CLASSES, actual: labels.size });
  }
}

function cardOf(
  rows: readonly DataRow[],
  { name, kind, role, reason, missing, distinct, format, ...more }: ReturnType<typeof profileRows>['columns'][number],
  information: number | undefined,
): ColumnCard {
  const { top, typicalLength } = more;
  const base: ColumnCard = {
    ...{ name, kind, role, reason, missing, distinct },
    ...(top && { top }),
    ...(typicalLength !== undefined && { typicalLength }),
    ...(information !== undefined && { information }),
  };
  if (kind !== 'number') return base;
  const style = format?.numbers;
  const numbers = Float64Array.from(rows, (row) => numberOf(cellOf(row, name), style));
  return { ...base, histogram: { ...histogramOf(numbers), ...(style && { style }) } };
}

/** Bin k has the numbers from edge k on that are less than edge k + 1; the last one has the maximum too. */
function histogramOf(numbers: Float64Array): NonNullable<ColumnCard['histogram']> {
  const own = numbers.filter(Number.isFinite);
  const [from, to] = own.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
  const bars = Array.from({ length: BARS }, () => 0);
  for (const x of own) {
    let k = Math.min(BARS - 1, Math.floor(((x - from) / (to - from || 1)) * BARS));
    if (x < binEdge({ from, to, bars }, k))
      k--; // rounding
    else if (k < BARS - 1 && x >= binEdge({ from, to, bars }, k + 1)) k++;
    bars[k]++;
  }
  return { from, to, bars };
}
