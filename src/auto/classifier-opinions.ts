import type { State, StateOptions } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { restore } from '../estimators/restore.ts';
import { cellOf, type DataRow } from './cells.ts';
import type { RecordLearner } from './learner.ts';
import { readLearner, saveLearner } from './learner-saved.ts';
import { saysSomething, textOf } from './learner-table.ts';
import { type Term, termsOf } from './learner-terms.ts';
import { countCells, readFrame } from './records.ts';
import { ColumnPool } from './records-pool.ts';
import { type ColumnFeature, columnFeatures, type SchemaColumn } from './schema.ts';
import { TextBayes } from './text-bayes.ts';
import { TextPool } from './text-pool.ts';

/** What is thought of rows: ln p(c | x), and ln p(x) where the models give one. */
export interface Judgement {
  readonly logProba: Matrix;
  readonly logEvidence: Float64Array | undefined;
}

/** A part of a classifier that looks at some columns of a record. */
export interface Opinion {
  /** Its columns. */
  readonly columns: readonly Pick<SchemaColumn, 'name'>[];
  /** What it thinks of rows; `evidence` asks for ln p(x) as well. */
  judge(rows: readonly DataRow[], evidence: boolean): Judgement;
  /** What features add to the score of one row, and what belongs to none. */
  terms(row: DataRow): { terms: Term[]; rest: Float64Array };
  /** Whether a row says anything at all. */
  hears(row: DataRow): boolean;
  /** How many of its columns are present in each row. */
  presentIn(rows: readonly DataRow[]): Float64Array;
  /** ln p(c); undefined where a file of version 0.1 does not tell. */
  readonly logPrior: Float64Array | undefined;
  toState(options?: StateOptions): State;
}

/** The opinion of the columns that are no text. */
export class ColumnOpinion implements Opinion {
  readonly columns: readonly SchemaColumn[];
  private readonly model: ColumnPool;
  private readonly features: readonly ColumnFeature[];

  constructor(model: ColumnPool, columns: readonly SchemaColumn[]) {
    this.model = model;
    this.columns = columns;
    this.features = columns.flatMap(columnFeatures);
  }

  judge(rows: readonly DataRow[], evidence: boolean): Judgement {
    const frame = readFrame(rows, this.columns);
    const logEvidence = evidence ? this.model.logEvidence(frame) : undefined;
    return { logProba: this.model.predictLogProba(frame), logEvidence };
  }

  terms(row: DataRow): { terms: Term[]; rest: Float64Array } {
    const { byColumn, rest } = this.model.terms(readFrame([row], this.columns));
    const terms = [...byColumn].map(([j, byClass]) => {
      const { name, column } = this.features[j];
      return { feature: name, value: cellOf(row, column.name), byClass };
    });
    return { terms, rest };
  }

  hears(row: DataRow): boolean {
    return readFrame([row], this.columns).columns.some((column) => !Number.isNaN(column[0]));
  }

  presentIn(rows: readonly DataRow[]): Float64Array {
    return countCells(readFrame(rows, this.columns));
  }

  get logPrior(): Float64Array {
    return this.model.members[0].logPrior;
  }

  toState(options?: StateOptions): State {
    return this.model.toState(options);
  }
}

/** The opinion of one column of text. */
export class TextOpinion implements Opinion {
  readonly columns: readonly SchemaColumn[];
  private readonly model: TextPool | TextBayes;

  constructor(model: TextPool | TextBayes, column: SchemaColumn) {
    this.model = model;
    this.columns = [column];
  }

  judge(rows: readonly DataRow[]): Judgement {
    return { logProba: this.model.predictLogProba(textOf(rows, this.columns[0].name)), logEvidence: undefined };
  }

  terms(row: DataRow): { terms: Term[]; rest: Float64Array } {
    const [{ name }] = this.columns;
    const [{ contributions, prior, rest }] = this.model.explain(textOf([row], name));
    const terms = contributions.map(({ feature, byClass }) => ({ feature: name, value: feature, byClass }));
    return { terms, rest: rest.map((value, c) => value + prior[c]) };
  }

  hears(row: DataRow): boolean {
    return textOf([row], this.columns[0].name)[0].trim() !== '';
  }

  presentIn(rows: readonly DataRow[]): Float64Array {
    return this.model.presentIn(textOf(rows, this.columns[0].name));
  }

  get logPrior(): Float64Array | undefined {
    return this.model.logPrior;
  }

  toState(options?: StateOptions): State {
    return this.model.toState(options);
  }
}

/** The opinion of one family over all columns, which keeps its counts. */
export class CountingOpinion implements Opinion {
  readonly learner: RecordLearner;
  /** It was saved without its counts. */
  readonly slim: boolean;

  constructor(learner: RecordLearner, slim = false) {
    this.learner = learner;
    this.slim = slim;
  }

  get columns(): readonly Pick<SchemaColumn, 'name'>[] {
    const names = new Set(this.learner.plan.columns.map(({ name, from = name }) => from));
    return Array.from(names, (name) => ({ name }));
  }

  judge(rows: readonly DataRow[]): Judgement {
    const { logProba, logEvidence } = this.learner.posterior(rows);
    const isDensity = this.learner.plan.model !== 'complement';
    return {
      logProba: new Matrix(rows.length, logProba.length / rows.length, logProba),
      logEvidence: isDensity ? logEvidence : undefined,
    };
  }

  terms(row: DataRow): { terms: Term[]; rest: Float64Array } {
    const { learner } = this;
    return learner.presentIn([row])[0] > 0 ? termsOf(learner, row) : { terms: [], rest: learner.logPrior };
  }

  hears(row: DataRow): boolean {
    return saysSomething(row, this.learner.plan.columns);
  }

  presentIn(rows: readonly DataRow[]): Float64Array {
    return this.learner.presentIn(rows);
  }

  get logPrior(): Float64Array {
    return this.learner.logPrior;
  }

  toState(options?: StateOptions): State {
    return saveLearner(this.learner, options);
  }
}

/** An opinion from its state, over the columns that it is of. */
export function opinionFrom(state: State, columns: readonly SchemaColumn[]): Opinion {
  if (state.kind === 'RecordLearner') {
    return new CountingOpinion(readLearner(state), state.steps?.at(-1)?.learned.slim === true);
  }
  if (state.kind === 'ColumnPool') return new ColumnOpinion(ColumnPool.fromState(state), columns);
  if (state.kind === 'TextBayes') return new TextOpinion(TextBayes.fromState(state), columns[0]);
  const vectorizer = (inner: State) => restore(new CountVectorizer(inner.params as never), inner);
  return new TextOpinion(TextPool.fromState(state, vectorizer), columns[0]);
}
