import type { ContextFeature, ContextTerm } from '../plan.ts';
import { capped, match, requireFewPairs } from './lookup.ts';
import type { Cell, Sheet } from './sheet.ts';

/**
 * Levels in the context of others, for every class. Contexts and values are numbered from 1 at each depth, and 0 is one that was not
 * counted. To sum over missing parents a query would have to go through all combinations of their levels; rows in which a cell is
 * present and one of its parents is missing are not answered.
 */
export function contextCells(sheet: Sheet, term: ContextTerm, x: readonly Cell[], classes: number): Cell[][] {
  const { features, levels } = term;
  const numbers = features.flatMap(({ depths }) => depths.map(({ weights, shares }) => weights.length + shares.length));
  requireFewPairs(
    'a k-dependence classifier',
    numbers.reduce((sum, count) => sum + count, 0),
  );
  requireParents(sheet, features, x);
  const level = x.map((own, j) => capped(sheet, own, levels[j]));
  const cells = features.map((own) => featureCells(sheet, term, own, level, classes));
  return Array.from({ length: classes }, (_, c) => cells.map((own) => own[c]));
}

/** A row is answered where no parent of a cell that is present is missing. */
function requireParents(sheet: Sheet, features: readonly ContextFeature[], x: readonly Cell[]): void {
  for (const { feature, parents } of features) {
    for (const parent of parents) {
      if (!x[parent].nullable) continue;
      const there = sheet.cell`${x[parent]} IS NOT NULL`;
      const condition = x[feature].nullable ? sheet.cell`${there} OR ${x[feature]} IS NULL` : there;
      sheet.require(sheet.keep({ ...sheet.cell`(${condition})`, nullable: false }));
    }
  }
}

/** ln p(xⱼ | c, parents) for every class, 0 where the feature is missing. */
function featureCells(
  sheet: Sheet,
  { levels }: ContextTerm,
  { feature, parents, depths }: ContextFeature,
  level: readonly Cell[],
  classes: number,
): Cell[] {
  let context = sheet.cell`${1}`;
  let logs = Array.from({ length: classes }, () => sheet.cell`${-Math.log(levels[feature])}`);
  depths.forEach(({ concentration: m, contexts, weights, values, shares }, d) => {
    if (d > 0) context = found(sheet, context, level[parents[d - 1]], contexts, levels[parents[d - 1]]);
    const value = found(sheet, context, level[feature], values, levels[feature]);
    logs = logs.map((log, c) => {
      const lost = Array.from(contexts, (_, k) => {
        const weight = weights[k * classes + c];
        return weight > 0 ? Math.log(m / (weight + m)) : 0;
      });
      const below = sheet.cell`${log} + ${match(sheet, context, lost, 0)}`;
      const known = Array.from(values, (_, e) => Math.log(shares[e * classes + c]));
      return sheet.keep({ ...match(sheet, value, known, below), nullable: false });
    });
  });
  if (!level[feature].nullable) return logs;
  return logs.map((log) => ({
    ...sheet.cell`CASE WHEN ${level[feature]} IS NULL THEN ${0} ELSE ${log} END`,
    nullable: false,
  }));
}

/** The number of (context, level) among the keys that were counted, from 1; 0 where it is not among them. */
function found(sheet: Sheet, context: Cell, level: Cell, keys: Float64Array, levels: number): Cell {
  const key = sheet.keep(sheet.cell`${context} * ${levels + 1} + ${level}`);
  const places = Array.from(keys, (own) => {
    const above = Math.floor(own / levels);
    return (above + 1) * (levels + 1) + (own - above * levels);
  });
  const numbers = Array.from(keys, (_, k) => k + 1);
  return sheet.keep({ ...match(sheet, key, numbers, 0, places), nullable: false });
}
