import { countColumn } from '../../auto/column-scores.ts';
import { featureMeaning } from '../../auto/informative.ts';
import type { RecordLearner } from '../../auto/learner.ts';
import { type SchemaColumn, schemaOf } from '../../auto/schema.ts';
import {
  type Counted,
  type Ranked,
  rankFeatures,
  type WordCounter,
  type WordCounts,
  wordCountsOf,
  wordTables,
} from '../../features/rank.ts';
import { refuseLabel } from '../data-problems.ts';
import { type Context, choice, command, flag, integer, type OptionDef, text } from '../declare.ts';
import { count, score, signed } from '../numbers.ts';
import type { Count, OrNull } from '../print.ts';
import { fail, misuse } from '../problem.ts';
import { modelFile, modelling, reading, roles } from '../shared-options.ts';
import { bar, safe, tableLines } from '../terminal.ts';
import { type LabelledData, openData, readLabelled } from '../work/labelled.ts';
import { type Fitting, train } from '../work/learn.ts';
import { openScorer } from '../work/model-input.ts';

const options = {
  model: { ...modelFile.model, doc: 'rank the words of a model' },
  by: choice(
    ['mi', 'chi2', 'gain-ratio', 'log-odds', 'bns'],
    'mutual information, χ², gain ratio, log-odds, bi-normal separation',
    { default: 'mi', common: true },
  ),
  top: integer('how many features to show', { short: 'k', value: 'K', default: 20, min: 1, common: true }),
  class: text('only features of this class', { value: 'LABEL', common: true }),
  minRows: integer('ignore features of fewer rows', { default: 2, min: 1 }),
  plot: flag('draw a bar for each feature', { common: true }),
  ...roles,
  ...reading,
} as const;

type Features = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** Words and columns, ranked. */
  'features@1': {
    of: string;
    by: string;
    classes: readonly string[];
    features: readonly OrNull<Ranked>[];
    all: Count;
  };
}

/** `polya features` */
export const declaration = command({
  arguments: [{ name: 'data', doc: 'labelled data; or a model with -m', many: true, complete: 'file' }],
  options,
  examples: {
    'polya features sms.csv --top 10': 'the most informative words',
    'polya features iris.csv --by gain-ratio --plot': 'columns, with bars',
    'polya features -m words.polya --by log-odds': 'the words of a model',
  },
  run,
});

const orders = { mi: 'mi', chi2: 'chi2', 'gain-ratio': 'gainRatio', 'log-odds': 'logOdds', bns: 'bns' } as const;

/** Ranks the words and columns of data, or the words of a model. */
async function run(context: Features): Promise<void> {
  const { options, args, print, words } = context;
  if (args.length === 0 && options.model === undefined) misuse('features needs data, or a model file with -m.');
  const { counted, classes, totals, of } =
    args.length > 0 ? await fromData(context) : await modelWords(context, options.model!);
  if (options.class !== undefined && !classes.includes(options.class)) refuseLabel(words, options.class, classes);
  const only = options.class === undefined ? undefined : classes.indexOf(options.class);
  const { best, all } = rankFeatures(counted, classes, totals, { by: orders[options.by], only, k: options.top });
  if (print.json) await print.object<Prints>('features@1', { of, by: options.by, classes, features: best, all });
  else await printRanked(context, best, all);
}

async function printRanked({ print, options }: Features, best: readonly Ranked[], all: number): Promise<void> {
  const heads = ['', 'class', 'mi', 'χ²', 'gain ratio', 'log-odds', '95 % interval', 'bns', 'rows'];
  const rows = best.map((own) => [
    safe(own.level === undefined ? own.feature : `${own.feature} = ${own.level}`, 30),
    safe(own.class, 20),
    ...[score(own.mi, 4), score(own.chi2, 1), score(own.gainRatio, 4), signed(own.logOdds)],
    ...[`${signed(own.low)}…${signed(own.high)}`, score(own.bns, 2), count(own.rows)],
  ]);
  const most = Math.max(...best.map((own) => Math.abs(own[orders[options.by]])), Number.MIN_VALUE);
  for (const [k, line] of tableLines(heads, rows, 2).entries()) {
    const drawn = options.plot && k > 0 ? `  ${bar(Math.abs(best[k - 1][orders[options.by]]) / most, 20)}` : '';
    await print.line(line + drawn);
  }
  print.note(`${count(best.length)} of ${count(all)}, by ${options.by}; mutual information in bits, log-odds in nats`);
}

interface Tables {
  readonly of: string;
  readonly counted: Iterable<Counted>;
  readonly classes: readonly string[];
  readonly totals: Float64Array;
}

/** Counts words in one pass over the data, with a Bernoulli model; other columns need all rows at once. */
async function fromData(context: Features): Promise<Tables> {
  const { options, args } = context;
  const data = await openData(context, args, { twice: true });
  const { head, source, target } = data;
  const asked = [...new Set([...options.features, ...(options.text ? [options.text] : [])])];
  const { columns } = schemaOf(head.sample, { target, features: asked.length > 0 ? asked : undefined });
  const isAside = (name: string) => name === source.fileColumn && !asked.includes(name);
  const used = columns.filter(({ role, name }) => role === 'feature' && !isAside(name));
  const isText = ({ kind, name }: SchemaColumn) => kind === 'text' || name === options.text;
  const others = used.filter((column) => !isText(column));
  const found: Tables[] = [];
  for (const { name } of used.filter(isText))
    found.push({ ...(await countWords(context, data, name)), of: source.name });
  if (others.length > 0) found.push(await countLevels(context, data, others));
  const [{ classes, totals }] = found;
  const counted = (function* () {
    for (const own of found) yield* own.counted;
  })();
  return { of: source.name, classes, totals, counted };
}

/** How many rows of each class have each word of a column. */
async function countWords(context: Features, data: LabelledData, column: string): Promise<Omit<Tables, 'of'>> {
  const defaults = Object.entries(modelling).map(([name, { default: usual }]: [string, OptionDef]) => [name, usual]);
  const own = { ...Object.fromEntries(defaults), ...context.options, features: [], text: column, weights: undefined };
  const learning = { ...context, options: own as Fitting['options'] };
  const { learner, classes } = await (await train(learning, data, 'bernoulli')).model(learning);
  return wordsOf(learnerCounts(learner!)!, classes.map(String), context.options.minRows);
}

/** How often each level of a column occurs in each class. */
async function countLevels(context: Features, data: LabelledData, columns: readonly SchemaColumn[]): Promise<Tables> {
  const { source } = data;
  const { table, labels } = await readLabelled(context, data);
  const classes = [...new Set(labels)].sort();
  const places = new Map(classes.map((label, c) => [label, c]));
  const codes = Int32Array.from(labels, (label) => places.get(label)!);
  const totals = new Float64Array(classes.length);
  for (const code of codes) totals[code]++;
  const counted = columns.flatMap((column) => countColumn(table, column, codes, classes.length));
  return { of: source.name, counted, classes, totals };
}

/** The words that a model has counted. */
async function modelWords(context: Features, path: string): Promise<Tables> {
  const { classifier, opened, file, classes } = await openScorer(context, path);
  const found = classifier
    ? classifier.learner && learnerCounts(classifier.learner)
    : estimatorCounts(opened as Estimator);
  if (found) return { of: file, ...wordsOf(found, classes, context.options.minRows) };
  return fail('E_CONFLICT', `${safe(file)} has no word counts to rank.`, {
    notes: ['Name the data instead, or explain the model: polya explain -m FILE'],
  });
}

/** The word counts of a classifier by class; undefined if it does not count words. */
function learnerCounts(learner: RecordLearner): WordCounts | undefined {
  const meaning = featureMeaning(learner, (j) => learner.plan.columns[j].name);
  const nameOf = (j: number) => {
    const { column, word } = meaning(j);
    return word ?? column;
  };
  return wordCountsOf(learner.estimator as WordCounter, nameOf);
}

type Estimator = WordCounter & {
  getFeatureNamesOut?(): string[] | undefined;
  featureNamesIn?: readonly (string | null)[];
};

function estimatorCounts(model: Estimator): WordCounts | undefined {
  const { featureNamesIn = [] } = (model.steps?.at(-1) ?? model) as Estimator;
  const names = model.getFeatureNamesOut?.() ?? featureNamesIn;
  return wordCountsOf(model, (j) => names[j] ?? `x${j}`);
}

/** The words of a model, without rare ones. */
const wordsOf = (counts: WordCounts, classes: readonly string[], least: number): Omit<Tables, 'of'> => ({
  ...{ counted: wordTables(counts, least), classes, totals: counts.totals },
});
