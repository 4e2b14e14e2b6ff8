import { learnTable } from '../../auto/classifier-stream.ts';
import { type LearnerState, RecordLearner } from '../../auto/learner.ts';
import type { Plan } from '../../auto/learner-plan.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { type RowSplit, splitTable } from '../../evaluate/held-out.ts';
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
  /** Which rows are counted apart, to evaluate with. */
  readonly split: RowSplit | undefined;
}

/** What is known of the rows of one piece. */
export interface LearnFound extends Unlabelled {
  /** Rows with a label. */
  readonly rows: number;
  /** Of these, rows that are counted apart. */
  readonly held: number;
}

/** What was learned from the training rows, and from the held-out rows: in another thread as plain data. */
export type LearnTotal = readonly [train: RecordLearner | LearnerState, held: RecordLearner | LearnerState | undefined];

/** Counts the rows of tables; held-out rows are counted apart, so that the evaluated model and the model of all rows take one pass. */
export class LearnWork implements Work<LearnFound, LearnTotal> {
  private readonly setup: LearnSetup;
  private readonly train: RecordLearner;
  private readonly held: RecordLearner | undefined;

  constructor(setup: LearnSetup) {
    this.setup = setup;
    this.train = RecordLearner.fromState(setup.plan, setup.learner);
    this.held = setup.split && RecordLearner.fromState(setup.plan, setup.learner);
  }

  take(tables: Iterable<BlockTable>): LearnFound {
    const { target, rows: rules, split } = this.setup;
    const found = { rows: 0, held: 0, unlabelled: 0, firstUnlabelled: undefined as number | undefined };
    for (const whole of tables) {
      const table = withLabels(takeRows(whole, rules), target, found);
      found.rows += table.length;
      if (!split || !this.held) this.learn(this.train, table);
      else {
        const [train, held] = splitTable(table, split);
        found.held += held.length;
        this.learn(this.train, table.take(train));
        this.learn(this.held, table.take(held));
      }
    }
    return found;
  }

  end(sent: boolean): LearnTotal {
    return sent ? [this.train.toState(), this.held?.toState()] : [this.train, this.held];
  }

  private learn(learner: RecordLearner, table: BlockTable): void {
    if (table.length === 0) return;
    const { target, weight, place } = this.setup;
    inPlace(table, place, () => learnTable(learner, table, { target, weight }));
  }
}
