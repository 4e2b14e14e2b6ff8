import type { TreeTerm } from '../plan.ts';
import { logTotal } from './logs.ts';
import { capped, lookup, requireFewPairs } from './lookup.ts';
import { type Cell, type Sheet, sumOf } from './sheet.ts';

/** What a tree of levels adds to the score of class c. */
export function treeCells(sheet: Sheet, term: TreeTerm, x: readonly Cell[], c: number): Cell[] {
  requireFewPairs(
    'a tree',
    term.dice.reduce((sum, { length }) => sum + length, 0),
  );
  if (!x.some(({ nullable }) => nullable)) return x.map((_, j) => leaf(sheet, term, x, j, c));
  const nodes = new Nodes(sheet, term, x, c);
  return [...x.keys()].filter((j) => term.parents[j] < 0).map((j) => nodes.below(j)[0]);
}

/** The dice of a feature in class c, one behind the other for every level of the feature that it leans on. */
function diceOf({ levels, parents, dice }: TreeTerm, j: number, c: number) {
  const [width, many] = [levels[j] + 1, parents[j] < 0 ? 1 : levels[parents[j]] + 1];
  return { width, many, faces: dice[j].subarray(c * many * width, (c + 1) * many * width) };
}

/** The face of a level, given the level of the feature that it leans on. */
function leaf(sheet: Sheet, term: TreeTerm, x: readonly Cell[], j: number, c: number): Cell {
  const { levels, parents } = term;
  const { width, faces } = diceOf(term, j, c);
  const own = capped(sheet, x[j], levels[j]);
  if (parents[j] < 0) return lookup(sheet, own, Array.from(faces));
  const upper = capped(sheet, x[parents[j]], levels[parents[j]]);
  return lookup(sheet, sheet.keep(sheet.cell`${upper} * ${width} + ${own}`), Array.from(faces));
}

/** A tree with missing cells, which are summed over from the leaves up. */
class Nodes {
  private readonly sheet: Sheet;
  private readonly term: TreeTerm;
  private readonly x: readonly Cell[];
  private readonly c: number;

  constructor(sheet: Sheet, term: TreeTerm, x: readonly Cell[], c: number) {
    this.sheet = sheet;
    this.term = term;
    this.x = x;
    this.c = c;
  }

  /** ln p(what lies at j and below | u, c) for every level u of the feature that j leans on. */
  below(j: number): Cell[] {
    const { sheet, term, x, c } = this;
    const { width, many, faces } = diceOf(term, j, c);
    const children = this.children(j);
    const under = children.map((k) => this.below(k));
    return Array.from({ length: many }, (_, u) => {
      const values = Array.from({ length: width }, (_, v) =>
        sumOf(sheet, [sheet.cell`${faces[u * width + v]}`, ...under.map((own) => own[v])]),
      );
      const gap = x[j].nullable && children.length > 0 ? this.gap(j, values.slice(0, -1)) : 0;
      return sheet.keep(lookup(sheet, x[j], values, gap));
    });
  }

  private children(j: number): number[] {
    const { parents } = this.term;
    return [...parents.keys()].filter((k) => parents[k] === j);
  }

  /** A missing cell: the sum over its levels, and nothing where nothing below it is known either. */
  private gap(j: number, values: readonly Cell[]): Cell {
    const { sheet } = this;
    const known = this.knownBelow(j).map((k) => sheet.cell`${this.x[k]} IS NOT NULL`);
    const any = sheet.keep(known.reduce((all, one) => sheet.cell`${all} OR ${one}`));
    return sheet.cell`CASE WHEN ${any} THEN ${logTotal(
      sheet,
      values.map((value) => sheet.keep(value)),
    )} ELSE ${0} END`;
  }

  private knownBelow(j: number): number[] {
    return this.children(j).flatMap((k) => [k, ...this.knownBelow(k)]);
  }
}
