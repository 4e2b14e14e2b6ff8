import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { keptColumns, pruneRule } from '../text/prune.ts';
import type { Vectorizer } from './learner-options.ts';

/**
 * Rows of counted words as a vectorizer would count them that had learned some of these rows alone: words that it would not
 * know, or would drop by its rule, have no column.
 */
export function takeKnownWords(
  block: SparseMatrix,
  vectorizer: Vectorizer,
  learn: Int32Array,
): (rows: Int32Array) => SparseMatrix {
  const everything = !(vectorizer instanceof CountVectorizer) || vectorizer.getParams().vocabulary !== null;
  const kept = everything ? undefined : knownWords(block, vectorizer as CountVectorizer, learn);
  const place = new Int32Array(block.cols);
  if (kept) {
    place.fill(-1);
    kept.forEach((j, at) => {
      place[j] = at;
    });
  } else for (let j = 0; j < place.length; j++) place[j] = j;
  return (rows) => takeCells(block, rows, place, kept?.length ?? block.cols);
}

function knownWords(
  { cols, indptr, indices, data }: SparseMatrix,
  vectorizer: CountVectorizer,
  rows: Int32Array,
): Uint32Array {
  const [df, tf] = [new Float64Array(cols), new Float64Array(cols)];
  for (const i of rows) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      df[indices[k]]++;
      tf[indices[k]] += data[k];
    }
  }
  return keptColumns(df, tf, rows.length, pruneRule(vectorizer.getParams()));
}

/** Some rows, with column j at place[j], ascending, or left out where that is −1. */
function takeCells(
  { indptr, indices, data }: SparseMatrix,
  rows: Int32Array,
  place: Int32Array,
  cols: number,
): SparseMatrix {
  const most = rows.reduce((sum, i) => sum + indptr[i + 1] - indptr[i], 0);
  const [ends, columns, values] = [new Uint32Array(rows.length + 1), new Uint32Array(most), new Float64Array(most)];
  let stored = 0;
  rows.forEach((i, at) => {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const j = place[indices[k]];
      if (j < 0) continue;
      columns[stored] = j;
      values[stored++] = data[k];
    }
    ends[at + 1] = stored;
  });
  return new TidyMatrix(rows.length, cols, ends, columns.subarray(0, stored), values.subarray(0, stored));
}
