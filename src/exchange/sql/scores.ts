import type { CellGroup, EachScore, PlanScore, PlanTerm, Share } from '../plan.ts';
import { calibrated, onCurve, onPlatt, softened } from './curves.ts';
import { logOf, logShares, logSoftmax } from './logs.ts';
import { type Cell, greatestOf, type Sheet, sumOf } from './sheet.ts';

/** The vectors of a plan as scores use them. */
interface Vectors {
  /** What a term adds to the score of each class; null where it makes the class impossible. */
  term(term: PlanTerm, classes: number): (readonly Cell[] | null)[];
  /** How many cells of a row are present. */
  present(groups: readonly CellGroup[]): Cell;
}

/** Where scores are made: the sheet, the vectors of the plan, and the way to the columns of an inner score. */
interface Context {
  readonly sheet: Sheet;
  readonly vectors: Vectors;
  readonly of: (score: PlanScore) => Cell[];
}

/** The columns of a score, one for each class. */
export function scoreCells(sheet: Sheet, score: PlanScore, vectors: Vectors): Cell[] {
  const context: Context = { sheet, vectors, of: (inner) => makers[inner.op](inner as never, context) };
  return context.of(score);
}

/** The share of its cells that a row has; undefined where all rows count as complete. */
function shareCell(share: Share | null, { sheet, vectors }: Context): Cell | undefined {
  if (!share) return undefined;
  const count = vectors.present(share.cells);
  if (share.ordinary === 0) return sheet.keep(sheet.cell`CASE WHEN ${count} = ${0} THEN ${0} ELSE ${1} END`);
  return sheet.keep(sheet.cell`LEAST(${1}, ${count} / ${share.ordinary})`);
}

/** Between what was fitted and what it is made of. */
function between(sheet: Sheet, share: Cell | undefined, fitted: Cell | number, before: Cell | number): Cell {
  if (!share) return typeof fitted === 'number' ? sheet.cell`${fitted}` : fitted;
  const mixed = sheet.cell`${share} * ${fitted} + (${1} - ${share}) * ${before}`;
  return sheet.keep(sheet.cell`CASE WHEN ${share} >= ${1} THEN ${fitted} ELSE ${mixed} END`);
}

function curveBetween(share: Share | null, context: Context, fitted: readonly Cell[], before: readonly Cell[]): Cell[] {
  const { sheet } = context;
  const own = shareCell(share, context);
  return own ? logShares(sheet, fitted.map((cell, c) => between(sheet, own, cell, before[c]))) : [...fitted]; // biome-ignore format: short
}

const makers: EachScore<[Context], Cell[]> = {
  sum({ start, terms }, { sheet, vectors }) {
    const parts = terms.map((term) => vectors.term(term, start.length));
    return Array.from(start, (first, c) => {
      const cells = parts.map((part) => part[c]);
      if (first === -Infinity || cells.includes(null)) return sheet.cell`${-Infinity}`;
      return sheet.keep(sumOf(sheet, [sheet.cell`${first}`, ...(cells as (readonly Cell[])[]).flat()]));
    });
  },

  add({ start, parts }, { sheet, of }) {
    const added = parts.map(({ of: inner, less }) =>
      of(inner).map((cell, c) => (less ? sheet.cell`(${cell} - ${less[c]})` : cell)),
    );
    return Array.from(start, (first, c) => {
      return sheet.keep(sumOf(sheet, [sheet.cell`${first}`, ...added.map((part) => part[c])]));
    });
  },

  /** Both are the same but for digits far from the data, which no answer within 1e-9 needs. */
  either: ({ first }, { of }) => of(first),

  place({ of: inner, places, classes, fill }, { sheet, of }) {
    const all = Array.from({ length: classes }, () => sheet.cell`${fill}`);
    of(inner).forEach((cell, c) => {
      all[places[c]] = cell;
    });
    return all;
  },

  opposed({ of: inner }, { sheet, of }) {
    const [a, b] = of(inner);
    return [sheet.keep(sheet.cell`${a} - ${b}`), sheet.keep(sheet.cell`${b} - ${a}`)];
  },

  /** Where every class is impossible, the prior stands or the row is not answered. */
  posterior({ of: inner, prior, impossible }, { sheet, of }) {
    const scores = of(inner);
    const top = sheet.keep(greatestOf(sheet, scores));
    if (impossible === 'refuse') sheet.require(sheet.cell`${top} > ${-Infinity}`);
    const shares = logShares(sheet, scores, top);
    if (!prior) return shares;
    const fallback = logSoftmax(prior);
    return shares.map((cell, c) =>
      sheet.keep(sheet.cell`CASE WHEN ${top} = ${-Infinity} THEN ${fallback[c]} ELSE ${cell} END`),
    );
  },

  blank({ of: inner, cells, prior }, { sheet, vectors, of }) {
    const scores = of(inner);
    const count = vectors.present(cells);
    return scores.map((cell, c) => sheet.keep(sheet.cell`CASE WHEN ${count} = ${0} THEN ${prior[c]} ELSE ${cell} END`));
  },

  pool({ members, weights, bias, share }, context) {
    const { sheet, of } = context;
    const all = members.map(of);
    const own = shareCell(share, context);
    const weighed = Array.from(weights, (weight, m) => between(sheet, own, weight, share?.weights[m] ?? 0));
    const sums = Array.from(bias, (first, c) => {
      const parts = all.map((scores, m) => sheet.cell`${scores[c]} * ${weighed[m]}`);
      return sheet.keep(sumOf(sheet, [between(sheet, own, first, share?.bias[c] ?? 0), ...parts]));
    });
    return logShares(sheet, sums);
  },

  soften(score, context) {
    const { sheet, of } = context;
    const logs = of(score.of);
    const own = shareCell(score.share, context);
    if (!own) return softened(sheet, score, logs);
    const before = softened(sheet, { ...score, tail: null }, logs);
    return softened(sheet, score, logs).map((cell, c) => between(sheet, own, cell, before[c]));
  },
  platt: (score, { sheet, of }) => onPlatt(sheet, score, of(score.of)),
  curve(score, context) {
    const logs = context.of(score.of);
    return curveBetween(score.share, context, onCurve(context.sheet, score, logs), logs);
  },

  calibrated({ members }, { sheet, of }) {
    const answers = members.map((member) => calibrated(sheet, member, of(member.of)));
    return answers[0].map((_, c) => {
      const sum = sumOf(
        sheet,
        answers.map((own) => own[c]),
      );
      return sheet.keep(logOf(sheet, sheet.keep(sheet.cell`${sum} / ${members.length}`)));
    });
  },
};
