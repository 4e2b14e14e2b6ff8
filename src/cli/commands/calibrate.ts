import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Classifier } from '../../auto/classifier.ts';
import { finishAsync } from '../../auto/steps.ts';
import { inspectModel } from '../../core/card.ts';
import { calibrations } from '../../core/model-options.ts';
import { type Evaluation, evaluateRows } from '../../evaluate/evaluation.ts';
import { copiesOf } from '../../evaluate/held-out.ts';
import { type Context, choice, command } from '../declare.ts';
import { count, score } from '../numbers.ts';
import type { Count } from '../print.ts';
import { withCellErrorsAsync } from '../work/cell-problems.ts';
import { isTraining, type LabelledRows, readLabelledRows } from '../work/labelled.ts';
import { foldsOf } from '../work/learn.ts';
import { changing } from '../work/model-change.ts';
import { checksOf, namesFor, openClassifier, readModelBytes, scorerOf } from '../work/model-input.ts';
import { requireFree, type Written, writeModelFile } from '../work/model-output.ts';
import { FittingTable, takeRows } from '../work/table-rows.ts';

const options = {
  method: choice(['auto', ...calibrations], 'the method; auto: the best of the three by cross-validation', {
    default: 'auto',
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
export const declaration = command({
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
  examples: {
    'polya calibrate more.csv -m words.polya': 'chooses the best method, and shows how much it helps',
    'polya calibrate more.csv -m words.polya --method temperature -o calibrated.polya':
      'uses one method, and writes another file',
  },
  run,
});

/** Calibrates a model, and prints its losses before and after, on rows that the calibrator was not fitted to. */
async function run(context: Calibrate): Promise<void> {
  const { options, args, print } = context;
  if (options.output) requireFree(context, options.output, options.force);
  const model = await openClassifier(context, options.model);
  context.progress.plan({ reading: 1, calibrating: 4 });
  const data = await readLabelledRows(context, args, model.target);
  if (await isTraining(context, options.model!, data))
    print.warn(
      'the model was trained on these rows, so it is overconfident on them; calibrate with other rows, or use fit --calibrate',
    );
  const { before, after } = await fitCurve(context, model, data);
  const method = model.report().calibration?.method ?? 'temperature';
  const rows = data.table.length;
  const provenance = inspectModel(await readModelBytes(context, options.model!)).provenance ?? {};
  if (!print.json) {
    await print.line(`${method}, fitted to ${count(rows)} rows`);
    await printBoth(print, before, after);
  }
  const written = await writeModelFile(context, options.output ?? options.model!, model, provenance);
  if (print.json) {
    const losses = ({ logLoss, brier, calibrationError }: Evaluation) => ({ logLoss, brier, calibrationError });
    const both = { before: losses(before), after: losses(after) };
    await print.object<Prints>('calibrate@1', { ...written, method, rows, ...both });
  }
}

/** Fits the calibrator, and evaluates five calibrators, each on a fold that it was not fitted to. */
async function fitCurve(context: Calibrate, model: Classifier, { source, target, table, labels }: LabelledRows) {
  const { options, progress } = context;
  const checks = checksOf(context);
  const names = namesFor(context, scorerOf(model, basename(options.model!), checks), source, options.text);
  const renamed = takeRows(table, { filters: [], commas: false, names: { ...names, [model.target]: target } });
  const folds = foldsOf(table, target, Math.min(5, new Set(copiesOf(table, target)).size), options.seed);
  const given = { ...checks, ...(options.method !== 'auto' && { method: options.method }) };
  const onProgress = (share: number, what: string) => progress.step('calibrating', { share, what });
  const found = await withCellErrorsAsync(table, { ...source.place, strict: true }, () =>
    finishAsync(model.calibrateSteps(new FittingTable(model, renamed), folds, given), { onProgress }, () =>
      setImmediate(),
    ),
  );
  progress.end();
  const classes = model.classes.map(String);
  const evaluated = (on: 'before' | 'after') => evaluateRows({ classes, truth: labels, logProba: found[on] }, on);
  return { before: evaluated('before'), after: evaluated('after') };
}

async function printBoth(print: Calibrate['print'], before: Evaluation, after: Evaluation): Promise<void> {
  const rows = [before, after].map(({ on, logLoss, brier, calibrationError }) => [
    on,
    ...[logLoss, brier, calibrationError].map((value) => score(value, 4)),
  ]);
  await print.table(['', 'log-loss', 'Brier', 'calibration error'], rows);
  await print.line('after: by 5-fold cross-validation of the calibrator');
}
