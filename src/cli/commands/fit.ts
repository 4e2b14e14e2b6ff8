import type { Classifier } from '../../auto/classifier.ts';
import type { ClassifierReport } from '../../auto/classifier-report.ts';
import { leaksIn } from '../../auto/column-scores.ts';
import type { Warning } from '../../auto/warnings.ts';
import type { Label } from '../../data/labels.ts';
import { type Evaluation, evaluateRows, type ScoredRows } from '../../evaluate/evaluation.ts';
import { planSplit } from '../../evaluate/held-out.ts';
import { requireColumn } from '../data-problems.ts';
import { type Context, choice, command, flag, integer, list, number, text } from '../declare.ts';
import { count, counted, duration, percent, score } from '../numbers.ts';
import type { Count, OrNull } from '../print.ts';
import { misuse } from '../problem.ts';
import type { PhaseWeights } from '../progress.ts';
import { inEngine, modelling, partitioning, reading, roles, writing } from '../shared-options.ts';
import { commandLine, quoted } from '../shell.ts';
import { safe, wrap } from '../terminal.ts';
import { refuseIgnored, refuseMissingArgument, refuseTogether } from '../usage.ts';
import { budgeting, millisecondsOf } from '../work/budget.ts';
import { printEvaluation, unknownLabels } from '../work/evaluation-text.ts';
import { isInMemory, type LabelledData, type LabelledRows, openData, readLabelledRows } from '../work/labelled.ts';
import { evaluateFolds, foldsText, isOnePass, train } from '../work/learn.ts';
import { outputFor, recipeLine, requireFree, type Written, writeModelFile } from '../work/model-output.ts';
import type { LabelScores } from '../work/multilabel.ts';
import { learnOptions, readingWords } from '../work/options.ts';

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
  /** The number of rows with a label. */
  readonly rows: number;
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
  /** The hash of the data, if they were read here. */
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
  const fitter = options.engine === undefined ? fitRows : (await import('../work/engine-fit.ts')).fitEngine;
  const result: FitResult = await fitter(context, ready);
  const { model, evaluated, learned = result.rows, target, guessed, rows } = result;
  const own = model.report();
  const report = { ...own, warnings: [...(result.leaks ?? []), ...own.warnings] };
  noteChoice(context, report, performance.now() - begun);
  if (!print.json) {
    if (evaluated) await printEvaluation(print, evaluated.scoredRows, evaluated.evaluation);
    else if (options.engine === undefined || report.evaluation === null)
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
  refuseIgnored(options, ['cv', 'engine', 'splitColumn', 'budget'], 'cannot be used with --multilabel.');
  if (options.unlabeled !== 'refuse') {
    misuse('--unlabeled cannot be used with --multilabel: an empty cell means that a row has no labels.');
  }
  const data = await readLabelledTexts(context, separator);
  ready(data.target);
  const { model, scores, report } = learnLabels(context, options.model, data, options.holdout);
  if (scores && report !== undefined && !print.json) await printLabelScores(print, scores, report);
  const provenance = { dataHash: data.hash, rows: data.texts.length, choice: { separator }, notes: notes() };
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
  if (options.splitColumn !== undefined && options.cv)
    misuse('--split-column sets which rows are held out, and cannot be used with --cv.');
  if (options.budget !== undefined && options.cv) refuseTogether('--budget', '--cv');
  if (options.budget !== undefined) millisecondsOf(options.budget);
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
  if (split !== undefined && options.splitColumn === undefined) {
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

/** Fits a model to rows that are read here, and evaluates it. */
async function fitRows(context: Fit, ready: (target: string) => void): Promise<FitResult> {
  const { args, options } = context;
  const { model, cv, splitColumn } = options;
  const passes = splitColumn === undefined && isOnePass(context, model);
  context.progress.plan(phasesOf(options, passes));
  const data = passes ? await openData(context, args) : await readLabelledRows(context, args);
  const { source, target, guessed } = data;
  if (splitColumn !== undefined) requireColumn(context, splitColumn, source.columns, source.name);
  ready(target);
  if (isInMemory(data)) requireFamily(context, data);
  const outcome = cv ? await byFolds(context, data, cv) : await byHoldOut(context, data);
  const { schema } = outcome.model;
  const leaks = model === 'auto' ? [] : leaksIn(isInMemory(data) ? data.table : data.head.sample, schema);
  return { ...outcome, hash: await source.hash(), target, guessed, leaks };
}

/** The phases of a fit, and how long each takes. */
function phasesOf({ model, cv }: Fit['options'], passes: boolean): PhaseWeights {
  if (passes) return cv ? { reading: 1, folds: 1 } : { reading: 8, evaluating: 1 };
  if (cv) return { reading: 1, folds: 20, 'all rows': 4 };
  return { reading: 1, learning: 8, evaluating: 1, ...(model !== 'auto' && { 'all rows': 8 }) };
}

/** Evaluates a model type by folds, and fits it to all rows. */
async function byFolds(context: Fit, data: LabelledData, k: number): Promise<Outcome> {
  const { scoredRows, rows, whole } = (await evaluateFolds(context, data, context.options.model, k))!; // nothing stops it
  const evaluated = { scoredRows, evaluation: evaluateRows(scoredRows, foldsText(k, rows)) };
  return { model: await whole(), rows, evaluated };
}

/** Evaluates a model on held-out rows; the written model is trained on all rows, unless a column says which rows are for training. */
async function byHoldOut(context: Fit, data: LabelledData): Promise<Outcome> {
  const { model: name, holdout, seed, splitColumn } = context.options;
  const byContent = holdout > 0 && splitColumn === undefined;
  const split = byContent ? planSplit(data.head.table, data.target, holdout, seed) : undefined;
  const training = await train(context, data, name, { split, splitColumn, scored: [1] });
  const [learned, held = 0] = training.counts;
  const rows = isInMemory(data) ? data.table.length : learned + held;
  if (learned === 0 || held === 0) return { model: await training.model(context), rows };
  const first = await training.model(context, 1);
  const scoredRows = await training.score(context, first, 1);
  const on = byContent
    ? `held out: ${count(held)} of ${counted(rows, 'row')} (${percent(held / rows, 0)})`
    : `held out by column ${safe(splitColumn ?? '')}: ${counted(held, 'row')}`;
  const evaluated = { scoredRows, evaluation: evaluateRows(scoredRows, on) };
  if (byContent) return { model: await training.model(context), rows, evaluated };
  return { model: first, rows, learned, evaluated };
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
