/**
 * One package learns texts and classifies others in its own process; loading time is not counted. `node
 * bench/peer-text.mjs NAME FILE LINES`, as bench/peers-text.ts calls it; Pólya itself needs `npm run build`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = process.env.POLYA_PEERS; // where the packages are installed, if not in bench
const load = createRequire(folder ? join(folder, 'package.json') : import.meta.url);
const [name, file, lines] = process.argv.slice(2);
const { train, test, expected } = JSON.parse(readFileSync(file, 'utf8'));

const packages = {
  polya: async () => {
    const { CountVectorizer, MultinomialNB, makePipeline } = await import('../dist/lib/index.js');
    const model = makePipeline(new CountVectorizer(), new MultinomialNB());
    const [texts, labels] = [train.map(([text]) => text), train.map(([, label]) => label)];
    return { learn: () => model.fit(texts, labels), classifyAll: () => model.predict(test) };
  },
  'polya auto': async () => {
    const { Classifier } = await import('../dist/lib/index.js');
    const rows = train.map(([text, label]) => ({ text, label }));
    let model;
    return {
      learn: () => {
        model = Classifier.fit(rows, { target: 'label' });
      },
      classifyAll: () => model.predict(test.map((text) => ({ text }))),
    };
  },
  'polya from a file': async () => {
    const { fitTextFile } = await import('../dist/lib/node.js');
    let model;
    return {
      learn: async () => {
        model = await fitTextFile(lines, { threads: 1 });
      },
      classifyAll: () => model.predict(test),
    };
  },
  bayes: async () => {
    const model = load('bayes')();
    return {
      learn: async () => {
        for (const [text, label] of train) await model.learn(text, label);
      },
      classify: (text) => model.categorize(text),
    };
  },
  classificator: async () => {
    const model = load('classificator')();
    return {
      learn: () => {
        for (const [text, label] of train) model.learn(text, label);
      },
      classify: (text) => model.categorize(text),
    };
  },
  natural: async () => {
    const { BayesClassifier } = load('natural');
    const model = new BayesClassifier();
    return {
      learn: () => {
        for (const [text, label] of train) model.addDocument(text, label);
        model.train();
      },
      classify: (text) => model.classify(text),
    };
  },
  'wink-naive-bayes-text-classifier': async () => {
    const model = load('wink-naive-bayes-text-classifier')();
    const { string } = load('wink-nlp-utils');
    model.definePrepTasks([string.lowerCase, string.tokenize0]);
    return {
      learn: () => {
        for (const [text, label] of train) model.learn(text, label);
        model.consolidate();
      },
      classify: (text) => model.predict(text),
    };
  },
};

async function cost(run) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

/**
 * Fast packages are measured again with fresh models: the first run shows the cost in a short program, the last in a
 * long one.
 */
const [AGAIN, QUICK] = [4, 3000];
const costs = [];
let model;
do {
  model = await packages[name]();
  costs.push(await cost(model.learn));
} while (costs.length < AGAIN && costs[0].wall < QUICK);
const { classify, classifyAll } = model;
const answers = [];
let labels = [];
do {
  answers.push(
    await cost(async () => {
      labels = classifyAll ? classifyAll() : [];
      if (!classifyAll) for (const text of test) labels.push(await classify(text));
    }),
  );
} while (answers.length < AGAIN && answers[0].wall < QUICK);
const accuracy = expected && labels.filter((label, i) => label === expected[i]).length / expected.length;
console.log(`\n${JSON.stringify({ first: costs[0], train: costs.at(-1), predict: answers.at(-1), accuracy })}`);
