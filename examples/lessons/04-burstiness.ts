// Words come in bursts: a rare word that was used once is likely to be used again. An urn models this, a die does not.
import { DirichletMultinomialNB, MultinomialNB, Random } from 'polya';

// An urn with a few balls of each colour: every ball drawn goes back together with another ball of the same colour.
function drawDocument(urn: readonly number[], length: number, random: Random): number[] {
  const balls = [...urn];
  const drawn = urn.map(() => 0);
  for (let n = 0; n < length; n++) {
    let rest = random.uniform() * balls.reduce((sum, ball) => sum + ball, 0);
    const colour = balls.findIndex((ball) => (rest -= ball) < 0);
    drawn[colour]++;
    balls[colour]++;
  }
  return drawn;
}

const random = new Random(1);
const urns = { sports: [1.2, 0.2, 0.2, 0.3, 0.1], politics: [1.2, 0.1, 0.1, 0.2, 0.4] };
const sample = (documents: number) => {
  const X: number[][] = [];
  const y: string[] = [];
  for (const [label, urn] of Object.entries(urns)) {
    for (let i = 0; i < documents; i++) {
      X.push(drawDocument(urn, 20, random));
      y.push(label);
    }
  }
  return { X, y };
};
const [train, test] = [sample(300), sample(2000)];
const bursts = train.X.filter((row) => row[4] > 0);
const again = bursts.filter((row) => row[4] > 1).length / bursts.length;
console.log(
  `word 4 is in ${bursts.length} of ${train.X.length} documents, and is repeated in ${(again * 100).toFixed(0)} % of them`,
);

for (const model of [new MultinomialNB({ alpha: 0.5 }), new DirichletMultinomialNB()]) {
  model.fit(train.X, train.y);
  const logProba = model.predictLogProba(test.X);
  const loss =
    -test.y.reduce((sum, label, i) => sum + logProba.row(i)[model.classes.indexOf(label)], 0) / test.y.length;
  console.log(
    `${model.kind.padEnd(22)} accuracy ${model.score(test.X, test.y).toFixed(3)}, log-loss ${loss.toFixed(3)}`,
  );
}
