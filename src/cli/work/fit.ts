import { Classifier } from '../../auto/classifier.ts';
import type { ClassifierReport } from '../../auto/classifier-report.ts';
import type { Judgement } from '../../server/insight/judge.ts';
import { fit as declaration, type Fit } from '../commands/fit.ts';
import { nameOf, openRows } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { count, counted, duration, score } from '../numbers.ts';
import { fail } from '../problem.ts';
import { commandLine, quoted } from '../shell.ts';
import { safe, wrap } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { atItsPlace } from './cell-problems.ts';
import { countLesson } from './counted-lesson.ts';
import { countStream } from './counted-stream.ts';
import { byFolds, byHoldOut, type Studied } from './fit-outcome.ts';
import { printJudgement } from './judgement-text.ts';
import { type Lesson, readLesson } from './lesson.ts';
import { outputFor, recipeLine, requireFree, type Written, writeModelFile } from './model-output.ts';
import { learnOptions } from './options.ts';
import { readingWords } from './reading-words.ts';
import { recipeFor } from './recipe.ts';

/** Learns, judges, writes. */
export async function fit(context: Fit): Promise<undefined> {
  const begun = performance.now();
  const { options, args, print } = context;
  if (options.engine !== undefined) return (await import('./fit-engine.ts')).fitEngine(context, options.engine, begun);
  requireData(context);
  if (options.stream) return fitStream(context, begun);
  if (options.splitColumn !== undefined && options.cv) fail('E_USAGE', texts.fit.splitNot('--cv'));
  learnOptions(context); // refuses what it cannot read before anything is read
  const lesson: Studied = (await countLesson(context, args)) ?? (await readLesson(context, args));
  if (options.splitColumn !== undefined)
    requireColumn(context, options.splitColumn, Object.keys(lesson.rows[0] ?? {}), nameOf(args));
  const output = outputFor(options.output, args[0]);
  const notes = recipeLine(context, declaration.options, lesson.target);
  requireFree(context, output, options.force, notes);
  const { unlabelled } = lesson;
  const all = unlabelled ? { ...lesson, rows: [...lesson.rows, ...unlabelled] } : lesson;
  const named = recipeFor(context, all, options.model, options.splitColumn);
  const recipe = unlabelled ? { ...named, unlabeled: 'use' as const } : named;
  if (unlabelled) requireFamily(context, unlabelled.length);
  const placed = { rows: lesson.rows, lines: lesson.lines, file: nameOf(args), weights: options.weights };
  const {
    model,
    verdict,
    learned = lesson.rows.length,
  } = await atItsPlace(placed, () =>
    options.cv ? byFolds(context, lesson, recipe) : byHoldOut(context, lesson, recipe),
  );
  const provenance = { dataHash: await lesson.source.hash(), rows: learned, notes };
  if (!verdict) lesson.crew?.dismiss();
  const saved = model.toBytes({ provenance, slim: options.slim }); // while threads read the rows that judge it
  const { judged, judgement } = (await verdict?.()) ?? {};
  const report = model.report();
  sayChoice(context, report, performance.now() - begun);
  if (!print.json) {
    if (judgement && judged) await printJudgement(print, judged, judgement);
    else print.talk(texts.fit.notJudged());
  }
  sayWarnings(context, report);
  const written = await writeModelFile(context, output, { toBytes: () => saved }, provenance, options.slim);
  if (print.json)
    await printJson(context, lesson, model, judgement, {
      ...written,
      seconds: (performance.now() - begun) / 1000,
      notes,
    });
  sayNext(context, report, output);
}

/** Unlabelled rows are for a model that keeps its counts. */
function requireFamily({ options, words, print }: Fit, rows: number): void {
  if (options.model === 'auto' && !options.online) {
    fail('E_USAGE', texts.fit.unlabeledNeedsFamily(), { command: commandLine([...words, '--online']) });
  }
  print.talk(texts.fit.unlabeledUsed(counted(rows, 'row')));
}

/** Data are not needed where an engine has a table; here they are. */
function requireData({ args, words, options }: Fit): void {
  if (options.table !== undefined) fail('E_USAGE', texts.engine.onlyWithEngine('--table'));
  if (args.length > 0) return;
  const [{ name, doc }] = declaration.arguments;
  fail('E_USAGE', texts.usage.argumentMissing('fit', name), {
    notes: [doc],
    command: commandLine([...words, name.toUpperCase()]),
  });
}

/** The alternatives with their scores, then the choice; columns and all alternatives where more is asked for. */
function sayChoice({ print, options }: Fit, { tried, summary, schema }: ClassifierReport, spent: number): void {
  if (options.verbose) {
    for (const { name, kind, role, reason } of schema.columns)
      print.talk(texts.fit.column(safe(name), kind, role, safe(reason)));
  }
  for (const of of new Set(tried.map((entry) => entry.of))) {
    const own = tried.filter((entry) => entry.of === of).sort((a, b) => a.logLoss - b.logLoss);
    const best = options.verbose ? own : own.slice(0, 4);
    if (own.length < 2) continue;
    print.talk(texts.fit.tried(safe(of)));
    for (const { name, logLoss, accuracy } of best)
      print.talk(texts.fit.triedOne(safe(name, 50), score(logLoss), score(accuracy)));
  }
  const { green } = print.talkScreen.paint;
  const wide = Math.max(40, Math.min(print.talkScreen.columns, 100) - 2);
  print.talk(`${green('✔')} ${wrap(safe(summary), wide, '  ')}`);
  print.talk(`  ${[texts.fit.seed(options.seed), duration(spent)].join(' · ')}`);
}

/** As many ignored columns are listed; with --verbose, all columns are. */
const MOST_IGNORED = 20;

/** The ignored columns with their reasons, then the other warnings. */
function sayWarnings({ print, options }: Fit, { ignored, warnings }: ClassifierReport): void {
  if (!options.verbose) {
    for (const { name, reason } of ignored.slice(0, MOST_IGNORED))
      print.talk(texts.fit.ignored(safe(name), safe(reason)));
    if (ignored.length > MOST_IGNORED) print.talk(texts.fit.ignoredMore(count(ignored.length - MOST_IGNORED)));
  }
  const listed = new Set(ignored.map(({ name }) => name));
  for (const { sentence, kind, about = '' } of warnings) {
    const isListed = kind === 'identifier' || kind === 'constant' || kind === 'split';
    if (!isListed || !listed.has(about)) print.warn(safe(sentence));
  }
}

function sayNext(context: Fit, { schema, warnings }: ClassifierReport, output: string): void {
  const { print, words, args, options } = context;
  const split = warnings.find(({ kind }) => kind === 'split')?.about;
  if (split !== undefined && options.splitColumn === undefined && !options.stream) {
    const again = [...words, '--split-column', split, ...(words.includes('--force') ? [] : ['--force'])];
    print.talk(texts.fit.useSplit(safe(split), commandLine(again)));
  }
  const hasText = schema.columns.some(({ kind, role }) => kind === 'text' && role === 'feature');
  const input = hasText ? '--text "…"' : [args[0], ...readingWords(context)].map(quoted).join(' ');
  if (words.length > 0)
    print.talk(
      texts.fit.next(`polya predict ${hasText ? '' : `${input} `}-m ${quoted(output)}${hasText ? ` ${input}` : ''}`),
    );
}

async function printJson(
  { print, options }: Fit,
  lesson: Pick<Lesson, 'target' | 'guessed' | 'rows'>,
  model: Classifier,
  judgement: Judgement | undefined,
  facts: Written & { seconds: number; notes: string },
): Promise<void> {
  const { summary, tried, warnings, schema, ignored } = model.report();
  await print.object({
    schema: 'polya/fit@1',
    file: facts.file,
    bytes: facts.bytes,
    sha256: facts.sha256,
    target: { name: lesson.target, guessed: lesson.guessed !== undefined },
    model: model.model,
    summary,
    classes: model.classes,
    rows: lesson.rows.length,
    columns: schema.columns.map(({ name, kind, role, reason }) => ({ name, kind, role, reason })),
    ignored,
    learns: model.learns,
    judgement: judgement ?? null,
    tried,
    warnings,
    seed: options.seed,
    seconds: facts.seconds,
    repeat: facts.notes,
  });
}

/** One pass over rows that are not kept. */
async function fitStream(context: Fit, begun: number): Promise<undefined> {
  const { options, args, print, progress } = context;
  if (options.model === 'auto' && !options.online) fail('E_USAGE', texts.fit.streamNeedsName());
  if (options.unlabeled !== 'refuse') fail('E_USAGE', texts.usage.together('--stream', '--unlabeled'));
  const { target } = options;
  if (target === undefined) fail('E_USAGE', texts.fit.streamNeedsTarget());
  if (options.splitColumn !== undefined) fail('E_USAGE', texts.fit.splitNot('--stream'));
  const output = outputFor(options.output, args[0]);
  const notes = recipeLine(context, declaration.options, target);
  requireFree(context, output, options.force, notes);
  const source = await openRows(context, args);
  requireColumn(context, target, source.columns, source.name);
  const counted = await countStream(context, target);
  if (counted) await source.first.close();
  let rows = counted?.rows ?? 0;
  async function* batches() {
    for await (const chunk of source.chunks()) {
      rows += chunk.rows.length;
      yield chunk.rows;
    }
  }
  const model = counted?.model ?? (await Classifier.fitStream(batches(), { ...learnOptions(context), target }));
  progress.end();
  const report = model.report();
  sayChoice(context, report, performance.now() - begun);
  sayWarnings(context, report);
  const written = await writeModelFile(
    context,
    output,
    model,
    { dataHash: await source.hash(), rows, notes },
    options.slim,
  );
  const lesson = { rows: { length: rows } as Lesson['rows'], target, guessed: undefined };
  if (print.json)
    await printJson(context, lesson, model, undefined, {
      ...written,
      seconds: (performance.now() - begun) / 1000,
      notes,
    });
  sayNext(context, report, output);
}
