import type { Matrix } from '../../data/matrix.ts';
import { type Counted, wordTable } from '../../features/rank.ts';
import type { Context } from '../context.ts';
import { fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { openJudge } from './model-input.ts';

/** What estimators that count words show. */
interface Counting {
  readonly kind: string;
  readonly classes: readonly unknown[];
  readonly featureCount?: Matrix;
  readonly classCount?: Float64Array;
  readonly steps?: readonly unknown[];
  getFeatureNamesOut?(): string[] | undefined;
  readonly featureNamesIn?: readonly (string | null)[];
}

/** The words of a model with their counts by class; events are words, or documents where the model tosses coins. */
export async function modelWords(context: Context, path: string) {
  const { classifier, opened, file, classes } = await openJudge(context, path);
  const model = (classifier ? classifier.estimator : opened) as Counting | undefined;
  const last = (model?.steps?.at(-1) ?? model) as Counting | undefined;
  if (!model || !last?.featureCount || !last.classCount) {
    return fail('E_CONFLICT', texts.features.noCounts(safe(file)), { notes: [texts.features.giveData()] });
  }
  const { featureCount } = last;
  const names = model.getFeatureNamesOut?.() ?? last.featureNamesIn ?? [];
  const documents = last.kind === 'BernoulliNB';
  const totals = documents
    ? last.classCount.slice()
    : Float64Array.from(classes, (_, c) => featureCount.row(c).reduce((a, b) => a + b, 0));
  const counted: Counted[] = Array.from({ length: featureCount.cols }, (_, j) => {
    const present = Float64Array.from(classes, (_, c) => featureCount.at(c, j));
    return wordTable(names[j] ?? `x${j}`, present, totals);
  });
  return { of: file, counted, classes, totals };
}
