import { TermCells } from '../auto/text-counts.ts';
import { TextPool } from '../auto/text-pool.ts';
import { LearningView, type ViewMember } from '../auto/text-view.ts';
import type { State } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { ask, type Frame, partOf } from '../engines/sql/frame.ts';
import { refuse } from '../errors.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import { SavedArrays } from '../estimators/learned.ts';
import { tensor } from '../estimators/persist.ts';
import { restore } from '../estimators/restore.ts';
import { TextEnsemble } from '../node/estimator-work.ts';
import { type Classes, ordered, requireSameClasses, sortLabels } from './classes.ts';
import type { Opened } from './source.ts';
import { countDocuments, rulesOf } from './text.ts';
import { rootQuery } from './text-query.ts';
import { learnTexts, readsTextsHere } from './text-stream.ts';
import { readTerms } from './vocabulary.ts';

/** An ensemble of text, from its state, with the counts of all texts of a column; weights of terms stay as they are. */
export async function countTextPool(
  state: State,
  opened: Opened,
  column: EngineColumn,
  fitted: readonly Label[],
): Promise<TextPool> {
  if (readsTextsHere(opened.frame.engine)) return learnTextPool(state, opened, column, fitted);
  const saved = new SavedArrays(state);
  const { learned, steps = [] } = state;
  const { views, members } = learned as unknown as { views: readonly string[]; members: readonly ViewMember[][] };
  const [curves, bias] = ['curves', 'bias'].map((name) => saved.take(name));
  const parts = views.length + 1;
  const { labels, n, cell } = await countDocuments(partOf(opened.frame, 0, parts), column, undefined, true);
  const classes = sortLabels(labels, opened.target);
  requireSameClasses(classes.labels, fitted);
  const arrays: Record<string, Tensor> = { curves: tensor(curves), bias: tensor(bias), n: tensor(ordered(classes, n)) };
  const vectorizers: State[] = [];
  for (const [v, name] of views.entries()) {
    const vectorizer = restore(new CountVectorizer(steps[v].params as CountVectorizerOptions), steps[v]);
    const view = LearningView.load(name, v, vectorizer, members[v], saved, fitted.length);
    const cells = await countCells(vectorizer, partOf(opened.frame, v + 1, parts), cell, classes);
    vectorizers.push(new LearningView(name, vectorizer, view.members, cells).save(v, arrays));
  }
  return TextPool.fromState(column, { ...state, arrays, steps: vectorizers }, fitted);
}

/** The same for texts that are read in this process: with its own counter, on every core. */
async function learnTextPool(
  state: State,
  opened: Opened,
  column: EngineColumn,
  fitted: readonly Label[],
): Promise<TextPool> {
  const blank = new TextEnsemble(TextPool.fromState(column, state, fitted).blank());
  const { pool } = (await learnTexts(opened, column, blank, true)) ?? blank;
  requireSameClasses(pool.classes, fitted);
  return pool;
}

/** The cells of one view, for the ids of its reader, which learns the terms. */
async function countCells(
  vectorizer: CountVectorizer,
  frame: Frame,
  cell: string,
  { placeOf }: Classes,
): Promise<TermCells> {
  const rules = rulesOf(frame.engine, vectorizer);
  const { reader } = vectorizer.known();
  frame.totals?.skip();
  const { terms, parts } = await readTerms(ask(frame, rootQuery(frame, cell, rules)), placeOf, reader);
  if (terms.length === 0) refuse('E_EMPTY_INPUT', 'the documents hold no words to learn from');
  const length = parts.reduce((sum, { ids }) => sum + ids.length, 0);
  const listed = {
    ends: new Uint32Array(terms.length),
    classes: new Uint32Array(length),
    sums: new Float64Array(length),
  };
  let at = 0;
  for (const { ids, places, values } of parts) {
    ids.forEach((id, k) => {
      listed.ends[id] = at + k + 1;
    });
    listed.classes.set(places, at);
    listed.sums.set(values[0], at);
    at += ids.length;
  }
  return TermCells.of(listed, terms);
}
