// House area → bins → naive Bayes: a continuous feature becomes a few levels, and levels can be counted.
import { CategoricalNB, KBinsDiscretizer, type Label, MdlpDiscretizer } from 'polya';

// Areas in m², and who bought: 45 houses, made up for the lesson; of one the area was never written down.
const sales: [area: number | null, buyer: string][] = [
  ...[28, 31, 32, 35, 38, 39, 41, 43, 45, 46, 48, 50, 52, 54, 58, 95].map((area): [number, string] => [area, 'single']),
  ...[51, 55, 57, 60, 62, 64, 66, 68, 70, 71, 75, 77, 80, 84, 88].map((area): [number, string] => [area, 'couple']),
  ...[73, 79, 90, 93, 98, 101, 105, 110, 118, 122, 128, 135, 140].map((area): [number, string] => [area, 'family']),
  [null, 'family'],
];
const X = sales.map(([area]) => [area]);
const y = sales.map(([, buyer]) => buyer);

const discretizers = {
  'equal width': new KBinsDiscretizer({ nBins: 3, strategy: 'uniform', encode: 'ordinal', missing: 'bin' }),
  'equal frequency': new KBinsDiscretizer({ nBins: 3, strategy: 'frequency', encode: 'ordinal', missing: 'bin' }),
  'minimum description length': new MdlpDiscretizer({ missing: 'bin' }),
};

for (const [name, bins] of Object.entries(discretizers)) {
  // fit learns the edges; transform puts every area into its bin, and a missing one into a bin of its own.
  const levels = bins.fit(X, y).transform(X).toArray();
  const [edges] = bins.binEdges;
  const inner = Array.from(edges.subarray(1, -1), (edge) => edge.toFixed(1)).join(', ');
  console.log(`${name}: cut at ${inner} m²`);

  // One count per class and bin is all that naive Bayes needs.
  const model = new CategoricalNB().fit(levels, y);
  for (const area of [45, 90, 130, null]) {
    const level = bins.transform([[area]]).toArray();
    const [buyer] = model.predict(level);
    const probability = model.predictProba(level).row(0)[model.classes.indexOf(buyer)];
    console.log(`  ${area ?? 'unknown'} m²: bin ${level[0][0]}, ${buyer} (p = ${probability.toFixed(2)})`);
  }

  // Honest accuracy: the edges are learned again without the house that is judged.
  const right = X.filter((row, i) => {
    const others = <T>(list: readonly T[]) => list.filter((_, k) => k !== i);
    const own = bins.clone().fit(others(X), others(y));
    const judge = new CategoricalNB().fit(own.transform(others(X)).toArray(), others<Label>(y));
    return judge.predict(own.transform([row]).toArray())[0] === y[i];
  });
  console.log(`  leave-one-out: ${right.length} of ${X.length} right`);
}
