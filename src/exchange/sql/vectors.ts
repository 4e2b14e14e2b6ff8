import type { BinVector, LimitVector, PlanVector, ScaleVector, WeighVector } from '../plan.ts';
import { type Cell, type Sheet, sumOf } from './sheet.ts';

/** Vectors of columns that are made of the columns of a vector before them. */
type Cellwise = Exclude<PlanVector, { op: 'inputs' | 'terms' | 'join' }>;

/** The columns of a vector that is made of other columns. */
export function changedCells(sheet: Sheet, vector: Cellwise, from: readonly Cell[]): Cell[] {
  switch (vector.op) {
    case 'pick':
      return Array.from(vector.columns, (j) => from[j]);
    case 'bin':
      return from.map((x, j) => sheet.keep(binned(sheet, vector, x, j)));
    case 'equal':
      return from.map((x, j) => {
        const value = vector.values[j];
        return Number.isNaN(value) ? x : sheet.keep(chosen(sheet, x, sheet.cell`${x} = ${value}`));
      });
    case 'scale':
      return from.map((x, j) => sheet.keep(scaled(sheet, vector, x, j)));
    case 'above':
      return from.map((x) => sheet.keep(chosen(sheet, x, sheet.cell`${x} > ${vector.threshold}`)));
    case 'limit':
      return from.map((x, j) => sheet.keep(limited(sheet, vector, x, j)));
    case 'onehot':
      return from.flatMap((x, j) =>
        Array.from({ length: vector.widths[j] }, (_, v) => {
          return { ...sheet.keep(sheet.cell`CASE WHEN ${x} = ${v} THEN ${1} ELSE ${0} END`), nullable: false };
        }),
      );
    case 'root-share': {
      const total = sheet.keep(sumOf(sheet, from));
      return from.map((x) => sheet.keep(sheet.cell`CASE WHEN ${x} = ${0} THEN ${0} ELSE sqrt(${x} / ${total}) END`));
    }
    case 'weigh':
      return weighed(sheet, vector, from);
  }
}

/** 1 where a condition holds, else 0; what is missing stays so. */
function chosen(sheet: Sheet, x: Cell, condition: Cell): Cell {
  const gap = x.nullable ? `WHEN ${x.text} IS NULL THEN NULL ` : '';
  return sheet.cell`CASE ${gap}WHEN ${condition} THEN ${1} ELSE ${0} END`;
}

function binned(sheet: Sheet, { cuts, missing }: BinVector, x: Cell, j: number): Cell {
  const own = cuts[j];
  if (own === null) return x;
  const gap = x.nullable
    ? `WHEN ${x.text} IS NULL THEN ${missing === 'last' ? sheet.cell`${own.length + 1}`.text : 'NULL'} `
    : '';
  if (own.length === 0) return sheet.cell`CASE ${gap}WHEN ${x} IS NOT NULL THEN ${0} END`;
  const steps = Array.from(own, (cut, bin) => sheet.cell`WHEN ${x} < ${cut} THEN ${bin}`.text).join(' ');
  const cell = sheet.cell`CASE ${gap}${{ ...x, text: steps }} ELSE ${own.length} END`;
  return { ...cell, nullable: x.nullable && missing === 'missing' };
}

function scaled(sheet: Sheet, { mean, scale, fill }: ScaleVector, x: Cell, j: number): Cell {
  const plain = mean[j] === 0 && scale[j] === 1 ? x : sheet.cell`(${x} - ${mean[j]}) / ${scale[j]}`;
  if (!x.nullable || Number.isNaN(fill[j])) return plain;
  return { ...sheet.cell`COALESCE(${plain}, ${fill[j]})`, nullable: false };
}

function limited(sheet: Sheet, { levels, unknown, missing }: LimitVector, x: Cell, j: number): Cell {
  const whole = sheet.cell`${x} >= ${0} AND ${x} = floor(${x})`;
  const known = unknown === 'refuse' ? sheet.cell`${whole} AND ${x} < ${levels[j]}` : whole;
  sheet.require(
    missing === 'refuse' ? sheet.cell`COALESCE(${known}, FALSE)` : sheet.cell`(${x} IS NULL OR (${known}))`,
  );
  const beyond = unknown === 'last' ? sheet.cell`${levels[j]}`.text : 'NULL';
  const cell = sheet.cell`CASE WHEN ${x} < ${levels[j]} OR ${x} IS NULL THEN ${x} ELSE ${beyond} END`;
  return { ...cell, nullable: x.nullable || unknown === 'missing' };
}

/** tf by its curve, as SQL of a count that is not zero. */
export function curveText(tf: WeighVector['tf'], one: string, x: string): string {
  if (tf === 'binary') return one;
  if (tf === 'sqrt') return `sqrt(${x})`;
  if (tf === 'log1p') return `ln(${one} + ${x})`;
  return tf === 'sublinear' ? `(${one} + ln(${x}))` : x;
}

function weighed(sheet: Sheet, { tf, idf, norm }: WeighVector, from: readonly Cell[]): Cell[] {
  const one = sheet.cell`${1}`.text;
  const weights = from.map((x, j) => {
    const curved = { ...x, simple: false, text: curveText(tf, one, x.text) };
    const value = idf ? sheet.cell`${curved} * ${idf[j]}` : curved;
    return sheet.keep(sheet.cell`CASE WHEN ${x} = ${0} THEN ${0} ELSE ${value} END`);
  });
  if (norm === null) return weights;
  const squares = weights.map((v) => (norm === 'l2' ? sheet.cell`${v} * ${v}` : sheet.cell`abs(${v})`));
  const total = sheet.keep(sumOf(sheet, squares));
  const length = norm === 'l2' ? sheet.cell`sqrt(${total})` : total;
  return weights.map((v) => sheet.keep(sheet.cell`CASE WHEN ${total} = ${0} THEN ${0} ELSE ${v} / ${length} END`));
}
