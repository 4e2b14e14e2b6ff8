import type { ColumnTable } from '../data/column-table.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { MixedColumn } from '../estimators/mixed-columns.ts';
import type { RecordLearner } from './learner.ts';
import { priorShift } from './learner-priors.ts';
import { textColumns } from './learner-table.ts';

/** What one feature adds to the score of each class. */
export interface Term {
  /** The column. */
  readonly feature: string;
  /** The cell, or the word of a text. */
  readonly value: unknown;
  readonly byClass: Float64Array;
}

/** What the cells and words of the first row add to the score of each class, and what belongs to none of them. */
export function termsOf(learner: RecordLearner, table: ColumnTable): { terms: Term[]; rest: Float64Array } {
  const { estimator, plan } = learner;
  const { model, params, name, rows } = estimator.inside();
  const { features, terms, rest } = model.terms(params as never, rows(learner.inputOf(table)), 0);
  const shift = priorShift(estimator, plan.priors);
  const prior = model.logPrior(params as never);
  const classes = prior.length;
  const meaning = featureMeaning(learner, name);
  const sources = new Map(plan.columns.map((own) => [own.name, own.from]));
  return {
    terms: Array.from(features, (j, f): Term => {
      const { column, word } = meaning(j);
      const value = word ?? table.column(sources.get(column) ?? column).cell(0);
      return { feature: column, value, byClass: terms.slice(f * classes, (f + 1) * classes) };
    }),
    rest: rest.map((value, c) => value + prior[c] + (shift ? shift[c] : 0)),
  };
}

/** What a feature stands for: a column, or a word of one. */
type Meaning = (feature: number) => { readonly column: string; readonly word?: string };

/** A function from the places of features to what they stand for. */
export function featureMeaning(learner: RecordLearner, name: (j: number) => string | number): Meaning {
  const texts = textColumns(learner.plan.columns).map((column, b) => {
    const vectorizer = learner.vectorizers[b];
    const words = vectorizer instanceof CountVectorizer ? vectorizer.known().terms : undefined;
    return { name: column.name, words, width: words?.length ?? Object(vectorizer.getParams()).nFeatures };
  });
  if (texts.length === 0) return (j) => ({ column: String(name(j)) });
  const { columns } = learner.estimator as unknown as { columns?: readonly MixedColumn[] };
  const blocks = (columns ?? texts).map((block) => ({
    name: block.name as string,
    width: (block.width as number | undefined) ?? 1,
    text: block.width === undefined ? undefined : texts.find((text) => text.name === block.name),
  }));
  return (feature) => {
    let place = feature;
    const block = blocks.find(({ width }) => place < width || void (place -= width))!;
    if (!block.text) return { column: block.name };
    return { column: block.name, word: block.text.words?.[place] ?? `#${place}` };
  };
}
