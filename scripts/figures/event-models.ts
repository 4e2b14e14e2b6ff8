import { BernoulliNB, bagOfWords, loadPostings, MultinomialNB, setOfWords } from 'polya';
import { axes, colours, curve, legend, picture, type Say } from './svg.ts';

/** Lesson 7: the posterior of three event models for one posting, by pseudo-count. */
export function eventModels(say: Say): string {
  const { rows } = loadPostings();
  const texts = rows.map(({ text }) => String(text));
  const y = rows.map(({ abusive }) => Number(abusive));
  const alphas = Array.from({ length: 61 }, (_, k) => 10 ** (k / 15 - 3));
  const answers = [
    { words: setOfWords(), make: (alpha: number) => new BernoulliNB({ alpha }) },
    { words: setOfWords(), make: (alpha: number) => new MultinomialNB({ alpha }) },
    { words: bagOfWords(), make: (alpha: number) => new MultinomialNB({ alpha }) },
  ].map(({ words, make }) => {
    const X = words.fitTransform(texts);
    const question = words.transform(['my stupid stupid dog']);
    return alphas.map((alpha) => make(alpha).fit(X, y).predictProba(question).row(0)[1]);
  });
  const {
    x,
    y: up,
    parts,
  } = axes(
    {
      from: 0.001,
      to: 10,
      ticks: [0.001, 0.01, 0.1, 1, 10],
      log: true,
      label: say('α: pseudo-count added to every count', 'α：给每个计数加上的伪计数'),
    },
    {
      from: 0.4,
      to: 1.1,
      ticks: [0.5, 0.6, 0.7, 0.8, 0.9, 1],
      label: 'p(abusive | "my stupid stupid dog")',
      format: (value) => value.toFixed(1),
    },
    320,
  );
  const title = 'p(abusive | "my stupid stupid dog")';
  return picture(title, 320, [
    ...parts,
    ...answers.map((own, k) =>
      curve(
        own.map((share, i) => [x(alphas[i]), up(share)]),
        colours[k],
      ),
    ),
    ...legend(90, 190, [
      say('set of words, coins', '词集，硬币'),
      say('set of words, die', '词集，骰子'),
      say('bag of words, die', '词袋，骰子'),
    ]),
  ]);
}
