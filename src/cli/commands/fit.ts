import type { Classifier } from '../../auto/classifier.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import type { ClassifierReport } from '../../auto/classifier-report.ts';
import { leaksIn } from '../../auto/column-scores.ts';
import { splitRows } from '../../auto/schema-kinds.ts';
import type { Warning } from '../../auto/warnings.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
import type { Label } from '../../data/labels.ts';
import { type Evaluation, evaluateRows, type ScoredRows } from '../../evaluate/evaluation.ts';
import { planSplit, splitTable } from '../../evaluate/held-out.ts';
import { sum } from '../../math/arrays.ts';
import { requireColumn } from '../data-problems.ts';
import { type Context, choice, command, flag, integer, list, number, text } from '../declare.ts';
import { count, counted, duration, percent, score } from '../numbers.ts';
import type { Count, OrNull } from '../print.ts';
import { misuse } from '../problem.ts';
import { inEngine, modelling, partitioning, reading, roles, writing } from '../shared-options.ts';
import { commandLine, quoted } from '../shell.ts';
import { safe, wrap } from '../terminal.ts';
import { refuseIgnored, refuseMissingArgument, refuseTogether } from '../usage.ts';
import { budgeting, millisecondsOf } from '../work/budget.ts';
import { withCellErrorsAsync } from '../work/cell-problems.ts';
import { printEvaluation, unknownLabels } from '../work/evaluation-text.ts';
import { type LabelledRows, openData, readLabelledRows } from '../work/labelled.ts';
import {
  beginFit,
  evaluateFolds,
  foldsText,
  isOnePass,
  learn,
  learnPieces,
  openFolds,
  scorePart,
  scorePlaces,
} from '../work/learn.ts';
import { outputFor, recipeLine, requireFree, type Written, writeModelFile } from '../work/model-output.ts';
import type { LabelScores } from '../work/multilabel.ts';
import { learnOptions, readingWords, recipeFor } from '../work/options.ts';

const options = {
  data: list('the data, if none is named; polya init writes it to the config file', {
    value: 'FILES',
    complete: 'file',
  }),
  ...roles,
  multilabel: text(
    'the target column holds several labels with this separator, such as ";"; learn all of them, from texts',
    { value: 'SEPARATOR' },
  ),
  ...modelling,
  holdout: number('the fraction of rows to hold out for evaluation; 0: none', {
    default: 0.2,
    min: 0,
    max: 0.9,
    common: true,
  }),
  cv: integer('evaluate by K-fold cross-validation instead', { value: 'K', min: 2, common: true }),
  refit: flag('write a model trained on all rows (the default; --no-refit writes the evaluated model)', {
    default: true,
  }),
  ...reading,
  splitColumn: text('the column with train, test, val or dev: train on the training rows, evaluate on the others', {
    value: 'COLUMN',
    complete: 'column',
  }),
  ...writing,
  output: { ...writing.output, doc: 'the model file; named after the data if not given', setting: true },
  unlabeled: choice(
    ['refuse', 'skip', 'use'],
    'what to do with rows without a label: fail, skip them, or learn from them too (named models only)',
    { default: 'refuse', common: true },
  ),
  ...budgeting,
  stream: flag('train in one pass without evaluation (named models only)'),
  slim: flag('write parameters only: a smaller file that cannot be updated'),
  ...inEngine,
  ...partitioning,
} as const;

type Fit = Context<typeof options>;

/** What `polya fit --json` prints. */
export interface Prints {
  /** A model was fitted, evaluated and written. */
  'fit@1': Written & {
    target: { name: string; guessed: boolean };
    model: string;
    summary: string;
    classes: readonly Label[];
    rows: Count;
    columns: readonly Pick<ClassifierReport['schema']['columns'][number], 'name' | 'kind' | 'role' | 'reason'>[];
    ignored: ClassifierReport['ignored'];
    learns: boolean;
    evaluation: Evaluation | null;
    tried: readonly OrNull<ClassifierReport['tried'][number]>[];
    warnings: ClassifierReport['warnings'];
    seed: Count;
    seconds: number;
    /** The command that makes the same model again. */
    repeat: string;
  };
  /** A multi-label model was fitted, evaluated and written. */
  'fit-labels@1': Written & {
    target: string;
    text: string;
    labels: readonly string[];
    rows: Count;
    scores: LabelScores | null;
    seed: Count;
    seconds: number;
    /** The command that makes the same model again. */
    repeat: string;
  };
}

/** `polya fit` */
export const declaration = command({
  about:
    'Columns, model, smoothing and calibration are chosen from the training rows unless you set them; what was tried is printed and stored in the file. Duplicate rows stay on one side of the split. The same data, options and seed give the same bytes.',
  arguments: [{ name: 'data', doc: 'files, a folder of texts, or - for stdin', many: true, complete: 'file' }],
  options,
  examples: {
    'polya fit sms.csv -o spam.polya': 'chooses all settings automatically',
    'polya fit iris.csv --model lda --cv 10 -o iris.polya':
      'linear discriminant analysis, evaluated by 10-fold cross-validation',
    'polya fit sms.csv --model multinomial --alpha 0.5 --ngrams 1-2 -o words.polya': 'one model, with its smoothing',
    'cat sms.csv | polya fit - --target label -o spam.polya --force': 'reads a pipe',
  },
  run,
});

/** A model, and how good it is if it was evaluated. */
interface Outcome {
  readonly model: Classifier;
  /** How many rows it has learned, if these are not all. */
  readonly learned?: number;
  readonly evaluated?: Evaluated | undefined;
}

interface Evaluated {
  readonly scoredRows: ScoredRows;
  readonly evaluation: Evaluation;
}

/** The result of a fit. */
interface FitResult extends Outcome {
  readonly target: string;
  /** Why this is probably the target, if it was not given. */
  readonly guessed?: string | undefined;
  readonly rows: number;
  /** The SHA-256 of the data, if they were read here. */
  readonly hash?: string;
  /** Columns that explain most of the label, where the report of the model does not have them: a named model is not evaluated by folds. */
  readonly leaks?: readonly Warning[];
}

async function run(given: Fit): Promise<void> {
  const { data } = given.options;
  const isNamed = given.args.length > 0 || given.options.engine !== undefined;
  const context = isNamed ? given : { ...given, args: data };
  const begun = performance.now();
  const { options, args, print } = context;
  requireTogether(context);
  learnOptions(context, options.model); // refuses what it cannot read before anything is read
  const table = options.table?.split('.').at(-1) ?? 'model';
  const output = outputFor(options.output, args[0] ?? `${table}.csv`);
  let notes = '';
  const ready = (target: string) => {
    notes = recipeLine(context, declaration.options, target);
    requireFree(context, output, options.force, notes);
  };
  if (options.engine !== undefined && options.dryRun) {
    return (await import('../work/engine-fit.ts')).printQueries(context);
  }
  if (options.multilabel !== undefined) return fitLabels(context, options.multilabel, output, ready, () => notes);
  const result = await (await fitterOf(context))(context, ready);
  const { model, evaluated, learned = result.rows, target, guessed, rows } = result;
  const own = model.report();
  const report = { ...own, warnings: [...(result.leaks ?? []), ...own.warnings] };
  noteChoice(context, report, performance.now() - begun);
  if (!print.json) {
    if (evaluated) await printEvaluation(print, evaluated.scoredRows, evaluated.evaluation);
    else if (!options.stream && (options.engine === undefined || report.evaluation === null))
      print.note(`not evaluated: ${whyNot(context, output)}`);
  }
  if (evaluated) warnUncovered(context, evaluated);
  printWarnings(context, report);
  const provenance = { ...(result.hash && { dataHash: result.hash }), rows: learned, notes };
  const written = await writeModelFile(context, output, model, provenance, options.slim);
  const { summary, tried, warnings, schema, ignored } = report;
  if (print.json)
    await print.object<Prints>('fit@1', {
      ...written,
      target: { name: target, guessed: guessed !== undefined },
      model: model.model,
      summary,
      classes: model.classes,
      rows,
      columns: schema.columns.map(({ name, kind, role, reason }) => ({ name, kind, role, reason })),
      ignored,
      learns: model.learns && !options.slim,
      evaluation: evaluated?.evaluation ?? null,
      tried,
      warnings,
      seed: options.seed,
      seconds: (performance.now() - begun) / 1000,
      repeat: notes,
    });
  if (options.engine === undefined) suggestNext(context, report, output);
}

/** Fits a multi-label model. */
async function fitLabels(
  context: Fit,
  separator: string,
  output: string,
  ready: (target: string) => void,
  notes: () => string,
): Promise<void> {
  const { learnLabels, printLabelScores, readLabelledTexts } = await import('../work/multilabel.ts');
  const begun = performance.now();
  const { options, print } = context;
  refuseIgnored(options, ['cv', 'engine', 'splitColumn', 'stream', 'budget'], 'cannot be used with --multilabel.');
  if (options.unlabeled !== 'refuse') {
    misuse('--unlabeled cannot be used with --multilabel: an empty cell means that a row has no labels.');
  }
  const data = await readLabelledTexts(context, separator);
  ready(data.target);
  const { model, learned, scores, report } = learnLabels(context, options.model, data, options);
  if (scores && report !== undefined && !print.json) await printLabelScores(print, scores, report);
  const provenance = { dataHash: data.hash, rows: learned, choice: { separator }, notes: notes() };
  const written = await writeModelFile(context, output, model, provenance, options.slim);
  if (!print.json) return;
  const [rows, labels] = [data.texts.length, model.classes.map(String)];
  const { target, text } = data;
  const seconds = (performance.now() - begun) / 1000;
  const about = { target, text, labels, rows, scores: scores ?? null, seed: options.seed, seconds, repeat: notes() };
  await print.object<Prints>('fit-labels@1', { ...written, ...about });
}

function whyNot({ options }: Fit, output: string): string {
  if (options.engine !== undefined)
    return `the rows stay in the engine; to evaluate the model on other rows: polya evaluate DATA -m ${output}`;
  return options.holdout === 0 ? 'no rows were held out' : 'there are too few distinct rows to hold any out';
}

/** How to fit: inside an engine, by folds, in one pass, or with all rows in memory. */
async function fitterOf(context: Fit): Promise<(own: Fit, ready: (target: string) => void) => Promise<FitResult>> {
  const { options } = context;
  if (options.engine !== undefined) return (await import('../work/engine-fit.ts')).fitEngine;
  if (options.cv) return fitFolds;
  return options.splitColumn === undefined && isOnePass(context, options.model) ? fitTables : fitRows;
}

/** Warns about classes that the evaluation does not cover: those only in the held-out rows, and those missing there. */
function warnUncovered({ print }: Fit, { scoredRows, evaluation: { unknown } }: Evaluated): void {
  if (unknown > 0) print.warn(unknownLabels(unknown));
  const held = new Set(scoredRows.truth);
  const missing = scoredRows.classes.filter((label) => !held.has(label)).map((label) => safe(label, 40));
  const more = missing.length - MOST_UNCOVERED;
  const listed = [...missing.slice(0, MOST_UNCOVERED), ...(more > 0 ? [`${count(more)} more classes`] : [])];
  if (listed.length > 0)
    print.warn(
      `no row of ${listed.join(', ')} was held out, so the scores do not cover ${listed.length === 1 ? 'it' : 'them'}; --cv 5 evaluates on every row`,
    );
}

/** Refuses incompatible options, and a command without data. */
function requireTogether({ args, words, options }: Fit): void {
  if (options.splitColumn !== undefined && (options.cv || options.stream)) {
    const other = options.cv ? '--cv' : '--stream';
    misuse(`--split-column sets which rows are held out, and cannot be used with ${other}.`);
  }
  if (options.budget !== undefined && options.cv) refuseTogether('--budget', '--cv');
  if (options.budget !== undefined) millisecondsOf(options.budget);
  if (options.stream) {
    if (options.model === 'auto') misuse('--stream trains in one pass and needs a named model: --model NAME.');
    if (options.unlabeled === 'use') refuseTogether('--stream', '--unlabeled');
    if (options.target === undefined) misuse('--stream cannot detect the target column; name it with --target.');
  }
  if (options.engine !== undefined) return;
  refuseIgnored(options, ['table', 'partitionBy', 'state', 'changedBy', 'dryRun'], 'needs --engine.');
  if (args.length === 0) refuseMissingArgument('fit', declaration.arguments[0], words);
}

/** Prints the candidates with their scores, then the choice; with --verbose also all columns and candidates. */
function noteChoice({ print, options }: Fit, { tried, summary, schema }: ClassifierReport, spent: number): void {
  if (options.verbose) {
    for (const { name, kind, role, reason } of schema.columns)
      print.note(`column  ${safe(name)}  ${kind}, ${role}: ${safe(reason)}`);
  }
  for (const of of new Set(tried.map((entry) => entry.of))) {
    const own = tried.filter((entry) => entry.of === of).sort((a, b) => a.logLoss - b.logLoss);
    const best = options.verbose ? own : own.slice(0, 4);
    if (own.length < 2) continue;
    print.note(`tried for ${safe(of)}, by log-loss on held-out rows:`);
    for (const { name, logLoss, accuracy } of best)
      print.note(`  ${score(logLoss)}  ${safe(name, 50)}  (accuracy ${score(accuracy)})`);
  }
  const { green } = print.stderrScreen.paint;
  const wide = Math.max(40, Math.min(print.stderrScreen.columns, 100) - 2);
  print.note(`${green('✔')} ${wrap(safe(summary), wide, '  ')}`);
  print.note(`  ${[`seed ${options.seed}`, duration(spent)].join(' · ')}`);
}

/** The maximum number of classes listed as not held out. */
const MOST_UNCOVERED = 5;

/** The maximum number of ignored columns listed without --verbose. */
const MOST_IGNORED = 20;

/** The ignored columns with their reasons, then the other warnings. */
function printWarnings({ print, options }: Fit, { ignored, warnings }: ClassifierReport): void {
  if (!options.verbose) {
    for (const { name, reason } of ignored.slice(0, MOST_IGNORED))
      print.note(`  ignored  ${safe(name)}: ${safe(reason)}`);
    if (ignored.length > MOST_IGNORED)
      print.note(`  ignored  ${count(ignored.length - MOST_IGNORED)} more; --verbose lists all columns`);
  }
  const listed = new Set(ignored.map(({ name }) => name));
  for (const { sentence, kind, about = '' } of warnings) {
    const isListed = kind === 'identifier' || kind === 'constant' || kind === 'split';
    if (!isListed || !listed.has(about)) print.warn(safe(sentence));
  }
}

function suggestNext(context: Fit, { schema, warnings }: ClassifierReport, output: string): void {
  const { print, words, args, options } = context;
  const split = warnings.find(({ kind }) => kind === 'split')?.about;
  if (split !== undefined && options.splitColumn === undefined && !options.stream) {
    const again = [...words, '--split-column', split, ...(options.force ? [] : ['--force'])];
    print.note(
      `column ${safe(split)} separates training rows from test rows. To train on the former and evaluate on the latter:\n  ${commandLine(again)}`,
    );
  }
  const hasText = schema.columns.some(({ kind, role }) => kind === 'text' && role === 'feature');
  const input = hasText ? '--text "…"' : [args[0], ...readingWords(context)].map(quoted).join(' ');
  if (words.length > 0)
    print.note(`→ polya predict ${hasText ? '' : `${input} `}-m ${quoted(output)}${hasText ? ` ${input}` : ''}`);
}

/**
 * Fits a model in one pass on every core. Held-out rows are counted separately in the same pass: a model of the other rows is
 * evaluated on them, and the saved model is the sum of both.
 */
async function fitTables(context: Fit, ready: (target: string) => void): Promise<FitResult> {
  const { args, options } = context;
  const share = options.stream ? 0 : options.holdout;
  context.progress.plan({ reading: 8, evaluating: 1 });
  const data = await openData(context, args, false);
  ready(data.target);
  const split = share > 0 ? planSplit(data.head.table, data.target, share, options.seed) : undefined;
  const begun = beginFit(context, data, options.model);
  const { parts, counts, kept } = await learnPieces(context, data, begun, split, split ? [1] : []);
  const [train, held] = parts;
  const [rows, heldRows] = [sum(counts), counts[1] ?? 0];
  const { target, guessed } = data;
  const leaks = leaksIn(data.head.sample, begun.report.schema);
  const result = { hash: await data.source.hash(), target, guessed, rows, leaks };
  if (!split || heldRows === 0 || train.classes.length === 0) {
    if (heldRows > 0) train.merge(held);
    return { ...result, model: begun.finish(train, rows) };
  }
  const partial = begun.finish(train.prunes && options.refit ? train.copy() : train, rows);
  const scoredRows = await scorePart(context, data, partial, kept[1]);
  const evaluated = evaluateHeldOut(scoredRows, rows);
  if (options.refit) train.merge(held);
  return { ...result, model: options.refit ? begun.finish(train, rows) : partial, evaluated };
}

/** Evaluates a model type by folds, and fits it to all rows. */
async function fitFolds(context: Fit, ready: (target: string) => void): Promise<FitResult> {
  const { model, cv: k = 5 } = context.options;
  const passes = isOnePass(context, model);
  context.progress.plan(passes ? { reading: 1, folds: 1 } : { reading: 1, folds: 20, 'all rows': 4 });
  const data = await openFolds(context, !passes);
  const { source, target, guessed } = data;
  ready(target);
  if ('unlabelled' in data) requireFamily(context, data);
  const { scoredRows, rows, whole } = (await evaluateFolds(context, data, model, k))!; // nothing stops it
  const evaluated = { scoredRows, evaluation: evaluateRows(scoredRows, foldsText(k, rows)) };
  const fitted = await whole();
  const leaks = leaksIn('table' in data ? data.table : data.head.sample, fitted.schema);
  return { hash: await source.hash(), target, guessed, rows, leaks, model: fitted, evaluated };
}

/** The evaluation on held-out rows; `rows` is the number of all rows. */
function evaluateHeldOut(scoredRows: ScoredRows, rows: number): Evaluated {
  const held = scoredRows.truth.length;
  const on = `held out: ${count(held)} of ${counted(rows, 'row')} (${percent(held / rows, 0)})`;
  return { scoredRows, evaluation: evaluateRows(scoredRows, on) };
}

/** Evaluates a model on held-out rows; the written model is trained on all rows unless `--no-refit` is given. */
async function byHoldOut(context: Fit, data: LabelledRows, recipe: ClassifierOptions): Promise<Outcome> {
  const { holdout, seed, refit, splitColumn } = context.options;
  const { table, target, unlabelled } = data;
  const early = recipe.model === 'auto' ? recipe : { ...recipe, evaluate: false };
  if (splitColumn !== undefined) return bySplit(context, data, recipe, splitColumn);
  const [train, test] = holdout > 0 ? splitTable(table, planSplit(data.all, target, holdout, seed)) : [[], []];
  const withUnlabelled = (some: BlockTable) => (unlabelled ? [...some.records(), ...unlabelled] : some);
  if (test.length === 0) return { model: await learn(withUnlabelled(table), early, context) };
  const first = await learn(withUnlabelled(table.take(train)), early, context);
  const scoredRows = await scorePlaces(context, data, first, test);
  const evaluated = evaluateHeldOut(scoredRows, table.length);
  if (!refit) return { model: first, evaluated };
  // an ensemble stays as it was chosen and evaluated, and learns the held-out rows too
  if (recipe.model === 'auto') return { model: first.change('partialFit', table.take(test)), evaluated };
  return { model: await learn(withUnlabelled(table), early, context, { phase: 'all rows' }), evaluated };
}

/** Fits a model to the training rows of a split column and evaluates it on the others. */
async function bySplit(context: Fit, data: LabelledRows, recipe: ClassifierOptions, column: string): Promise<Outcome> {
  const { train, test } = splitRows(data.table.records(), column);
  const model = await learn(data.table, { ...recipe, evaluate: false }, context);
  const scoredRows = await scorePlaces(context, data, model, test);
  const evaluation = evaluateRows(scoredRows, `held out by column ${safe(column)}: ${counted(test.length, 'row')}`);
  return { model, learned: train.length, evaluated: { scoredRows, evaluation } };
}

/** Fits with all rows in memory, which model selection and calibration need. */
async function fitRows(context: Fit, ready: (target: string) => void): Promise<FitResult> {
  const { options, args, progress } = context;
  progress.plan({ reading: 1, learning: 8, evaluating: 1, ...(options.model !== 'auto' && { 'all rows': 8 }) });
  const data = await readLabelledRows(context, args);
  const { source, target, guessed, unlabelled } = data;
  if (options.splitColumn !== undefined) requireColumn(context, options.splitColumn, data.table.names, source.name);
  ready(target);
  const table = unlabelled ? new RecordTable([...data.table.records(), ...unlabelled]) : data.table;
  const named = recipeFor(context, { table, target }, options.model, options.splitColumn);
  const recipe = unlabelled ? { ...named, unlabeled: 'use' as const } : named;
  requireFamily(context, data);
  const outcome = await withCellErrorsAsync(data.table, { ...source.place, weights: options.weights }, () =>
    byHoldOut(context, data, recipe),
  );
  const leaks = options.model === 'auto' ? [] : leaksIn(data.table, outcome.model.schema);
  return { ...outcome, hash: await source.hash(), target, guessed, rows: data.table.length, leaks };
}

/** Refuses unlabelled rows for `auto`: an ensemble cannot learn from them. */
function requireFamily({ options, words, print }: Fit, { unlabelled }: Pick<LabelledRows, 'unlabelled'>): void {
  if (!unlabelled) return;
  if (options.model === 'auto') {
    misuse('An ensemble cannot learn from rows without a label; name a model, such as --model multinomial.', [
      ...words,
      '--model',
      'multinomial',
    ]);
  }
  print.note(`also learning from ${counted(unlabelled.length, 'row')} without a label (expectation–maximisation)`);
}
