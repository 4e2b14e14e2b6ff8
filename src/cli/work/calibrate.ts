import type { Classifier } from '../../auto/classifier.ts';
import { inspectModel } from '../../core/card.ts';
import { copiesOf } from '../../evaluate/held-out.ts';
import type { CurveMethod } from '../../evaluate/posterior-calibration.ts';
import { type Judgement, judge } from '../../server/insight/judge.ts';
import type { Calibrate } from '../commands/calibrate.ts';
import { count, score } from '../numbers.ts';
import { pad } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { isTraining, judgeLesson } from './evaluate.ts';
import { answers, foldsOf, joined } from './learn.ts';
import { type Lesson, readLesson, withoutRoles } from './lesson.ts';
import { openClassifier, openJudge, readModelBytes } from './model-input.ts';
import { requireFree, writeModelFile } from './model-output.ts';

/** Calibrates a model, and prints its losses before and after on rows that the calibrator was not fitted to. */
export async function calibrate(context: Calibrate): Promise<undefined> {
  const { options, args, print } = context;
  if (options.output) requireFree(context, options.output, options.force);
  const opened = await openJudge(context, options.model);
  const model = await openClassifier(context, options.model);
  const labelled = withoutRoles(context);
  const lesson = await readLesson(labelled, args, opened.target);
  if (await isTraining(context, options.model!, lesson)) print.warn(texts.update.calibratedAgain());
  const before = judge(judgeLesson(context, opened, lesson), texts.update.before());
  const given = options.method === 'auto' ? {} : { method: options.method };
  model.calibrate(lesson.rows, { ...given, strict: false }); // they were checked when they were judged
  const method = model.report().calibration?.method ?? 'temperature';
  const after = judge(joined(byFolds(context, model, lesson, method)), texts.update.after());
  const provenance = inspectModel(await readModelBytes(context, options.model!)).provenance ?? {};
  if (!print.json) {
    await print.line(texts.update.calibrated(method, count(lesson.rows.length)));
    await printBoth(print, before, after);
  }
  const written = await writeModelFile(context, options.output ?? options.model!, model, provenance);
  if (print.json) {
    const losses = ({ logLoss, brier, calibrationError }: Judgement) => ({ logLoss, brier, calibrationError });
    const facts = { ...written, method, rows: lesson.rows.length, before: losses(before), after: losses(after) };
    await print.object({ schema: 'polya/calibrate@1', ...facts });
  }
  return undefined;
}

/** Each fifth of the rows is evaluated by a calibrator that was fitted to the other four; all rows together were enough. */
function byFolds(context: Calibrate, model: Classifier, lesson: Lesson, method: CurveMethod) {
  const { table, rows, labels, target } = lesson;
  const groups = copiesOf(table, target);
  const folds = Math.min(5, new Set(groups).size);
  return foldsOf(labels, groups, folds, context.options.seed).map(({ train, test }) => {
    const own = model.clone().calibrate(
      train.map((i) => rows[i]),
      { method, minRows: 0, strict: false },
    );
    return answers(own, lesson, test, context);
  });
}

async function printBoth(print: Calibrate['print'], before: Judgement, after: Judgement): Promise<void> {
  await print.line(
    `${pad('', 10)}${['log-loss', 'Brier', 'calibration error'].map((name) => pad(name, 20, 'right')).join('')}`,
  );
  for (const { on, logLoss, brier, calibrationError } of [before, after]) {
    await print.line(
      `${pad(on, 10)}${[logLoss, brier, calibrationError].map((value) => pad(score(value, 4), 20, 'right')).join('')}`,
    );
  }
  await print.line(texts.update.byFolds());
}
