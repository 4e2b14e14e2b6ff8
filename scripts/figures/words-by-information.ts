import { BernoulliNB, bernoulliInformation, CountVectorizer } from 'polya';
import { loadSms } from 'polya/node';
import { axes, colours, dot, picture, type Say, text } from './svg.ts';

const RAREST = 0.005;

/** Lesson 3: the words by probability and by mutual information. */
export function wordsByInformation(say: Say): string {
  const { rows, text: column, target } = loadSms();
  const words = new CountVectorizer({ binary: true });
  const X = words.fitTransform(rows.map((row) => `subject: ${row[column!]}`));
  const model = new BernoulliNB().fit(
    X,
    rows.map((row) => String(row[target])),
  );
  const information = bernoulliInformation(model, { unit: 'bits' });
  const shares = model.classCount.map((n) => n / rows.length);
  const logProb = model.featureLogProb; // a copy of all parameters
  const probable = (j: number) => shares.reduce((sum, share, c) => sum + share * Math.exp(logProb.row(c)[j]), 0);
  const { x, y, parts } = axes(
    {
      from: 0,
      to: 1,
      ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
      label: say('probability that a document has the word', '一篇文档含有该词的概率'),
    },
    {
      from: 0,
      to: 0.12,
      ticks: [0, 0.04, 0.08, 0.12],
      label: say('information in bits', '信息量，比特'),
      format: (bits) => bits.toFixed(2),
    },
    340,
  );
  const named = new Set(['call', 'txt', 'free', 'to', 'you', 'the', 'subject']);
  const drawn = words.getFeatureNamesOut().flatMap((word, j) => {
    if (probable(j) < RAREST) return [];
    const [left, top] = [x(probable(j)), y(information[j])];
    const anchor = left > 640 ? 'end' : 'start';
    const label = text(left + (anchor === 'end' ? -8 : 8), top - 6, word, { anchor });
    return [dot(left, top, colours[named.has(word) ? 1 : 0], 3), ...(named.has(word) ? [label] : [])];
  });
  return picture(say('Probable words and informative words', '常见的词与信息量大的词'), 340, [...parts, ...drawn]);
}
