import { learnTable } from '../../auto/classifier-stream.ts';
import { type LearnerState, type Plan, RecordLearner } from '../../auto/learner.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { type RowSplit, splitTable } from '../../evaluate/held-out.ts';
import { sum } from '../../math/arrays.ts';
import { type RowBytes, rowsOf } from '../../node/kept-rows.ts';
import type { Work } from '../../node/pool.ts';
import { inPlace, type Place } from './cell-problems.ts';
import { type RowRules, takeRows, type Unlabelled, withLabels } from './table-rows.ts';

/** What a thread needs to learn from tables. */
export interface LearnSetup {
  readonly plan: Plan;
  /** A learner of the plan that has learned nothing. */
  readonly learner: LearnerState;
  readonly target: string;
  /** The column with the weight of each row. */
  readonly weight: string | undefined;
  readonly rows: RowRules;
  readonly place: Place;
  /** The parts of the rows, which are counted apart; all are one part where there is none. */
  readonly split: RowSplit | undefined;
  /** The parts whose rows are needed again. */
  readonly keeps: readonly number[];
}

/** What is known of the rows of one piece. */
export interface LearnFound extends Unlabelled {
  /** Rows with a label, by part. */
  readonly rows: readonly number[];
  /** The rows that are needed again. */
  readonly kept: readonly FoundPart[];
}

/** Rows of one part of a table. */
export interface FoundPart extends RowBytes {
  readonly part: number;
  /** The numbers of the rows among those of the piece that have a label. */
  readonly places: readonly number[];
}

/** What was learned from the rows of each part: in another thread as plain data. */
export type LearnTotal = readonly (RecordLearner | LearnerState)[];

/** Counts the rows of tables, each part apart, so that models with and without a part take one pass. */
export class LearnWork implements Work<LearnFound, LearnTotal> {
  private readonly setup: LearnSetup;
  private readonly parts: readonly RecordLearner[];

  constructor(setup: LearnSetup) {
    this.setup = setup;
    const { plan, learner, split } = setup;
    const first = RecordLearner.fromState(plan, learner);
    this.parts = (split?.shares ?? [1]).map((_, part) => (part === 0 ? first : first.blank(first)));
  }

  take(tables: Iterable<BlockTable>): LearnFound {
    const { target, rows: rules, split, keeps } = this.setup;
    const found = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
    const rows = this.parts.map(() => 0);
    const kept: FoundPart[] = [];
    for (const whole of tables) {
      const table = withLabels(takeRows(whole, rules), target, found);
      const before = sum(rows);
      const numbers = split && splitTable(table, split);
      for (const [part, learner] of this.parts.entries()) {
        const own = numbers ? table.take(numbers[part]) : table;
        rows[part] += own.length;
        this.learn(learner, own);
        if (!numbers || own.length === 0 || !keeps.includes(part)) continue;
        const places = numbers[part].map((row) => before + row);
        kept.push({
          part,
          places,
          ...rowsOf(
            whole,
            Float64Array.from(numbers[part], (row) => table.line(row)),
          ),
        });
      }
    }
    return { rows, kept, ...found };
  }

  end(sent: boolean): LearnTotal {
    return sent ? this.parts.map((part) => part.toState()) : this.parts;
  }

  private learn(learner: RecordLearner, table: BlockTable): void {
    if (table.length === 0) return;
    const { target, weight, place } = this.setup;
    inPlace(table, place, () => learnTable(learner, table, { target, weight }));
  }
}
