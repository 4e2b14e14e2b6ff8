import type { Marginals } from '../plan.ts';
import { type Cell, type Sheet, sumOf } from './sheet.ts';

/** So many columns of intermediate results are the most that a query holds for rows with missing cells. */
const MOST_COLUMNS = 4000;

/** A feature that those before it determine to this share of its variance adds nothing. */
const LEAST_SHARE = 2 ** -40;

/** Which features are present, as 1 or 0 each, and whether all are. */
function presenceOf(sheet: Sheet, x: readonly Cell[]): { present: Cell[]; complete: Cell } {
  const present = x.map((own) => {
    const cell = own.nullable ? sheet.cell`CASE WHEN ${own} IS NULL THEN ${0} ELSE ${1} END` : sheet.cell`${1}`;
    return { ...sheet.keep(cell), nullable: false };
  });
  return { present, complete: sheet.keep(sheet.cell`(${sumOf(sheet, present)} = ${x.length})`) };
}

/**
 * What Gaussians add for each class: `complete` for rows with all cells, and the marginals for others. Where these would take more
 * columns than a query should hold, rows with missing cells are not answered.
 */
export function gaussianCells(
  sheet: Sheet,
  marginals: Marginals | null,
  x: readonly Cell[],
  complete: readonly (readonly Cell[] | null)[],
): (readonly Cell[] | null)[] {
  if (!marginals || !x.some(({ nullable }) => nullable)) return [...complete];
  const [d, classes] = [x.length, complete.length];
  const presence = presenceOf(sheet, x);
  const forms = marginals.covariances.length;
  const columns = forms * (d ** 3 / 6 + d ** 2) + (classes * d ** 2) / 2;
  if (columns > MOST_COLUMNS) {
    sheet.require(presence.complete);
    return [...complete];
  }
  const shared = forms === 1 ? eliminate(sheet, marginals.covariances[0] as Float64Array, presence.present) : undefined;
  return complete.map((own, c) => {
    const covariance = marginals.covariances[c];
    if (!own) return null;
    const steps = shared ?? eliminate(sheet, covariance as Float64Array, presence.present);
    const mean = marginals.means.subarray(c * d, (c + 1) * d);
    const log = sheet.keep(sumOf(sheet, [sheet.cell`${-marginals.logPeak[c]}`, ...fallCells(sheet, steps, x, mean)]));
    return [sheet.cell`CASE WHEN ${presence.complete} THEN ${sumOf(sheet, own)} ELSE ${log} END`];
  });
}

/** One feature of the elimination: whether it counts, its variance given those before it, and how it moves those behind it. */
interface Pivot {
  readonly counts: Cell;
  readonly variance: Cell;
  readonly ratios: readonly Cell[]; // of the features behind it
}

/** Gaussian elimination of a covariance in which the features that are missing are passed over. */
function eliminate(sheet: Sheet, covariance: Float64Array, present: readonly Cell[]): Pivot[] {
  const d = present.length;
  const left = Array.from({ length: d }, (_, j) =>
    Array.from({ length: d }, (_, k) => sheet.cell`${covariance[j * d + k]}`),
  );
  return present.map((own, j) => {
    const variance = left[j][j];
    const least = LEAST_SHARE * covariance[j * d + j];
    const counts = sheet.keep(sheet.cell`(${own} = ${1} AND ${variance} > ${least})`);
    const ratios = Array.from({ length: d - j - 1 }, (_, at) => {
      const k = j + 1 + at;
      return sheet.keep(sheet.cell`CASE WHEN ${counts} THEN ${left[k][j]} / ${variance} ELSE ${0} END`);
    });
    ratios.forEach((ratio, at) => {
      const k = j + 1 + at;
      for (let l = j + 1; l <= k; l++) left[k][l] = sheet.keep(sheet.cell`${left[k][l]} - ${ratio} * ${left[l][j]}`);
    });
    return { counts, variance, ratios };
  });
}

/** −½ (d² / variance + ln 2π variance) of every feature that counts, with d its distance from what those before it lead to expect. */
function fallCells(sheet: Sheet, pivots: readonly Pivot[], x: readonly Cell[], mean: Float64Array): Cell[] {
  const apart = x.map((own, j) => ({
    ...sheet.keep(sheet.cell`COALESCE(${own} - ${mean[j]}, ${0})`),
    nullable: false,
  }));
  return pivots.map(({ counts, variance, ratios }, j) => {
    ratios.forEach((ratio, at) => {
      const k = j + 1 + at;
      apart[k] = { ...sheet.keep(sheet.cell`${apart[k]} - ${ratio} * ${apart[j]}`), nullable: false };
    });
    const fall = sheet.cell`${apart[j]} * ${apart[j]} / ${variance} + ln(${2 * Math.PI} * ${variance})`;
    return sheet.keep(sheet.cell`CASE WHEN ${counts} THEN ${-0.5} * (${fall}) ELSE ${0} END`);
  });
}
