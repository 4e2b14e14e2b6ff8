/** One package learns texts and classifies others: `node bench/peer-text.mjs NAME FILE`, as bench/peers-text.ts calls it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const [name, file] = process.argv.slice(2);
const { train, test } = JSON.parse(readFileSync(file, 'utf8'));

const packages = {
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

const { learn, classify } = await packages[name]();
const learned = await cost(learn);
const predicted = await cost(async () => {
  for (const text of test) await classify(text);
});
console.log(`\n${JSON.stringify({ train: learned, predict: predicted })}`);
