import { basename } from 'node:path';
import type { Classifier } from '../../auto/classifier.ts';
import { inspectModel } from '../../core/card.ts';
import { calibrations } from '../../core/model-options.ts';
import type { DataRow } from '../../data/cells.ts';
import { type Evaluation, evaluateRows, type ScoredRows } from '../../evaluate/evaluation.ts';
import { copiesOf } from '../../evaluate/held-out.ts';
import type { CurveMethod } from '../../evaluate/posterior-calibration.ts';
import type { Context } from '../context.ts';
import { choice, command } from '../declare.ts';
import { count, score } from '../numbers.ts';
import type { Count } from '../print.ts';
import { partOf } from '../progress.ts';
import { isTraining, type LabelledRows, readLabelledRows, scoreModel, withoutRoles } from '../work/labelled.ts';
import { foldsOf, joined, scorePlaces } from '../work/learn.ts';
import { changing } from '../work/model-change.ts';
import { checksOf, openClassifier, readModelBytes, scorerOf } from '../work/model-input.ts';
import { requireFree, type Written, writeModelFile } from '../work/model-output.ts';

const options = {
  method: choice(['auto', ...calibrations], {
    default: 'auto',
    doc: 'the method; auto: the best of the three by cross-validation',
    common: true,
  }),
  ...changing,
} as const;

type Calibrate = Context<typeof options>;

type Losses = Pick<Evaluation, 'logLoss' | 'brier' | 'calibrationError'>;

/** What the command prints with `--json`. */
export interface Prints {
  /** Probabilities were calibrated; the losses after are by folds. */
  'calibrate@1': Written & { method: string; rows: Count; before: Losses; after: Losses };
}

/** `polya calibrate` */
export const calibrate = command({
  arguments: [
    {
      name: 'data',
      doc: 'labelled rows that the model was not trained on',
      required: true,
      many: true,
      complete: 'file',
    },
  ],
  options,
  examples: [
    { line: 'polya calibrate more.csv -m words.polya', says: 'chooses the best method, and shows how much it helps' },
    {
      line: 'polya calibrate more.csv -m words.polya --method temperature -o calibrated.polya',
      says: 'uses one method, and writes another file',
    },
  ],
  run,
});

/** Calibrates a model, and prints its losses before and after, on rows that the calibrator was not fitted to. */
async function run(context: Calibrate): Promise<void> {
  const { options, args, print } = context;
  if (options.output) requireFree(context, options.output, options.force);
  const model = await openClassifier(context, options.model);
  const scorer = scorerOf(model, basename(options.model!), checksOf(context));
  const labelled = withoutRoles(context);
  const data = await readLabelledRows(labelled, args, model.target);
  if (await isTraining(context, options.model!, data))
    print.warn(
      'the model was trained on these rows, so it is overconfident on them; calibrate with other rows, or use fit --calibrate',
    );
  const before = evaluateRows(await scoreModel(context, data, scorer, { path: options.model! }), 'before');
  const given = options.method === 'auto' ? {} : { method: options.method };
  const rows = data.table.records();
  model.calibrate(rows, { ...given, strict: false }); // they were checked when they were scored
  const method = model.report().calibration?.method ?? 'temperature';
  const after = evaluateRows(joined(await byFolds(context, model, data, rows, method)), 'after');
  const provenance = inspectModel(await readModelBytes(context, options.model!)).provenance ?? {};
  if (!print.json) {
    await print.line(`${method}, fitted to ${count(rows.length)} rows`);
    await printBoth(print, before, after);
  }
  const written = await writeModelFile(context, options.output ?? options.model!, model, provenance);
  if (print.json) {
    const losses = ({ logLoss, brier, calibrationError }: Evaluation) => ({ logLoss, brier, calibrationError });
    const facts = { ...written, method, rows: rows.length, before: losses(before), after: losses(after) };
    await print.object<Prints>('calibrate@1', { ...facts });
  }
}

/** Evaluates each of five folds with a calibrator fitted to the other four. `minRows` was checked for all rows together. */
async function byFolds(
  context: Calibrate,
  model: Classifier,
  data: LabelledRows,
  rows: readonly DataRow[],
  method: CurveMethod,
): Promise<ScoredRows[]> {
  const { table, target } = data;
  const folds = Math.min(5, new Set(copiesOf(table, target)).size);
  const scored: ScoredRows[] = [];
  for (const [k, { train, test }] of foldsOf(table, target, folds, context.options.seed).entries()) {
    const fold = { ...context, progress: partOf(context.progress, 'calibrating', k, folds) };
    const taken = train.map((i) => rows[i]);
    const own = model.clone().calibrate(taken, { method, minRows: 0, strict: false });
    scored.push(await scorePlaces(fold, data, own, test));
  }
  return scored;
}

async function printBoth(print: Calibrate['print'], before: Evaluation, after: Evaluation): Promise<void> {
  const rows = [before, after].map(({ on, logLoss, brier, calibrationError }) => [
    on,
    ...[logLoss, brier, calibrationError].map((value) => score(value, 4)),
  ]);
  await print.table(['', 'log-loss', 'Brier', 'calibration error'], rows);
  await print.line('after: by 5-fold cross-validation of the calibrator');
}
