import {
  CountVectorizer,
  LogisticRegression,
  learningCurve,
  MultinomialNB,
  makePipeline,
  StratifiedShuffleSplit,
} from 'polya';
import { loadSms } from 'polya/node';
import { axes, colours, curve, dot, legend, line, picture, type Say } from './svg.ts';

const trainSizes = [50, 100, 200, 400, 800, 1600];

/** Lesson 9: the accuracy of a generative and of a discriminative model by the number of training rows; computed once for both languages. */
export function learningCurves(): (say: Say) => string {
  const { rows, text, target } = loadSms();
  const texts = rows.map((row) => String(row[text!]));
  const labels = rows.map((row) => String(row[target]));
  const cv = new StratifiedShuffleSplit({ nSplits: 5, testSize: 1000, randomState: 1 });
  const letters = { analyzer: 'char_wb', ngramRange: [2, 3], maxFeatures: 500, binary: true } as const;
  const scores = [new MultinomialNB(), new LogisticRegression()].map(
    (model) =>
      learningCurve(makePipeline(new CountVectorizer(letters), model), texts, labels, { cv, trainSizes }).testScores,
  );
  return (say) => draw(scores, say);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean over the splits as a line, and the lowest and highest split as a bar. */
function draw(models: readonly (readonly number[])[][], say: Say): string {
  const { x, y, parts } = axes(
    { from: 42, to: 1900, ticks: trainSizes, log: true, label: say('training messages', '训练短信的条数') },
    {
      from: 0.86,
      to: 1,
      ticks: [0.88, 0.9, 0.92, 0.94, 0.96, 0.98],
      label: say('accuracy on 1,000 held-out messages', '在 1,000 条留出短信上的准确率'),
      format: (share) => share.toFixed(2),
    },
    360,
  );
  const lines = models.flatMap((scores, k) => {
    const shift = 4 * k - 2; // so that the bars of the two models stay apart
    const points = scores.map((own, i): [number, number] => [x(trainSizes[i]) + shift, y(mean(own))]);
    const spreads = scores.map((own, i) => {
      const [left, low, high] = [points[i][0], y(Math.min(...own)), y(Math.max(...own))];
      return line(left, low, left, high, colours[k], 'stroke-width="1.5" stroke-opacity="0.6"');
    });
    return [...spreads, curve(points, colours[k]), ...points.map(([left, top]) => dot(left, top, colours[k]))];
  });
  return picture(
    say(
      'Naive Bayes leads with few rows, logistic regression with many',
      '样本少时朴素贝叶斯领先，样本多时逻辑回归领先',
    ),
    360,
    [
      ...parts,
      ...lines,
      ...legend(400, 250, [
        say('naive Bayes (generative)', '朴素贝叶斯（生成式）'),
        say('logistic regression (discriminative)', '逻辑回归（判别式）'),
      ]),
    ],
  );
}
