/**
 * The first two tables of docs/performance.md: whole processes of `polya` on everyday files, beside pandas and scikit-learn on the same
 * files, each in a process of its own without its imports. It prints a row as soon as it is measured, and writes the tables with
 * their date and machine into the page when all of them were.
 *
 *   npm run build
 *   POLYA_PYTHON=python3 npx tsx bench/everyday.ts FOLDER "2 vCPU AMD EPYC, 24 GiB, Node 20.20" [words of the rows to measure]
 *
 * FOLDER has 20news-bydate.jsonl.gz, sms-spam.jsonl.gz, adult-train.csv.gz, iris.csv, breast-cancer.csv and digits.csv.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Random } from '../src/math/random.ts';
import { asLines, corpusOf, type Text } from './corpus.ts';
import { costsOf, type ProcessCost } from './processes.ts';

const [source, machine, ...chosen] = process.argv.slice(2);
const data = resolve(source);
const cli = new URL('../dist/cli/cli.js', import.meta.url).pathname;
const page = new URL('../docs/performance.md', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'polya-everyday-'));
const RUNS = 3;

/** The inputs, written when they are first needed. */
const inputs: Readonly<Record<string, () => string | Buffer>> = {
  'news9.jsonl': () => asLines(news()).repeat(9),
  'news9.csv': () => csv(news(), 9),
  'news3.csv': () => csv(news(), 3),
  'news.csv': () => csv(news(), 1),
  'news.jsonl': () => asLines(news()),
  'sms.jsonl': () => gunzipSync(readFileSync(join(data, 'sms-spam.jsonl.gz'))),
  'adult.csv': () => gunzipSync(readFileSync(join(data, 'adult-train.csv.gz'))),
  'iris.csv': () => readFileSync(join(data, 'iris.csv')),
  'breast-cancer.csv': () => readFileSync(join(data, 'breast-cancer.csv')),
  'digits.csv': () => readFileSync(join(data, 'digits.csv')),
  'mixed.csv': () => table(500_000, 6, 4),
  'numbers.csv': () => table(300_000, 30, 0),
};
const news = () => corpusOf(data).train;

function csv(texts: readonly Text[], times: number): string {
  const rows = texts.map(({ label, text }) => `${label},"${text.replaceAll('"', '""')}"\n`).join('');
  return `label,text\n${rows.repeat(times)}`;
}

/** Rows of three classes that shift the means of some numbers and the frequencies of some levels. */
function table(rows: number, numbers: number, categories: number): string {
  const random = new Random(1);
  const names = (letter: string, count: number) => Array.from({ length: count }, (_, k) => `${letter}${k}`);
  const lines = Array.from({ length: rows }, () => {
    const c = random.integer(3);
    const cells = names('x', numbers).map((_, j) => (random.normal() + c * 0.3 * (j % 3)).toFixed(4));
    const levels = names('c', categories).map((_, j) => 'abcdefgh'[(random.integer(8) + c * (j % 2)) % 8]);
    return [...cells, ...levels, ['low', 'mid', 'high'][c]].join(',');
  });
  return `${[...names('x', numbers), ...names('c', categories), 'y'].join(',')}\n${lines.join('\n')}\n`;
}

const PYTHON = `
import json, resource, sys, time
import pandas
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from sklearn.preprocessing import OrdinalEncoder
work, path, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
options = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
start, skipped = time.process_time(), 0
if work.endswith('text'):
    if path.endswith('jsonl'):
        rows = [json.loads(line) for line in open(path, encoding='utf-8')]
        texts, labels = [row['text'] for row in rows], [row['label'] for row in rows]
    else:
        frame = pandas.read_csv(path, keep_default_na=False, dtype=str)
        texts, labels = frame.text, frame.label
    learned = len(texts) if work == 'fit-text' else 11314
    before = time.process_time()
    vectorizer = CountVectorizer(**options)
    model = MultinomialNB().fit(vectorizer.fit_transform(texts[:learned]), labels[:learned])
    if work == 'predict-text':
        skipped = time.process_time() - before
        model.predict(vectorizer.transform(texts))
else:
    frame = pandas.read_csv(path)
    X = frame[[name for name in frame if name[0] == 'x']].values
    levels, y = frame[[name for name in frame if name[0] == 'c']], frame.y.values
    before = time.process_time()
    gaussian = GaussianNB().fit(X, y)
    if levels.shape[1]:
        encoder = OrdinalEncoder().fit(levels)
        categorical = CategoricalNB().fit(encoder.transform(levels), y)
    if work == 'predict-table':
        skipped = time.process_time() - before
        joint = gaussian.predict_joint_log_proba(X) + categorical.predict_joint_log_proba(encoder.transform(levels))
        (joint - gaussian.class_prior_).argmax(1)
used = time.process_time() - start - skipped
print(json.dumps({'cpu': used, 'peak': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
`;

interface Work {
  readonly title: string;
  readonly file: string;
  readonly options: readonly string[];
  /** What scikit-learn does with the file; without it the row is in the table of `auto`. */
  readonly peer?: 'fit-text' | 'predict-text' | 'fit-table' | 'predict-table';
  readonly peerOptions?: object;
  /** The model that `predict` uses. */
  readonly model?: readonly string[];
  /** The ratio that is aimed at, or for `auto` the processor seconds with `--holdout 0`. */
  readonly goal?: number;
}

const words = ['--target', 'label', '--text', 'text', '--model', 'multinomial'];
const cells = (model: string) => ['--target', 'y', '--model', model];
const all = ['--holdout', '0'];
const works: readonly Work[] = [
  { title: 'text, JSON Lines', file: 'news9.jsonl', options: [...words, ...all], peer: 'fit-text', goal: 12 },
  { title: 'the same rows as CSV', file: 'news9.csv', options: [...words, ...all], peer: 'fit-text', goal: 12 },
  { title: 'the same with 20 % held out and evaluated', file: 'news9.csv', options: words, peer: 'fit-text', goal: 9 },
  {
    ...{ title: 'text CSV, words and pairs', file: 'news3.csv', peer: 'fit-text', goal: 6 },
    options: [...words, ...all, '--ngrams', '1-2'],
    peerOptions: { ngram_range: [1, 2] },
  },
  {
    ...{ title: 'text CSV, `char_wb` 2–4', file: 'news.csv', peer: 'fit-text', goal: 6 },
    options: [...words, ...all, '--analyzer', 'char_wb', '--ngrams', '2-4'],
    peerOptions: { ngram_range: [2, 4], analyzer: 'char_wb' },
  },
  {
    ...{ title: 'text CSV: `predict`', file: 'news9.csv', peer: 'predict-text', goal: 12 },
    ...{ options: [], model: [...words, ...all] },
  },
  {
    ...{ title: 'table of 500,000 rows, 6 numbers and 4 categories', file: 'mixed.csv', peer: 'fit-table', goal: 3 },
    options: [...cells('mixed'), ...all],
  },
  {
    ...{ title: 'the same: `predict`', file: 'mixed.csv', peer: 'predict-table', goal: 2 },
    ...{ options: [], model: [...cells('mixed'), ...all] },
  },
  {
    ...{ title: 'table of 300,000 rows, 30 numbers', file: 'numbers.csv', peer: 'fit-table', goal: 2 },
    options: [...cells('gaussian'), ...all],
  },
  { title: 'iris, 150 × 4', file: 'iris.csv', options: [], goal: 0.6 },
  { title: 'breast cancer, 569 × 30', file: 'breast-cancer.csv', options: [], goal: 1.5 },
  { title: 'digits, 1,797 × 64', file: 'digits.csv', options: [], goal: 3 },
  { title: 'adult, 32,561 × 14', file: 'adult.csv', options: [], goal: 4 },
  { title: 'SMS, 5,574 texts', file: 'sms.jsonl', options: ['--target', 'label', '--text', 'text'], goal: 1.2 },
  { title: '20 Newsgroups, 11,314 texts', file: 'news.jsonl', options: words.slice(0, 4), goal: 6 },
  { title: '500,000 rows × 10 columns', file: 'mixed.csv', options: ['--target', 'y'], goal: 15 },
];

/** Runs the command; each run of `auto` with and without held-out rows. */
async function costOf({ file, options, model, peer }: Work): Promise<{ own: ProcessCost; alone: ProcessCost }> {
  const fitted = join(folder, 'model.polya');
  const polya = (...args: string[]) => [process.execPath, cli, ...args, '-q'];
  const fit = (...more: readonly string[]) => polya('fit', file, '-o', fitted, '-f', ...more);
  if (model) await costsOf({ fit: fit(...model) }, { runs: 1 });
  const own = model ? polya('predict', file, '-m', fitted) : fit(...options);
  if (peer) {
    const costs = await costsOf({ own }, { runs: RUNS });
    return { own: costs.own, alone: costs.own };
  }
  return costsOf({ own, alone: fit(...options, ...all) }, { runs: RUNS });
}

/** Processor seconds and peak megabytes of scikit-learn, on one thread, since idle threads of OpenMP use processor time. */
function peerCost({ peer, file, peerOptions = {} }: Work): { cpu: number; peak: number } {
  const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const args = ['-c', PYTHON, peer!, file, JSON.stringify(peerOptions)];
  const { status, stdout, stderr } = spawnSync(process.env.POLYA_PYTHON ?? 'python3', args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);
const mega = (value: number) => `${Math.round(value).toLocaleString('en-US')} MB`;

async function row(work: Work): Promise<string> {
  const { own, alone } = await costOf(work);
  const { title, file, goal, peer } = work;
  const [processor, clock] = [`${seconds(own.cpu)} s`, `${seconds(own.wall)} s`];
  const aim = (reached: boolean, text: string) => (reached ? text : `**${text}**`);
  if (!peer) {
    const aimed = aim(alone.cpu <= goal! * 1000, `${goal} s`);
    return `| ${title} | ${processor} | ${seconds(alone.cpu)} s | ${clock} | ${mega(own.peak)} | ${aimed} |`;
  }
  const other = peerCost(work);
  const ratio = (other.cpu * 1000) / own.cpu;
  const aimed = aim(ratio >= goal!, `${goal} ×`);
  const size = mega(statSync(file).size / 1e6);
  return `| ${title}, ${size} | ${processor}, ${clock}, ${mega(own.peak)} | ${other.cpu.toFixed(2)} s, ${mega(other.peak)} | ${ratio.toFixed(1)} × | ${aimed} |`;
}

process.chdir(folder);
try {
  const rows: [Work, string][] = [];
  const made = new Set<string>();
  for (const work of works) {
    if (chosen.length > 0 && !chosen.some((word) => work.title.includes(word))) continue;
    if (!made.has(work.file)) writeFileSync(work.file, inputs[work.file]());
    made.add(work.file);
    rows.push([work, await row(work)]);
    console.log(rows.at(-1)![1]);
  }
  if (chosen.length === 0) writeFileSync(page, withTables(readFileSync(page, 'utf8'), rows));
} finally {
  process.chdir('/');
  rmSync(folder, { recursive: true });
}

/** The page with new rows in its two tables, and the date and machine above them. */
function withTables(text: string, rows: readonly [Work, string][]): string {
  const files = rows.flatMap(([{ peer }, line]) => (peer ? [line] : []));
  const choices = rows.flatMap(([{ peer }, line]) => (peer ? [] : [line]));
  const date = new Date().toISOString().slice(0, 10);
  return [`Measured ${date} on ${machine}, median of ${RUNS} runs.`, files, choices].reduce<string>((page, part, k) => {
    const mark = ['measured', 'files', 'auto'][k];
    const body = typeof part === 'string' ? part : part.join('\n');
    return page.replace(new RegExp(`(<!-- ${mark} -->\n(?:\\|.*\n\\|-.*\n)?)[^]*?(\n<!-- end -->)`), `$1${body}$2`);
  }, text);
}
