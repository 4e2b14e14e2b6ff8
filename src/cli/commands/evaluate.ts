import { modelNames } from '../../core/model-options.ts';
import { mcnemarTest } from '../../evaluate/compare.ts';
import {
  type Evaluation,
  evaluateRows,
  guessesOf,
  type ScoredRows,
  scoreNamed,
  scoreNames,
  shareOf,
} from '../../evaluate/evaluation.ts';
import type { Verdict } from '../../evaluate/verdict.ts';
import { pairOf, requireColumn } from '../data-problems.ts';
import { type Context, command, integer, list, text } from '../declare.ts';
import { count, counted, interval, score } from '../numbers.ts';
import type { OrNull } from '../print.ts';
import { EXIT, fail, misuse } from '../problem.ts';
import { checking, deciding, modelling, reading, roles } from '../shared-options.ts';
import { corrected } from '../shell.ts';
import { safe } from '../terminal.ts';
import { listed, refuseChoice, refuseIgnored, refuseNumber, refuseUnknown } from '../usage.ts';
import { flagOf } from '../values.ts';
import { type FoundThreshold, meanCost, ruleOf } from '../work/decision.ts';
import { evaluatedOn, printEvaluation, unknownLabels } from '../work/evaluation-text.ts';
import { checkScored, isTraining, openData, readLabelledRows, scoreModel } from '../work/labelled.ts';
import { evaluateFolds, foldsText, isOnePass } from '../work/learn.ts';
import { isSeveral, openScorer, type Scorer } from '../work/model-input.ts';
import type { LabelScores } from '../work/multilabel.ts';
import { learnOptions } from '../work/options.ts';

const { model: _, ...rest } = modelling;

const options = {
  model: text('the model file; with --cv the name of a model [auto]', {
    short: 'm',
    value: 'FILE',
    common: true,
    complete: 'model',
  }),
  cv: integer('evaluate a model type by K-fold cross-validation', { value: 'K', min: 2, common: true }),
  failUnder: list('exit with code 8 if a score is lower: accuracy=0.9, f1=0.9, spam.recall=0.95 …', {
    value: 'METRIC=VALUE',
    common: true,
  }),
  failOver: list('exit with code 8 if a loss is higher: log-loss=0.3, brier=0.1 …', { value: 'METRIC=VALUE' }),
  by: text('evaluate each value of a column separately', { value: 'COLUMN', common: true, complete: 'column' }),
  compare: text('compare with another model on the same rows', { value: 'FILE', common: true, complete: 'model' }),
  ...deciding,
  threshold: list(
    'predict this label only above a probability, which is given (0.9) or chosen for a goal on these rows: precision:0.95, recall:0.9, cost:20 (false alarms per miss), f1 …',
    { value: 'LABEL=GOAL', common: true },
  ),
  digits: integer('the number of decimals in the table', { default: 3, min: 0, max: 15 }),
  ...checking,
  ...roles,
  multilabel: text(
    'the target column holds several labels with this separator, such as ";"; they are evaluated by micro and macro F1',
    { value: 'SEPARATOR' },
  ),
  ...rest,
  ...reading,
} as const;

type Evaluate = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** A model file or a model type was evaluated. */
  'evaluate@1': Evaluation & {
    model: string;
    slices: readonly Slice[];
    thresholds?: readonly OrNull<FoundThreshold>[];
    cost?: number;
    compared?: Compared;
    gates: readonly Omit<Gate, 'sentence'>[];
  };
  /** A multi-label model was evaluated. */
  'evaluate-labels@1': { model: string; scores: LabelScores };
}

/** `polya evaluate` */
export const declaration = command({
  about:
    "The table is scikit-learn's classification report. With --cv you need no model file: the data is split into folds, and each fold is evaluated with a model trained on the others. For continuous integration, --fail-under exits with code 8 if a score is too low.",
  arguments: [{ name: 'data', doc: 'files, or - for stdin', required: true, many: true, complete: 'file' }],
  options,
  examples: {
    'polya evaluate sms.csv -m spam.polya': 'scores with intervals',
    'polya evaluate sms.csv --cv 5 --model multinomial': 'evaluates a model type by 5-fold cross-validation',
    'polya evaluate sms.csv -m spam.polya --threshold spam=precision:0.99':
      'finds the threshold at which 99 % of "spam" predictions are correct',
    'polya evaluate sms.csv -m spam.polya --fail-under spam.recall=0.5 --json':
      'a quality gate: exit code 8 if it fails',
  },
  run,
});

/** Evaluates a model file on data, or a model type by folds. */
async function run(context: Evaluate): Promise<number | undefined> {
  const { options, print } = context;
  const scorer = options.cv || options.model === undefined ? undefined : await openScorer(context, options.model);
  if (options.multilabel !== undefined || scorer?.separator !== undefined) return byLabels(context, scorer);
  const outcome = options.cv ? await byFolds(context) : await byModel(context, scorer);
  const { scoredRows: scored, on } = outcome;
  const { rule, found } = ruleOf(context, scored.classes, scored);
  const scoredRows = Object.keys(rule).length > 0 ? { ...scored, rule } : scored;
  const cost = meanCost(scoredRows, rule);
  const evaluation = evaluateRows(scoredRows, on);
  const compared = options.compare ? await compareWith(context, { ...outcome, scoredRows }) : undefined;
  const slices = slicesOf(scoredRows, outcome.by);
  const gates = checkGates(context, evaluation);
  if (print.json) {
    await print.object<Prints>('evaluate@1', {
      model: options.model ?? 'auto',
      ...evaluation,
      slices,
      ...(found.length > 0 && { thresholds: found }),
      ...(cost !== undefined && { cost }),
      ...(compared !== undefined && { compared }),
      gates: gates.map(({ sentence: _, ...gate }) => gate),
    });
  } else {
    await printEvaluation(print, scoredRows, evaluation, options.digits);
    await printDecisions(context, found, cost);
    await printSlices(context, slices);
    if (compared) await print.line(`\n${compared.words}`);
  }
  if (evaluation.unknown > 0) print.warn(unknownLabels(evaluation.unknown));
  for (const { met, sentence } of gates)
    if (!met) context.io.stderr.write(`${print.stderrScreen.paint.red('✖')} ${sentence}\n`);
  return gates.every(({ met }) => met) ? undefined : EXIT.gate;
}

/** Evaluates a model of several labels. */
async function byLabels(context: Evaluate, scorer: Scorer | undefined): Promise<undefined> {
  const { evaluateLabels, printLabelScores, readLabelledTexts } = await import('../work/multilabel.ts');
  const { options, print } = context;
  const gates = ['failUnder', 'failOver'] as const;
  const single = ['cv', ...gates, 'by', 'compare', 'threshold', 'cost'] as const;
  refuseIgnored(options, single, 'cannot be used with a multi-label model.');
  const { opened, file, separator } = scorer ?? (await openScorer(context, options.model));
  if (!isSeveral(opened)) {
    fail('E_CONFLICT', `${safe(file)} predicts one label per row; fit a model with --multilabel.`, { details: {} });
  }
  const { texts, labels } = await readLabelledTexts(context, options.multilabel ?? separator ?? ';');
  const { scores, report } = evaluateLabels(opened, texts, labels, options.digits);
  if (print.json) await print.object<Prints>('evaluate-labels@1', { model: file, scores });
  else await printLabelScores(print, scores, report);
  return undefined;
}

/** Scored rows. */
interface Outcome {
  readonly scoredRows: ScoredRows;
  readonly on: string;
  /** The cells of the column `--by`. */
  readonly by: readonly string[];
  /** Scores the same rows with the model of `--compare`. */
  compared?(other: Scorer, path: string): Promise<ScoredRows>;
}

async function byFolds(context: Evaluate): Promise<Outcome> {
  const { options, words } = context;
  const { model = 'auto', cv = 5 } = options;
  if (!(modelNames as readonly string[]).includes(model)) {
    refuseChoice('--model', model, modelNames, { correct: (near) => corrected(words, model, near) });
  }
  learnOptions(context, model);
  const passes = isOnePass(context, model);
  context.progress.plan({ reading: 1, folds: passes ? 1 : 20 });
  const data = passes ? await openData(context, context.args) : await readLabelledRows(context, context.args);
  if (options.by !== undefined) requireColumn(context, options.by, data.source.columns, data.source.name);
  const evaluated = await evaluateFolds(context, data, model, cv, { by: options.by });
  const { scoredRows, scored, rows } = evaluated!; // nothing stops it
  return { scoredRows, on: foldsText(cv, rows), by: scored.flatMap((part) => part.by) };
}

async function byModel(context: Evaluate, scorer: Scorer | undefined): Promise<Outcome> {
  const { options, args, print } = context;
  if (options.model === undefined || scorer === undefined) {
    misuse('evaluate needs a model file (-m), or --cv to evaluate a model type.', [
      ...context.words,
      '-m',
      'model.polya',
    ]);
  }
  const fitting = [...Object.keys(rest), 'features', 'kinds', 'weights'];
  const ignored = fitting.find((name) => context.settings.get(name)?.origin === 'flag');
  if (ignored) misuse(`${flagOf(ignored)} needs --cv: a model file has its own settings.`);
  const data = await openData(context, args, { known: scorer.target, twice: options.compare !== undefined });
  const { source } = data;
  if (options.by !== undefined) requireColumn(context, options.by, source.columns, source.name);
  const ask = (own: Scorer, path: string) => scoreModel(context, data, own, { path, by: options.by });
  const scored = await ask(scorer, options.model);
  const { truth } = scored;
  checkScored(context, data, scored);
  const learned = await isTraining(context, options.model, { source });
  if (learned) print.warn('the model was trained on these rows, so the scores are too high; use other rows, or --cv');
  const on = evaluatedOn(safe(source.name), counted(truth.length, 'row'), learned);
  return { scoredRows: scored, on, by: scored.by, compared: ask };
}

type Compared = Pick<Verdict, 'difference' | 'pValue' | 'better' | 'words'> & { names: readonly string[] };

async function compareWith(context: Evaluate, { scoredRows, compared }: Outcome): Promise<Compared | undefined> {
  const { compare = '', model = 'model' } = context.options;
  if (!compared) return undefined;
  const second = await compared(await openScorer(context, compare), compare);
  const names = [safe(model), safe(compare)] as const;
  const guesses = [scoredRows, second].map(guessesOf);
  const { difference, pValue, better, words } = mcnemarTest(scoredRows.truth, guesses[0], guesses[1], { names });
  return { names, difference, pValue, better, words };
}

async function printDecisions({ print }: Evaluate, found: readonly FoundThreshold[], cost: number | undefined) {
  for (const { label, goal, threshold, precision, recall } of found) {
    const [name, wanted] = [safe(label, 40), safe(goal, 40)];
    if (threshold === Infinity) await print.line(`no threshold for ${name} reaches ${wanted} on these rows`);
    else
      await print.line(
        `threshold for ${name} to reach ${wanted}: ${floor(threshold)} (precision ${score(precision)}, recall ${score(recall)}, chosen on these rows)`,
      );
  }
  if (cost !== undefined) await print.line(`mean cost per row ${score(cost)}`);
}

/** Four digits, rounded down: rows at the threshold still reach it. */
const floor = (threshold: number): string => String(Math.floor(threshold * 1e4) / 1e4);

/** The rows with one value of a column, and how many of them are predicted correctly. */
interface Slice {
  readonly value: string;
  readonly rows: number;
  readonly accuracy: Evaluation['accuracy'];
}

/** The accuracy for each value of a column, the most frequent first. */
function slicesOf(scoredRows: ScoredRows, cells: readonly string[]): Slice[] {
  const guesses = guessesOf(scoredRows);
  const found = new Map<string, { rows: number; right: number }>();
  for (const [i, value] of cells.entries()) {
    const { rows, right } = found.get(value) ?? { rows: 0, right: 0 };
    found.set(value, { rows: rows + 1, right: right + Number(scoredRows.truth[i] === guesses[i]) });
  }
  const slices = [...found].map(([value, { rows, right }]) => ({ value, rows, accuracy: shareOf(right, rows) }));
  return slices.sort((a, b) => b.rows - a.rows);
}

/** Prints the twenty largest slices. */
async function printSlices({ print, options }: Evaluate, slices: readonly Slice[]): Promise<void> {
  if (slices.length === 0) return;
  const shown = slices.slice(0, 20);
  await print.line();
  const lines = shown.map(({ value, rows, accuracy }) => [
    safe(value, 30),
    ...[count(rows), score(accuracy.value), interval(accuracy.low, accuracy.high)],
  ]);
  await print.table([safe(options.by ?? '', 30), 'rows', 'accuracy', '95 % interval'], lines);
}

/** A score with its limit. */
interface Gate {
  readonly name: string;
  readonly kind: 'under' | 'over';
  readonly limit: number;
  readonly value: number;
  readonly met: boolean;
  readonly sentence: string;
}

/** Checks scores against `--fail-under` and `--fail-over`. */
const checkGates = (context: Evaluate, evaluation: Evaluation): Gate[] =>
  (['under', 'over'] as const).flatMap((kind) =>
    context.options[kind === 'under' ? 'failUnder' : 'failOver'].map((word) =>
      gateOf(context.words, kind, word, evaluation),
    ),
  );

function gateOf(words: readonly string[], kind: Gate['kind'], word: string, evaluation: Evaluation): Gate {
  const flag = `--fail-${kind}`;
  const [name, text] = pairOf(flag, 'METRIC=VALUE', word);
  const limit = Number(text);
  if (text === '' || !Number.isFinite(limit)) refuseNumber(flag, text);
  const found = scoreNamed(evaluation, name);
  if (found === undefined) {
    const names = scoreNames(evaluation);
    const near = { wrong: word, behind: `=${text}`, notes: [`It is one of ${listed(names)}.`] };
    return refuseUnknown(words, `There is no score "${safe(name)}".`, name, names, near);
  }
  const { value, low, high } = found;
  const bounds = low === high ? '' : ` (${low.toFixed(3)}–${high.toFixed(3)})`;
  const met = kind === 'under' ? value >= limit : value <= limit;
  return { name, kind, limit, value, met, sentence: `${safe(name)} ${value.toFixed(3)}${bounds} is ${kind} ${text}` };
}
