import { readOptions } from '../core/options.ts';
import { requireLike, requireOptions } from '../data/arguments.ts';
import { refuse } from '../errors.ts';
import type { Growth } from './growth.ts';
import { type PruneOptions, pruneRule } from './prune.ts';
import type { CountOptions, VocabularyLearner } from './vocabulary-learner.ts';
import { vocabularySpec } from './vocabulary-options.ts';

/** For pipelines: the effect of `prune`, before it is applied. */
export function studyPruning<Options extends CountOptions>(
  vectorizer: VocabularyLearner<Options>,
  rule: Partial<PruneOptions> = {},
): Growth & { commit(): void } {
  const params = vectorizer.getParams();
  const { minDf, maxDf, maxFeatures } = vocabularySpec;
  requireOptions('prune', ['minDf', 'maxDf', 'maxFeatures'], rule);
  const given = { minDf: params.minDf, maxDf: params.maxDf, maxFeatures: params.maxFeatures, ...rule };
  const wanted = pruneRule(readOptions('prune', { minDf, maxDf, maxFeatures }, given));
  const before = vectorizer.known();
  if (before.fixed) refuse('E_PARAM', 'a vocabulary that was given is not pruned', { name: 'vocabulary' });
  const next = before.prune(wanted);
  return {
    features: next.columns.ids.length,
    moves: before.columns.movesTo(next.columns),
    commit: () => void vectorizer.adopt(() => next.compact(() => vectorizer.readerFor())),
  };
}

/** Drops rare and common terms of a vectorizer by a rule, or by the one in its options. Dropped terms are forgotten. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the options beyond those of a vocabulary
export function prune<V extends VocabularyLearner<any>>(vectorizer: V, rule: Partial<PruneOptions> = {}): V {
  requireLike(vectorizer, 'a vectorizer with a vocabulary', { getParams: 'function', adopt: 'function' });
  studyPruning(vectorizer, rule).commit();
  return vectorizer;
}
