import { basename, resolve } from 'node:path';
import { informativeLists } from '../../auto/informative.ts';
import { inspectModel } from '../../core/card.ts';
import { cellOf, isBlank, isMarker, numberOf, wordOf } from '../../data/cells.ts';
import { compareCodePoints } from '../../data/order.ts';
import type { ColumnValues } from '../../report/densities.ts';
import { type ReportInput, renderReport } from '../../report/page.ts';
import { wordStatistics, wordTablesOf } from '../../report/word-statistics.ts';
import type { WordTables } from '../../report/words.ts';
import { type Judged, type Judgement, judge } from '../../server/insight/judge.ts';
import type { Report } from '../commands/report.ts';
import { bytes, count } from '../numbers.ts';
import { fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { isTraining, judgeLesson } from './evaluate.ts';
import { mistakesIn } from './evaluate-parts.ts';
import { informativeOf } from './explain-model.ts';
import { type Lesson, readLesson } from './lesson.ts';
import { type Judge, openJudge, readModelBytes } from './model-input.ts';
import { requireFree } from './model-output.ts';

const MOST_COLUMNS = 12;
const MOST_CONTENT = 300; // characters of a row that was mistaken

/** Writes the page about a model on labelled rows. */
export async function report(context: Report): Promise<undefined> {
  const { options, args, print, io, words } = context;
  const { model: path, output, force } = options;
  if (path === undefined)
    fail('E_USAGE', texts.model.needed('report'), { command: commandLine([...words, '-m', 'model.polya']) });
  if (output === undefined)
    fail('E_USAGE', texts.report.fileNeeded(), { command: commandLine([...words, '-o', 'report.html']) });
  requireFree(context, output, force);
  const judge = await openJudge(context, path);
  const lesson = await readLesson({ ...context, options: { ...options, text: undefined } }, args, judge.target);
  const judged = judgeLesson(context, judge, lesson);
  const page = new TextEncoder().encode(renderReport(await inputOf(context, path, judge, lesson, judged)));
  await io.save(resolve(io.cwd, output), page);
  print.talk(texts.report.wrote(safe(output), bytes(page.length)));
  if (print.json)
    await print.object({ schema: 'polya/report@1', model: basename(path), file: output, bytes: page.length });
  return undefined;
}

async function inputOf(
  context: Report,
  path: string,
  model: Judge,
  lesson: Lesson,
  judged: Judged,
): Promise<ReportInput> {
  const { options, words } = context;
  const card = inspectModel(await readModelBytes(context, path));
  const learned = await isTraining(context, path, lesson);
  const on = (learned ? texts.evaluate.onTraining : texts.evaluate.on)(lesson.source.name, count(lesson.rows.length));
  const judgement = judge(judged, on);
  const told = model.classifier?.report();
  const title = options.title ?? texts.report.title(basename(path), lesson.source.name);
  const facts: (readonly [string, string | undefined])[] = [
    [texts.report.data(), `${lesson.source.name}, sha256 ${await lesson.source.hash()}`],
    [texts.info.rows(), count(lesson.rows.length)],
    [texts.info.target(), lesson.target],
    [texts.report.model(), `${basename(path)}, sha256 ${card.sha256}`],
    [texts.report.learnedFrom(), card.provenance?.dataHash && `sha256 ${card.provenance.dataHash}`],
    [texts.info.made(), card.provenance?.notes],
    [texts.info.version(), texts.info.format(card.formatVersion, card.provenance?.version)],
  ];
  return {
    title,
    summary: told?.summary ?? model.kind,
    facts: facts.filter((fact): fact is [string, string] => fact[1] !== undefined),
    judged,
    ...judgement,
    classes: classesOf(judgement),
    columns: densitiesOf(model, lesson),
    words: model.texts.map((column) => ({ column, tables: wordsOf(lesson, column, options.words) })),
    informative: informativeLists(informativeOf(model, options.words) ?? [], model.classes, model.texts),
    mistakes: mistakesOf(model, lesson, judged, options.mistakes),
    tried: told?.tried ?? [],
    warnings: [
      ...(learned ? [texts.evaluate.training()] : []),
      ...(told?.warnings.map(({ sentence }) => sentence) ?? []),
    ],
    command: commandLine(words),
  };
}

function classesOf({ report: scores, intervals, confusion }: Judgement): ReportInput['classes'] {
  return confusion.labels.map((label, c) => ({
    label,
    ...intervals[label],
    f1: (scores[label] as { 'f1-score': number } | undefined)?.['f1-score'] ?? 0,
    rows: confusion.matrix[c].reduce((sum, rows) => sum + rows, 0),
  }));
}

/** The columns of numbers, by class. */
function densitiesOf(
  { columns, texts: textNames, classes, classifier }: Judge,
  { rows, labels }: Lesson,
): ColumnValues[] {
  const read = numberReaders(classifier);
  const numeric = columns.filter(
    (name) => !textNames.includes(name) && rows.every((row) => isNumeric(cellOf(row, name), read(name))),
  );
  return numeric
    .slice(0, MOST_COLUMNS)
    .map((name) => ({
      name,
      byClass: classes.map((label) => ({
        label,
        values: rows.flatMap((row, i) => {
          const value = cellOf(row, name);
          const number = read(name)(value);
          return labels[i] === label && !Number.isNaN(number) ? [number] : [];
        }),
      })),
    }))
    .filter(({ byClass }) => byClass.some(({ values }) => values.length > 0));
}

/** How the cells of each column are read as numbers: as the model does, where it knows the column. */
function numberReaders(classifier: Judge['classifier']): (name: string) => (cell: unknown) => number {
  const formats = new Map(classifier?.schema.columns.map(({ name, format }) => [name, format]));
  return (name) => (cell) => numberOf(cell, formats.get(name)?.numbers);
}

function isNumeric(cell: unknown, read: (cell: unknown) => number): boolean {
  return isBlank(cell) || isMarker(cell) || !Number.isNaN(read(cell));
}

/** What the words of a text column say in these rows. */
function wordsOf({ rows, labels }: Lesson, column: string, k: number): WordTables {
  const documents = rows.map((row) => wordOf(cellOf(row, column) ?? ''));
  return wordTablesOf(wordStatistics(documents, labels, [...new Set(labels)].sort(compareCodePoints)), k);
}

function mistakesOf(model: Judge, { rows }: Lesson, judged: Judged, most: number): ReportInput['mistakes'] {
  return mistakesIn(judged, most).map(({ i, guess: answer, sure }) => {
    const cells = model.columns.map((name) => wordOf(cellOf(rows[i], name) ?? '')).join(' · ');
    const content = cells.length > MOST_CONTENT ? `${cells.slice(0, MOST_CONTENT)}…` : cells;
    return { truth: judged.truth[i], answer, sure, content };
  });
}
