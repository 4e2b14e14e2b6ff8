import { inspectModel } from '../../core/card.ts';
import { cellOf, type DataRow } from '../../data/cells.ts';
import { suggest } from '../../data/suggest.ts';
import { mcnemarTest } from '../../evaluate/compare.ts';
import { copiesOf } from '../../evaluate/held-out.ts';
import { guessesOf, type Judged, type Judgement, judge } from '../../server/insight/judge.ts';
import { type Evaluate, families } from '../commands/evaluate.ts';
import type { Context } from '../context.ts';
import type { RowSource } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { count, counted, score } from '../numbers.ts';
import { EXIT, fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { inPlace } from './cell-problems.ts';
import { type FoundThreshold, meanCost, ruleOf } from './decision.ts';
import { printMistakes, printSlices, type Slice, slicesOf } from './evaluate-parts.ts';
import { evaluateFolds, isOnePass } from './fit-tables.ts';
import { checkGates, type Gate } from './gates.ts';
import { printJudgement } from './judgement-text.ts';
import { type LabelledData, openData, rowsAt, type Scored, scoreData } from './labelled-data.ts';
import { crossJudge, foldsOf, joined } from './learn.ts';
import { checkLabelled, type Labelled, type Lesson, readLesson } from './lesson.ts';
import { checksOf, type Judge, openJudge, readModelBytes } from './model-input.ts';
import { learnOptions } from './options.ts';
import { recipeFor } from './recipe.ts';
import { takeRows } from './table-rows.ts';

/** Judges a model file on data, or a way to fit by folds. */
export async function evaluate(context: Evaluate): Promise<number | undefined> {
  const { options, print } = context;
  const outcome = options.cv ? await byFolds(context) : await byModel(context);
  const { judged: scored, on } = outcome;
  const { rule, found } = ruleOf(context, scored.classes, scored);
  const judged = Object.keys(rule).length > 0 ? { ...scored, rule } : scored;
  const cost = meanCost(judged, rule);
  const judgement = judge(judged, on);
  const compared = options.compare ? await compareWith(context, { ...outcome, judged }) : undefined;
  const slices = slicesOf(judged, outcome.by);
  const gates = checkGates(context, judgement);
  if (print.json) await printJson(context, { judgement, compared, slices, gates, found, cost });
  else {
    await printJudgement(print, judged, judgement, { digits: options.digits, confusion: options.confusion });
    await printDecisions(context, found, cost);
    await printSlices(context, slices);
    if (compared) await print.line(`\n${compared.words}`);
    if (options.mistakes) await printMistakes(context, outcome, judged);
  }
  if (judgement.unknown > 0) print.warn(texts.evaluate.unknown(count(judgement.unknown), judgement.unknown === 1));
  for (const { met, sentence } of gates)
    if (!met) context.io.stderr.write(`${print.talkScreen.paint.red('✖')} ${sentence}\n`);
  return gates.every(({ met }) => met) ? undefined : EXIT.gate;
}

/** Rows with their labels, what a model says of them, and how to read some of them. */
interface Outcome {
  readonly source: RowSource;
  readonly target: string;
  readonly judged: Judged;
  readonly on: string;
  readonly texts: readonly string[];
  /** The cells of the column `--by`. */
  readonly by: readonly string[];
  rowsAt(numbers: readonly number[]): Promise<DataRow[]>;
  /** What the model of `--compare` says of the same rows. */
  compared?(other: Judge, path: string): Promise<Judged>;
}

async function byFolds(context: Evaluate): Promise<Outcome> {
  const { options, args, words } = context;
  const { model = 'auto', cv = 5, seed } = options;
  if (!families.includes(model)) {
    const near = suggest(model, families);
    fail('E_USAGE', texts.usage.choiceNeeded('--model', model), {
      notes: [texts.usage.choices(families, near)],
      command: near && commandLine(words.map((word) => (word === model ? near : word))),
    });
  }
  learnOptions(context as never, model);
  const on = (rows: number) => texts.fit.byFolds(cv, count(rows));
  if (isOnePass(context)) {
    const data = await openData(context, args, true);
    const { source, target } = data;
    if (options.by !== undefined) requireColumn(context, options.by, source.columns, source.name);
    const { judged, scored, rows } = await evaluateFolds(context, data, model, cv, options.by);
    const places = scored.flatMap((own) => own.places);
    const read = async (own: readonly number[]) => {
      const wanted = own.map((k) => places[k]);
      const sorted = [...wanted].sort((a, b) => a - b);
      const found = await rowsAt(data, sorted);
      return wanted.map((place) => found[sorted.indexOf(place)]);
    };
    return { source, target, judged, on: on(rows), texts: [], by: scored.flatMap((own) => own.by), rowsAt: read };
  }
  const lesson = await readLesson(context, args);
  const parts = foldsOf(lesson.labels, copiesOf(lesson.table, lesson.target), cv, seed);
  const recipe = recipeFor(context as never, lesson, model);
  const judged = joined(crossJudge(lesson, recipe, parts, context));
  context.progress.end();
  const { source, target, rows } = lesson;
  const order = parts.flatMap(({ test }) => test);
  if (options.by !== undefined) requireColumn(context, options.by, source.columns, source.name);
  const by = options.by === undefined ? [] : order.map((i) => String(cellOf(rows[i], options.by!) ?? ''));
  const read = async (own: readonly number[]) => own.map((k) => rows[order[k]]);
  return { source, target, judged, on: on(rows.length), texts: [], by, rowsAt: read };
}

async function byModel(context: Evaluate): Promise<Outcome> {
  const { options, args, print } = context;
  if (options.model === undefined) {
    fail('E_USAGE', texts.evaluate.modelOrFolds(), { command: commandLine([...context.words, '-m', 'model.polya']) });
  }
  const judge = await openJudge(context, options.model);
  const labelled: Labelled = { ...context, options: { ...options, text: undefined } };
  const twice = options.compare !== undefined || options.mistakes !== undefined;
  const data = await openData(labelled, args, twice, judge.target);
  const { source, target } = data;
  if (options.by !== undefined) requireColumn(context, options.by, source.columns, source.name);
  const ask = (own: Judge, path: string) => scoreModel(context, data, own, { path, by: options.by });
  const scored = await ask(judge, options.model);
  const { truth } = scored;
  checkScored(labelled, data, scored);
  const learned = await isTraining(context, options.model, { source });
  if (learned) print.warn(texts.evaluate.training());
  const say = learned ? texts.evaluate.onTraining : texts.evaluate.on;
  const on = say(safe(source.name), counted(truth.length, 'row'));
  const found = { source, target, judged: scored, on, texts: judge.texts, by: scored.by };
  return { ...found, compared: ask, rowsAt: (own) => rowsAt(data, own) };
}

/** What a model file says of labelled data. */
export async function scoreModel(
  context: Naming,
  data: LabelledData,
  judge: Judge,
  { path, by }: { readonly path: string; readonly by?: string | undefined },
): Promise<Scored> {
  const names = namesFor(context, judge, data.source);
  const bytes = await readModelBytes(context, path);
  return scoreData(context, data, { judge, model: () => bytes, names, by, checks: checksOf(context) });
}

/** Refuses labels that are none, and missing ones. */
export function checkScored(context: Labelled, { source, target }: LabelledData, scored: Scored): void {
  const { truth } = scored;
  checkLabelled(context, { ...scored, labels: new Set(truth), rows: truth.length, target, file: source.name });
}

/** Whether the rows are those that the model was made from, as far as the file tells. */
export async function isTraining(
  context: Context & { options: { where: readonly unknown[] } },
  path: string,
  { source }: Pick<Lesson, 'source'>,
): Promise<boolean> {
  const { dataHash } = inspectModel(await readModelBytes(context, path)).provenance ?? {};
  return dataHash !== undefined && dataHash === (await source.hash()) && context.options.where.length === 0;
}

type Naming = Context & { readonly options: { readonly text?: string | undefined; readonly strict?: boolean } };

/** The columns of data by the names that a model knows them by; refuses data in which one is missing. */
function namesFor(context: Naming, judge: Judge, { columns, name }: RowSource): Readonly<Record<string, string>> {
  const [own, ...others] = judge.texts;
  const alone = own !== undefined && others.length === 0 && !columns.includes(own) && columns.includes('text');
  const from = context.options.text ?? (alone ? 'text' : undefined);
  const to = from === undefined ? undefined : own;
  for (const column of context.options.strict === false ? [] : judge.columns)
    if (column !== to) requireColumn(context, column, columns, name, judge.columns);
  return from !== undefined && to !== undefined && from !== to ? { [to]: from } : {};
}

/** What a model says of labelled rows. */
export function judgeLesson(context: Naming, judge: Judge, lesson: Lesson): Judged {
  const { table: all, source } = lesson;
  const table = takeRows(all, { filters: [], commas: false, names: namesFor(context, judge, source) });
  const place = { file: source.name, words: context.words };
  const logProba = inPlace(table, place, () => judge.predictLogProba(table));
  context.progress.end();
  return { classes: judge.classes, truth: lesson.labels, logProba };
}

async function compareWith(context: Evaluate, { judged, compared }: Outcome) {
  const { compare = '', model = 'model' } = context.options;
  if (!compared) return undefined;
  const second = await compared(await openJudge(context, compare), compare);
  const names = [safe(model), safe(compare)] as const;
  const { difference, pValue, better, words } = mcnemarTest(judged.truth, guessesOf(judged), guessesOf(second), {
    names,
  });
  return { names, difference, pValue, better, words };
}

/** JSON has no infinity: a threshold that nothing reaches is null, and so is the precision of no answers. */
function finiteThreshold({ threshold, precision, ...others }: FoundThreshold) {
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  return { ...others, threshold: finite(threshold), precision: finite(precision) };
}

async function printDecisions({ print }: Evaluate, found: readonly FoundThreshold[], cost: number | undefined) {
  const { threshold: say, noThreshold } = texts.evaluate;
  for (const { label, goal, threshold, precision, recall } of found) {
    const [name, wanted] = [safe(label, 40), safe(goal, 40)];
    if (threshold === Infinity) await print.line(noThreshold(name, wanted));
    else await print.line(say(name, wanted, floor(threshold), score(precision), score(recall)));
  }
  if (cost !== undefined) await print.line(texts.evaluate.cost(score(cost)));
}

/** Four digits, rounded down: rows at the threshold still reach it. */
const floor = (threshold: number): string => String(Math.floor(threshold * 1e4) / 1e4);

interface Results {
  readonly judgement: Judgement;
  readonly compared: unknown;
  readonly slices: readonly Slice[];
  readonly gates: readonly Gate[];
  readonly found: readonly FoundThreshold[];
  readonly cost: number | undefined;
}

async function printJson({ print, options }: Evaluate, results: Results): Promise<void> {
  const { judgement, compared, slices, gates, found, cost } = results;
  await print.object({
    schema: 'polya/evaluate@1',
    model: options.model ?? 'auto',
    ...judgement,
    slices,
    ...(found.length > 0 && { thresholds: found.map(finiteThreshold) }),
    ...(cost !== undefined && { cost }),
    ...(compared !== undefined && { compared }),
    gates: gates.map(({ name, kind, limit, value, met }) => ({ name, kind, limit, value, met })),
  });
}
