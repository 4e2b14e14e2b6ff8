import { cellOf, type DataRow, isBlank, isMarker, numberOf } from '../../auto/cells.ts';
import type { Classifier } from '../../auto/classifier.ts';
import { hasDecimalComma } from '../decimal-commas.ts';
import { count } from '../numbers.ts';
import type { Printer } from '../print.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';

/** Whether a cell is said to be a number, and is neither one nor missing. */
export const isWord = (cell: unknown): boolean => Number.isNaN(numberOf(cell)) && !isBlank(cell) && !isMarker(cell);

/** Words where a model reads numbers: it takes them for missing, which whoever wrote them should know. */
export class WordCells {
  private readonly columns: readonly string[];
  private readonly found = new Map<string, { cells: number; first: unknown; line: number | undefined }>();

  constructor(classifier: Classifier | undefined) {
    const known = classifier?.report().schema.columns ?? [];
    this.columns = known.filter(({ kind, role }) => kind === 'number' && role === 'feature').map(({ name }) => name);
  }

  look(rows: readonly DataRow[], lines?: ArrayLike<number>): void {
    for (const name of this.columns) {
      for (let i = 0; i < rows.length; i++) {
        const cell = cellOf(rows[i], name);
        if (typeof cell === 'number' || !isWord(cell)) continue;
        const own = this.found.get(name);
        if (own) own.cells++;
        else this.found.set(name, { cells: 1, first: cell, line: lines?.[i] });
      }
    }
  }

  /** One warning for every column, and the command that reads decimal commas where those are the reason. */
  tell(print: Printer, file: string, words: readonly string[]): void {
    for (const [name, { cells, first, line }] of this.found) {
      const place = line === undefined ? '' : ` (${safe(file)}:${line})`;
      print.warn(texts.data.wordCells(count(cells), cells === 1, safe(name, 40), safe(String(first), 40), place));
    }
    if ([...this.found.values()].some(({ first }) => hasDecimalComma(first)))
      print.talk(texts.fit.next(commandLine([...words, '--decimal', 'comma'])));
  }
}
