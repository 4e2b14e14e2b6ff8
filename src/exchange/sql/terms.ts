import { softplus } from '../../math/logs.ts';
import type {
  BellTerm,
  CoinTerm,
  LinearTerm,
  PlaneTerm,
  PlanTerm,
  QuadricTerm,
  ShiftTerm,
  TableTerm,
} from '../plan.ts';
import { aodeCells } from './aode.ts';
import { contextCells } from './contexts.ts';
import { kernelCells, requireFewPoints } from './kernels.ts';
import { lookup } from './lookup.ts';
import { gaussianCells } from './marginals.ts';
import { type Cell, type Sheet, sumOf } from './sheet.ts';
import { treeCells } from './tree.ts';
import { cannotSay } from './words.ts';

/** What a term over columns adds to the score of each class; null where it makes the class impossible. */
export function termCells(
  sheet: Sheet,
  term: PlanTerm,
  x: readonly Cell[],
  classes: number,
): (readonly Cell[] | null)[] {
  const each = (cells: (c: number) => readonly Cell[] | null) => Array.from({ length: classes }, (_, c) => cells(c));
  switch (term.op) {
    case 'linear':
      return each((c) => linear(sheet, term, x, c, classes));
    case 'coins':
      return each((c) => coins(sheet, term, x, c));
    case 'table':
      return each((c) => x.map((level, j) => face(sheet, term, level, j, c, classes)));
    case 'bells':
      return each((c) => x.map((value, j) => bell(sheet, term, value, c * x.length + j)));
    case 'poisson':
      if (term.exposures) cannotSay('a predictive Poisson model', 'it takes gamma functions, which few engines have');
      return each((c) => rates(sheet, term.cells, x, c, classes));
    case 'planes':
      return gaussianCells(sheet, term.marginals, x, planes(sheet, term, x, classes));
    case 'quadrics': {
      const complete = term.forms.map((_, c) => quadric(sheet, term, x, c));
      return gaussianCells(sheet, term.marginals, x, complete);
    }
    case 'shift':
      return shift(sheet, term, x, classes);
    case 'tree':
      return each((c) => treeCells(sheet, term, x, c));
    case 'kernels':
      requireFewPoints(term);
      return each((c) => kernelCells(sheet, term, x, c));
    case 'urns':
      return cannotSay("Pólya's urns", 'they take gamma functions, which few engines have');
    case 'aode':
      return aodeCells(sheet, term, x, classes);
    case 'contexts':
      return contextCells(sheet, term, x, classes);
  }
}

/** x · weight, where 0 · ∞ is 0. */
function product(sheet: Sheet, x: Cell, weight: number): Cell {
  if (Number.isFinite(weight)) return sheet.cell`${x} * ${weight}`;
  return sheet.cell`CASE WHEN ${x} = ${0} THEN ${0} ELSE ${x} * ${weight} END`;
}

function linear(sheet: Sheet, { weights }: LinearTerm, x: readonly Cell[], c: number, classes: number): Cell[] {
  return x.map((value, j) => product(sheet, value, weights[j * classes + c]));
}

/** ln λ of each event; what is the same for all classes, ln x!, is left out. A missing cell takes its −λ back. */
function rates(sheet: Sheet, cells: Float64Array, x: readonly Cell[], c: number, classes: number): Cell[] {
  return x.map((value, j) => {
    const weight = cells[j * classes + c];
    const plain = product(sheet, value, weight);
    return value.nullable ? filled(sheet, plain, value, Math.exp(weight)) : plain;
  });
}

/** A cell with a number in the place of NULL. */
function filled(sheet: Sheet, cell: Cell, x: Cell, value: number): Cell {
  return { ...sheet.cell`CASE WHEN ${x} IS NULL THEN ${value} ELSE ${cell} END`, nullable: false };
}

function coins(sheet: Sheet, { logOdds, certain }: CoinTerm, x: readonly Cell[], c: number): Cell[] {
  const cells: Cell[] = [];
  const sure: Cell[] = [];
  x.forEach((toss, j) => {
    const odds = logOdds[c * x.length + j];
    if (odds === Infinity) sure.push(sheet.cell`CASE WHEN ${toss} = ${0} THEN ${0} ELSE ${1} END`);
    else {
      const plain = product(sheet, toss, odds);
      cells.push(toss.nullable ? filled(sheet, plain, toss, softplus(odds)) : plain);
    }
  });
  if (certain[c] === 0) return cells;
  const seen = sheet.keep({ ...sumOf(sheet, sure), nullable: false });
  return [...cells, sheet.cell`CASE WHEN ${seen} < ${certain[c]} THEN ${-Infinity} ELSE ${0} END`];
}

function face(
  sheet: Sheet,
  { levels, offsets, faces }: TableTerm,
  x: Cell,
  j: number,
  c: number,
  classes: number,
): Cell {
  const at = (v: number) => faces[(offsets[j] + v) * classes + c];
  return lookup(
    sheet,
    x,
    Array.from({ length: levels[j] + 1 }, (_, v) => at(v)),
  );
}

function bell(sheet: Sheet, { mean, variance, df, logPeak }: BellTerm, x: Cell, cell: number): Cell {
  const d = sheet.cell`(${x} - ${mean[cell]})`;
  const square = sheet.cell`${d} * ${d} / ${variance[cell]}`;
  const nu = df[cell];
  const fall =
    nu === Infinity ? sheet.cell`${0.5} * (${square})` : sheet.cell`${0.5 * (nu + 1)} * ln(${1} + ${square} / ${nu})`;
  const value = sheet.cell`${logPeak[cell]} - ${fall}`;
  return x.nullable ? { ...sheet.cell`COALESCE(${value}, ${0})`, nullable: false } : sheet.cell`(${value})`;
}

/** rows · (x − origin), one column for each row. */
function image(sheet: Sheet, rank: number, rows: Float64Array, x: readonly Cell[], origin: Float64Array): Cell[] {
  const apart = x.map((value, j) => sheet.keep(sheet.cell`${value} - ${origin[j]}`));
  return Array.from({ length: rank }, (_, k) => {
    return sheet.keep(
      sumOf(
        sheet,
        apart.map((value, j) => sheet.cell`${value} * ${rows[k * x.length + j]}`),
      ),
    );
  });
}

function planes(
  sheet: Sheet,
  { rank, rows, origin, centres }: PlaneTerm,
  x: readonly Cell[],
  classes: number,
): Cell[][] {
  const z = image(sheet, rank, rows, x, origin);
  return Array.from({ length: classes }, (_, c) => {
    return z.map((value, k) => sheet.cell`${centres[c * rank + k]} * (${value} - ${0.5 * centres[c * rank + k]})`);
  });
}

function quadric(sheet: Sheet, { forms }: QuadricTerm, x: readonly Cell[], c: number): Cell[] | null {
  const form = forms[c];
  if (!form) return null;
  const z = image(sheet, form.rank, form.rows, x, form.mean);
  const { centre } = form;
  const apart = centre ? z.map((value, k) => sheet.keep(sheet.cell`${value} - ${centre[k]}`)) : z;
  return apart.map((value) => sheet.cell`${-0.5} * (${value} * ${value})`);
}

function shift(sheet: Sheet, { weights, constant }: ShiftTerm, x: readonly Cell[], classes: number): Cell[][] {
  const terms = x.map((value, j) => sheet.cell`${value} * ${weights[j]}`);
  const sum = sheet.keep(sumOf(sheet, [...terms, sheet.cell`${-constant}`]));
  return Array.from({ length: classes }, () => [sum]);
}
