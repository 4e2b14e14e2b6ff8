import { learnTable } from '../../auto/classifier-family.ts';
import { type LearnerState, type Plan, RecordLearner } from '../../auto/learner.ts';
import { load } from '../../auto/load.ts';
import type { RecordOptions } from '../../auto/record-check.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { PolyaError } from '../../errors.ts';
import { type RowSplit, splitTable } from '../../evaluate/held-out.ts';
import { concat } from '../../math/arrays.ts';
import { type RowBytes, rowsOf } from '../../node/kept-rows.ts';
import { cores, type Piece, runPool, type Work, type WorkMaker } from '../../node/pool.ts';
import { blockWorker } from '../block-worker-file.ts';
import type { RowSource } from '../data.ts';
import type { Context } from '../declare.ts';
import { type Hints, Problem } from '../problem.ts';
import { Answers, type Rules } from './answer.ts';
import { type AnswerForm, AnswerLines } from './answer-lines.ts';
import { type Place, withCellErrors } from './cell-problems.ts';
import { type Scorer, scorerOf, withSeparator } from './model-input.ts';
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
  /** The parts of the rows, which are counted separately; without it, all rows are one part. */
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
}

/** What was learned from the rows of each part: in another thread as plain data. */
export type LearnTotal = readonly (RecordLearner | LearnerState)[];

/** Counts the rows of tables, each part separately, so that models with and without a part take one pass. */
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
      const numbers = split && splitTable(table, split);
      for (const [part, learner] of this.parts.entries()) {
        const own = numbers ? table.take(numbers[part]) : table;
        rows[part] += own.length;
        this.learn(learner, own);
        if (!numbers || own.length === 0 || !keeps.includes(part)) continue;
        const lines = Float64Array.from(numbers[part], (row) => table.line(row));
        kept.push({ part, ...rowsOf(whole, lines) });
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
    withCellErrors(table, place, () => learnTable(learner, table, { target, weight }));
  }
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
  private readonly scorer: Scorer;

  constructor({ model, ...setup }: ScoreSetup, scorer?: Scorer) {
    this.setup = setup;
    this.scorer = scorer ?? scorerOf(load(model!), setup.file, setup.checks);
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
      parts.push(withCellErrors(table, place, () => this.scorer.predictLogProba(table)).data);
    }
    return { truth, logProba: concat(parts), by: cells, ...missing };
  }

  end(): undefined {
    return undefined;
  }
}

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
  private readonly scorer: Scorer;
  private readonly lines: AnswerLines;

  /** The model is loaded unless it is given. */
  constructor({ model, ...setup }: PredictSetup, scorer?: Scorer) {
    this.setup = setup;
    this.scorer = scorer ?? withSeparator(scorerOf(load(model), setup.file, setup.checks), model);
    this.lines = new AnswerLines(this.scorer, setup.rules, setup.form);
  }

  take(tables: Iterable<BlockTable>): PredictFound {
    const { rows: rules, place } = this.setup;
    const found = { lines: '', rows: 0, rejected: 0 };
    for (const whole of tables) {
      const table = takeRows(whole, rules);
      const answers = withCellErrors(table, place, () => new Answers(this.scorer, table, this.setup.rules));
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

/** What each work is given and gives. */
interface Kinds {
  learn: { setup: LearnSetup; found: LearnFound; total: LearnTotal };
  predict: { setup: PredictSetup; found: PredictFound; total: undefined };
  score: { setup: ScoreSetup; found: ScoreFound; total: undefined };
}

/** What threads do with the pieces of data, by name. */
export const works: {
  readonly [N in keyof Kinds]: WorkMaker<Kinds[N]['setup'], Kinds[N]['found'], Kinds[N]['total']>;
} = {
  learn: (setup) => new LearnWork(setup),
  predict: (setup) => new PredictWork(setup),
  score: (setup) => new ScoreWork(setup),
};

/** Runs a work over pieces of data on every core, and reports errors with the file. */
export function run<Name extends keyof Kinds>(
  context: Context,
  source: RowSource,
  pieces: AsyncIterable<Piece>,
  name: Name,
  setup: Kinds[Name]['setup'],
  options: {
    readonly lanes?: number | undefined;
    readonly sent?: () => Kinds[Name]['setup'];
    /** Makes the work of this thread, if something of it is already here. */
    readonly make?: WorkMaker<Kinds[Name]['setup'], Kinds[Name]['found'], Kinds[Name]['total']>;
    /** The size of all pieces, where they are not the whole source. */
    readonly bytes?: number | undefined;
    readonly onFound?: (found: Kinds[Name]['found'], piece: Piece) => void | Promise<void>;
  },
): Promise<Kinds[Name]['total'][]> {
  const { threads } = context.options;
  return runPool<Kinds[Name]['setup'], Kinds[Name]['found'], Kinds[Name]['total']>(pieces, {
    make: works[name],
    ...options,
    worker: blockWorker,
    name,
    setup,
    threads: threads ?? cores(),
    bytes: threads === undefined ? (options.bytes ?? source.bytesTotal) : undefined,
    refuse: (error, piece) => source.refuse(problemFrom(error), piece.file),
  });
}

/** A problem that comes from another thread has its hints, but is a plain refusal. */
function problemFrom(error: unknown): unknown {
  if (!(error instanceof PolyaError) || error instanceof Problem || !('hints' in error)) return error;
  return new Problem(error.code, error.message, error.hints as Hints);
}
