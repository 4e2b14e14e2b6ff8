// House area → bins → naive Bayes: a continuous feature is cut into a few levels, which can be counted.
import { CategoricalNB, KBinsDiscretizer, type Label, loadHouses, MdlpDiscretizer } from 'polya';

const { rows } = loadHouses(); // areas in m² and buyers; the area of one house is missing
const X = rows.map(({ area }) => [area === null ? null : Number(area)]);
const y = rows.map(({ buyer }) => String(buyer));

const discretizers = {
  'equal width': new KBinsDiscretizer({ nBins: 3, strategy: 'uniform', encode: 'ordinal', missing: 'bin' }),
  'equal frequency': new KBinsDiscretizer({ nBins: 3, strategy: 'frequency', encode: 'ordinal', missing: 'bin' }),
  'minimum description length': new MdlpDiscretizer({ missing: 'bin' }),
};

for (const [name, bins] of Object.entries(discretizers)) {
  // fit learns the edges; transform maps each area to its bin, and a missing area to a bin of its own.
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

  // Leave-one-out accuracy: the edges, too, are learned without the held-out house.
  const correct = X.filter((row, i) => {
    const others = <T>(list: readonly T[]) => list.filter((_, k) => k !== i);
    const own = bins.clone().fit(others(X), others(y));
    const without = new CategoricalNB().fit(own.transform(others(X)).toArray(), others<Label>(y));
    return without.predict(own.transform([row]).toArray())[0] === y[i];
  });
  console.log(`  leave-one-out: ${correct.length} of ${X.length} correct`);
}
