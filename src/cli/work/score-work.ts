import { load } from '../../auto/load.ts';
import type { RecordOptions } from '../../auto/record-check.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { type RowSplit, splitTable } from '../../evaluate/held-out.ts';
import type { Work } from '../../node/pool.ts';
import { inPlace, type Place } from './cell-problems.ts';
import { type Judge, judgeOf } from './model-input.ts';
import { type RowRules, takeRows, withLabels } from './table-rows.ts';

/** One part of a split. */
export interface PartOfRows {
  readonly split: RowSplit;
  readonly part: number;
}

/** What a thread needs to score labelled rows. */
export interface ScoreSetup {
  /** The bytes of the model, for a thread that does not have it. */
  readonly model?: Uint8Array;
  readonly file: string;
  readonly checks: RecordOptions;
  readonly target: string;
  readonly rows: RowRules;
  readonly place: Place;
  /** Only the rows of one part are scored; all where there is none. */
  readonly only: PartOfRows | undefined;
  /** A column whose cells are wanted too. */
  readonly by: string | undefined;
}

/** The labels of the rows of one piece, and ln p(c | x) of each row. */
export interface ScoreFound {
  readonly truth: readonly string[];
  readonly logProba: Float64Array;
  readonly by: readonly string[];
  /** The numbers of the scored rows among those with a label, and how many these are. */
  readonly places: readonly number[];
  readonly labelled: number;
  readonly unlabelled: number;
  /** The line of the first row without a label. */
  readonly firstUnlabelled: number | undefined;
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
    const { target, rows, only, place, by } = this.setup;
    const [truth, cells, parts]: [string[], string[], Float64Array[]] = [[], [], []];
    const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
    const places: number[] = [];
    let before = 0;
    for (const whole of tables) {
      const labelled = withLabels(takeRows(whole, rows), target, missing);
      const asked = only ? splitTable(labelled, only.split)[only.part] : [...Array(labelled.length).keys()];
      for (const i of asked) places.push(before + i);
      before += labelled.length;
      if (asked.length === 0) continue;
      const table = only ? labelled.take(asked) : labelled;
      for (const label of table.column(target).cells()) truth.push(String(label));
      if (by !== undefined) for (const cell of table.column(by).cells()) cells.push(String(cell ?? ''));
      parts.push(inPlace(table, place, () => this.judge.predictLogProba(table)).data);
    }
    return { truth, logProba: joined(parts), by: cells, places, labelled: before, ...missing };
  }

  end(): undefined {
    return undefined;
  }
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
