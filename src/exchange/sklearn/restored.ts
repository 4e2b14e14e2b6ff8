import type { State } from '../../core/artifact.ts';
import type { Shape } from '../../data/batch.ts';
import type { CountingClassifier } from '../../estimators/classifier.ts';
import { readLearned } from '../../estimators/persist.ts';
import type { Known } from './known.ts';

// biome-ignore lint/suspicious/noExplicitAny: the parameters belong to the model of the estimator, whichever it is
type AnyClassifier = CountingClassifier<any, any, any, any>;

/** An estimator with these parameters and no counts: it predicts and explains but cannot learn further. */
export function withParameters<E extends AnyClassifier>(
  estimator: E,
  { classes, features, names }: Known,
  params: Shape,
): E {
  const learned = { slim: true, classes: [...classes], closed: true, features, ...(names && { names: [...names] }) };
  const state: State = { kind: estimator.kind, params: {}, learned, arrays: {} };
  return estimator.adopt(
    (statisticKind) => readLearned(statisticKind, state),
    () => params,
  );
}
