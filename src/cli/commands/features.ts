import { columnFeatures, readColumn, schemaOf } from '../../auto/schema.ts';
import type { Matrix } from '../../data/matrix.ts';
import { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { levelTable } from '../../features/level-table.ts';
import { type Counted, type Ranked, rank, strengthOf, wordTable } from '../../features/rank.ts';
import type { Context } from '../context.ts';
import { refuseLabel } from '../data-problems.ts';
import { choice, command, flag, integer, text } from '../declare.ts';
import { count, score, signed } from '../numbers.ts';
import type { Count, OrNull } from '../print.ts';
import { fail } from '../problem.ts';
import { reading, roles } from '../shared-options.ts';
import { bar, pad, safe, width } from '../terminal.ts';
import { readLesson } from '../work/lesson.ts';
import { openJudge } from '../work/model-input.ts';

const options = {
  model: text({
    short: 'm',
    value: 'FILE',
    doc: 'rank the words that a model has counted',
    common: true,
    complete: 'model',
  }),
  by: choice(['mi', 'chi2', 'gain-ratio', 'log-odds', 'bns'], {
    default: 'mi',
    doc: 'mutual information, χ², gain ratio, log-odds, bi-normal separation',
    common: true,
  }),
  top: integer({ short: 'k', value: 'K', default: 20, min: 1, doc: 'how many', common: true }),
  class: text({ value: 'LABEL', doc: 'only what speaks for this class', common: true }),
  minRows: integer({ value: 'N', default: 2, min: 1, doc: 'leave out what fewer rows have' }),
  plot: flag({ doc: 'a bar for each', common: true }),
  target: roles.target,
  text: roles.text,
  features: roles.features,
  kinds: roles.kinds,
  weights: roles.weights,
  skipUnlabeled: roles.skipUnlabeled,
  ...reading,
} as const;

type Features = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** Words and columns by how much they tell. */
  'features@1': {
    of: string;
    by: string;
    classes: readonly string[];
    features: readonly OrNull<Ranked>[];
    all: Count;
  };
}

/** `polya features` */
export const features = command({
  arguments: [{ name: 'data', doc: 'labelled data; or a model with -m', many: true, complete: 'file' }],
  options,
  examples: [
    { line: 'polya features sms.csv --top 10', says: 'the most telling words' },
    { line: 'polya features iris.csv --by gain-ratio --plot', says: 'columns, with bars' },
    { line: 'polya features -m words.polya --by log-odds', says: 'the words of a model' },
  ],
  run,
});

const orders = { mi: 'mi', chi2: 'chi2', 'gain-ratio': 'gainRatio', 'log-odds': 'logOdds', bns: 'bns' } as const;

/** Ranks the words and columns of data, or the words of a model. */
async function run(context: Features): Promise<undefined> {
  const { options, args, print, words } = context;
  if (args.length === 0 && options.model === undefined)
    fail('E_USAGE', 'features needs data, or a model file with -m.');
  const { counted, classes, totals, of } =
    args.length > 0 ? await fromData(context) : await modelWords(context, options.model!);
  if (options.class !== undefined && !classes.includes(options.class)) refuseLabel(words, options.class, classes);
  const only = options.class === undefined ? undefined : classes.indexOf(options.class);
  const order = orders[options.by];
  const frequent = counted.filter((own) => rowsWith(own) >= options.minRows);
  const strengths = frequent.map((own) => ({ own, strength: strengthOf(own, classes, totals, order, only) }));
  const best = strengths
    .sort((a, b) => b.strength - a.strength || (a.own.feature < b.own.feature ? -1 : 1))
    .slice(0, options.top)
    .map(({ own }) => rank(own, classes, totals, only));
  const all = frequent.length;
  if (print.json) await print.object<Prints>('features@1', { of, by: options.by, classes, features: best, all });
  else await printRanked(context, best, all);
  return undefined;
}

async function printRanked({ print, options }: Features, best: readonly Ranked[], all: number): Promise<void> {
  const names = best.map(({ feature, level }) => safe(level === undefined ? feature : `${feature} = ${level}`, 30));
  const labels = best.map((own) => safe(own.class, 20));
  const [wide, narrow] = [Math.max(7, ...names.map(width)), Math.max(5, ...labels.map(width))];
  const heads = ['mi', 'χ²', 'gain ratio', 'log-odds', '95 % interval', 'bns', 'rows'];
  const widths = [7, 9, 11, 9, 16, 7, 8];
  await print.line(
    `${pad('', wide)}  ${pad('class', narrow)}${heads.map((head, k) => pad(head, widths[k], 'right')).join('')}`,
  );
  const most = Math.max(...best.map((own) => Math.abs(own[orders[options.by]])), Number.MIN_VALUE);
  for (const [k, own] of best.entries()) {
    const cells = [
      score(own.mi, 4),
      own.chi2.toFixed(1),
      score(own.gainRatio, 4),
      signed(own.logOdds),
      `${signed(own.low)}…${signed(own.high)}`,
      score(own.bns, 2),
      count(own.rows),
    ];
    const drawn = options.plot ? `  ${bar(Math.abs(own[orders[options.by]]) / most, 20)}` : '';
    await print.line(
      `${pad(names[k], wide)}  ${pad(labels[k], narrow)}${cells.map((cell, j) => pad(cell, widths[j], 'right')).join('')}${drawn}`,
    );
  }
  print.talk(`${count(best.length)} of ${count(all)}, by ${options.by}; mutual information in bits, log-odds in nats`);
}

interface Tables {
  readonly of: string;
  readonly counted: readonly Counted[];
  readonly classes: readonly string[];
  readonly totals: Float64Array;
}

async function fromData(context: Features): Promise<Tables> {
  const { options, args } = context;
  const lesson = await readLesson(context, args);
  const asked = [...new Set([...options.features, ...(options.text ? [options.text] : [])])];
  const { table, target, labels } = lesson;
  const schema = schemaOf(table, { target, features: asked.length > 0 ? asked : undefined });
  const classes = [...new Set(labels)].sort();
  const places = new Map(classes.map((label, c) => [label, c]));
  const codes = Int32Array.from(labels, (label) => places.get(label)!);
  const totals = new Float64Array(classes.length);
  for (const code of codes) totals[code]++;
  const columns = schema.columns.filter(({ role }) => role === 'feature');
  const counted = columns.flatMap((column) =>
    column.kind === 'text' || column.name === options.text
      ? wordTables(table.column(column.name).documents(), codes, totals)
      : columnFeatures(column).map(({ name, levels }, k) =>
          levelTable(name, readColumn(table, column)[k], levels, codes, classes.length),
        ),
  );
  return { of: lesson.source.name, counted, classes, totals };
}

/** How many rows of each class have each word. */
function wordTables(documents: readonly (string | Uint8Array)[], codes: Int32Array, totals: Float64Array): Counted[] {
  const vectorizer = new CountVectorizer({ binary: true });
  const { cols, indptr, indices } = vectorizer.fitTransform(documents);
  const classes = totals.length;
  const present = new Float64Array(cols * classes);
  for (let i = 0; i < documents.length; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) present[indices[k] * classes + codes[i]]++;
  }
  const of = (j: number) => present.subarray(j * classes, (j + 1) * classes);
  return vectorizer.getFeatureNamesOut().map((word, j) => wordTable(word, of(j), totals));
}

/** How many rows have a word; of a column, all have some level. */
function rowsWith({ table, levels }: Counted): number {
  const shown = levels.length === 2 && levels[1] === '' ? 1 : levels.length;
  let rows = 0;
  for (let c = 0; c < table.rows; c++) for (let v = 0; v < shown; v++) rows += table.at(c, v);
  return rows;
}

/** What estimators that count words show. */
interface Counting {
  readonly kind: string;
  readonly classes: readonly unknown[];
  readonly featureCount?: Matrix;
  readonly classCount?: Float64Array;
  readonly steps?: readonly unknown[];
  getFeatureNamesOut?(): string[] | undefined;
  readonly featureNamesIn?: readonly (string | null)[];
}

/** The words of a model with their counts by class; events are words, or documents where the model tosses coins. */
async function modelWords(context: Context, path: string) {
  const { classifier, opened, file, classes } = await openJudge(context, path);
  const model = (classifier ? classifier.estimator : opened) as Counting | undefined;
  const last = (model?.steps?.at(-1) ?? model) as Counting | undefined;
  if (!model || !last?.featureCount || !last.classCount) {
    return fail('E_CONFLICT', `${safe(file)} has no counts by word to rank.`, {
      notes: ['Give the data instead, or explain the model: polya explain -m FILE'],
    });
  }
  const { featureCount } = last;
  const names = model.getFeatureNamesOut?.() ?? last.featureNamesIn ?? [];
  const documents = last.kind === 'BernoulliNB';
  const totals = documents
    ? last.classCount.slice()
    : Float64Array.from(classes, (_, c) => featureCount.row(c).reduce((a, b) => a + b, 0));
  const counted: Counted[] = Array.from({ length: featureCount.cols }, (_, j) => {
    const present = Float64Array.from(classes, (_, c) => featureCount.at(c, j));
    return wordTable(names[j] ?? `x${j}`, present, totals);
  });
  return { of: file, counted, classes, totals };
}
