import { SparseMatrix } from '../data/sparse.ts';
import { readWeights } from '../data/weights.ts';
import { PolyaError } from '../errors.ts';
import { copyOf } from '../estimators/copy.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { sum } from '../math/arrays.ts';
import type { Document } from '../text/documents.ts';
import type { Growth, Study, StudyOptions } from '../text/growth.ts';
import { type Counting, knowsSomething } from './learner-families.ts';
import type { Vectorizer } from './learner-recipe.ts';

/** How many columns of words a vectorizer has. */
export function widthOf(vectorizer: Vectorizer): number {
  if (!(vectorizer instanceof CountVectorizer)) return vectorizer.getParams().nFeatures;
  try {
    return vectorizer.known().columns.ids.length;
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code === 'E_NOT_FITTED') return 0;
    throw cause;
  }
}

/** What a vectorizer would become by learning documents. A part of the rows may hold no word, unlike all rows together. */
export function studyWords(
  vectorizer: Vectorizer,
  documents: readonly Document[],
  options: StudyOptions,
): Study<SparseMatrix> {
  try {
    return vectorizer.study(documents, options);
  } catch (cause) {
    const wordless = cause instanceof PolyaError && cause.code === 'E_EMPTY_INPUT' && documents.length > 0;
    if (!wordless || !(vectorizer instanceof CountVectorizer)) throw cause;
    const weight = sum(readWeights(options.sampleWeight, documents.length));
    const none = new Float64Array(0);
    const before = vectorizer.learnedVocabulary ?? vectorizer.blank();
    const next = before.learn({ documents: weight, df: none, tf: none });
    return {
      features: 0,
      moves: undefined,
      rows: () =>
        SparseMatrix.fromRows(
          documents.map(() => []),
          0,
        ),
      commit: () => void vectorizer.adopt(() => next),
    };
  }
}

/** A block of words that changes: the column of text it is of, how wide it was, and where its columns go. */
export interface Change extends Growth {
  readonly name: string;
  readonly before: number;
}

/** Where the columns of all blocks side by side go. */
function sideBySide(changes: readonly Change[]): { features: number; place: Int32Array } {
  const place = new Int32Array(changes.reduce((sum, { before }) => sum + before, 0));
  let [from, to] = [0, 0];
  for (const { before, features, moves } of changes) {
    for (let j = 0; j < before; j++) {
      const at = moves ? moves[j] : j;
      place[from + j] = at < 0 ? -1 : to + at;
    }
    from += before;
    to += features;
  }
  return { features: to, place };
}

/** The estimator itself, or where words move a copy of it with its features in their new places. */
export function moved(estimator: Counting, changes: readonly Change[]): Counting {
  return changes.some(({ moves }) => moves) ? move(copyOf(estimator), changes) : estimator;
}

/** Moves the features of an estimator to where words have gone. */
export function move(estimator: Counting, changes: readonly Change[]): Counting {
  if (changes.every(({ moves }) => !moves) || !knowsSomething(estimator)) return estimator;
  if (hasBlocks(estimator)) {
    for (const { name, features, moves } of changes) if (moves) estimator.moveColumn(name, features, moves);
  } else {
    const { features, place } = sideBySide(changes);
    estimator.moveFeatures(features, place);
  }
  return estimator;
}

/** An estimator in which every text is a block of its own. */
interface Blocks {
  moveColumn(name: string, features: number, place: Int32Array): unknown;
}

const hasBlocks = (estimator: Counting): estimator is Counting & Blocks => 'moveColumn' in estimator;
