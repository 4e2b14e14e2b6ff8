import { load } from '../../auto/load.ts';
import type { RecordOptions } from '../../auto/record-check.ts';
import type { BlockTable } from '../../data/column-table.ts';
import type { Work } from '../../node/pool.ts';
import { Answers, type Rules } from './answer.ts';
import { type AnswerForm, AnswerLines } from './answer-lines.ts';
import { inPlace, type Place } from './cell-problems.ts';
import { type Judge, judgeOf } from './model-input.ts';
import { type RowRules, takeRows } from './table-rows.ts';

/** What a thread needs to answer about tables. */
export interface PredictSetup {
  readonly model: Uint8Array;
  readonly file: string;
  readonly checks: RecordOptions;
  readonly rows: RowRules;
  readonly place: Place;
  readonly rules: Rules;
  readonly form: AnswerForm;
}

/** The answers about the rows of one piece, as they are written. */
export interface PredictFound {
  readonly lines: string;
  readonly rows: number;
  readonly rejected: number;
}

/** Answers about the rows of tables. */
export class PredictWork implements Work<PredictFound, undefined> {
  private readonly setup: Omit<PredictSetup, 'model'>;
  private readonly judge: Judge;
  private readonly lines: AnswerLines;

  /** The model is loaded unless it is given. */
  constructor({ model, ...setup }: PredictSetup, judge?: Judge) {
    this.setup = setup;
    this.judge = judge ?? judgeOf(load(model), setup.file, setup.checks);
    this.lines = new AnswerLines(this.judge, setup.rules, setup.form);
  }

  take(tables: Iterable<BlockTable>): PredictFound {
    const { rows: rules, place } = this.setup;
    const found = { lines: '', rows: 0, rejected: 0 };
    for (const whole of tables) {
      const table = takeRows(whole, rules);
      const answers = inPlace(table, place, () => new Answers(this.judge, table, this.setup.rules));
      found.lines += this.lines.of(answers, table);
      found.rows += table.length;
      for (let i = 0; i < answers.length; i++) if (answers.isRejected(i)) found.rejected++;
    }
    return found;
  }

  end(): undefined {
    return undefined;
  }
}
