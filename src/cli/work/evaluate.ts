import { inspectModel } from '../../core/card.ts';
import { suggest } from '../../data/suggest.ts';
import { mcnemarTest } from '../../evaluate/compare.ts';
import { guessesOf, type Judged, type Judgement, judge, scoreRows } from '../../server/insight/judge.ts';
import { type Evaluate, families } from '../commands/evaluate.ts';
import type { Context } from '../context.ts';
import { requireColumn } from '../data-problems.ts';
import { count, counted, score } from '../numbers.ts';
import { EXIT, fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { renamed } from './answer.ts';
import { atItsPlace } from './cell-problems.ts';
import { type FoundThreshold, meanCost, ruleOf } from './decision.ts';
import { printMistakes, printSlices, type Slice, slicesOf } from './evaluate-parts.ts';
import { checkGates, type Gate } from './gates.ts';
import { printJudgement } from './judgement-text.ts';
import { crossJudge, foldsOf, joined } from './learn.ts';
import { type Lesson, readLesson } from './lesson.ts';
import { type Judge, openJudge, readModelBytes } from './model-input.ts';
import { learnOptions } from './options.ts';
import { recipeFor } from './recipe.ts';
import { groupsOf } from './split.ts';

/** Judges a model file on data, or a way to fit by folds. */
export async function evaluate(context: Evaluate): Promise<number | undefined> {
  const { options, print } = context;
  const { lesson, judged: scored, on, texts: textNames } = options.cv ? await byFolds(context) : await byModel(context);
  const { rule, found } = ruleOf(context, scored.classes, scored);
  const judged = Object.keys(rule).length > 0 ? { ...scored, rule } : scored;
  const cost = meanCost(judged, rule);
  const judgement = judge(judged, on);
  const compared = options.compare ? await compareWith(context, lesson, judged) : undefined;
  const slices = options.by ? slicesOf(context, lesson, judged, options.by) : [];
  const gates = checkGates(context, judgement);
  if (print.json) await printJson(context, { judgement, compared, slices, gates, found, cost });
  else {
    await printJudgement(print, judged, judgement, { digits: options.digits, confusion: options.confusion });
    await printDecisions(context, found, cost);
    await printSlices(context, slices);
    if (compared) await print.line(`\n${compared.words}`);
    if (options.mistakes) await printMistakes(context, lesson, judged, textNames);
  }
  if (judgement.unknown > 0) print.warn(texts.evaluate.unknown(count(judgement.unknown), judgement.unknown === 1));
  for (const { met, sentence } of gates)
    if (!met) context.io.stderr.write(`${print.talkScreen.paint.red('✖')} ${sentence}\n`);
  return gates.every(({ met }) => met) ? undefined : EXIT.gate;
}

interface Outcome {
  readonly lesson: Lesson;
  readonly judged: Judged;
  readonly on: string;
  readonly texts: readonly string[];
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
  const lesson = await readLesson(context, args);
  const parts = foldsOf(lesson.labels, groupsOf(lesson.rows, lesson.target, new Set()), cv, seed);
  const judged = joined(
    crossJudge(lesson.rows, lesson.labels, recipeFor(context as never, lesson, model), parts, context),
  );
  context.progress.end();
  const order = parts.flatMap(({ test }) => test);
  const own = { ...lesson, rows: order.map((i) => lesson.rows[i]), labels: order.map((i) => lesson.labels[i]) };
  return { lesson: own, judged, on: texts.fit.byFolds(cv, count(lesson.rows.length)), texts: [] };
}

async function byModel(context: Evaluate): Promise<Outcome> {
  const { options, args, print } = context;
  if (options.model === undefined) {
    fail('E_USAGE', texts.evaluate.modelOrFolds(), { command: commandLine([...context.words, '-m', 'model.polya']) });
  }
  const judge = await openJudge(context, options.model);
  const lesson = await readLesson({ ...context, options: { ...options, text: undefined } }, args, judge.target);
  const judged = judgeLesson(context, judge, lesson);
  const learned = await isTraining(context, options.model, lesson);
  if (learned) print.warn(texts.evaluate.training());
  const say = learned ? texts.evaluate.onTraining : texts.evaluate.on;
  return { lesson, judged, on: say(safe(lesson.source.name), counted(lesson.rows.length, 'row')), texts: judge.texts };
}

/** Whether the rows are those that the model was made from, as far as the file tells. */
export async function isTraining(
  context: Context & { options: { where: readonly unknown[] } },
  path: string,
  { source }: Lesson,
): Promise<boolean> {
  const { dataHash } = inspectModel(await readModelBytes(context, path)).provenance ?? {};
  return dataHash !== undefined && dataHash === (await source.hash()) && context.options.where.length === 0;
}

/** What a model says of labelled rows. */
export function judgeLesson(
  context: Context & { options: { text?: string | undefined; strict?: boolean } },
  judge: Judge,
  lesson: Lesson,
): Judged {
  const { text } = context.options;
  const from =
    text ??
    (judge.texts.length === 1 &&
    !lesson.source.columns.includes(judge.texts[0]) &&
    lesson.source.columns.includes('text')
      ? 'text'
      : undefined);
  const to = from === undefined ? undefined : judge.texts[0];
  for (const column of context.options.strict === false ? [] : judge.columns)
    if (column !== to) requireColumn(context, column, lesson.source.columns, lesson.source.name, judge.columns);
  const rows = from === undefined ? lesson.rows : lesson.rows.map((row) => renamed(row, from, to));
  const placed = { rows, lines: lesson.lines, file: lesson.source.name, words: context.words };
  const tell = (share: number) => context.progress.step(texts.phases.judging(), { share });
  const logProba = atItsPlace(placed, () => scoreRows(judge, rows, tell));
  context.progress.end();
  return { classes: judge.classes, truth: lesson.labels, logProba };
}

async function compareWith(context: Evaluate, lesson: Lesson, judged: Judged) {
  const other = await openJudge(context, context.options.compare);
  const second = judgeLesson(context, other, lesson);
  const names = [safe(context.options.model ?? 'model'), safe(context.options.compare ?? 'other')] as const;
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

async function printJson(
  { print, options }: Evaluate,
  {
    judgement,
    compared,
    slices,
    gates,
    found,
    cost,
  }: {
    judgement: Judgement;
    compared: unknown;
    slices: readonly Slice[];
    gates: readonly Gate[];
    found: readonly FoundThreshold[];
    cost: number | undefined;
  },
): Promise<void> {
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
