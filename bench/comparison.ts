/**
 * The chart of the readme: accuracy and speed of Pólya, scikit-learn and three npm packages on public texts, each in a process of its
 * own. It writes bench/comparison.json and docs/images/comparison.svg; with `--draw` it draws the recorded figures again.
 *
 *   npm run build && npm install --prefix DIR natural@8.1.1 wink-naive-bayes-text-classifier@2.2.1 wink-nlp-utils@2.1.0 bayes@1.0.0
 *   POLYA_PEERS=DIR POLYA_PYTHON=python3 npx tsx bench/comparison.ts FOLDER "2 vCPU AMD EPYC, 24 GiB, Node 20.20"
 *
 * FOLDER has sms-spam, rt-polarity and r8 as `NAME.jsonl.gz`, with `text`, `label` and `split`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Random } from '../src/math/random.ts';
import { type Comparison, comparisonChart, type Figures } from './comparison-chart.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const record = join(root, 'bench', 'comparison.json');
const picture = join(root, 'docs', 'images', 'comparison.svg');
const SECONDS = 120;

const sets = [
  { name: 'sms-spam', title: 'SMS spam' },
  { name: 'rt-polarity', title: 'Film reviews' },
  { name: 'r8', title: 'Reuters R8' },
];
const programs = [
  { name: 'polya', title: 'Pólya MultinomialNB' },
  { name: 'polya auto', title: 'Pólya auto' },
  { name: 'scikit-learn', title: 'scikit-learn MultinomialNB' },
  { name: 'natural', title: 'natural' },
  { name: 'wink-naive-bayes-text-classifier', title: 'wink' },
  { name: 'bayes', title: 'bayes' },
];

const PYTHON = `
import json, sys, time
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
data = json.load(open(sys.argv[1], encoding='utf8'))
texts, labels, test = [row[0] for row in data['train']], [row[1] for row in data['train']], data['test']
def cost(run):
    start = time.process_time(); result = run(); return (time.process_time() - start) * 1000, result
for _ in range(3):
    vectorizer = CountVectorizer()
    train, model = cost(lambda: MultinomialNB().fit(vectorizer.fit_transform(texts), labels))
    predict, found = cost(lambda: model.predict(vectorizer.transform(test)))
accuracy = sum(a == b for a, b in zip(found, data['expected'])) / len(test)
print(json.dumps({'train': {'cpu': train}, 'predict': {'cpu': predict}, 'accuracy': accuracy}))
`;

/** The result of one program on one set; undefined if it exceeds the time limit. */
function ask(program: string, file: string): Figures | undefined {
  const python = process.env.POLYA_PYTHON ?? 'python3';
  const script = join(root, 'bench', 'peer-text.mjs');
  const [command, args] =
    program === 'scikit-learn' ? [python, ['-c', PYTHON, file]] : [process.execPath, [script, program, file, '']];
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: SECONDS * 1000 });
  if (status !== 0) return undefined;
  const { train, predict, accuracy } = JSON.parse(stdout.trim().split('\n').at(-1)!);
  return { accuracy, trainMs: train.cpu, predictMs: predict.cpu };
}

function measure(folder: string, machine: string): Comparison {
  const scratch = mkdtempSync(join(tmpdir(), 'polya-comparison-'));
  try {
    const results = sets.map(({ name, title }) => {
      const lines = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`)));
      const all = lines.toString('utf8').trimEnd().split('\n');
      const rows = all.map((line) => JSON.parse(line) as Record<'text' | 'label' | 'split', string>);
      const shuffled = new Random(1).shuffle(rows); // the rows are ordered by class
      const [train, test] = ['train', 'test'].map((part) => shuffled.filter(({ split }) => split === part));
      const file = join(scratch, 'data.json');
      const data = {
        train: train.map(({ text, label }) => [text, label]),
        test: test.map(({ text }) => text),
        expected: test.map(({ label }) => label),
      };
      writeFileSync(file, JSON.stringify(data));
      const figures = programs.map(({ name: program, title: shown }) => ({ program: shown, ...ask(program, file) }));
      return { set: name, title, train: train.length, test: test.length, figures };
    });
    return { date: new Date().toISOString().slice(0, 10), machine, results };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const [folder, machine = 'unnamed machine'] = process.argv.slice(2);
if (folder !== '--draw') writeFileSync(record, `${JSON.stringify(measure(folder, machine), undefined, 2)}\n`);
writeFileSync(picture, comparisonChart(JSON.parse(readFileSync(record, 'utf8'))));
