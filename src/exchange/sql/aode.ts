import { levelOffsets } from '../../stats/layout.ts';
import type { AodeTerm } from '../plan.ts';
import { logTotal } from './logs.ts';
import { capped, lookup, requireFewPairs } from './lookup.ts';
import { type Cell, type Sheet, sumOf } from './sheet.ts';

/** Averaged one-dependence: what each feature says as the parent of all others, by its share of those that qualify. */
export function aodeCells(sheet: Sheet, term: AodeTerm, x: readonly Cell[], classes: number): Cell[][] {
  requireFewPairs('averaged one-dependence estimators', term.logGiven.length);
  const level = x.map((own, j) => capped(sheet, own, term.levels[j]));
  const { shares, count } = sharesOf(sheet, term, level);
  const parents = level.map((_, i) => pairsWith(sheet, term, level, i));
  return Array.from({ length: classes }, (_, c) => {
    const said = parents.map((keys, i) => {
      const known = sheet.keep(sumOf(sheet, parentCells(sheet, term, level[i], keys, i, c)));
      const sum = level[i].nullable ? missingParent(sheet, term, level, i, c, known) : known;
      return sheet.keep(sheet.cell`CASE WHEN ${shares[i]} > ${0} THEN ${sum} + ln(${shares[i]}) ELSE ${-Infinity} END`);
    });
    const alone = sheet.keep(sumOf(sheet, [sheet.cell`${term.logPrior[c]}`, ...aloneCells(sheet, term, level, c)]));
    return [sheet.cell`CASE WHEN ${count} = ${0} THEN ${alone} ELSE ${logTotal(sheet, said)} END`];
  });
}

/** The share of every feature among those whose level was seen often enough to be a parent, and how many there are. */
function sharesOf(sheet: Sheet, term: AodeTerm, level: readonly Cell[]): { shares: Cell[]; count: Cell } {
  const { levels, frequency, minimumFrequency, weights } = term;
  const offsets = levelOffsets(levels);
  const fits = level.map((own, i) => {
    const seen = Array.from({ length: levels[i] }, (_, v) => frequency[offsets[i] + v]);
    const often = seen.map((rows) => (rows > 0 && rows >= minimumFrequency ? 1 : 0));
    return sheet.keep(lookup(sheet, own, [...often, 0], often.includes(1) ? 1 : 0));
  });
  const count = sheet.keep(sumOf(sheet, fits));
  const weighed = fits.map((fit, i) => sheet.cell`${fit} * ${weights[i]}`);
  const total = sheet.keep(sumOf(sheet, weighed));
  const shares = fits.map((fit, i) => {
    const among = sheet.cell`WHEN ${total} > ${0} THEN ${weights[i]} / ${total} ELSE ${1} / ${count}`;
    return sheet.keep(sheet.cell`CASE WHEN ${fit} = ${0} THEN ${0} ${among} END`);
  });
  return { shares, count };
}

/** Where feature i is missing: ln Σᵤ p(c, u) Πⱼ p(xⱼ | c, u) over its levels. Elsewhere what was known. */
function missingParent(
  sheet: Sheet,
  { levels, logJoint, logGiven, logUnseen }: AodeTerm,
  level: readonly Cell[],
  i: number,
  c: number,
  known: Cell,
): Cell {
  const offsets = levelOffsets(levels);
  const [features, width] = [levels.length, offsets[levels.length]];
  if (levels[i] === 0) return known;
  const sums = Array.from({ length: levels[i] }, (_, u) => {
    const at = c * width + offsets[i] + u;
    const others = level.flatMap((own, j) => {
      if (j === i) return [];
      const from = at * width + offsets[j];
      return [lookup(sheet, own, [...logGiven.subarray(from, from + levels[j]), logUnseen[at * features + j]])];
    });
    return sheet.keep(sumOf(sheet, [sheet.cell`${logJoint[at]}`, ...others]));
  });
  return sheet.keep(sheet.cell`CASE WHEN ${level[i]} IS NULL THEN ${logTotal(sheet, sums)} ELSE ${known} END`);
}

/** For every feature the number of its pair of levels with those of feature i; missing where one of them is. */
function pairsWith(sheet: Sheet, { levels }: AodeTerm, level: readonly Cell[], i: number): Cell[] {
  return level.map((own, j) => sheet.keep(sheet.cell`${level[i]} * ${levels[j] + 1} + ${own}`));
}

/** ln p(c, xᵢ) and ln p(xⱼ | c, xᵢ) of every other feature. */
function parentCells(
  sheet: Sheet,
  { levels, logJoint, logGiven, logUnseen }: AodeTerm,
  level: Cell,
  keys: readonly Cell[],
  i: number,
  c: number,
): Cell[] {
  const offsets = levelOffsets(levels);
  const [features, width] = [levels.length, offsets[levels.length]];
  const own = Array.from({ length: levels[i] }, (_, u) => c * width + offsets[i] + u);
  const joint = lookup(
    sheet,
    level,
    own.map((at) => logJoint[at]),
  );
  const others = keys.flatMap((key, j) => {
    if (j === i) return [];
    const faces = own.flatMap((at) => {
      const from = at * width + offsets[j];
      return [...logGiven.subarray(from, from + levels[j]), logUnseen[at * features + j]];
    });
    return [lookup(sheet, key, faces)];
  });
  return [joint, ...others];
}

/** ln p(xⱼ | c) of every feature. */
function aloneCells(
  sheet: Sheet,
  { levels, logAlone, logUnseenAlone }: AodeTerm,
  level: readonly Cell[],
  c: number,
): Cell[] {
  const offsets = levelOffsets(levels);
  return level.map((own, j) => {
    const from = c * offsets[levels.length] + offsets[j];
    return lookup(sheet, own, [...logAlone.subarray(from, from + levels[j]), logUnseenAlone[c * levels.length + j]]);
  });
}
