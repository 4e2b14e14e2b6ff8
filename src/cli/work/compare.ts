import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { suggest } from '../../data/suggest.ts';
import { correctedResampledTTest, mcnemarTest } from '../../evaluate/compare.ts';
import { copiesOf } from '../../evaluate/held-out.ts';
import type { Verdict } from '../../evaluate/verdict.ts';
import { guessesOf, type Judged, judge } from '../../server/insight/judge.ts';
import type { Compare } from '../commands/compare.ts';
import { count, score } from '../numbers.ts';
import { fail } from '../problem.ts';
import { modelNames } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { pad, safe, width } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { checkScored, scoreModel } from './evaluate.ts';
import { openData } from './labelled-data.ts';
import { crossJudge, foldsOf, type Part } from './learn.ts';
import { readLesson } from './lesson.ts';
import { openJudge } from './model-input.ts';
import { recipeFor } from './recipe.ts';

/** One model of a comparison. */
interface Line {
  readonly name: string;
  readonly accuracy: number;
  readonly deviation: number | null;
  readonly logLoss: number;
  /** Against the first; null for the first itself. */
  readonly verdict: Pick<Verdict, 'difference' | 'pValue' | 'better' | 'method' | 'words'> | null;
}

/** Compares models by name on folds, or model files on rows. */
export async function compare(context: Compare): Promise<undefined> {
  const { options, io, print, words } = context;
  const names = options.model;
  if (names.length < 2)
    fail('E_USAGE', texts.compare.twoNeeded(), {
      command: commandLine([...words, '-m', names[0] ?? 'lda', '-m', 'gaussian']),
    });
  const known: readonly string[] = modelNames;
  const files = names.filter(
    (name) => !known.includes(name) && (name.endsWith('.polya') || existsSync(resolve(io.cwd, name))),
  );
  const wrong = names.find((name) => !known.includes(name) && !files.includes(name));
  if (wrong !== undefined) refuseModelName(context, wrong);
  if (files.length > 0 && files.length < names.length) fail('E_USAGE', texts.compare.mixed());
  const { lines, on, rows } = files.length > 0 ? await byFiles(context, names) : await byNames(context, names);
  if (print.json) await print.object({ schema: 'polya/compare@1', on, rows, by: options.by, models: lines });
  else await printLines(context, lines, on);
  return undefined;
}

function refuseModelName({ words }: Compare, wrong: string): never {
  const near = suggest(wrong, modelNames);
  fail('E_USAGE', texts.usage.choiceNeeded('--model', wrong), {
    notes: [texts.usage.choices(modelNames, near)],
    command: near && commandLine(words.map((word) => (word === wrong ? near : word))),
  });
}

async function byFiles(context: Compare, names: readonly string[]) {
  const judges = [];
  for (const name of names) judges.push(await openJudge(context, name));
  const labelled = { ...context, options: { ...context.options, text: undefined } };
  const data = await openData(labelled, context.args, true, judges[0].target);
  const judged: Judged[] = [];
  for (const [k, path] of names.entries()) {
    const scored = await scoreModel(context, data, judges[k], { path });
    if (k === 0) checkScored(labelled, data, scored);
    judged.push(scored);
  }
  const lines = judged.map((own, k): Line => {
    const { accuracy, logLoss } = judge(own, '');
    const pair = [safe(names[0]), safe(names[k])] as const;
    const verdict = k === 0 ? null : mcnemarTest(own.truth, guessesOf(judged[0]), guessesOf(own), { names: pair });
    return { name: names[k], accuracy: accuracy.value, deviation: null, logLoss: logLoss ?? Number.NaN, verdict };
  });
  const rows = judged[0].truth.length;
  return { lines, on: texts.evaluate.on(safe(data.source.name), count(rows)), rows };
}

async function byNames(context: Compare, names: readonly string[]) {
  const { options, args } = context;
  const [repeats, folds] = foldsFrom(options.cv);
  const lesson = await readLesson(context, args);
  const groups = copiesOf(lesson.table, lesson.target);
  const parts = Array.from({ length: repeats }, (_, r) =>
    foldsOf(lesson.labels, groups, folds, options.seed + r),
  ).flat();
  const scores = names.map((name) => {
    context.print.talk(texts.compare.model(name));
    const recipe = recipeFor(context as never, lesson, name);
    return scoresOf(crossJudge(lesson, recipe, parts, context));
  });
  context.progress.end();
  const lines = names.map((name, k): Line => {
    const own =
      options.by === 'accuracy'
        ? scores.map((all) => all.accuracy)
        : scores.map((all) => all.logLoss.map((loss) => -loss));
    const verdict =
      k === 0 ? null : correctedResampledTTest(own[0], own[k], { names: [names[0], name], ...sizes(parts) });
    const { accuracy, logLoss } = scores[k];
    return { name, accuracy: mean(accuracy), deviation: deviation(accuracy), logLoss: mean(logLoss), verdict };
  });
  return { lines, on: texts.compare.folds(repeats, folds, count(lesson.rows.length)), rows: lesson.rows.length };
}

function foldsFrom(text: string): [repeats: number, folds: number] {
  const [, first, second] = /^(\d+)(?:x(\d+))?$/.exec(text) ?? [];
  const [repeats, folds] = second === undefined ? [1, Number(first)] : [Number(first), Number(second)];
  if (first === undefined || folds < 2 || repeats < 1 || repeats * folds > 1000)
    fail('E_USAGE', texts.usage.pairNeeded('--cv', 'K or RxK', text));
  return [repeats, folds];
}

function scoresOf(parts: readonly Judged[]): { accuracy: number[]; logLoss: number[] } {
  const judged = parts.map((own) => judge(own, ''));
  return { accuracy: judged.map(({ accuracy }) => accuracy.value), logLoss: judged.map(({ logLoss }) => logLoss ?? 0) };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const deviation = (values: readonly number[]): number => {
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / Math.max(1, values.length - 1));
};
const sizes = (parts: readonly Part[]) => ({
  nTrain: mean(parts.map(({ train }) => train.length)),
  nTest: mean(parts.map(({ test }) => test.length)),
});

async function printLines({ print, options }: Compare, lines: readonly Line[], on: string): Promise<void> {
  const wide = Math.max(8, ...lines.map(({ name }) => width(safe(name))));
  await print.line(on);
  await print.line(
    `${pad('', wide)}  ${pad('accuracy', 16)}${pad('log-loss', 10)}${texts.compare.against(safe(lines[0].name), options.by)}`,
  );
  for (const { name, accuracy, deviation: spread, logLoss, verdict } of lines) {
    const shown = `${score(accuracy)}${spread === null ? '' : ` ±${score(spread)}`}`;
    await print.line(
      `${pad(safe(name), wide)}  ${pad(shown, 16)}${pad(score(logLoss), 10)}${verdict ? texts.compare.verdict(verdict.pValue, verdict.difference, verdict.better !== null) : '–'}`,
    );
  }
}
