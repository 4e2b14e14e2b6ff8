import { BernoulliNB, bernoulliInformation, CountVectorizer, loadNews } from 'polya';
import { axes, colours, dot, picture, type Say, text } from './svg.ts';

/** Lesson 3: every word by how probable it is and by how much it tells. */
export function tellingWords(say: Say): string {
  const { rows, text: column, target } = loadNews();
  const words = new CountVectorizer({ binary: true });
  const X = words.fitTransform(rows.map((row) => `subject: ${row[column!]}`));
  const model = new BernoulliNB().fit(
    X,
    rows.map((row) => String(row[target])),
  );
  const information = bernoulliInformation(model, { unit: 'bits' });
  const shares = model.classCount.map((n) => n / rows.length);
  const probable = (j: number) =>
    shares.reduce((sum, share, c) => sum + share * Math.exp(model.featureLogProb.row(c)[j]), 0);
  const { x, y, parts } = axes(
    {
      from: 0,
      to: 1,
      ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
      label: say('probability that a document has the word', '一篇文档含有该词的概率'),
    },
    {
      from: 0,
      to: 0.2,
      ticks: [0, 0.05, 0.1, 0.15, 0.2],
      label: say('information in bits', '信息量，比特'),
      format: (bits) => bits.toFixed(2),
    },
    340,
  );
  const named = new Set(['bank', 'magnetic', 'to', 'the', 'subject', 'of', 'for']);
  const drawn = words.getFeatureNamesOut().flatMap((word, j) => {
    const [left, top] = [x(probable(j)), y(information[j])];
    const anchor = left > 640 ? 'end' : 'start';
    const label = text(left + (anchor === 'end' ? -8 : 8), top + (word === 'to' ? 12 : -6), word, { anchor });
    return [dot(left, top, colours[named.has(word) ? 1 : 0], 3), ...(named.has(word) ? [label] : [])];
  });
  return picture(say('Probable words and telling words', '常见的词与有区分力的词'), 340, [...parts, ...drawn]);
}
