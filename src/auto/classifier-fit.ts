import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import type { DataRow } from './cells.ts';
import { fitCounting } from './classifier-counting.ts';
import type { Curve } from './classifier-curves.ts';
import { byFolds, type Evaluation, evaluate } from './classifier-evaluation.ts';
import { type Division, divide, gather, type Material, requireClasses } from './classifier-material.ts';
import { ColumnOpinion, type Opinion, TextOpinion } from './classifier-opinions.ts';
import type { ClassifierOptions } from './classifier-options.ts';
import { bestOfEach, type ClassifierInformative, informativeLevels } from './informative.ts';
import type { ClassifierSchema } from './learner-columns.ts';
import { familyNamed } from './learner-families.ts';
import { textOf } from './learner-table.ts';
import { applyPool, type Pool } from './pool.ts';
import { choosePool, takeRowsOf } from './pool-choose.ts';
import { readFrame } from './records.ts';
import { chooseColumns, type Tried } from './records-choose.ts';
import type { ColumnScore } from './records-families.ts';
import { Lesson } from './records-lesson.ts';
import { featuresOf } from './schema.ts';
import { chooseText } from './text.ts';
import { findWarnings, type Warning } from './warnings.ts';

/** What was chosen, from what, and how good it is on rows it had not learned from. */
export interface FitReport {
  readonly target: string;
  /** The family, or 'auto' for a pool. */
  readonly model: string;
  readonly seed: number;
  readonly schema: ClassifierSchema;
  /** What was tried for the columns, and for each text. */
  readonly tried: readonly (Tried & { readonly of: string })[];
  /** What each column alone says: its family, log-loss by family, accuracy. */
  readonly columns: readonly (Omit<ColumnScore, 'column'> & {
    readonly name: string;
    /** The mutual information of the column and the class in bits, with numbers cut into ranges; absent in older files. */
    readonly information?: number;
  })[];
  /** null where it was not judged. */
  readonly evaluation: Evaluation | null;
  readonly warnings: readonly Warning[];
  /** What speaks most for each class, of a model that keeps no counts to tell it by; absent in older files. */
  readonly informative?: readonly ClassifierInformative[];
}

/** All that a classifier is made of. */
export interface ClassifierParts {
  /** The classes of a pool; a family that counts tells its own. */
  readonly classes: readonly Label[];
  readonly opinions: readonly Opinion[];
  readonly pool: Pool;
  readonly report: FitReport;
  readonly reject: number;
  /** The column of weights, where rows have them. */
  readonly weight: string | undefined;
  readonly curve: Curve | undefined;
}

interface Draft {
  readonly opinion: Opinion;
  readonly outOfFold: Matrix;
  readonly tried: FitReport['tried'];
  readonly columns?: FitReport['columns'];
  readonly informative: readonly ClassifierInformative[];
}

/** Learns a classifier of records from these rows alone. */
export function fitParts(rows: readonly DataRow[], options: ClassifierOptions): ClassifierParts {
  const { model = 'auto', online = false, reject = 0 } = options;
  if (!(reject >= 0 && reject <= 1)) refuse('E_PARAM', 'reject is a probability', { name: 'reject' });
  if (model !== 'auto') return fitCounting(rows, options, familyNamed(model));
  return online ? fitCounting(rows, options, undefined) : fitPooled(rows, options);
}

/** What a pool knows; everything else is for families. */
const pooled: ReadonlySet<string> = new Set([
  ...['target', 'features', 'kinds', 'schema', 'model', 'online', 'evaluate', 'calibrate', 'seed', 'signal', 'reject'],
  'onProgress',
]);

function fitPooled(rows: readonly DataRow[], options: ClassifierOptions): ClassifierParts {
  const { seed = 0, reject = 0, target } = options;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || pooled.has(name)) continue;
    refuse('E_PARAM', `${show(name)} is for one family: name a model, or give online: true`, { name });
  }
  const material = gather(rows, options, false);
  const { schema, classes, codes } = material;
  requireClasses(classes);
  const division = divide(material, seed);
  const { folds, alike } = division;
  const drafts = draftAll(material, division, options);
  const judged = Int32Array.from(folds.keys()).filter((i) => folds[i] >= 0);
  const own = Int32Array.from(judged, (i) => codes[i]);
  const { pool, kept } = join(drafts, judged, own, classes.length);
  const outOfFold = applyPool(
    pool,
    kept.map((draft) => draft.outOfFold),
  );
  const columns = drafts.flatMap((draft) => draft.columns ?? []);
  const warnings = findWarnings({ schema, classes, codes, groups: alike, alone: columns, outOfFold, judged });
  const evaluation = evaluate(takeRowsOf(outOfFold, judged), { codes: own }, byFolds(true));
  const tried = drafts.flatMap((draft) => draft.tried);
  const heard = kept.flatMap((draft, k) =>
    draft.informative.map((term) => ({ ...term, nats: term.nats * pool.weights[k] })),
  );
  const informative = bestOfEach(heard, classes);
  const report: FitReport = { target, model: 'auto', seed, schema, tried, columns, evaluation, warnings, informative };
  const opinions = kept.map(({ opinion }) => opinion);
  return { classes, opinions, pool, reject, report, weight: undefined, curve: undefined };
}

/** An opinion of the columns together, and one of each text. */
function draftAll(material: Material, division: Division, options: ClassifierOptions): Draft[] {
  const [columns, texts] = [featuresOf(material.schema, 'columns'), featuresOf(material.schema, 'text')];
  if (columns.length + texts.length === 0) refuse('E_EMPTY_INPUT', 'no column says anything about the label');
  return [
    ...(columns.length > 0 ? [draftColumns(material, division, options)] : []),
    ...texts.map(({ name }) => draftText(material, division, name, options)),
  ];
}

function draftColumns(material: Material, { groups }: Division, options: ClassifierOptions): Draft {
  const { rows, schema, classes, codes } = material;
  const columns = featuresOf(schema, 'columns');
  const readings = columns.map(({ levels }) => (levels ? 'level' : 'number'));
  const lesson = new Lesson(readFrame(rows, columns), codes, classes.length, readings);
  const onProgress = (done: number, all: number, what: string) => options.onProgress?.(done / all, what);
  const { seed, signal } = options;
  const chosen = chooseColumns(lesson, { seed, signal, groups, onProgress });
  const { found, information } = informativeLevels(lesson.frame, columns, codes, classes);
  return {
    opinion: new ColumnOpinion(chosen.model, columns),
    outOfFold: chosen.outOfFold,
    tried: chosen.tried.map((entry) => ({ of: 'columns', ...entry })),
    columns: chosen.columns.map(({ column, ...score }) => ({
      name: columns[column].name,
      ...score,
      information: information[column],
    })),
    informative: found,
  };
}

function draftText(material: Material, { groups }: Division, name: string, options: ClassifierOptions): Draft {
  const { rows, schema, classes, codes } = material;
  const column = schema.columns.find((own) => own.name === name)!;
  const { seed, signal, onProgress } = options;
  const labels = Array.from(codes, (c) => classes[c]);
  const chosen = chooseText(textOf(rows, name), labels, { seed, signal, groups, onProgress });
  const tried = chosen.tried.map((entry) => ({ of: name, ...entry }));
  const informative = chosen.informative.map((term) => ({ ...term, feature: name }));
  return { opinion: new TextOpinion(chosen.model, column), outOfFold: chosen.outOfFold, tried, informative };
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
