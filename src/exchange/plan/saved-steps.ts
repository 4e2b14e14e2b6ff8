import type { State } from '../../core/artifact.ts';
import { damaged, readColumns, readLearned } from '../../estimators/learned.ts';
import { readBins } from '../../estimators/saved-bins.ts';
import { type Category, groupRare, isMissing } from '../../features/encode.ts';
import { markBest, markPercentile } from '../../features/select.ts';

/** A discretizer as its state describes it. */
export function savedBins(state: State): object {
  const { names, edges } = readBins(state);
  return { kind: state.kind, featureNamesIn: names, binEdges: edges, getParams: () => state.params };
}

interface SavedColumn {
  readonly values: readonly Category[];
  readonly rare: readonly number[];
}

/** An encoder as its state describes it. */
export function savedCodes(state: State): object {
  const { names } = readColumns(state, 'columns');
  const columns = state.learned.columns as unknown as readonly SavedColumn[];
  const { drop = null } = state.params as { drop?: Drop };
  return {
    kind: state.kind,
    featureNamesIn: names,
    categories: columns.map(({ values }) => values),
    infrequentCategories: columns.map(({ values, rare }) => (rare.length > 0 ? rare.map((v) => values[v]) : null)),
    dropIdx: drop && columns.map((column, j) => droppedOf(column, drop, j)),
    getParams: () => state.params,
  };
}

type Drop = 'first' | 'if_binary' | readonly Category[] | null;

/** The place of the category without a column; null if every category has one. */
function droppedOf({ values, rare }: SavedColumn, drop: NonNullable<Drop>, j: number): number | null {
  if (typeof drop === 'object')
    return values.findIndex((own) => own === drop[j] || (isMissing(own) && isMissing(drop[j])));
  const groups = values.length - rare.length + (rare.length > 0 ? 1 : 0);
  return drop === 'if_binary' && groups !== 2 ? null : groupRare(values.length, rare).indexOf(0);
}

/** A selector as its state describes it; scores are computed from its counts unless they were saved. */
export async function savedSelector(state: State): Promise<object> {
  const { scores, names, features } = await scoresOf(state);
  const { k, percentile } = state.params as { k: number | 'all'; percentile: number };
  const kept = state.kind === 'SelectKBest' ? markBest(scores, k) : markPercentile(scores, percentile);
  const support = kept.flatMap((own, j) => (own ? [j] : []));
  return { kind: state.kind, featureNamesIn: names, nFeaturesIn: features, getSupport: () => support };
}

async function scoresOf(state: State) {
  const saved = state.arrays.scores;
  if (saved) return { ...readColumns(state, 'slim'), scores: Float64Array.from(saved.data) };
  const { scorers, splitScores } = await import('../../features/scorers.ts');
  const scorer = scorers[state.params.scoreFunc as keyof typeof scorers] ?? damaged('it does not say how it scores');
  const { names, counts } = readLearned(scorer.statistic as never, state);
  return { names, features: counts.shape.features, scores: splitScores(scorer.score(counts.read() as never)).scores };
}
