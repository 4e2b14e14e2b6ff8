import { requireLearning } from '../data/arguments.ts';
import { encodeLabels, type Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { SoftLabels } from '../data/soft-labels.ts';
import { refuse } from '../errors.ts';
import { type LabelRows, listsOf } from '../evaluate/label-rows.ts';
import { type AnyClassifier, copyOf } from './copy.ts';
import { addsUp, ask } from './fold-learning.ts';
import { Counts } from './learned.ts';
import type { LearnOptions, PartialFitOptions, Target } from './learning.ts';
import type { Inner } from './wrapper.ts';

/** The labels of one target. */
const labelsOf = ({ classes, codes }: Target): Label[] => Array.from(codes, (c) => classes[c]);

/**
 * For every target an estimator that has learned it. Where all that is learned are sums over rows, rows are counted once for all
 * targets: the sum over all rows, and one for every class of a target but its most frequent, whose sum is the difference.
 */
function fitTargets(estimator: Inner, X: unknown, targets: readonly Target[], options: LearnOptions): Inner[] {
  const counts = addsUp(estimator) && estimator.capabilities.multiclass;
  if (counts) return countTargets(estimator, X, targets, options) as unknown as Inner[];
  return targets.map((target) => {
    const own = estimator.clone();
    own.fit(X, labelsOf(target), { ...options, classes: target.classes } as LearnOptions);
    return own;
  });
}

function countTargets(
  estimator: AnyClassifier,
  X: unknown,
  targets: readonly Target[],
  options: LearnOptions,
): AnyClassifier[] {
  const common = targets.map(mostFrequent);
  let width = 1;
  const columns = targets.map(({ classes }, t) => classes.map((_, c) => (c === common[t] ? -1 : width++)));
  const rows = targets[0].codes.length;
  const shares = new Matrix(rows, width);
  for (let i = 0; i < rows; i++) {
    shares.data[i * width] = 1;
    for (const [t, { codes }] of targets.entries()) {
      const column = columns[t][codes[i]];
      if (column >= 0) shares.data[i * width + column] = 1;
    }
  }
  const all = Array.from({ length: width }, (_, column) => column);
  const counted = estimator.clone().partialFit(X, new SoftLabels(shares, all), { ...options, classes: all });
  return targets.map(({ classes }, t) =>
    estimator.clone().adopt((statisticKind) => {
      const learned = counted.peek()!; // rows were learned
      const shape = { ...learned.counts.shape, classes: classes.length };
      const moved = (column: number, c: number) => {
        const place = new Int32Array(width).fill(-1);
        place[column] = c;
        return statisticKind.reshape(learned.counts.read() as never, shape, { classes: place }) as never;
      };
      const stats = moved(0, common[t]);
      for (const column of columns[t]) if (column >= 0) statisticKind.subtract(stats, moved(column, common[t]));
      for (const [c, column] of columns[t].entries()) if (column >= 0) statisticKind.merge(stats, moved(column, c));
      return { ...learned, classes, counts: Counts.of(stats) };
    }),
  );
}

function mostFrequent({ classes, codes }: Target): number {
  const counts = new Float64Array(classes.length);
  for (const c of codes) counts[c]++;
  return counts.indexOf(Math.max(...counts));
}

/** A target for every column of rows of labels. */
export function columnTargets(y: LabelRows): Target[] {
  const rows = listsOf(y);
  const width = rows[0]?.length ?? 0;
  const uneven = rows.findIndex((row) => row.length !== width);
  if (uneven >= 0 || width === 0) {
    refuse('E_SHAPE', `row ${Math.max(uneven, 0)} has ${rows[uneven]?.length ?? 0} labels, the first has ${width}`);
  }
  return Array.from({ length: width }, (_, t) => encodeLabels(rows.map((row) => row[t])));
}

/** What a classifier of several targets has learned: a model of each, and what labels mean. */
export interface Targets<Meaning> {
  readonly models: readonly Inner[];
  readonly meaning: Meaning;
}

/** What labels mean, and the targets that they make; `known` is what earlier rows meant. */
type Reading<Meaning> = (y: unknown, known: Meaning | undefined, classes?: unknown) => [Meaning, readonly Target[]];

/** A classifier of several targets: the model that each is learned with, and how labels are read. */
export interface TargetRules<Meaning> {
  readonly kind: string;
  readonly inner: Inner;
  readonly read: Reading<Meaning>;
}

/** What is known after further rows; of the first ones if nothing was known. */
export function learnTargets<Meaning>(
  { kind, inner, read }: TargetRules<Meaning>,
  known: Targets<Meaning> | undefined,
  X: unknown,
  y: unknown,
  options: PartialFitOptions,
): Targets<Meaning> {
  const { classes, ...rest } = requireLearning(kind, options);
  const [meaning, targets] = read(y, known?.meaning, classes);
  if (!known) return { models: fitTargets(inner, X, targets, rest), meaning };
  const models = known.models.map(copyOf);
  if (addsUp(inner)) {
    for (const [t, part] of fitTargets(inner, X, targets, rest).entries()) models[t].merge!(part);
  } else each(models, 'partialFit', X, targets, rest);
  return { models, meaning: known.meaning };
}

/** What is known without some rows. */
export function unlearnTargets<Meaning>(
  { kind, read }: TargetRules<Meaning>,
  known: Targets<Meaning>,
  X: unknown,
  y: unknown,
  options: LearnOptions,
): Targets<Meaning> {
  requireLearning(kind, options);
  const models = known.models.map(copyOf);
  each(models, 'unlearn', X, read(y, known.meaning)[1], options);
  return { ...known, models };
}

function each(
  models: readonly Inner[],
  method: 'partialFit' | 'unlearn',
  X: unknown,
  targets: readonly Target[],
  options: LearnOptions,
): void {
  for (const [t, model] of models.entries()) ask(model, method, X, labelsOf(targets[t]), options);
}

/** What two classifiers of the same labels know together. */
export function mergeTargets<Meaning>(
  mine: Targets<Meaning> | undefined,
  theirs: Targets<Meaning> | undefined,
): Targets<Meaning> | undefined {
  if (!mine || !theirs) return mine ?? (theirs && { ...theirs, models: theirs.models.map(copyOf) });
  if (JSON.stringify(mine.meaning) !== JSON.stringify(theirs.meaning)) {
    refuse('E_MERGE_MISMATCH', 'the two classifiers have learned other labels');
  }
  const models = mine.models.map(copyOf);
  for (const [t, model] of models.entries()) ask(model, 'merge', theirs.models[t]);
  return { ...mine, models };
}
