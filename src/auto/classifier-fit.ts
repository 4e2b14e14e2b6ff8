import type { ClassWeight } from '../core/class-weight.ts';
import { requireItems } from '../data/arguments.ts';
import { cellOf, type DataRow, isBlank } from '../data/cells.ts';
import { type BlockTable, type ColumnTable, RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { spread } from '../estimators/scoring.ts';
import { applyPool, ordinaryCount, type Pool } from '../evaluate/pool.ts';
import { selectRows } from '../evaluate/rows.ts';
import { heldOutBy, stratifiedSample, type Trial } from '../evaluate/trials.ts';
import { countCodes } from '../math/arrays.ts';
import { fitCounting, fitPartlyLabelled } from './classifier-family.ts';
import { type Curve, scoreTable, summed } from './classifier-learning.ts';
import {
  type ClassifierOptions,
  checkOptions,
  classFactorsOf,
  type Dataset,
  divide,
  isForEnsembles,
  requireClasses,
  tableOfRows,
} from './classifier-options.ts';
import { ColumnPredictor } from './classifier-predictors.ts';
import { classesOf, describeFit, type Evaluation, evaluate } from './classifier-report.ts';
import type { ColumnScore } from './column-scores.ts';
import { chooseParts, evaluateAlone, trainingOf } from './column-scores.ts';
import { bestOfEach, type ClassifierInformative, informativeLevels } from './informative.ts';
import type { ClassifierSchema } from './learner-columns.ts';
import { familyNamed } from './learner-families.ts';
import type { Draft, Predictor } from './predictor.ts';
import { countCells, readTarget, type TrainingRows } from './records.ts';
import { chooseColumns, trialsFor } from './records-candidates.ts';
import { columnFeatures, featuresOf, type SchemaColumn, schemaFor, schemaOfAll } from './schema.ts';
import { splitRows } from './schema-kinds.ts';
import { chooseEnsemble, type HeldOutScores, SAMPLE, type Tried } from './selection.ts';
import { type Steps, within } from './steps.ts';
import { chooseText } from './text.ts';
import type { Warning } from './warnings.ts';

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
  readonly columns: readonly (Omit<ColumnScore, 'information'> & {
    readonly name: string;
    /** The mutual information of the column and the class in bits, with numbers cut into ranges; absent in older files. */
    readonly information?: number;
  })[];
  /** null where it was not evaluated. */
  readonly evaluation: Evaluation | null;
  readonly warnings: readonly Warning[];
  /** The class weights that were asked for; absent where there are none. */
  readonly classWeight?: ClassWeight;
  /** How many rows without a label were learned from; absent where there were none. */
  readonly unlabelled?: number;
  /** The strongest evidence for each class, for a model without counts to derive it from; absent in older files. */
  readonly informative?: readonly ClassifierInformative[];
}

/** All that a classifier is made of. */
export interface ClassifierParts {
  /** The classes of a pool; a counting family has its own. */
  readonly classes: readonly Label[];
  readonly predictors: readonly Predictor[];
  readonly pool: Pool;
  readonly report: FitReport;
  readonly reject: number;
  /** The column of weights, where rows have them. */
  readonly weight: string | undefined;
  readonly curve: Curve | undefined;
  /** How many columns a training row ordinarily had, where several predictors are pooled; absent in files of version 0.1. */
  readonly ordinary?: number | undefined;
  /** ln of the class weights, which the bias of the pool includes. */
  readonly classBias?: Float64Array | undefined;
}

/** Learns a classifier of rows from these alone; with a split column, from its training rows. */
export function* fitSteps(data: readonly DataRow[] | BlockTable, options: ClassifierOptions): Steps<ClassifierParts> {
  checkOptions(options);
  const { model = 'auto', splitColumn, unlabeled = 'error', reject = 0 } = options;
  if (!(reject >= 0 && reject <= 1)) refuse('E_PARAM', 'reject is a probability', { name: 'reject' });
  if (isTable(data)) {
    const whole = model === 'auto' && splitColumn === undefined && unlabeled === 'error' && !hasNested(data);
    return yield* whole ? fitEnsemble(data, options) : fitSteps(data.records(), options);
  }
  requireItems(data, 'a list of records');
  return yield* splitColumn === undefined ? learnRows(data, options) : fitSplit(data, options, splitColumn);
}

const isTable = (data: readonly DataRow[] | BlockTable): data is BlockTable =>
  typeof data === 'object' && data !== null && 'column' in data;

/** Whether a cell is a record of its own, whose cells are columns. */
function hasNested(table: ColumnTable): boolean {
  return table.names.some((name) => {
    const column = table.column(name);
    return Array.from(column.numbers().odd).some((i) => typeof column.cell(i) === 'object');
  });
}

function* learnRows(rows: readonly DataRow[], options: ClassifierOptions): Steps<ClassifierParts> {
  const { model = 'auto' } = options;
  const family = model === 'auto' ? undefined : familyNamed(model);
  const { labelled, unlabelled } = divideRows(rows, options);
  if (unlabelled.length === 0)
    return yield* family ? fitCounting(labelled, options, family) : fitEnsemble(tableOfRows(labelled), options);
  if (!family) refuse('E_PARAM', 'an ensemble cannot learn from unlabelled rows: name a model', { name: 'unlabeled' });
  return yield* fitPartlyLabelled(labelled, unlabelled, options, family);
}

/** Rows with a label, and those without one that are to be used. */
function divideRows(rows: readonly DataRow[], { unlabeled = 'error', target }: ClassifierOptions) {
  if (!['error', 'skip', 'use'].includes(unlabeled)) {
    refuse('E_PARAM', `unlabeled is 'error', 'skip' or 'use', got ${show(unlabeled)}`, { name: 'unlabeled' });
  }
  if (unlabeled === 'error') return { labelled: rows, unlabelled: [] };
  const blank = (row: DataRow) => isBlank(cellOf(row, target));
  const labelled = rows.filter((row) => !blank(row));
  if (labelled.length === 0) {
    refuse('E_LABEL_MISSING', `no row has a label in ${show(target)}`, { rows: rows.length });
  }
  return { labelled, unlabelled: unlabeled === 'use' ? rows.filter(blank) : [] };
}

/** Learns from the training rows of a split, and evaluates on the held-out rows unless asked not to. */
function* fitSplit(given: readonly DataRow[], options: ClassifierOptions, column: string): Steps<ClassifierParts> {
  const rows = flattenRows(given);
  const { train, test, held } = splitRows(rows, column);
  const parts = yield* learnRows(
    train.map((i) => rows[i]),
    options,
  );
  if (options.evaluate === false) return parts;
  const table = new RecordTable(test.map((i) => rows[i]));
  const on = `${test.length} ${held} rows by column "${column}", not among the ${train.length} training rows`;
  return { ...parts, report: { ...parts.report, evaluation: evaluateOn(parts, table, options.target, on) } };
}

/** How good a classifier is on held-out rows; a class that was never learned has probability 0. */
function evaluateOn(parts: ClassifierParts, table: ColumnTable, target: string, on: string): Evaluation {
  const learned = classesOf(parts);
  const { logProba } = scoreTable(parts, table);
  const { classes, codes } = readTarget(table, target);
  const all = [...learned, ...classes.filter((label) => !learned.includes(label))];
  return evaluate(spread(logProba, learned, all, -Infinity), { codes: codes.map((c) => all.indexOf(classes[c])) }, on);
}

/**
 * An ensemble of the columns and of each text. Beyond `SAMPLE` rows it is chosen on a stratified sample of them; what was chosen is then
 * fitted to all rows.
 */
function* fitEnsemble(table: ColumnTable, options: ClassifierOptions): Steps<ClassifierParts> {
  const { seed = 0, reject = 0, target } = options;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || isForEnsembles(name)) continue;
    refuse('E_PARAM', `${show(name)} is for one family: name a model`, { name });
  }
  if (table.length === 0 || !table.names.includes(target)) schemaFor(table, options, false); // refuses it
  const all: Rows = { table, ...readTarget(table, target), weights: undefined };
  const { classes } = all;
  requireClasses(classes);
  const classFactors = classFactorsOf(all, options);
  yield { share: 0, what: 'columns' };
  const sample = sampleOf(all, options);
  const readColumns = ({ table: of, codes }: Rows, own: ClassifierSchema) =>
    trainingOf(of, featuresOf(own, 'columns'), codes, classes.length);
  const first = readColumns(sample, sample.schema);
  const { folds, alike } = divide(sample, seed, first.frame);
  const schema = chooseParts(sample, folds);
  const training = schema === sample.schema ? first : readColumns(sample, schema);
  const whole = sample.table === table ? training : readColumns(all, schema);
  const trials = trialsFor(training, folds);
  const columns = featuresOf(schema, 'columns');
  const texts = featuresOf(schema, 'text');
  if (columns.length + texts.length === 0) refuse('E_EMPTY_INPUT', 'no column is informative about the label');
  const about = { ...all, rows: sample.rows, trials };
  const work = [
    ...(columns.length > 0 ? [draftColumns(columns, classes, { training, whole, trials, seed })] : []),
    ...texts.map((column) => chooseText(table, column, about, options)),
  ];
  const drafts: Draft[] = [];
  for (const [k, steps] of work.entries()) drafts.push(yield* within(steps, k / work.length, (k + 1) / work.length));
  const held = heldOutBy(trials);
  const codes = selectRows(sample.codes, held.rows);
  const joined = join(drafts, { codes, folds: held.folds }, seed);
  const { kept } = joined;
  const pool = withClassWeights(joined.pool, classFactors);
  const plain = { weights: Float64Array.of(1), bias: new Float64Array(classes.length) };
  const weighed = classFactors && applyPool(withClassWeights(plain, classFactors), [joined.logProba]);
  const answers = trials.length > 0 ? { logProba: weighed ?? joined.logProba, codes } : undefined;
  const terms = kept.flatMap((draft, k) =>
    draft.informative.map((term) => ({ ...term, nats: term.nats * pool.weights[k] })),
  );
  const report = describeFit({ ...sample, schema }, options, {
    ...{ model: 'auto', answers, groups: alike, counts: countCodes(all.codes, classes.length), classFactors },
    tried: drafts.flatMap(({ tried }) => tried),
    columns: evaluateAlone({ ...sample, schema }, folds, training),
    informative: bestOfEach(terms, classes),
  });
  const predictors = kept.map(({ predictor }) => predictor);
  const ordinary = kept.length > 1 ? ordinaryCount(summed(kept.map(({ present }) => present))) : undefined;
  const classBias = classFactors?.map(Math.log);
  return { classes, predictors, pool, reject, report, weight: undefined, curve: undefined, ordinary, classBias };
}

type Rows = Omit<Dataset, 'schema'>;

/** The rows that an ensemble is chosen on, with their numbers among all: all of them, or a stratified sample. */
function sampleOf(all: Rows, options: ClassifierOptions): Dataset & { readonly rows: Int32Array } {
  const { table, codes, classes } = all;
  const rows = stratifiedSample(Int32Array.from(codes.keys()), codes, SAMPLE);
  if (rows.length === codes.length) return { ...all, rows, schema: schemaFor(table, options, false) };
  const sample = table.take(rows);
  const schema = schemaOfAll(schemaFor(sample, options, false), codes.length, classes.length);
  return { ...all, rows, table: sample, codes: selectRows(codes, rows), schema };
}

/**
 * A pool under class weights: p'(c | x) ∝ w[c] p(c | x), the posterior of a population in which class c is w[c] times as frequent.
 * Elkan, The Foundations of Cost-Sensitive Learning (2001), theorem 2. Members and their weights are chosen without class weights.
 */
function withClassWeights({ weights, bias }: Pool, factors: Float64Array | undefined): Pool {
  return factors ? { weights, bias: bias.map((own, c) => own + Math.log(factors[c])) } : { weights, bias };
}

/** The columns that are no text, of the rows of the choice and of all rows, and the splits of the former. */
interface Drafting {
  readonly training: TrainingRows;
  readonly whole: TrainingRows;
  readonly trials: readonly Trial[];
  readonly seed: number;
}

/** The ensemble of all columns that are no text. */
function* draftColumns(
  columns: readonly SchemaColumn[],
  classes: readonly Label[],
  { training, whole, trials, seed }: Drafting,
): Steps<Draft> {
  const { model, logProba, tried } = yield* chooseColumns(training, { seed, trials, all: whole });
  return {
    predictor: new ColumnPredictor(model, columns, classes),
    logProba,
    present: countCells(training.frame),
    tried: tried.map((entry) => ({ of: 'columns', ...entry })),
    informative: informativeLevels(training.frame, columns.flatMap(columnFeatures), training.codes, classes),
  };
}

/** One predictor stands for itself; several are pooled by their out-of-fold scores, and their answers are cross-fitted. */
function join(drafts: readonly Draft[], heldOut: Pick<HeldOutScores, 'codes' | 'folds'>, seed: number) {
  const [{ logProba }] = drafts;
  const alone = { weights: Float64Array.of(1), bias: new Float64Array(logProba.cols) };
  if (drafts.length === 1) return { pool: alone, kept: drafts, logProba };
  const scores = drafts.map((draft) => draft.logProba);
  const joined = chooseEnsemble({ ...heldOut, scores }, { seed, most: drafts.length });
  const kept = joined.kept.map((m) => drafts[m]);
  return kept.length === 1 ? { pool: alone, kept, logProba: kept[0].logProba } : { ...joined, kept };
}
