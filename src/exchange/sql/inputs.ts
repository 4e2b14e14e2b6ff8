import { partLevels } from '../../data/cell-date.ts';
import { truthWords } from '../../data/cell-format.ts';
import { quoteString } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import { type CellReader, requirePlain, type Words } from '../lower/inputs.ts';
import type { PlanInput } from '../plan.ts';
import { datePart } from './dates.ts';
import type { Cell, QueryBuilder } from './query-builder.ts';
import { cannotSay, trimmed } from './words.ts';
import type { CellTensor } from './writer.ts';

/** The cells of a table: `columns` gives those of an input. */
export function sqlCells(
  builder: QueryBuilder,
  columns: (input: PlanInput) => readonly Cell[],
): CellReader<CellTensor> {
  const words = wordsOf(builder.dialect);
  const listed = (all: readonly string[]) => all.map((word) => quoteString(builder.dialect, word)).join(', ');
  const cast = (from: Cell, text: string) => builder.keep({ ...from, simple: false, text });
  const read = (input: PlanInput) => {
    if (input.kind === 'text' || !input.date) requirePlain(input, cannotSay);
    return columns(input);
  };
  /** The number that a value is or spells, NULL for everything else; with `bits` the words true and false are 1 and 0. */
  const spelled = (from: Cell, bits: boolean): Cell => {
    const text = cast(from, trimmed(builder.dialect, from.text));
    const word = (all: readonly string[], value: number) => builder.cell`WHEN ${text} IN (${listed(all)}) THEN ${value} `.text; // biome-ignore format: one line
    const truth = bits ? word(truthWords.yes, 1) + word(truthWords.no, 0) : '';
    const isNumber = words.matches(text.text, listed([NUMBER]));
    return cast(text, `CASE ${truth}WHEN ${isNumber} THEN ${words.parsed(text.text)} END`);
  };
  return {
    numbers(input) {
      const entries = read(input).map((from) => {
        if (input.date) return datePart(builder, from, input.date);
        if (input.kind === 'number' && input.lenient) return spelled(from, input.bits);
        const raw = cast(from, (input.kind === 'number' && input.bits ? words.bit : words.double)(from.text));
        return cast(raw, `CASE WHEN NOT ${words.isNaN(raw.text)} THEN ${raw.text} END`);
      });
      return { shape: [entries.length], entries };
    },
    words(input, codes, other) {
      const [from] = read(input);
      const { match, absent = [], levels, date } = input;
      if (date && date.part !== 'days') {
        const place = datePart(builder, from, date);
        const all = partLevels[date.part];
        const cases = codes.map(([own, code]) => builder.cell`WHEN ${all.indexOf(own)} THEN ${code}`.text);
        const rest = Number.isNaN(other) ? '' : builder.cell` ELSE ${other}`.text;
        const gap = builder.cell`(${place} IS NULL)`;
        return tensors(
          gap,
          cases.length === 0 ? other : cast(place, `CASE ${place.text} ${cases.join(' ')}${rest} END`),
        );
      }
      if (typeof levels !== 'number' && levels.some((own) => typeof own === 'number')) {
        cannotSay(`the column ${input.name}`, 'its levels are numbers and words, and a column of a table has one type');
      }
      const isTrimmed = match === 'trimmed';
      const word = cast(from, isTrimmed ? trimmed(builder.dialect, from.text) : words.text(from.text));
      const none = isTrimmed ? ` OR ${word.text} IN (${listed(['', ...absent])})` : '';
      const gap = { ...word, simple: false, nullable: false, text: `(${word.text} IS NULL${none})` };
      const cases = codes.map(([own, code]) => builder.cell`WHEN ${word} = ${listed([own])} THEN ${code}`.text);
      const rest = Number.isNaN(other) ? '' : builder.cell` ELSE ${other}`.text;
      const code = cases.length === 0 ? other : cast(word, `CASE ${cases.join(' ')}${rest} END`);
      return tensors(gap, code);
    },
  };
}

/** Where a word is missing, and its code. */
const tensors = (gap: Cell, code: Cell | number): Words<CellTensor> => ({
  gap: { shape: [1], entries: [{ ...gap, nullable: false }] },
  code: { shape: [1], entries: [code] },
});

/** What a number looks like in a record. */
const NUMBER = '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$';
