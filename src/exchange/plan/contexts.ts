import type { KDependence } from '../../models/kdb.ts';
import { blend, MOST_COMBINATIONS } from '../../models/kdb-row.ts';
import type { ByClass, FeatureTables } from '../../models/kdb-tables.ts';
import type { ContextDepth, ContextFeature, TermOf } from '../plan.ts';

/** The tables of a k-dependence classifier, with the shares of all counted values. */
export function contextTerm({ classes, levels, order, tables }: KDependence, vector: number): TermOf<'contexts'> {
  const features = Array.from(order, (j) => featureOf(tables[j], j, levels, classes));
  return { op: 'contexts', vector, levels, features, mostCombinations: MOST_COMBINATIONS };
}

function featureOf(own: FeatureTables, feature: number, levels: Int32Array, classes: number): ContextFeature {
  const { parents } = own;
  const depths: ContextDepth[] = [];
  own.depths.forEach(({ contexts, values, contextWeights, valueWeights, concentration }, d) => {
    const radix = d > 0 ? levels[parents[d - 1]] : 1;
    const shares = new Float64Array(values.size * classes).fill(1 / own.levels);
    for (let e = 0; e < values.size; e++) {
      const [context, value] = [values.first(e), values.second(e)];
      if (d > 0) {
        // a value that was counted in a context was counted in the one above it too
        const above = own.depths[d - 1].values.find(contexts.first(context), value);
        shares.set(depths[d - 1].shares.subarray(above * classes, (above + 1) * classes), e * classes);
      }
      blend(shares, e * classes, contextWeights, context, valueWeights, e, concentration);
    }
    depths.push({
      concentration,
      contexts: Float64Array.from({ length: contexts.size }, (_, k) => contexts.first(k) * radix + contexts.second(k)),
      weights: denseOf(contextWeights, contexts.size, classes),
      values: Float64Array.from({ length: values.size }, (_, e) => values.first(e) * own.levels + values.second(e)),
      shares,
    });
  });
  return { feature, parents: Int32Array.from(parents), depths };
}

/** Sparse weights by class as a dense table. */
function denseOf({ start, classes: place, weights }: ByClass, things: number, classes: number): Float64Array {
  const dense = new Float64Array(things * classes);
  for (let t = 0; t < things; t++) {
    for (let s = start[t]; s < start[t + 1]; s++) dense[t * classes + place[s]] = weights[s];
  }
  return dense;
}
