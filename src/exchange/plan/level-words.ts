import { type CellFormat, truthWords } from '../../data/cell-format.ts';
import type { LevelInput } from '../plan.ts';

/** The words of a column of levels besides the levels: those for a missing cell, and other spellings of true and false. */
export function levelWords(
  { missing, truth }: CellFormat,
  levels: readonly unknown[],
): Pick<LevelInput, 'absent' | 'aliases'> {
  const known = new Set(levels);
  const absent = missing?.filter((word) => !known.has(word)) ?? [];
  const [yes, no] = truth ?? [];
  const other = (words: readonly string[], level: string | undefined): [string, string][] =>
    level === undefined || !known.has(level) ? [] : words.filter((word) => word !== level).map((word) => [word, level]);
  const aliases = [...other(truthWords.yes, yes), ...other(truthWords.no, no)];
  return { ...(absent.length > 0 && { absent }), ...(aliases.length > 0 && { aliases }) };
}
