import { DirichletMultinomialNB, MultinomialNB, Random } from 'polya';
import { axes, colours, curve, legend, picture, type Say } from './svg.ts';

/** The training documents of the lesson: each ball drawn goes back with another ball of the same colour. */
function documents(): { X: number[][]; y: string[] } {
  const random = new Random(1);
  const urns = { sports: [1.2, 0.2, 0.2, 0.3, 0.1], politics: [1.2, 0.1, 0.1, 0.2, 0.4] };
  const rows = Object.entries(urns).flatMap(([label, urn]) =>
    Array.from({ length: 300 }, () => {
      const balls = [...urn];
      for (let n = 0; n < 20; n++) {
        let rest = random.uniform() * balls.reduce((sum, ball) => sum + ball, 0);
        balls[balls.findIndex((ball) => (rest -= ball) < 0)]++;
      }
      return { label, row: balls.map((ball, j) => Math.round(ball - urn[j])) };
    }),
  );
  return { X: rows.map(({ row }) => row), y: rows.map(({ label }) => label) };
}

/**
 * Lesson 4: the evidence of n occurrences of a word, for a multinomial model and a Pólya urn fitted to the same
 * documents.
 */
export function burstiness(say: Say): string {
  const { X, y } = documents();
  const models = [new MultinomialNB({ alpha: 0.5 }).fit(X, y), new DirichletMultinomialNB().fit(X, y)];
  const odds = models.map((model) => {
    const scores = model.predictJointLogProba(Array.from({ length: 21 }, (_, n) => [0, 0, 0, 0, n])).toArray();
    return scores.map(([politics, sports]) => politics - sports - (scores[0][0] - scores[0][1]));
  });
  const most = 5 * Math.ceil(Math.max(...odds.flat()) / 5);
  const {
    x,
    y: up,
    parts,
  } = axes(
    {
      from: 0,
      to: 20,
      ticks: [0, 5, 10, 15, 20],
      label: say('occurrences of word 4', '词 4 出现的次数'),
    },
    {
      from: 0,
      to: most,
      ticks: Array.from({ length: most / 5 + 1 }, (_, k) => 5 * k),
      label: say('added to the log-odds of politics', '给 politics 的对数几率加上多少'),
    },
    320,
  );
  const title = say(
    'For a die every occurrence is new evidence, for an urn it is not',
    '骰子把每次出现都当作新证据，罐子则不会',
  );
  return picture(title, 320, [
    ...parts,
    ...odds.map((own, k) =>
      curve(
        own.map((value, n) => [x(n), up(value)]),
        colours[k],
      ),
    ),
    ...legend(90, 60, [
      say('die: MultinomialNB', '骰子：MultinomialNB'),
      say('urn: DirichletMultinomialNB', '罐子：DirichletMultinomialNB'),
    ]),
  ]);
}
