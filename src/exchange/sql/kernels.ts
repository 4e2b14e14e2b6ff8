import type { KernelTerm, PlanKernel } from '../plan.ts';
import { expOf } from './logs.ts';
import { type Cell, leastOf, type Sheet, sumOf } from './sheet.ts';
import { cannotSay } from './words.ts';

/** Every value that was learned stands in the query twice; beyond this many the query would be longer than engines like. */
const MOST_POINTS = 5000;

/** Refuses kernels over more values than a query should hold. */
export function requireFewPoints({ kernels }: KernelTerm): void {
  const points = kernels.reduce((sum, kernel) => sum + (kernel?.points.length ?? 0), 0);
  if (points <= MOST_POINTS) return;
  cannotSay(
    `kernels over ${points} values`,
    `all of them would be parts of the query, and ${MOST_POINTS} are the most`,
  );
}

/** What the kernels of class c add to its score. */
export function kernelCells(sheet: Sheet, { kernels }: KernelTerm, x: readonly Cell[], c: number): Cell[] {
  return x.flatMap((value, j) => {
    const kernel = kernels[c * x.length + j];
    return kernel ? [logDensity(sheet, kernel, value)] : [];
  });
}

/** ln Σ w exp(−d²/2h²) with the nearest value, which does not underflow, taken out of the sum. */
function logDensity(sheet: Sheet, { points, weights, bandwidth, total }: PlanKernel, x: Cell): Cell {
  const width = 2 * bandwidth * bandwidth;
  const squares = Array.from(points, (point) => sheet.cell`(${x} - ${point}) * (${x} - ${point})`);
  const nearest = sheet.keep(leastOf(sheet, squares));
  const bumps = squares.map((square, p) => {
    return sheet.cell`${weights[p]} * ${expOf(sheet, sheet.cell`(${nearest} - ${square}) / ${width}`)}`;
  });
  const sum = sheet.keep(sumOf(sheet, bumps));
  const constant = Math.log(total * bandwidth) + 0.5 * Math.log(2 * Math.PI);
  const log = sheet.cell`CASE WHEN ${sum} > ${0} THEN ln(${sum}) - ${nearest} / ${width} - ${constant} END`;
  return x.nullable ? { ...sheet.cell`COALESCE(${log}, ${0})`, nullable: false } : log;
}
