import type { State } from '../core/artifact.ts';
import type { Matrix } from '../data/matrix.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { cellOf, type DataRow, wordOf } from './cells.ts';
import { type Frame, readFrame } from './records.ts';
import { ColumnPool } from './records-pool.ts';
import type { SchemaColumn } from './schema.ts';
import { TextBayes } from './text-bayes.ts';
import { TextPool } from './text-pool.ts';

/** What one feature adds to the score of each class. */
export interface Term {
  /** The column. */
  readonly feature: string;
  /** The cell, or the word of a text. */
  readonly value: unknown;
  readonly byClass: Float64Array;
}

/** A part of a classifier that looks at some columns of a record. */
export interface Opinion {
  /** The names of its columns. */
  readonly columns: readonly SchemaColumn[];
  predictLogProba(rows: readonly DataRow[]): Matrix;
  /** ln p(x), where the models give one. */
  logEvidence(rows: readonly DataRow[]): Float64Array | undefined;
  /** What features add to the score of one row, and what belongs to none. */
  terms(row: DataRow): { terms: Term[]; rest: Float64Array };
  /** Whether a row says anything at all. */
  hears(row: DataRow): boolean;
  toState(): State;
}

/** The opinion of the columns that are no text. */
export class ColumnOpinion implements Opinion {
  readonly columns: readonly SchemaColumn[];
  private readonly model: ColumnPool;

  constructor(model: ColumnPool, columns: readonly SchemaColumn[]) {
    this.model = model;
    this.columns = columns;
  }

  predictLogProba(rows: readonly DataRow[]): Matrix {
    return this.model.predictLogProba(this.read(rows));
  }

  logEvidence(rows: readonly DataRow[]): Float64Array {
    return this.model.logEvidence(this.read(rows));
  }

  terms(row: DataRow): { terms: Term[]; rest: Float64Array } {
    const { byColumn, rest } = this.model.terms(this.read([row]));
    const terms = [...byColumn].map(([j, byClass]) => {
      const { name } = this.columns[j];
      return { feature: name, value: cellOf(row, name), byClass };
    });
    return { terms, rest };
  }

  hears(row: DataRow): boolean {
    return this.read([row]).columns.some((column) => !Number.isNaN(column[0]));
  }

  toState(): State {
    return this.model.toState();
  }

  private read(rows: readonly DataRow[]): Frame {
    return readFrame(rows, this.columns);
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

  predictLogProba(rows: readonly DataRow[]): Matrix {
    return this.model.predictLogProba(textOf(rows, this.columns[0].name));
  }

  logEvidence(): undefined {
    return undefined;
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

  toState(): State {
    return this.model.toState();
  }
}

/** The documents of a column; an empty one for what is missing. */
export function textOf(rows: readonly DataRow[], name: string): string[] {
  return rows.map((row) => {
    const cell = cellOf(row, name);
    return cell === null || cell === undefined ? '' : wordOf(cell);
  });
}

/** An opinion from its state, over the columns that it is of. */
export function opinionFrom(state: State, columns: readonly SchemaColumn[]): Opinion {
  if (state.kind === 'ColumnPool') return new ColumnOpinion(ColumnPool.fromState(state), columns);
  if (state.kind === 'TextBayes') return new TextOpinion(TextBayes.fromState(state), columns[0]);
  const vectorizer = (inner: State) => new CountVectorizer(inner.params as never).restore(inner);
  return new TextOpinion(TextPool.fromState(state, vectorizer), columns[0]);
}
