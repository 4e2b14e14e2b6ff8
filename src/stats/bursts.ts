import type { Statistic } from '../core/model.ts';
import { toSparse } from '../data/batch.ts';
import { type Multiset, multiset } from './multiset.ts';

/**
 * How often words come in bursts, by class: for every word j the multiset of its counts,
 *
 *   w[c,j,v] = Σᵢ wᵢ [yᵢ = c, xᵢⱼ = v],  v > 0                                                   (1)
 *
 * and in one more column, j = features, the multiset of the document lengths nᵢ = Σⱼ xᵢⱼ > 0. Sufficient for every
 * likelihood that is a product over words and a factor of the length, such as that of Pólya's urn: a sum over the
 * documents becomes a sum over distinct counts. Document frequencies are Σᵥ w[c,j,v]. Counts may be fractional.
 */
export type Bursts = Multiset;

/** Counts of words and lengths of documents by class. */
export const bursts: Statistic<Bursts> = multiset<Bursts>({
  name: 'bursts',
  sparse: true,
  beside: 1,
  isValue: (value) => value > 0 && value < Infinity,
  eachValue(batch, put) {
    const { indptr, indices, values } = toSparse(batch);
    for (let i = 0; i < batch.rows; i++) {
      let length = 0;
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        put(i, indices[k], values[k]);
        length += values[k];
      }
      if (length > 0) put(i, batch.features, length);
    }
  },
});
