import { Classifier } from '../../auto/classifier.ts';
import type { DataRow } from '../../data/cells.ts';
import { cellOf, wordOf } from '../../data/cells.ts';
import { RecordTable } from '../../data/column-table.ts';
import { correctedResampledTTest } from '../../evaluate/compare.ts';
import { StratifiedGroupKFold } from '../../evaluate/group-folds.ts';
import { copiesOf } from '../../evaluate/held-out.ts';
import { argmax } from '../../math/arrays.ts';
import { optionsOf, rowsOf } from './fit-task.ts';
import type { Task, TaskProgress, TaskResult } from './task.ts';

const FOLDS = 5;
const MOST_LOSS = -Math.log(1e-15);

interface FoldScores {
  readonly accuracy: number[];
  readonly logLoss: number[];
}

/** Compares models by name on the same folds, with the corrected test of the difference against the first. */
export async function compareTask(
  { data, config, models }: Extract<Task, { kind: 'compare' }>,
  tell: (progress: TaskProgress) => void,
): Promise<TaskResult> {
  tell({ share: 0, what: 'reading' });
  const rows = await rowsOf(data);
  const labels = rows.map((row) => wordOf(cellOf(row, config.target) ?? ''));
  const splitter = new StratifiedGroupKFold({ nSplits: FOLDS, shuffle: true, randomState: config.seed ?? 1 });
  const folds = [...splitter.split(rows, labels, copiesOf(new RecordTable(rows), config.target))];
  const scores = models.map((model, k) => {
    const own = { ...optionsOf({ ...config, model }), evaluate: false };
    const found: FoldScores = { accuracy: [], logLoss: [] };
    for (const [f, [train, test]] of folds.entries()) {
      tell({ share: (k + f / FOLDS) / models.length, what: `${model}, fold ${f + 1} of ${FOLDS}` });
      const fitted = Classifier.fit(take(rows, train), own);
      judgeFold(fitted, take(rows, test), take(labels, test), found);
    }
    return found;
  });
  const sizes = {
    nTrain: mean(folds.map(([train]) => train.length)),
    nTest: mean(folds.map(([, test]) => test.length)),
  };
  const lines = models.map((name, k) => ({
    name,
    accuracy: mean(scores[k].accuracy),
    logLoss: mean(scores[k].logLoss),
    verdict: k === 0 ? null : verdict([scores[0], scores[k]], [models[0], name], sizes),
  }));
  return { result: { rows: rows.length, on: `${FOLDS} folds, the same for all`, models: lines } };
}

const take = <T>(values: readonly T[], places: ArrayLike<number>): T[] => Array.from(places, (i) => values[i]);
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function judgeFold(model: Classifier, rows: readonly DataRow[], labels: readonly string[], found: FoldScores): void {
  const classes = model.classes.map(String);
  const logProba = model.predictLogProba(rows, { strict: false });
  let [right, loss] = [0, 0];
  for (const [i, label] of labels.entries()) {
    const own = logProba.row(i);
    if (classes[argmax(own)] === label) right++;
    loss += Math.min(MOST_LOSS, -(own[classes.indexOf(label)] ?? Number.NEGATIVE_INFINITY));
  }
  found.accuracy.push(right / labels.length);
  found.logLoss.push(loss / labels.length);
}

function verdict(
  [first, second]: readonly [FoldScores, FoldScores],
  names: readonly [string, string],
  sizes: { nTrain: number; nTest: number },
): object {
  const negative = ({ logLoss }: FoldScores) => logLoss.map((loss) => -loss);
  const { difference, pValue, better, words } = correctedResampledTTest(negative(first), negative(second), {
    names,
    ...sizes,
  });
  return { difference, pValue: Number.isFinite(pValue) ? pValue : null, better, words };
}
