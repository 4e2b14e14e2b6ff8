import type { EachScore, PlanScore } from '../plan.ts';
import type { PlanTerm } from '../plan-terms.ts';
import { calibrated, onCurve, onPlatt, onSteps, softened } from './curves.ts';
import { logOf, logShares, logSoftmax } from './logs.ts';
import { type Cell, greatestOf, type Sheet, sumOf } from './sheet.ts';

/** What a term adds to the score of each class; null where it makes the class impossible. */
type TermOf = (term: PlanTerm, classes: number) => (readonly Cell[] | null)[];

/** Where scores are made: the sheet, the terms of the plan, and the way to the columns of an inner score. */
interface Context {
  readonly sheet: Sheet;
  readonly termOf: TermOf;
  readonly of: (score: PlanScore) => Cell[];
}

/** The columns of a score, one for each class. */
export function scoreCells(sheet: Sheet, score: PlanScore, termOf: TermOf): Cell[] {
  const context: Context = { sheet, termOf, of: (inner) => makers[inner.op](inner as never, context) };
  return context.of(score);
}

const makers: EachScore<[Context], Cell[]> = {
  sum({ start, terms }, { sheet, termOf }) {
    const parts = terms.map((term) => termOf(term, start.length));
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

  pool({ members, weights, bias }, { sheet, of }) {
    const all = members.map(of);
    const sums = Array.from(bias, (first, c) => {
      const parts = all.map((own, m) => sheet.cell`${own[c]} * ${weights[m]}`);
      return sheet.keep(sumOf(sheet, [sheet.cell`${first}`, ...parts]));
    });
    return logShares(sheet, sums);
  },

  soften: (score, { sheet, of }) => softened(sheet, score, of(score.of)),
  platt: (score, { sheet, of }) => onPlatt(sheet, score, of(score.of)),
  steps: (score, { sheet, of }) => onSteps(sheet, score, of(score.of)),
  curve: (score, { sheet, of }) => onCurve(sheet, score, of(score.of)),

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
