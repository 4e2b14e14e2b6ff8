import { inferSchema } from '../../auto/schema.ts';
import { suggest } from '../../data/suggest.ts';
import { judge } from '../../server/insight/judge.ts';
import { tune as declaration, type Tune } from '../commands/tune.ts';
import { camel, type OptionDefs } from '../declare.ts';
import { count, interval, score } from '../numbers.ts';
import { fail } from '../problem.ts';
import { modelNames } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { pad, safe, width } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { flagOf, readValue } from '../values.ts';
import { joined, learn } from './learn.ts';
import { type Lesson, readLesson } from './lesson.ts';
import { requireFree, writeModelFile } from './model-output.ts';
import { recipeFor } from './recipe.ts';
import { type Candidate, nestedJudgement, type Scored, search } from './search.ts';

/** Tries settings, shows the best, judges the search. */
export async function tune(context: Tune): Promise<undefined> {
  const { options, args, print } = context;
  if (options.output) requireFree(context, options.output, options.force);
  const lesson = await readLesson(context, args);
  const candidates = candidatesFor(context, lesson);
  print.talk(texts.tune.trying(count(candidates.length), options.search, options.cv));
  const rows = [...lesson.rows.keys()];
  const table = search(context, lesson, rows, candidates, texts.phases.trying());
  const nested = options.nested
    ? judge(joined(nestedJudgement(context, lesson, candidates)), texts.tune.nested(options.outer))
    : undefined;
  const [best] = table;
  const line = fitLine(context, lesson, best.candidate);
  if (!print.json) {
    await printTable(context, table);
    if (nested) {
      const { accuracy, logLoss } = nested;
      await print.line(
        texts.tune.honest(options.outer, score(accuracy.value), interval(accuracy.low, accuracy.high), score(logLoss)),
      );
    }
  }
  const written = options.output ? await writeBest(context, lesson, best, line) : undefined;
  if (print.json) {
    const settings = table.map(({ candidate, logLoss, accuracy, rows: own }) => ({
      settings: candidate.settings,
      logLoss,
      accuracy,
      rows: own,
    }));
    await print.object({
      schema: 'polya/tune@1',
      rows: lesson.rows.length,
      target: lesson.target,
      folds: options.cv,
      table: settings,
      nested: nested ?? null,
      repeat: line,
      ...(written && { written }),
    });
  } else print.talk(texts.fit.next(line));
  return undefined;
}

async function writeBest(context: Tune, lesson: Lesson, { candidate }: Scored, notes: string) {
  const model = learn(lesson.rows, { ...candidate.recipe, target: lesson.target, evaluate: false }, context);
  const provenance = { dataHash: await lesson.source.hash(), rows: lesson.rows.length, notes };
  return writeModelFile(context, context.options.output!, model, provenance);
}

/** The command that fits with the best settings. */
function fitLine({ args, options }: Tune, { target }: Lesson, { settings }: Candidate): string {
  const chosen = Object.entries(settings).flatMap(([name, value]) => [flagOf(camel(name)), value]);
  return commandLine([
    'fit',
    ...args,
    '--target',
    target,
    ...chosen,
    ...(options.seed === 1 ? [] : ['--seed', String(options.seed)]),
  ]);
}

const usual = {
  text: { model: ['multinomial', 'complement', 'bernoulli'], alpha: ['0.1', '0.3', '1'], ngrams: ['1', '1-2'] },
  table: { model: ['gaussian', 'kernel', 'mixed', 'categorical', 'tan', 'lda', 'qda', 'rda'] },
} as const;

/** All combinations of the values to try; those that a model cannot take are left out as they fail. */
function candidatesFor(context: Tune, lesson: Lesson): Candidate[] {
  const asked = context.options.try.map((word) => axisOf(context, word));
  const hasText = context.options.text !== undefined || isText(lesson);
  const axes =
    asked.length > 0 ? asked : (Object.entries(hasText ? usual.text : usual.table) as [string, readonly string[]][]);
  let combinations: Record<string, string>[] = [{}];
  for (const [name, values] of axes)
    combinations = combinations.flatMap((before) => values.map((value) => ({ ...before, [name]: value })));
  return combinations.map((settings) => ({ settings, recipe: recipeOf(context, lesson, settings) }));
}

function isText({ rows, target }: Lesson): boolean {
  const { columns } = inferSchema(rows.slice(0, 1000), { target });
  return columns.some(({ role, kind }) => role === 'feature' && kind === 'text');
}

/** Options that may be tried. */
const tunable = [
  'model',
  'alpha',
  'smoothing',
  'priors',
  'classWeight',
  'ngrams',
  'analyzer',
  'stopWords',
  'minDf',
  'maxDf',
  'vocab',
  'hash',
  'bins',
  'calibrate',
];

function axisOf({ words }: Tune, word: string): [string, string[]] {
  const at = word.indexOf('=');
  if (at <= 0) fail('E_USAGE', texts.usage.pairNeeded('--try', 'OPTION=V|V', word));
  const name = camel(word.slice(0, at));
  if (tunable.includes(name))
    return [
      name,
      word
        .slice(at + 1)
        .split('|')
        .filter(Boolean),
    ];
  const near = suggest(name, tunable);
  return fail('E_USAGE', texts.usage.choiceNeeded('--try', name), {
    notes: [texts.usage.choices(tunable, near)],
    command: near && commandLine(words.map((own) => (own === word ? `${near}${word.slice(at)}` : own))),
  });
}

function recipeOf(context: Tune, lesson: Lesson, settings: Record<string, string>): Candidate['recipe'] {
  const defs: OptionDefs = declaration.options;
  const given = Object.entries(settings).map(([name, value]) => [
    name,
    readValue(name, defs[name], value, { where: `--try ${name}` }),
  ]);
  const options = { ...context.options, ...Object.fromEntries(given) };
  const model = settings.model ?? (options.model === 'auto' ? modelNames[1] : options.model);
  const print = Object.assign(Object.create(context.print), { talk: () => undefined });
  return recipeFor({ ...context, options, print }, lesson, model);
}

async function printTable({ print, options }: Tune, table: readonly Scored[]): Promise<void> {
  const names = Object.keys(table[0].candidate.settings);
  const shown = table.slice(0, options.top);
  const widths = names.map(
    (name) => Math.max(width(name), ...shown.map(({ candidate }) => width(safe(candidate.settings[name])))) + 2,
  );
  await print.line(
    `${names.map((name, k) => pad(name, widths[k])).join('')}${pad('log-loss', 10, 'right')}${pad('accuracy', 10, 'right')}${pad('rows', 10, 'right')}`,
  );
  for (const { candidate, logLoss, accuracy, rows } of shown) {
    const cells = names.map((name, k) => pad(safe(candidate.settings[name]), widths[k])).join('');
    await print.line(
      `${cells}${pad(score(logLoss, 4), 10, 'right')}${pad(score(accuracy), 10, 'right')}${pad(count(rows), 10, 'right')}`,
    );
  }
}
