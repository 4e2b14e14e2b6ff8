import type { Sums } from '../stats/sums.ts';
import { Vocabulary } from '../text/vocabulary.ts';
import type { Learned } from './learned.ts';

/** What a vectorizer and a classifier of its words know once somebody looks. */
export interface Later {
  readonly vocabulary: Vocabulary;
  readonly stats: Sums;
  readonly ceiling: number;
}

/** What was learned, of which the counts are made when somebody looks at them. */
export function learnedLater(about: Omit<Learned<Sums>, 'stats' | 'ceiling'>, later: () => Later): Learned<Sums> {
  return {
    ...about,
    get stats() {
      return later().stats;
    },
    get ceiling() {
      return later().ceiling;
    },
  };
}

/** A vocabulary that reads like another, of which columns and counts are made when somebody looks at them. */
export function vocabularyLater({ reader, fixed, pruned }: Vocabulary, later: () => Later): Vocabulary {
  return Object.create(Vocabulary.prototype, {
    reader: { value: reader },
    fixed: { value: fixed },
    pruned: { value: pruned },
    columns: { get: () => later().vocabulary.columns },
    counts: { get: () => later().vocabulary.counts },
  });
}
