import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fitLogistic } from '../../auto/baseline.ts';
import { baselineNames, modelNames } from '../../core/model-options.ts';
import { correctedResampledTTest, type McNemarVerdict, mcnemarTest } from '../../evaluate/compare.ts';
import { evaluateRows, guessesOf, type ScoredRows } from '../../evaluate/evaluation.ts';
import { deviationOf, meanOf } from '../../evaluate/numpy.ts';
import type { Verdict } from '../../evaluate/verdict.ts';
import { type Context, choice, command, list, text } from '../declare.ts';
import { count, score } from '../numbers.ts';
import type { Count, OrNull } from '../print.ts';
import { misuse } from '../problem.ts';
import { partOf } from '../progress.ts';
import { checking, modelling, reading, roles } from '../shared-options.ts';
import { corrected } from '../shell.ts';
import { safe } from '../terminal.ts';
import { refuseChoice, refuseForm } from '../usage.ts';
import { budgeting, choose } from '../work/budget.ts';
import {
  checkScored,
  type LabelledRows,
  openData,
  readLabelled,
  readLabelledRows,
  scoreModel,
} from '../work/labelled.ts';
import { evaluateFolds, foldsOf, isOnePass } from '../work/learn.ts';
import { openScorer } from '../work/model-input.ts';
import { learnOptions } from '../work/options.ts';

const { model: _, ...rest } = modelling;

const options = {
  model: list(
    'model types, compared on the same folds (logistic: logistic regression as a baseline); or model files, compared on the same rows',
    { short: 'm', value: 'NAME or FILE', common: true, complete: 'model' },
  ),
  cv: text('folds; 10x10: ten times ten folds', { value: 'K or RxK', default: '5', common: true }),
  ...budgeting,
  by: choice(['accuracy', 'log-loss'], 'the metric to compare', { default: 'accuracy', common: true }),
  ...checking,
  ...roles,
  ...rest,
  ...reading,
} as const;

type Compare = Context<typeof options>;

const known: readonly string[] = [...modelNames, ...baselineNames];
const isBaseline = (name: string): boolean => (baselineNames as readonly string[]).includes(name);

type Printed = OrNull<Omit<Line, 'verdict'>> & { verdict: OrNull<NonNullable<Line['verdict']>> | null };

/** What the command prints with `--json`. */
export interface Prints {
  /** Models were compared on the same folds or rows. */
  'compare@1': { on: string; rows: Count; by: string; models: readonly Printed[] };
}

/** `polya compare` */
export const declaration = command({
  about:
    'Model types are compared by the corrected resampled t-test over the folds, model files by McNemar’s test over the rows. Every model is compared with the first.',
  arguments: [{ name: 'data', doc: 'labelled data', required: true, many: true, complete: 'file' }],
  options,
  examples: {
    'polya compare iris.csv -m lda -m qda -m gaussian --cv 2x5': 'three models on the same folds',
    'polya compare iris.csv -m lda -m logistic': 'with logistic regression as a baseline',
    'polya compare sms.csv -m spam.polya -m words.polya': 'two files on the same rows',
  },
  run,
});

/** One model of a comparison. */
interface Line {
  readonly name: string;
  readonly accuracy: number;
  readonly deviation: number | null;
  readonly logLoss: number;
  /** Against the first; null for the first itself. */
  readonly verdict: (Verdict & Partial<McNemarVerdict>) | null;
}

/** Compares models by name on folds, or model files on rows. */
async function run(context: Compare): Promise<void> {
  const { options, io, print, words } = context;
  const names = options.model;
  if (names.length < 2)
    misuse('compare needs two models or more: -m NAME -m NAME.', [
      ...words,
      ...(names.length === 0 ? ['-m', 'lda'] : []),
      ...['-m', names[0] === 'gaussian' ? 'lda' : 'gaussian'],
    ]);
  const files = names.filter(
    (name) => !known.includes(name) && (name.endsWith('.polya') || existsSync(resolve(io.cwd, name))),
  );
  const wrong = names.find((name) => !known.includes(name) && !files.includes(name));
  if (wrong !== undefined) refuseChoice('--model', wrong, known, { correct: (near) => corrected(words, wrong, near) });
  if (files.length > 0 && files.length < names.length)
    misuse('Model types are cross-validated and model files are used as they are; compare one kind at a time.');
  const { lines, on, rows } = files.length > 0 ? await byFiles(context, names) : await byNames(context, names);
  if (print.json) await print.object<Prints>('compare@1', { on, rows, by: options.by, models: lines });
  else await printLines(context, lines, on);
}

async function byFiles(context: Compare, names: readonly string[]) {
  const scorers = [];
  for (const name of names) scorers.push(await openScorer(context, name));
  const data = await openData(context, context.args, { known: scorers[0].target, twice: true });
  const scoredRows: ScoredRows[] = [];
  for (const [k, path] of names.entries()) {
    const scored = await scoreModel(context, data, scorers[k], { path });
    if (k === 0) checkScored(context, data, scored);
    scoredRows.push(scored);
  }
  const lines = scoredRows.map((own, k): Line => {
    const { accuracy, logLoss } = evaluateRows(own, '');
    const pair = [safe(names[0]), safe(names[k])] as const;
    const verdict = k === 0 ? null : mcnemarTest(own.truth, guessesOf(scoredRows[0]), guessesOf(own), { names: pair });
    return { name: names[k], accuracy: accuracy.value, deviation: null, logLoss: logLoss ?? Number.NaN, verdict };
  });
  const rows = scoredRows[0].truth.length;
  return { lines, on: `${safe(data.source.name)}: ${count(rows)}`, rows };
}

async function byNames(context: Compare, names: readonly string[]) {
  const { by, cv } = context.options;
  const [repeats, folds] = foldsFrom(cv);
  const { scoredRows, rows } = await choose(context, (enough) => foldsFor(context, names, repeats, folds, enough));
  context.progress.end();
  const left = names.slice(scoredRows.length);
  if (left.length > 0) context.print.warn(`stopped early; not evaluated: ${left.join(', ')}`);
  const scores = scoredRows.map(scoresOf);
  const own = scores.map(({ accuracy, logLoss }) => (by === 'accuracy' ? accuracy : logLoss.map((loss) => -loss)));
  const nTest = meanOf(scoredRows[0].map(({ truth }) => truth.length));
  const sizes = { nTest, nTrain: rows - nTest };
  const lines = scores.map(({ accuracy, logLoss }, k): Line => {
    const name = names[k];
    const verdict = k === 0 ? null : correctedResampledTTest(own[0], own[k], { names: [names[0], name], ...sizes });
    return { name, accuracy: meanOf(accuracy), deviation: deviation(accuracy), logLoss: meanOf(logLoss), verdict };
  });
  const times = repeats > 1 ? `${repeats} times ` : '';
  return { lines, on: `${times}${folds} folds of ${count(rows)} rows, the same for all models`, rows };
}

/** The scores of each model on every fold. The first model is always evaluated, even if the search is stopped early. */
async function foldsFor(
  context: Compare,
  names: readonly string[],
  repeats: number,
  folds: number,
  enough: () => boolean,
): Promise<{ scoredRows: (readonly ScoredRows[])[]; rows: number }> {
  context.progress.plan({ reading: 1, comparing: 4 * names.length });
  const inMemory = names.some((name) => isBaseline(name) || !isOnePass(context, name));
  const { args } = context;
  const data = inMemory ? await readLabelledRows(context, args) : await openData(context, args, { twice: true });
  const scoredRows: (readonly ScoredRows[])[] = [];
  let rows = 0;
  for (const [k, name] of names.entries()) {
    const stop = () => k > 0 && enough();
    const own: ScoredRows[] = [];
    for (let r = 0; r < repeats && !stop(); r++) {
      const part = k * repeats + r;
      const progress = partOf(context.progress, 'comparing', part, names.length * repeats, { reading: 1, folds: 1 });
      progress.step('', { what: name });
      const seeded = { ...context, progress, options: { ...context.options, seed: context.options.seed + r } };
      const found = isBaseline(name)
        ? await scoreBaseline(seeded, await readLabelled(seeded, data), folds)
        : (await evaluateFolds(seeded, data, name, folds, { enough: stop }))?.scored;
      own.push(...(found ?? []));
    }
    if (own.length < repeats * folds) break;
    rows = own.reduce((all, { truth }) => all + truth.length, 0) / repeats;
    scoredRows.push(own);
  }
  return { scoredRows, rows };
}

/** Evaluates logistic regression on the folds, with the columns and text options of the command. */
async function scoreBaseline(context: Compare, data: LabelledRows, folds: number): Promise<ScoredRows[]> {
  const { table, labels, target } = data;
  const options = { ...learnOptions(context, 'auto'), target };
  const scoredRows: ScoredRows[] = [];
  for (const [k, { train, test }] of foldsOf(table, target, folds, context.options.seed).entries()) {
    context.progress.step('', { share: k / folds, what: 'logistic' });
    await setImmediate(); // signals are handled here
    const labelsOf = (places: readonly number[]) => places.map((i) => labels[i]);
    const model = fitLogistic(table.take(train), labelsOf(train), options);
    const logProba = model.predictLogProba(table.take(test));
    scoredRows.push({ classes: model.classes.map(String), truth: labelsOf(test), logProba });
  }
  return scoredRows;
}

function foldsFrom(text: string): [repeats: number, folds: number] {
  const [, first, second] = /^(\d+)(?:x(\d+))?$/.exec(text) ?? [];
  const [repeats, folds] = second === undefined ? [1, Number(first)] : [Number(first), Number(second)];
  if (first === undefined || folds < 2 || repeats < 1 || repeats * folds > 1000) refuseForm('--cv', 'K or RxK', text);
  return [repeats, folds];
}

function scoresOf(parts: readonly ScoredRows[]): { accuracy: number[]; logLoss: number[] } {
  const scoredRows = parts.map((own) => evaluateRows(own, ''));
  return {
    accuracy: scoredRows.map(({ accuracy }) => accuracy.value),
    logLoss: scoredRows.map(({ logLoss }) => logLoss ?? 0),
  };
}

/** The standard deviation of a sample. */
const deviation = (values: readonly number[]): number =>
  deviationOf(values) * Math.sqrt(values.length / Math.max(1, values.length - 1));

async function printLines({ print, options }: Compare, lines: readonly Line[], on: string): Promise<void> {
  await print.line(on);
  const rows = lines.map(({ name, accuracy, deviation: spread, logLoss, verdict }) => {
    const shown = `${score(accuracy)}${spread === null ? '' : ` ±${score(spread)}`}`;
    return [safe(name), shown, score(logLoss), verdict ? verdictText(verdict) : '–'];
  });
  await print.table(['', 'accuracy', 'log-loss', `against ${safe(lines[0].name)}, by ${options.by}`], rows, 4);
}

/** `difference` is how much better the first model is. */
function verdictText({ pValue, difference, better }: NonNullable<Line['verdict']>): string {
  const chance = pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`;
  if (better === null) return `no difference shown (${chance})`;
  return `${difference > 0 ? 'worse' : 'better'} (${chance})`;
}
