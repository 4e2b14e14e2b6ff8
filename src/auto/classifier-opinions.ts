import type { State, StateOptions } from '../core/artifact.ts';
import { isBlank } from '../data/cells.ts';
import type { ColumnTable } from '../data/column-table.ts';
import { Matrix } from '../data/matrix.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { restore } from '../estimators/restore.ts';
import type { Document } from '../text/documents.ts';
import { type Term, termsOf } from './informative.ts';
import type { RecordLearner } from './learner.ts';
import { readLearner, saveLearner } from './learner-saved.ts';
import { saysSomething, textsOf } from './learner-table.ts';
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
  /** Scores rows; `evidence` asks for ln p(x) as well. */
  judge(table: ColumnTable, evidence: boolean): Judgement;
  /** What features add to the score of the first row, and what belongs to none. */
  terms(table: ColumnTable): { terms: Term[]; rest: Float64Array };
  /** Which rows have a cell that it reads. */
  hears(table: ColumnTable): boolean[];
  /** How many of its columns are present in each row. */
  presentIn(table: ColumnTable): Float64Array;
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

  judge(table: ColumnTable, evidence: boolean): Judgement {
    const frame = readFrame(table, this.columns);
    const logEvidence = evidence ? this.model.logEvidence(frame) : undefined;
    return { logProba: this.model.predictLogProba(frame), logEvidence };
  }

  terms(table: ColumnTable): { terms: Term[]; rest: Float64Array } {
    const { byColumn, rest } = this.model.terms(readFrame(table, this.columns));
    const terms = [...byColumn].map(([j, byClass]) => {
      const { name, column } = this.features[j];
      return { feature: name, value: table.column(column.name).cell(0), byClass };
    });
    return { terms, rest };
  }

  hears(table: ColumnTable): boolean[] {
    return Array.from(this.presentIn(table), (count) => count > 0);
  }

  presentIn(table: ColumnTable): Float64Array {
    return countCells(readFrame(table, this.columns));
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

  judge(table: ColumnTable): Judgement {
    return { logProba: this.model.predictLogProba(this.documents(table)), logEvidence: undefined };
  }

  terms(table: ColumnTable): { terms: Term[]; rest: Float64Array } {
    const [{ name }] = this.columns;
    const [{ contributions, prior, rest }] = this.model.explain(this.documents(table));
    const terms = contributions.map(({ feature, byClass }) => ({ feature: name, value: feature, byClass }));
    return { terms, rest: rest.map((value, c) => value + prior[c]) };
  }

  hears(table: ColumnTable): boolean[] {
    return textsOf(table, this.columns[0].name).map((text) => !isBlank(text));
  }

  presentIn(table: ColumnTable): Float64Array {
    return this.model.presentIn(this.documents(table));
  }

  private documents(table: ColumnTable): readonly Document[] {
    return table.column(this.columns[0].name).documents();
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

  judge(table: ColumnTable): Judgement {
    const { logProba, logEvidence } = this.learner.posterior(table);
    const isDensity = this.learner.plan.model !== 'complement';
    return {
      logProba: new Matrix(table.length, logProba.length / table.length, logProba),
      logEvidence: isDensity ? logEvidence : undefined,
    };
  }

  terms(table: ColumnTable): { terms: Term[]; rest: Float64Array } {
    const { learner } = this;
    return learner.presentIn(table)[0] > 0 ? termsOf(learner, table) : { terms: [], rest: learner.logPrior };
  }

  hears(table: ColumnTable): boolean[] {
    return saysSomething(table, this.learner.plan.columns);
  }

  presentIn(table: ColumnTable): Float64Array {
    return this.learner.presentIn(table);
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
