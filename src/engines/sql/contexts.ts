import { column, type Frame, rowsOf } from './frame.ts';
import { weightOf } from './grouped.ts';

/** How often a value occurred in a class together with the values of other columns. */
export interface ContextCount {
  readonly label: string;
  /** The values of the other columns, null if missing, and then the value itself. */
  readonly levels: readonly (string | null)[];
  readonly weight: number;
}

/** Groups by class and columns; rows in which the last column is missing are skipped. `cells` are texts. */
export async function countContexts(
  frame: Frame,
  cells: readonly string[],
  take: (count: ContextCount) => void,
): Promise<void> {
  const q = (name: string) => column(frame, name);
  const groups = [q('y'), ...cells.map((_, k) => q(`x${k}`))];
  const named = [...groups, weightOf(frame)].map((value, at) => `${value} AS ${q(`a${at}`)}`).join(', ');
  const present = `${groups[cells.length]} IS NOT NULL`;
  const sql = `SELECT ${named} FROM ${rowsOf(frame, cells)} WHERE ${present} GROUP BY ${groups.join(', ')}`;
  for await (const { rows, columns } of frame.engine.query(sql, frame.options)) {
    const [labels, levels] = [columns[0] as string[], columns.slice(1, -1) as (string | null)[][]];
    const weights = columns[columns.length - 1] as Float64Array;
    for (let i = 0; i < rows; i++) {
      take({ label: labels[i], levels: levels.map((own) => own[i]), weight: weights[i] });
    }
  }
}
