import { resolve } from 'node:path';
import { formatCsv } from '../../data/csv-format.ts';
import type { Dataset } from '../../datasets/dataset.ts';
import { datasets as samples } from '../../node/datasets.ts';
import { type Context, choice, command, text } from '../declare.ts';
import { count, counted } from '../numbers.ts';
import type { Count } from '../print.ts';
import { writing } from '../shared-options.ts';
import { quoted } from '../shell.ts';
import { pad, wrap } from '../terminal.ts';
import { quote, refuseUnknown } from '../usage.ts';
import { requireFree, writeFile } from '../work/model-output.ts';

const options = {
  format: choice(['csv', 'jsonl'], 'the format of the file', { default: 'csv', common: true }),
  ...writing,
  from: text('for 20newsgroups: a folder or archive to read instead of downloading; also POLYA_DATA', {
    value: 'PATH',
    complete: 'file',
  }),
} as const;

type Datasets = Context<typeof options>;

/** What `polya datasets --json` prints. */
export interface Prints {
  /** A dataset was written. */
  'dataset@1': Partial<Card> & {
    name: string;
    rows: Count;
    file?: string;
    bytes?: Count;
    commands?: readonly string[];
  };
  /** All datasets. */
  'datasets@1': { datasets: readonly Card[]; fetched: readonly { name: string; title: string }[] };
}

/** A dataset without its rows. */
interface Card extends Omit<Dataset, 'rows' | 'questions'> {
  readonly rows: Count;
}

/** `polya datasets` */
export const declaration = command({
  about: 'Only 20newsgroups is downloaded, and only if you name it; the others come with Pólya.',
  arguments: [{ name: 'name', doc: 'sms, reviews, iris, titanic, weather …', complete: 'dataset' }],
  options,
  examples: {
    'polya datasets': 'lists all datasets with sizes and sources',
    'polya datasets iris --force': 'writes iris.csv and prints commands to try',
    'polya datasets weather -o -': 'prints the rows',
  },
  run,
});

/** The one dataset that does not come with the package. */
const NEWS = { name: '20newsgroups', title: '20 Newsgroups, by date: 18,846 postings in 20 groups; downloaded' };

/** The names of all datasets. */
export const names = (): string[] => [NEWS.name, ...samples.keys()];

async function run(context: Datasets): Promise<void> {
  const [name] = context.args;
  if (name === undefined) return listAll(context);
  return name === NEWS.name ? fetchNews(context) : writeSample(context, sampleNamed(context, name));
}

async function writeSample(context: Datasets, set: Dataset): Promise<void> {
  const { options, print } = context;
  const { output: file = `${set.name}.${options.format}` } = options;
  const content = options.format === 'csv' ? asCsv(set) : set.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (file === '-') return print.raw(content);
  requireFree(context, file, options.force);
  const bytes = await writeFile(context, file, content, `, ${counted(set.rows.length, 'row')}`);
  const commands = stepsFor(set, file);
  if (print.json) return print.object<Prints>('dataset@1', { ...cardOf(set), file, bytes, commands });
  for (const sentence of [set.description, `Source: ${set.source}. Licence: ${set.license}.`])
    await print.line(wrap(sentence, print.screen.columns));
  await print.line('\nTry:');
  for (const line of commands) await print.line(`  ${line}`);
}

function sampleNamed({ words }: Datasets, name: string): Dataset {
  const load = samples.get(name);
  if (load) return load();
  return refuseUnknown(words, `There is no dataset ${quote(name)}.`, name, names(), {
    notes: [`Datasets: ${names().join(', ')}.`],
  });
}

const cardOf = ({ name, title, rows, columns, target, text: own, description, source, license }: Dataset): Card => ({
  ...{ name, title, rows: rows.length, columns, target, ...(own && { text: own }), description, source, license },
});

const asCsv = ({ columns, rows }: Dataset): string =>
  formatCsv([columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))]);

async function listAll({ print }: Datasets): Promise<void> {
  const sets = [...samples.values()].map((load) => cardOf(load()));
  if (print.json) return print.object<Prints>('datasets@1', { datasets: sets, fetched: [NEWS] });
  const indent = ' '.repeat(26);
  const columns = Math.max(40, print.screen.columns - indent.length);
  const list = async (name: string, rows: string, ...lines: string[]) => {
    const wrapped = lines.map((line) => wrap(line, columns, indent)).join(`\n${indent}`);
    await print.line(`  ${pad(name, 14)}${pad(rows, 8, 'right')}  ${wrapped}`);
  };
  for (const { name, rows, title, source, license } of sets)
    await list(name, count(rows), title, `${source}; ${license}`);
  await list(NEWS.name, '18,846', NEWS.title);
  print.note('→ polya datasets sms');
}

/** The commands to try next. */
function stepsFor({ name, target, text: column, questions }: Dataset, file: string): string[] {
  const model = `${name}.polya`;
  const label = quoted(target);
  const first = [`polya inspect ${file}`, `polya fit ${file} --target ${label} -o ${model}`];
  if (column === undefined)
    return [...first, `polya predict ${file} -m ${model} --output csv`, `polya explain ${file} -m ${model} --row 1`];
  const question = questions![0]![column]; // all samples with texts have questions, without quotes in them
  const predict = `polya predict -m ${model} --text "${question}" --explain 4`;
  return [...first, predict, `polya features ${file} --target ${label} --top 10`];
}

async function fetchNews(context: Datasets): Promise<void> {
  const { options, io, print, progress } = context;
  const { output: file = '20newsgroups.jsonl' } = options;
  requireFree(context, file, options.force);
  const { fetch20newsgroups } = await import('../../node/newsgroups.ts');
  const { data, labels } = await fetch20newsgroups({
    subset: 'all',
    ...(io.env.POLYA_DATA && { cache: io.env.POLYA_DATA }),
    ...(options.from && { from: resolve(io.cwd, options.from) }),
    onProgress: ({ phase, done, total }) => {
      const share = total ? done / total : undefined;
      const amount = phase === 'read' ? { rows: done } : { bytes: done };
      progress.step(phase === 'read' ? 'reading' : 'fetching', { share, ...amount });
    },
  });
  progress.end();
  const lines = data.map((line, i) => `${JSON.stringify({ label: labels[i], text: line })}\n`).join('');
  await writeFile(context, file, lines, `, ${counted(data.length, 'document')}`);
  if (print.json) await print.object<Prints>('dataset@1', { name: NEWS.name, file, rows: data.length });
}
