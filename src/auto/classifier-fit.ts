import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { wilsonInterval } from '../evaluate/intervals.ts';
import type { DataRow } from './cells.ts';
import { ColumnOpinion, type Opinion, TextOpinion, textOf } from './classifier-opinions.ts';
import { applyPool, type Pool } from './pool.ts';
import { accuracyOf, choosePool, logLossOf, takeRowsOf } from './pool-choose.ts';
import { dealFolds, groupRows, readFrame, readTarget } from './records.ts';
import { chooseColumns, type Tried } from './records-choose.ts';
import type { ColumnScore } from './records-families.ts';
import { type ColumnModel, columnModels } from './records-grid.ts';
import { Lesson } from './records-lesson.ts';
import { featuresOf, inferSchema, type Schema } from './schema.ts';
import { chooseText } from './text.ts';
import { fitTextBayes, type TextModel, textModels } from './text-bayes.ts';
import { findWarnings, type Warning } from './warnings.ts';

/** How a classifier of records is learned. */
export interface ClassifierOptions {
  /** The column that holds the label. */
  readonly target: string;
  /** The columns to classify by; without it, all that say something. */
  readonly features?: readonly string[] | undefined;
  /** The model, or 'auto': chosen by held-out log-loss. Names of text models are about text columns, others about the rest. */
  readonly model?: ColumnModel | TextModel | undefined;
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Answers less probable than this are abstentions. */
  readonly reject?: number | undefined;
  readonly onProgress?: ((share: number, what: string) => void) | undefined;
}

/** What was chosen, from what, and how good it is on rows it had not learned from. */
export interface ClassifierReport {
  readonly target: string;
  readonly classes: readonly Label[];
  readonly model: string;
  readonly seed: number;
  readonly schema: Schema;
  /** What was tried for the columns, and for each text. */
  readonly tried: readonly (Tried & { readonly of: string })[];
  /** What each column alone says: its family, log-loss by family, accuracy. */
  readonly columns: readonly (Omit<ColumnScore, 'column'> & { readonly name: string })[];
  readonly evaluation: {
    readonly on: string;
    readonly rows: number;
    readonly accuracy: number;
    readonly interval: readonly [low: number, high: number];
    readonly logLoss: number;
  };
  readonly warnings: readonly Warning[];
}

/** All that a classifier is made of. */
export interface ClassifierParts {
  readonly opinions: readonly Opinion[];
  readonly pool: Pool;
  readonly report: ClassifierReport;
  readonly reject: number;
}

interface Draft {
  readonly opinion: Opinion;
  readonly outOfFold: Matrix;
  readonly tried: ClassifierReport['tried'];
  readonly columns?: ClassifierReport['columns'];
}

interface Material {
  readonly rows: readonly DataRow[];
  readonly schema: Schema;
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
  /** Rows that are alike in every feature have one number. */
  readonly alike: Int32Array;
  /** The same, or a number for every row where most are alike. */
  readonly groups: Int32Array;
  readonly folds: Int32Array;
}

/** Learns a classifier of records from these rows alone. */
export function fitParts(rows: readonly DataRow[], options: ClassifierOptions): ClassifierParts {
  const { model = 'auto', seed = 0, reject = 0, target } = options;
  requireModel(model);
  const material = gather(rows, options, seed);
  const { schema, classes, codes, folds, alike } = material;
  const drafts = draftAll(material, model, options);
  const judged = Int32Array.from(folds.keys()).filter((i) => folds[i] >= 0);
  const own = Int32Array.from(judged, (i) => codes[i]);
  const { pool, kept } = join(drafts, judged, own, classes.length);
  const outOfFold = applyPool(
    pool,
    kept.map((draft) => draft.outOfFold),
  );
  const columns = drafts.flatMap((draft) => draft.columns ?? []);
  const warnings = findWarnings({ schema, classes, codes, groups: alike, alone: columns, outOfFold, judged });
  const evaluation = evaluate(takeRowsOf(outOfFold, judged), own);
  const tried = drafts.flatMap((draft) => draft.tried);
  const report = { target, classes, model, seed, schema, tried, columns, evaluation, warnings };
  return { opinions: kept.map(({ opinion }) => opinion), pool, reject, report };
}

/** An opinion of the columns together, and one of each text. */
function draftAll(material: Material, model: string, options: ClassifierOptions): Draft[] {
  const [columns, texts] = [featuresOf(material.schema, 'columns'), featuresOf(material.schema, 'text')];
  if (columns.length + texts.length === 0) refuse('E_EMPTY_INPUT', 'no column says anything about the label');
  const textModel = textModels.find((name) => name === model);
  if (model !== 'auto' && (textModel ? texts : columns).length === 0) {
    const kind = textModel ? 'text' : 'columns that are no text';
    refuse('E_PARAM', `model ${show(model)} is for ${kind}, of which there are none`, { name: 'model' });
  }
  return [
    ...(columns.length > 0 ? [draftColumns(material, textModel ? 'auto' : (model as ColumnModel), options)] : []),
    ...texts.map(({ name }) => draftText(material, name, textModel, options)),
  ];
}

function requireModel(model: string): void {
  const known: string[] = [...columnModels, ...textModels];
  if (!known.includes(model)) {
    refuse('E_PARAM', `there is no model ${show(model)}; there are ${known.join(', ')}`, { name: 'model' });
  }
}

function gather(rows: readonly DataRow[], { target, features }: ClassifierOptions, seed: number): Material {
  const schema = inferSchema(rows, { target, features });
  const { classes, codes } = readTarget(rows, target);
  if (classes.length < 2) {
    refuse('E_CLASSES_TOO_FEW', `every row has the label ${show(classes[0])}: there is nothing to tell apart`, {
      actual: 1,
    });
  }
  const texts = featuresOf(schema, 'text').map(({ name }) => textOf(rows, name));
  const numbered = texts.map((documents) => {
    const places = new Map<string, number>();
    for (const text of documents) if (!places.has(text)) places.set(text, places.size);
    return Float64Array.from(documents, (text) => places.get(text) ?? 0);
  });
  const { columns } = readFrame(rows, featuresOf(schema, 'columns'));
  const alike = groupRows({ rows: rows.length, columns: [...columns, ...numbered] });
  const groups = new Set(alike).size >= rows.length / 2 ? alike : alike.map((_, i) => i);
  return { rows, schema, classes, codes, alike, groups, folds: dealFolds(codes, groups, seed) };
}

function draftColumns(material: Material, model: ColumnModel, options: ClassifierOptions): Draft {
  const { rows, schema, classes, codes, groups } = material;
  const columns = featuresOf(schema, 'columns');
  const readings = columns.map(({ levels }) => (levels ? 'level' : 'number'));
  const lesson = new Lesson(readFrame(rows, columns), codes, classes.length, readings);
  const onProgress = (done: number, all: number, what: string) => options.onProgress?.(done / all, what);
  const { seed, signal } = options;
  const chosen = chooseColumns(lesson, { model, seed, signal, groups, onProgress });
  return {
    opinion: new ColumnOpinion(chosen.model, columns),
    outOfFold: chosen.outOfFold,
    tried: chosen.tried.map((entry) => ({ of: 'columns', ...entry })),
    columns: chosen.columns.map(({ column, ...score }) => ({ name: columns[column].name, ...score })),
  };
}

function draftText(material: Material, name: string, model: TextModel | undefined, options: ClassifierOptions): Draft {
  const { rows, schema, classes, codes, groups, folds } = material;
  const column = schema.columns.find((own) => own.name === name)!;
  const documents = textOf(rows, name);
  if (model) {
    const { model: bayes, outOfFold } = fitTextBayes(model, documents, codes, classes.length, folds);
    const scores = { logLoss: logLossOf(outOfFold, codes), accuracy: accuracyOf(outOfFold, codes) };
    const tried = [{ of: name, name: model, ...scores, chosen: true }];
    return { opinion: new TextOpinion(bayes, column), outOfFold, tried };
  }
  const { seed, signal, onProgress } = options;
  const labels = Array.from(codes, (c) => classes[c]);
  const chosen = chooseText(documents, labels, { seed, signal, groups, onProgress });
  const tried = chosen.tried.map((entry) => ({ of: name, ...entry }));
  return { opinion: new TextOpinion(chosen.model, column), outOfFold: chosen.outOfFold, tried };
}

/** One opinion stands for itself; several are pooled by their out-of-fold scores. */
function join(drafts: readonly Draft[], judged: Int32Array, codes: Int32Array, classes: number) {
  if (drafts.length === 1) {
    return { pool: { weights: Float64Array.of(1), bias: new Float64Array(classes) }, kept: drafts };
  }
  const scores = drafts.map(({ outOfFold }) => takeRowsOf(outOfFold, judged));
  const { members, weights, bias } = choosePool(scores, codes, { most: drafts.length });
  return { pool: { weights, bias }, kept: members.map((m) => drafts[m]) };
}

function evaluate(logProba: Matrix, codes: Int32Array): ClassifierReport['evaluation'] {
  const accuracy = accuracyOf(logProba, codes);
  const { low, high } = wilsonInterval(Math.round(accuracy * codes.length), codes.length);
  const on =
    'five folds of the training rows, each judged by what the others taught; models were chosen by the same folds';
  return { on, rows: codes.length, accuracy, interval: [low, high], logLoss: logLossOf(logProba, codes) };
}
