import type { CalibratedMember, Curved, PlanCurve, Platt, Softened } from '../plan.ts';
import { expOf, heightOf, logistic, logOdds, logShares, minusSoftplus } from './logs.ts';
import { type Cell, type Sheet, sumOf } from './sheet.ts';

/** A curve that is no temperature. */
type Bent = Exclude<PlanCurve, { method: 'temperature' }>;

const curvesOf = (curve: Bent) => (curve.method === 'sigmoid' ? curve.a.length : curve.lines.length);

/** A cell within two bounds. */
const within = (sheet: Sheet, least: number, most: number, cell: Cell) =>
  sheet.keep(sheet.cell`GREATEST(${least}, LEAST(${most}, ${cell}))`);

/** a x + b. */
const lineAt = (sheet: Sheet, x: Cell, a: number, b: number) => sheet.keep(sheet.cell`${x} * ${a} + ${b}`);

/** Log-probabilities without extremes. */
export function softened(sheet: Sheet, { least, tail, unmet, unmetScore }: Softened, logs: readonly Cell[]): Cell[] {
  return logs.map((log, c) => {
    if (unmet[c]) return sheet.cell`${unmetScore}`;
    const bounded = sheet.cell`GREATEST(${log}, ${least})`;
    return sheet.keep(tail === null ? bounded : sheet.cell`${-tail} * ln(${1} - ${bounded} / ${tail})`);
  });
}

/** Platt's curves over log-odds, normalised. */
export function onPlatt(sheet: Sheet, { a, b }: Platt, scores: readonly Cell[]): Cell[] {
  const lines = logOdds(sheet, scores).map((odds, c) => minusSoftplus(sheet, lineAt(sheet, odds, a[c], b[c])));
  return logShares(sheet, lines);
}

/** Log-probabilities on a curve over their log-odds, or at a temperature. */
export function onCurve(sheet: Sheet, { curve, floor }: Curved, logs: readonly Cell[]): Cell[] {
  if (curve.method === 'temperature') {
    const scaled = logs.map((log) => sheet.keep(sheet.cell`GREATEST(${log}, ${-1e4}) * ${curve.beta}`));
    return logShares(sheet, scaled);
  }
  const single = logs.length === 2 && curvesOf(curve) === 1;
  const odds = logOdds(sheet, logs).map((own) => within(sheet, -1e4, 1e4, own));
  if (!single) return logShares(sheet, odds.map((x, c) => logsOn(sheet, curve, floor, c, x)[0])); // biome-ignore format: short
  const [own, other] = logsOn(sheet, curve, floor, 0, odds[1]);
  return logShares(sheet, [other, own]);
}

/** ln p and ln(1 − p) on one of the curves. */
function logsOn(sheet: Sheet, curve: Bent, floor: number, k: number, x: Cell): [Cell, Cell] {
  if (curve.method === 'sigmoid') {
    const t = lineAt(sheet, x, curve.a[k], curve.b[k]);
    return [minusSoftplus(sheet, t), minusSoftplus(sheet, sheet.keep(sheet.cell`-${t}`))];
  }
  const height = within(sheet, floor, 1 - floor, heightOf(sheet, curve.lines[k], x));
  return [sheet.keep(sheet.cell`ln(${height})`), sheet.keep(sheet.cell`ln(${1} - ${height})`)];
}

/** A curve for each class, normalised; or one for the second of two classes. */
function shared(sheet: Sheet, values: readonly Cell[], curves: number, height: (k: number, x: Cell) => Cell): Cell[] {
  if (curves === 1 && values.length === 2) {
    const p = sheet.keep(height(0, values[1]));
    return [sheet.keep(sheet.cell`${1} - ${p}`), p];
  }
  const heights = values.map((x, c) => sheet.keep(height(c, x)));
  const total = sheet.keep(sumOf(sheet, heights));
  return heights.map((p) =>
    sheet.keep(sheet.cell`CASE WHEN ${total} = ${0} THEN ${1 / values.length} ELSE ${p} / ${total} END`),
  );
}

/** Scores to calibrated probabilities. */
export function calibrated(sheet: Sheet, { over, curve }: CalibratedMember, scores: readonly Cell[]): Cell[] {
  const values = over === 'probabilities' ? scores.map((log) => sheet.keep(expOf(sheet, log))) : scores;
  if (curve.method === 'isotonic') {
    return shared(sheet, values, curve.lines.length, (k, x) => heightOf(sheet, curve.lines[k], x));
  }
  if (curve.method === 'sigmoid') {
    return shared(sheet, values, curve.a.length, (k, x) => logistic(sheet, lineAt(sheet, x, curve.a[k], curve.b[k])));
  }
  const logits = over === 'probabilities' ? values.map((p) => sheet.keep(sheet.cell`ln(${p} + ${1e-12})`)) : values;
  const scaled = logits.map((logit) => sheet.keep(sheet.cell`${logit} * ${curve.beta}`));
  return logShares(sheet, scaled).map((log) => sheet.keep(expOf(sheet, log)));
}
