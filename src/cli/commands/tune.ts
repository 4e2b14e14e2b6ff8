import { setImmediate } from 'node:timers/promises';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { schemaOf } from '../../auto/schema.ts';
import { modelNames } from '../../core/model-options.ts';
import { PolyaError } from '../../errors.ts';
import { type Evaluation, evaluateRows, type ScoredRows } from '../../evaluate/evaluation.ts';
import { Random } from '../../math/random.ts';
import { type Context, camel, choice, command, flag, integer, kebab, list, type OptionDefs } from '../declare.ts';
import { count, counted, interval, score } from '../numbers.ts';
import { type Count, Printer } from '../print.ts';
import { fail } from '../problem.ts';
import { partOf, type Step, silent } from '../progress.ts';
import { modelling, reading, roles, writing } from '../shared-options.ts';
import { commandLine, corrected } from '../shell.ts';
import { safe, tableLines } from '../terminal.ts';
import { refuseChoice, refuseForm } from '../usage.ts';
import { flagOf, readValue } from '../values.ts';
import { budgeting, choose } from '../work/budget.ts';
import { firstRows } from '../work/head.ts';
import { type LabelledRows, readLabelledRows, takeLabelledRows } from '../work/labelled.ts';
import { evaluateFolds, foldsOf, joined, learn, scorePlaces } from '../work/learn.ts';
import { requireFree, type Written, writeModelFile } from '../work/model-output.ts';
import { recipeFor } from '../work/options.ts';

const options = {
  try: list('values to try, such as alpha=0.1|0.5|1 or ngrams=1|1-2; a default grid if not given', {
    commas: false,
    value: 'OPTION=V|V',
    common: true,
  }),
  search: choice(['grid', 'halving'], 'grid: all settings on all rows; halving: the best third on more and more rows', {
    default: 'grid',
    common: true,
  }),
  cv: integer('the number of folds to compare settings with', { value: 'K', default: 5, min: 2, common: true }),
  nested: flag('evaluate the search itself with outer folds (the default; --no-nested skips it)', {
    default: true,
    common: true,
  }),
  outer: integer('the number of outer folds', { value: 'K', default: 3, min: 2 }),
  ...budgeting,
  top: integer('how many settings to show', { short: 'k', value: 'K', default: 10, min: 1 }),
  ...roles,
  ...modelling,
  ...writing,
  output: { ...writing.output, doc: 'write a model with the best settings to this file' },
  ...reading,
} as const;

type Tune = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** Settings were tried; the best come first. */
  'tune@1': {
    rows: Count;
    target: string;
    folds: Count;
    table: readonly { settings: Candidate['settings']; logLoss: number | null; accuracy: number; rows: Count }[];
    nested: Evaluation | null;
    repeat: string;
    written?: Written;
  };
}

/** `polya tune` */
export const declaration = command({
  arguments: [{ name: 'data', doc: 'labelled data', required: true, many: true, complete: 'file' }],
  options,
  examples: {
    "polya tune sms.csv --try 'alpha=0.1|1' --try 'model=multinomial|complement' --cv 3 --outer 2":
      'compares four settings',
    "polya tune iris.csv --try 'model=lda|qda|gaussian' -o best.polya": 'compares three models, and writes the best',
  },
  run,
});

/** Compares settings, prints the best, and evaluates the search. */
async function run(context: Tune): Promise<void> {
  const { options, args, print } = context;
  if (options.output) requireFree(context, options.output, options.force);
  context.progress.plan({ reading: 1, trying: 20 });
  const data = await readLabelledRows(context, args);
  const candidates = candidatesFor(context, data);
  print.note(`trying ${count(candidates.length)} settings (${options.search}) by ${options.cv} folds`);
  const rows = [...data.labels.keys()];
  const { table, nested } = await choose(context, async (enough) => {
    const found = await search({ context, data, candidates, enough, place: 0, onScored: showEarly(context) }, rows);
    if (!print.json) {
      const { heads, rows: lines } = tableOf(found.slice(0, options.top));
      await print.table(heads, lines, heads.length - 3);
    }
    if (found.length < candidates.length && enough())
      print.warn(`stopped early: ${count(found.length)} of ${count(candidates.length)} settings were tried`);
    else if (found.length < candidates.length)
      print.note(`${counted(candidates.length - found.length, 'setting does', 'settings do')} not suit this data`);
    const scoredRows = options.nested ? await scoreOuterFolds(context, data, candidates, enough) : undefined;
    return { table: found, nested: scoredRows && evaluateRows(joined(scoredRows), `${options.outer} outer folds`) };
  });
  const [winner] = table;
  const line = fitLine(context, data, winner.candidate);
  if (nested && !print.json) {
    const { accuracy, logLoss } = nested;
    await print.line(
      `the search, evaluated with ${options.outer} outer folds: accuracy ${score(accuracy.value)} (${interval(accuracy.low, accuracy.high)}), log-loss ${score(logLoss)}`,
    );
  } else if (options.nested && !nested) print.note('the search was not evaluated with outer folds: the time was up');
  const written = options.output ? await writeBest(context, data, winner, line) : undefined;
  if (print.json) {
    const settings = table.map(({ candidate, ...own }) => ({ settings: candidate.settings, ...own }));
    await print.object<Prints>('tune@1', {
      rows: rows.length,
      target: data.target,
      folds: options.cv,
      table: settings,
      nested: nested ?? null,
      repeat: line,
      ...(written && { written }),
    });
  } else print.note(`→ ${line}`);
}

async function writeBest(context: Tune, data: LabelledRows, { candidate }: Scored, notes: string) {
  const model = await learn(data.table, candidate.recipe(), context);
  const provenance = { dataHash: await data.source.hash(), rows: data.table.length, notes };
  return writeModelFile(context, context.options.output!, model, provenance);
}

/** The command that fits with the best settings. */
function fitLine({ args, options }: Tune, { target }: LabelledRows, { settings }: Candidate): string {
  const chosen = Object.entries(settings).flatMap(([name, value]) => [flagOf(camel(name)), value]);
  const seed = options.seed === 1 ? [] : ['--seed', String(options.seed)];
  return commandLine(['fit', ...args, '--target', target, ...chosen, ...seed]);
}

const usual = {
  text: { ngrams: ['1', '1-2'], model: ['multinomial', 'complement', 'bernoulli'], alpha: ['0.1', '0.3', '1'] }, // the quicker ones first
  table: { model: ['gaussian', 'kernel', 'mixed', 'categorical', 'tan', 'lda', 'qda', 'rda'] },
} as const;

/** All combinations of the values to try; combinations that a model does not support are skipped when they fail. */
function candidatesFor(context: Tune, data: LabelledRows): Candidate[] {
  const asked = context.options.try.map((word) => axisOf(context, word));
  const hasText = context.options.text !== undefined || isText(data);
  const axes =
    asked.length > 0 ? asked : (Object.entries(hasText ? usual.text : usual.table) as [string, readonly string[]][]);
  let combinations: Record<string, string>[] = [{}];
  for (const [name, values] of axes)
    combinations = combinations.flatMap((before) => values.map((value) => ({ ...before, [name]: value })));
  return combinations.map((settings) => candidateOf(context, data, settings));
}

function isText({ table, target }: LabelledRows): boolean {
  const { columns } = schemaOf(table.take(firstRows(table, 1000)), { target });
  return columns.some(({ role, kind }) => role === 'feature' && kind === 'text');
}

/** Options that may be tried. */
const tunable = Object.keys(modelling)
  .filter((name) => name !== 'dateOrder')
  .map(kebab);

function axisOf({ words }: Tune, word: string): [string, string[]] {
  const at = word.indexOf('=');
  if (at <= 0) refuseForm('--try', 'OPTION=V|V', word);
  const name = kebab(word.slice(0, at));
  const values = word.slice(at + 1).split('|');
  if (tunable.includes(name)) return [camel(name), values.filter(Boolean)];
  return refuseChoice('--try', name, tunable, {
    correct: (near) => corrected(words, word, `${near}${word.slice(at)}`),
  });
}

function candidateOf(context: Tune, data: LabelledRows, settings: Record<string, string>): Candidate {
  const defs: OptionDefs = declaration.options;
  const given = Object.entries(settings).map(([name, value]) => [
    name,
    readValue(defs[name], value, { where: `--try ${name}` }),
  ]);
  const options = { ...context.options, ...Object.fromEntries(given) };
  const model = settings.model ?? (options.model === 'auto' ? modelNames[1] : options.model);
  const print = new Printer(context.io, { ...options, quiet: true });
  const own = { ...context, options, print, progress: silent };
  const recipe = () => ({ ...recipeFor(own, data, model), evaluate: false });
  return { settings, context: own, model, recipe };
}

/** A search that takes longer than this, in milliseconds since the start, prints its best settings once before it ends. */
const FIRST_TABLE = 1500;

/** Shows the best settings so far, once. */
function showEarly({ print, options }: Tune): NonNullable<Search['onScored']> {
  let isShown = !print.stderrScreen.tty; // a log gets the whole table at the end
  return (scored, all) => {
    if (isShown || scored.length === all || performance.now() < FIRST_TABLE) return;
    isShown = true;
    print.note(`the best after ${count(scored.length)} of ${count(all)} settings:`);
    const { heads, rows } = tableOf(best(scored).slice(0, options.top));
    for (const line of tableLines(heads, rows, heads.length - 3)) print.note(`  ${line}`);
  };
}

const best = (scored: readonly Scored[]): Scored[] => [...scored].sort((a, b) => a.logLoss - b.logLoss);

function tableOf(table: readonly Scored[]): { heads: string[]; rows: string[][] } {
  const names = Object.keys(table[0].candidate.settings);
  const rows = table.map(({ candidate, logLoss, accuracy, rows: own }) => {
    const settings = names.map((name) => safe(candidate.settings[name]));
    return [...settings, score(logLoss, 4), score(accuracy), count(own)];
  });
  return { heads: [...names, 'log-loss', 'accuracy', 'rows'], rows };
}

/** Settings, as words and as the options of the library. */
interface Candidate {
  readonly settings: Readonly<Record<string, string>>;
  readonly model: string;
  readonly recipe: () => ClassifierOptions;
  /** The command with these settings as its options. */
  readonly context: Tune;
}

/** A candidate with its scores by folds. */
interface Scored {
  readonly candidate: Candidate;
  readonly logLoss: number;
  readonly accuracy: number;
  /** How many rows it was evaluated on. */
  readonly rows: number;
}

/** A search over settings. */
interface Search {
  readonly context: Tune;
  readonly data: LabelledRows;
  readonly candidates: readonly Candidate[];
  /** Whether to stop with the settings that were tried. */
  readonly enough: () => boolean;
  /** The number of this search: 0, then one for each outer fold. */
  readonly place: number;
  /** Called with the settings that were tried so far. */
  readonly onScored?: (scored: readonly Scored[], all: number) => void;
}

/** The best third continues with three times as many rows. */
const ETA = 3;
const FEWEST_ROWS = 200;

/** Scores candidates by folds of the given rows, the best first. */
async function search(given: Search, rows: readonly number[]): Promise<Scored[]> {
  const { context, candidates, enough } = given;
  const { search: kind, seed } = context.options;
  if (kind === 'grid') return scoreAll(given, rows);
  const order = Array.from(new Random(seed).permutation(rows.length), (k) => rows[k]);
  let alive = candidates;
  const lost: Scored[] = [];
  for (let size = Math.max(FEWEST_ROWS, Math.ceil(rows.length / ETA ** 3)); ; size *= ETA) {
    const last = size >= rows.length || alive.length === 1;
    const scored = await scoreAll({ ...given, candidates: alive }, last ? rows : order.slice(0, size));
    if (last || enough()) return [...scored, ...lost.sort((a, b) => b.rows - a.rows || a.logLoss - b.logLoss)];
    const kept = Math.max(1, Math.ceil(scored.length / ETA));
    lost.push(...scored.slice(kept));
    alive = scored.slice(0, kept).map(({ candidate }) => candidate);
  }
}

/** Scores all candidates by the same folds. Those that learn in one pass are counted once for all folds. */
async function scoreAll(
  { context, data, candidates, enough, place, onScored }: Search,
  rows: readonly number[],
): Promise<Scored[]> {
  const subset = takeLabelledRows(data, rows);
  const scored: Scored[] = [];
  let refusal: PolyaError | undefined;
  for (const [k, candidate] of candidates.entries()) {
    await setImmediate(); // signals are handled here
    if (scored.length > 0 && enough()) break;
    const [first] = best(scored);
    const settings = Object.values(first?.candidate.settings ?? {}).join(' ');
    const what = first && `best so far: ${settings} (${score(first.logLoss, 4)})`;
    const searches = context.options.nested ? context.options.outer + 1 : 1;
    const part = place * candidates.length + k;
    const whole = partOf(context.progress, 'trying', part, searches * candidates.length, { reading: 1, folds: 4 });
    const progress = { ...whole, step: (phase: string, { share }: Step) => whole.step(phase, { share, what }) };
    progress.step('', {});
    const stop = () => scored.length > 0 && enough();
    try {
      const own = { ...candidate.context, progress };
      const found = await evaluateFolds(own, subset, candidate.model, context.options.cv, { enough: stop });
      if (!found) break;
      const { logLoss, accuracy } = evaluateRows(found.scoredRows, '');
      const loss = logLoss ?? Number.POSITIVE_INFINITY;
      scored.push({ candidate, logLoss: loss, accuracy: accuracy.value, rows: rows.length });
      onScored?.(scored, candidates.length);
    } catch (error) {
      if (!(error instanceof PolyaError && ['E_PARAM', 'E_USAGE'].includes(error.code))) throw error;
      refusal = error; // a combination that this model or these columns do not support
    }
  }
  if (scored.length === 0)
    fail('E_PARAM', `None of the settings suits this data: ${refusal?.message ?? ''}`, { cause: refusal });
  return best(scored);
}

/** Evaluates the search: each outer fold with the settings that were best on the others. Undefined if the time was up. */
async function scoreOuterFolds(
  context: Tune,
  data: LabelledRows,
  candidates: readonly Candidate[],
  enough: () => boolean,
): Promise<ScoredRows[] | undefined> {
  const { outer, seed } = context.options;
  const parts = foldsOf(data.table, data.target, outer, seed + 1);
  const scoredRows: ScoredRows[] = [];
  for (const [k, { train, test }] of parts.entries()) {
    if (enough()) return;
    const [winner] = await search({ context, data, candidates, enough, place: k + 1 }, train);
    if (enough()) return;
    const done = { share: (k + 2) / (outer + 1), what: `outer fold ${k + 1} of ${outer}` };
    const own = { ...context, progress: { ...silent, step: () => context.progress.step('trying', done) } };
    own.progress.step();
    const model = await learn(data.table.take(train), winner.candidate.recipe(), own, { enough });
    scoredRows.push(await scorePlaces(own, data, model, test));
  }
  return scoredRows;
}
