import { cellOf, type DataRow, isBlank, isMarker, numberOf } from '../../auto/cells.ts';
import type { Classifier } from '../../auto/classifier.ts';
import { momentOf } from '../../data/cell-format.ts';
import { count } from '../numbers.ts';
import type { Printer } from '../print.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';

/** Cells that are neither numbers nor dates where a model reads such: it takes them for missing, which is worth a warning. */
export class WordCells {
  private readonly columns: readonly { readonly name: string; readonly isWord: (cell: unknown) => boolean }[];
  private readonly found = new Map<string, { cells: number; first: unknown; line: number | undefined }>();

  constructor(classifier: Classifier | undefined) {
    const known = classifier?.report().schema.columns ?? [];
    this.columns = known.flatMap(({ name, kind, role, format }) => {
      const dates = format?.dates;
      if (role !== 'feature' || (kind !== 'number' && !dates)) return [];
      const read = (cell: unknown) => (dates ? momentOf(cell, dates) : numberOf(cell, format?.numbers));
      return [{ name, isWord: (cell: unknown) => Number.isNaN(read(cell)) && !isBlank(cell) && !isMarker(cell) }];
    });
  }

  look(rows: readonly DataRow[], lines?: ArrayLike<number>): void {
    for (const { name, isWord } of this.columns) {
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
    if ([...this.found.values()].some(({ first }) => !Number.isNaN(numberOf(first, 'comma'))))
      print.talk(texts.fit.next(commandLine([...words, '--decimal', 'comma'])));
  }
}
