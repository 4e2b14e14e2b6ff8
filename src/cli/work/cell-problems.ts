import type { NumberStyle } from '../../data/cell-number.ts';
import { isBlank, isMarker, numberOf } from '../../data/cells.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { PolyaError } from '../../errors.ts';
import { fail, Problem } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';

/** Whether a cell is a number with a decimal comma. */
const hasDecimalComma = (cell: unknown): boolean =>
  Number.isNaN(numberOf(cell)) && !Number.isNaN(numberOf(cell, 'comma'));

/** Whether a cell of a column of numbers is neither a number nor missing. */
export const isWord = (cell: unknown, style?: NumberStyle): boolean =>
  Number.isNaN(numberOf(cell, style)) && !isBlank(cell) && !isMarker(cell);

/** The context of a message about a cell. */
export interface Place {
  readonly file: string;
  /** The letters of the columns of a spreadsheet. */
  readonly letters?: Readonly<Record<string, string>> | undefined;
  /** The words of the command, to propose a better one. */
  readonly words?: readonly string[];
  /** Whether the command has the option --no-strict. */
  readonly strict?: boolean;
  /** The column with the weights, if one was given. */
  readonly weights?: string | undefined;
}

/** Where a cell is: `data.csv:7`, or `book.xlsx:B7`. */
export const cellPlace = ({ file, letters }: Place, line: number | undefined, column: string): string =>
  `${safe(file)}:${letters?.[column] ?? ''}${line}`;

/** Runs work on a table; an error about a cell is reported with line and column. */
export function withCellErrors<T>(table: BlockTable, place: Place, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PolyaError && !(error instanceof Problem)) refuseCell(error, table, place);
    throw error;
  }
}

/** The same for asynchronous work. */
export async function withCellErrorsAsync<T>(table: BlockTable, place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return withCellErrors(table, place, () => {
      throw error;
    });
  }
}

/** Models may reorder rows, so the cell is found again by what is wrong with it. */
function refuseCell(error: PolyaError, table: BlockTable, place: Place): void {
  const { words, weights } = place;
  const wrong = faultOf(error, weights);
  if (!wrong) return;
  for (let i = 0; i < table.length; i++) {
    const names = wrong.column === undefined ? table.names : [wrong.column];
    const name = names.find((own) => wrong.isWrong(table.column(own).cell(i)));
    if (name === undefined) continue;
    const cell = table.column(name).cell(i);
    const line = table.line(i);
    const sentence = wrong.says(safe(name, 40), safe(String(cell), 40));
    fail(error.code, `${cellPlace(place, line, name)}  ${sentence}`, {
      details: { ...error.details, row: i, line, feature: name },
      notes: error.code === 'E_TYPE' ? [place.strict ? LENIENT : 'Correct the cell, or leave it empty.'] : [],
      command: words && hasDecimalComma(cell) ? commandLine([...words, '--decimal', 'comma']) : undefined,
      cause: error,
    });
  }
}

const LENIENT = 'Correct the cell, or treat such cells as missing: --no-strict';

interface Fault {
  /** The column that it is in, where it is known. */
  readonly column: string | undefined;
  isWrong(cell: unknown): boolean;
  says(column: string, cell: string): string;
}

function faultOf({ code, details }: PolyaError, weights: string | undefined): Fault | undefined {
  const { feature, limit } = details as { feature?: string; limit?: number };
  if (code === 'E_TYPE' && typeof feature === 'string')
    return {
      column: feature,
      isWrong: isWord,
      says: (column, cell) => `"${cell}" is not a number, but column "${column}" holds numbers.`,
    };
  if (code === 'E_NEGATIVE' && typeof feature === 'string')
    return {
      column: feature,
      isWrong: (cell) => numberOf(cell) < 0,
      says: (column, cell) => `column "${column}" holds ${cell}, but the model needs counts, which cannot be negative.`,
    };
  if (code === 'E_WEIGHT_INVALID' && weights !== undefined)
    return {
      column: weights,
      isWrong: (cell) => !isBlank(cell) && !(numberOf(cell) >= 0),
      says: (column, cell) => `"${cell}" in column "${column}" is not a weight; weights are numbers ≥ 0.`,
    };
  if (code === 'E_VALUE_RANGE' && typeof limit === 'number')
    return {
      column: undefined,
      isWrong: (cell) => Math.abs(numberOf(cell)) > limit,
      says: (column, cell) => `column "${column}" holds ${cell}; numbers beyond ${limit} are too large for the model.`,
    };
  return undefined;
}
