import { type Classifier, PolyaError } from '../../src/index.ts';
import type { DataRow } from '../../src/workbench.ts';
import type { Run } from '../protocol.ts';
import { sampleOf } from './sample.ts';
import type { Trained } from './training.ts';

const CURVE_ROWS = 10_000;
const CURVE_TESTS = 2_000;
const CURVE_STEPS = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1];

/** The learning curve: accuracy on held-out rows as the training rows are counted part by part. */
export function learningCurve(
  evaluatedModel: Classifier,
  { rows, labels, train, test }: Pick<Trained, 'rows' | 'labels' | 'train' | 'test'>,
  grown: (curve: Run['curve'], share: number) => void,
): Run['curve'] {
  const order = sampleOf(train, labels, CURVE_ROWS).map((i) => rows[i]);
  const tests = sampleOf(test, labels, CURVE_TESTS);
  const [asked, truth] = [tests.map((i) => rows[i]), tests.map((i) => labels[i])];
  const points: Run['curve'][number][] = [];
  let model: Classifier | undefined;
  let at = 0;
  for (const [step, share] of CURVE_STEPS.entries()) {
    const next = Math.max(at + 1, Math.round(share * order.length));
    const more = learned(model ?? evaluatedModel.blank(), order.slice(model ? at : 0, next));
    if (more) {
      points.push({ rows: next, tests: tests.length, ...scoresOf(more, asked, truth) });
      model = more;
    }
    at = next;
    grown([...points], (step + 1) / CURVE_STEPS.length);
  }
  return points;
}

/** The model after more rows; undefined if they are too few to predict. */
function learned(model: Classifier, rows: readonly DataRow[]): Classifier | undefined {
  try {
    model.partialFit(rows, { strict: false }).predictLogProba(rows.slice(0, 1), { strict: false });
    return model;
  } catch (error) {
    if (error instanceof PolyaError) return undefined;
    throw error;
  }
}

/** Accuracy and log-loss on labelled rows; an unknown class costs the maximum. */
function scoresOf(model: Classifier, rows: readonly DataRow[], labels: readonly string[]) {
  const classes = model.classes.map(String);
  const logProba = model.predictLogProba(rows, { strict: false });
  let [right, loss] = [0, 0];
  for (const [i, label] of labels.entries()) {
    const own = logProba.row(i);
    const c = classes.indexOf(label);
    if (own.indexOf(Math.max(...own)) === c) right++;
    loss += Math.min(MOST_LOSS, c < 0 ? Infinity : -own[c]);
  }
  return { accuracy: right / labels.length, logLoss: loss / labels.length };
}

const MOST_LOSS = -Math.log(1e-15);
