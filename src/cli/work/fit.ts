import type { ClassifierReport } from '../../auto/classifier-report.ts';
import { fit as declaration, type Fit } from '../commands/fit.ts';
import { count, duration, score } from '../numbers.ts';
import { fail } from '../problem.ts';
import { commandLine, quoted } from '../shell.ts';
import { safe, wrap } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { type FitResult, fitRows, type Verdict } from './fit-outcome.ts';
import { fitTables, isOnePass } from './fit-tables.ts';
import { printJudgement } from './judgement-text.ts';
import { outputFor, recipeLine, requireFree, type Written, writeModelFile } from './model-output.ts';
import { learnOptions } from './options.ts';
import { readingWords } from './reading-words.ts';

/** Learns, evaluates, writes. */
export async function fit(context: Fit): Promise<undefined> {
  const begun = performance.now();
  const { options, args, print } = context;
  if (options.engine !== undefined) return (await import('./fit-engine.ts')).fitEngine(context, options.engine, begun);
  requireData(context);
  requireTogether(context);
  learnOptions(context); // refuses what it cannot read before anything is read
  const output = outputFor(options.output, args[0]);
  let notes = '';
  const ready = (target: string) => {
    notes = recipeLine(context, declaration.options, target);
    requireFree(context, output, options.force, notes);
  };
  const result = await (isOnePass(context) ? fitTables(context, ready) : fitRows(context, ready));
  const { model, verdict, learned = result.rows } = result;
  const report = model.report();
  sayChoice(context, report, performance.now() - begun);
  if (!print.json) {
    if (verdict) await printJudgement(print, verdict.judged, verdict.judgement);
    else if (!options.stream) print.talk(options.holdout === 0 ? texts.fit.notJudged() : texts.fit.tooFewToHold());
  }
  if (verdict) sayUncovered(context, verdict);
  sayWarnings(context, report);
  const provenance = { dataHash: await result.source.hash(), rows: learned, notes };
  const written = await writeModelFile(context, output, model, provenance, options.slim);
  if (print.json) {
    const seconds = (performance.now() - begun) / 1000;
    await printJson(context, result, { ...written, seconds, notes });
  }
  sayNext(context, report, output);
}

/** Says which classes the evaluation does not cover: those that only the held-out rows have, and those that they lack. */
function sayUncovered({ print }: Fit, { judged, judgement: { unknown } }: Verdict): void {
  if (unknown > 0) print.warn(texts.evaluate.unknown(count(unknown), unknown === 1));
  const held = new Set(judged.truth);
  const missing = judged.classes.filter((label) => !held.has(label)).map((label) => safe(label, 40));
  const more = missing.length - MOST_UNCOVERED;
  const listed = [...missing.slice(0, MOST_UNCOVERED), ...(more > 0 ? [texts.fit.moreClasses(count(more))] : [])];
  if (listed.length > 0) print.warn(texts.fit.noneHeldOf(listed));
}

/** Refuses options that do not go together. */
function requireTogether({ options }: Fit): void {
  if (options.splitColumn !== undefined && options.cv) fail('E_USAGE', texts.fit.splitNot('--cv'));
  if (!options.stream) return;
  if (options.model === 'auto') fail('E_USAGE', texts.fit.streamNeedsName());
  if (options.unlabeled === 'use') fail('E_USAGE', texts.usage.together('--stream', '--unlabeled'));
  if (options.target === undefined) fail('E_USAGE', texts.fit.streamNeedsTarget());
  if (options.splitColumn !== undefined) fail('E_USAGE', texts.fit.splitNot('--stream'));
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

/** As many classes without held-out rows are listed. */
const MOST_UNCOVERED = 5;

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
  { model, target, guessed, rows, verdict }: FitResult,
  facts: Written & { seconds: number; notes: string },
): Promise<void> {
  const { summary, tried, warnings, schema, ignored } = model.report();
  await print.object({
    schema: 'polya/fit@1',
    file: facts.file,
    bytes: facts.bytes,
    sha256: facts.sha256,
    target: { name: target, guessed: guessed !== undefined },
    model: model.model,
    summary,
    classes: model.classes,
    rows,
    columns: schema.columns.map(({ name, kind, role, reason }) => ({ name, kind, role, reason })),
    ignored,
    learns: model.learns,
    judgement: verdict?.judgement ?? null,
    tried,
    warnings,
    seed: options.seed,
    seconds: facts.seconds,
    repeat: facts.notes,
  });
}
