import { load } from '../../auto/load.ts';
import type { RecordOptions } from '../../auto/record-check.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { concat } from '../../math/arrays.ts';
import type { Work } from '../../node/pool.ts';
import { inPlace, type Place } from './cell-problems.ts';
import { type Judge, judgeOf } from './model-input.ts';
import { type RowRules, takeRows, type Unlabelled, withLabels } from './table-rows.ts';

/** What a thread needs to score labelled rows. */
export interface ScoreSetup {
  /** The bytes of the model, for a thread that does not have it. */
  readonly model?: Uint8Array;
  readonly file: string;
  readonly checks: RecordOptions;
  readonly target: string;
  readonly rows: RowRules;
  readonly place: Place;
  /** A column whose cells are wanted too. */
  readonly by: string | undefined;
}

/** The labels of the rows of one piece, and ln p(c | x) of each row. */
export interface ScoreFound extends Unlabelled {
  readonly truth: readonly string[];
  readonly logProba: Float64Array;
  readonly by: readonly string[];
}

/** Scores the labelled rows of tables. */
export class ScoreWork implements Work<ScoreFound, undefined> {
  private readonly setup: ScoreSetup;
  private readonly judge: Judge;

  constructor({ model, ...setup }: ScoreSetup, judge?: Judge) {
    this.setup = setup;
    this.judge = judge ?? judgeOf(load(model!), setup.file, setup.checks);
  }

  take(tables: Iterable<BlockTable>): ScoreFound {
    const { target, rows, place, by } = this.setup;
    const [truth, cells, parts]: [string[], string[], Float64Array[]] = [[], [], []];
    const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
    for (const whole of tables) {
      const table = withLabels(takeRows(whole, rows), target, missing);
      if (table.length === 0) continue;
      for (const label of table.column(target).cells()) truth.push(String(label));
      if (by !== undefined) for (const cell of table.column(by).cells()) cells.push(String(cell ?? ''));
      parts.push(inPlace(table, place, () => this.judge.predictLogProba(table)).data);
    }
    return { truth, logProba: concat(parts), by: cells, ...missing };
  }

  end(): undefined {
    return undefined;
  }
}
