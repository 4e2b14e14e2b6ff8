import { countUnchanged } from '../engines/sql/grouped.ts';
import { refuse } from '../errors.ts';
import { CountingClassifier } from '../estimators/classifier.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { type AnyClassifier, requireCountable, setCounts } from './engine-counts.ts';
import { type EngineSource, withEngine } from './open.ts';
import { sampledAlpha } from './sample.ts';
import { type EngineRows, openSource } from './source.ts';
import { countTable } from './tables.ts';
import { countText } from './text.ts';

/** What an engine can count for: an estimator with counts, or a vectorizer of words followed by one. */
// biome-ignore lint/suspicious/noExplicitAny: pipelines of any steps; which of them an engine can count for is checked
export type Countable = AnyClassifier | Pipeline<any>;

/**
 * Fits an estimator from a table inside an engine: the counting is done by SQL aggregates, and only sums are
 * transferred. Counts equal those of `fit` on the same rows, moments are close, and the estimator can learn further,
 * merge and unlearn as after `fit`. Options that the engine would count differently throw E_ENGINE_CAPABILITY before
 * anything is learned; an error leaves the estimator unchanged.
 */
export function fitFromEngine<E extends Countable>(estimator: E, source: EngineSource): Promise<E> {
  return withEngine(source, async (rows) => {
    if (estimator instanceof Pipeline) return (await fitPipeline(estimator, rows)) as unknown as E;
    const classifier = requireClassifier(estimator);
    requireCountable(classifier);
    const opened = await openSource(rows);
    const alpha = await sampledAlpha(classifier, opened, ({ records, labels, weights: sampleWeight }) =>
      classifier.clone().fit(records as never, labels, { sampleWeight }),
    );
    return setCounts(classifier, await countUnchanged(opened, (own) => countTable(classifier, own)), alpha) as E;
  });
}

async function fitPipeline(
  pipeline: Pipeline<readonly Step[]>,
  source: EngineRows,
): Promise<Pipeline<readonly Step[]>> {
  const [vectorizer, last, ...others] = pipeline.steps;
  if (!(vectorizer instanceof CountVectorizer) || !(last instanceof CountingClassifier) || others.length > 0) {
    return refuse(
      'E_ENGINE_CAPABILITY',
      `an engine counts for a CountVectorizer with one classifier behind it, not for ${pipeline.steps.map(({ kind }) => kind).join(', ')}`,
      { steps: pipeline.steps.map(({ kind }) => kind) },
    );
  }
  const classifier = last.clone() as AnyClassifier;
  requireCountable(classifier);
  const opened = await openSource(source);
  const alpha = await sampledAlpha(classifier, opened, ({ records, labels, weights: sampleWeight }) => {
    const texts = records.map((record) => String(record[opened.features[0].name] ?? ''));
    return classifier.clone().fit(vectorizer.clone().fitTransform(texts) as never, labels, { sampleWeight });
  });
  const counted = await countUnchanged(opened, (own) => countText(vectorizer, classifier, own));
  return pipeline.adopt([counted.vectorizer, setCounts(classifier, counted.found, alpha)]);
}

function requireClassifier(estimator: unknown): AnyClassifier {
  if (estimator instanceof CountingClassifier) return estimator;
  return refuse(
    'E_ENGINE_CAPABILITY',
    'an engine counts for estimators that keep counts, and for a CountVectorizer with one behind it',
  );
}
