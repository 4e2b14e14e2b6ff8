import { columnFeatures, inferSchema, readColumn } from '../../auto/schema.ts';
import { cellOf, wordOf } from '../../data/cells.ts';
import { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { levelTable } from '../../features/level-table.ts';
import { type Counted, type Ranked, rank, wordTable } from '../../features/rank.ts';
import { bar } from '../charts.ts';
import type { Features } from '../commands/features.ts';
import { refuseLabel } from '../data-problems.ts';
import { count, score, signed } from '../numbers.ts';
import { fail } from '../problem.ts';
import { pad, safe, width } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { type Lesson, readLesson } from './lesson.ts';
import { modelWords } from './model-words.ts';

const orders = { mi: 'mi', chi2: 'chi2', 'gain-ratio': 'gainRatio', 'log-odds': 'logOdds', bns: 'bns' } as const;

/** Ranks the words and columns of data, or the words of a model. */
export async function features(context: Features): Promise<undefined> {
  const { options, args, print, words } = context;
  if (args.length === 0 && options.model === undefined) fail('E_USAGE', texts.features.dataOrModel());
  const { counted, classes, totals, of } =
    args.length > 0 ? await fromData(context) : await modelWords(context, options.model!);
  if (options.class !== undefined && !classes.includes(options.class)) refuseLabel(words, options.class, classes);
  const only = options.class === undefined ? undefined : classes.indexOf(options.class);
  const order = orders[options.by];
  const ranked = counted.map((own) => rank(own, classes, totals, only)).filter(({ rows }) => rows >= options.minRows);
  const strength = (own: Ranked) =>
    order === 'logOdds'
      ? Math.min(Math.abs(own.low), Math.abs(own.high)) * (own.low * own.high > 0 ? 1 : 0)
      : own[order];
  const best = ranked
    .sort((a, b) => strength(b) - strength(a) || (a.feature < b.feature ? -1 : 1))
    .slice(0, options.top);
  if (print.json)
    await print.object({ schema: 'polya/features@1', of, by: options.by, classes, features: best, all: ranked.length });
  else await printRanked(context, best, ranked.length);
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
  print.talk(texts.features.shown(count(best.length), count(all), options.by));
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
  const schema = inferSchema(lesson.rows, { target: lesson.target, features: asked.length > 0 ? asked : undefined });
  const classes = [...new Set(lesson.labels)].sort();
  const codes = Int32Array.from(lesson.labels, (label) => classes.indexOf(label));
  const totals = new Float64Array(classes.length);
  for (const code of codes) totals[code]++;
  const columns = schema.columns.filter(({ role }) => role === 'feature');
  const counted = columns.flatMap((column) =>
    column.kind === 'text' || column.name === options.text
      ? wordTables(lesson, column.name, codes, totals)
      : columnFeatures(column).map(({ name, levels }, k) =>
          levelTable(name, readColumn(lesson.table, column)[k], levels, codes, classes.length),
        ),
  );
  return { of: lesson.source.name, counted, classes, totals };
}

/** How many rows of each class have each word. */
function wordTables({ rows }: Lesson, name: string, codes: Int32Array, totals: Float64Array): Counted[] {
  const vectorizer = new CountVectorizer({ binary: true });
  const { cols, indptr, indices } = vectorizer.fitTransform(rows.map((row) => wordOf(cellOf(row, name) ?? '')));
  const present = Array.from({ length: cols }, () => new Float64Array(totals.length));
  for (let i = 0; i < rows.length; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) present[indices[k]][codes[i]]++;
  }
  return vectorizer.getFeatureNamesOut().map((word, j) => wordTable(word, present[j], totals));
}
