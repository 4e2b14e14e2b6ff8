/**
 * Time to train a classifier on a text file. The whole process `polya fit`: start, read, count, evaluate on held-out
 * rows, write the model; compared with `wc -w` on the same file, and with scikit-learn's CountVectorizer and
 * MultinomialNB inside Python if POLYA_PYTHON names one that has them. `npx tsx bench/fit-text.ts [runs] [megabytes]`;
 * needs `npm run build`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asLines, corpusOf } from './corpus.ts';
import { askPython, type Cost, report } from './measure.ts';
import { costsOf, type ProcessCost } from './processes.ts';

const [runs = 5, megabytes = 200] = process.argv.slice(2).map(Number);
const cli = process.env.POLYA_CLI ?? new URL('../dist/cli/cli.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'polya-fit-'));
const { name, train, test } = corpusOf();
const [small, large, model] = ['small.jsonl', 'large.jsonl', 'model.polya'].map((file) => join(folder, file));
writeFileSync(small, asLines(train));
if (megabytes > 0) writeFileSync(large, asLines([...train, ...test], megabytes * 1e6));

const PYTHON = `
import gc
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
rows = [json.loads(line) for line in open(sys.argv[2], encoding='utf8')]
texts, labels = [row['text'] for row in rows], [row['label'] for row in rows]
del rows
gc.collect()
w, c = [], []
for _ in range(int(sys.argv[3])):
    a, b = time.perf_counter(), time.process_time()
    MultinomialNB().fit(CountVectorizer().fit_transform(texts), labels)
    w.append((time.perf_counter() - a) * 1000); c.append((time.process_time() - b) * 1000)
print(json.dumps({'fit': {'wall': median(w), 'cpu': median(c)}}))
`;

const fit = (file: string, ...more: string[]) => [
  ...[process.execPath, cli, 'fit', file, '--model', 'multinomial', '--target', 'label', '--text', 'text'],
  ...['-o', model, '-f', '-q', ...more],
];
const commandsFor = (file: string) => ({
  whole: fit(file),
  counted: fit(file, '--holdout', '0'),
  alone: fit(file, '--holdout', '0', '--threads', '1'),
  words: ['wc', '-w', file],
});

function linesFor(title: string, costs: Record<keyof ReturnType<typeof commandsFor>, ProcessCost>, peer?: Cost) {
  const { whole, counted, alone, words } = costs;
  return [
    { work: `${title}: fit and evaluate, over scikit-learn`, ours: whole, peer, must: title === 'small' ? 5 : 20 },
    { work: `${title}: fit alone, over scikit-learn`, ours: counted, peer },
    { work: `${title}: fit and evaluate, over wc -w`, ours: whole, peer: words },
    { work: `${title}: fit alone, over wc -w`, ours: counted, peer: words, ...(title === 'large' && { must: 1.2 }) },
    { work: `${title}: fit alone on all cores, over one thread`, ours: counted, peer: alone },
  ];
}

try {
  const env = { LC_ALL: 'C' };
  const costs = await costsOf(commandsFor(small), { runs, env });
  const lines = linesFor('small', costs, askPython(PYTHON, {}, small, 5)?.fit);
  const peaks: Record<string, number> = { small: Math.round(costs.whole.peak) };
  if (megabytes > 0) {
    const own = await costsOf(commandsFor(large), { runs, env });
    lines.push(...linesFor('large', own, askPython(PYTHON, {}, large, 1)?.fit));
    Object.assign(peaks, { large: Math.round(own.whole.peak), largeFitAlone: Math.round(own.counted.peak) });
  }
  report('polya fit on texts', lines, { corpus: name, documents: train.length, megabytes, peakMegabytes: peaks });
} finally {
  rmSync(folder, { recursive: true });
}
