/**
 * Texts classified per second. A pipeline of CountVectorizer and MultinomialNB fitted to 20 Newsgroups, compared with
 * scikit-learn's on the same texts if POLYA_PYTHON names a Python that has it. `npx tsx bench/predict-text.ts`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../src/estimators/pipeline.ts';
import { asLines, corpusOf } from './corpus.ts';
import { askPython, cost, report } from './measure.ts';

const { name, train, test } = corpusOf();
const [texts, labels, asked] = [
  train.map(({ text }) => text),
  train.map(({ label }) => label),
  test.map(({ text }) => text),
];

const PYTHON = `
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
read = lambda path: [json.loads(line) for line in open(path, encoding='utf8')]
train, test = read(sys.argv[2]), [row['text'] for row in read(sys.argv[3])]
texts, labels = [row['text'] for row in train], [row['label'] for row in train]
vectorizer = CountVectorizer()
model = MultinomialNB().fit(vectorizer.fit_transform(texts), labels)
print(json.dumps({
    'fit': cost(lambda: MultinomialNB().fit(CountVectorizer().fit_transform(texts), labels)),
    'transform': cost(lambda: vectorizer.transform(test)),
    'predict': cost(lambda: model.predict(vectorizer.transform(test))),
}))
`;

const folder = mkdtempSync(join(tmpdir(), 'polya-predict-'));
try {
  const [learned, new_] = ['train.jsonl', 'test.jsonl'].map((file) => join(folder, file));
  writeFileSync(learned, asLines(train));
  writeFileSync(new_, asLines(test));
  const peer = askPython(PYTHON, {}, learned, new_);
  const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
  const [vectorizer] = pipeline.steps;
  const predict = cost(() => pipeline.predict(asked));
  const learn = cost(() => makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels));
  report(
    'Classifying texts in memory over scikit-learn',
    [
      { work: 'predict', ours: predict, peer: peer?.predict, must: 10 },
      { work: 'of it: text to counts', ours: cost(() => vectorizer.transform(asked)), peer: peer?.transform },
      { work: 'fit in memory', ours: learn, peer: peer?.fit },
    ],
    { corpus: name, documents: asked.length, documentsPerSecond: Math.round(asked.length / (predict.wall / 1000)) },
  );
} finally {
  rmSync(folder, { recursive: true });
}
