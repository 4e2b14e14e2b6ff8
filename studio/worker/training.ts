import { cellOf, type DataRow, isBlank } from '../../src/auto/cells.ts';
import { Classifier } from '../../src/auto/classifier.ts';
import type { ClassifierOptions } from '../../src/auto/classifier-options.ts';
import type { ModelName } from '../../src/auto/learner-families.ts';
import { groupsOf, holdOut } from '../../src/cli/work/split.ts';
import { PolyaError, refuse } from '../../src/errors.ts';
import { argmax } from '../../src/math/arrays.ts';
import { type Judged, scoreRows } from '../../src/server/insight/judge.ts';
import type { News, Phase, Run, Settings } from '../protocol.ts';
import { evaluate } from './judging.ts';
import { requireLabels } from './profiling.ts';
import type { Reading } from './reading.ts';
import { recipeFor } from './recipe.ts';

/** A training with all that later questions need. */
export interface Trained {
  readonly run: Run;
  readonly model: Classifier;
  /** The one that was judged, and by which rows. */
  readonly judge: Classifier;
  readonly judged: Judged | undefined;
  readonly rows: readonly DataRow[];
  readonly labels: readonly string[];
  readonly train: readonly number[];
  readonly test: readonly number[];
}

type Tell = (news: News) => void;

/** Learns, judges by rows that were set aside, tells it, and learns again from all rows: what `polya fit` does. */
export function train(reading: Reading, settings: Settings, id: number, notes: string, tell: Tell): Trained {
  const begun = performance.now();
  const rows = reading.rows.filter((row) => !isBlank(cellOf(row, settings.target)));
  requireLabels(rows, settings.target);
  const labels = rows.map((row) => String(cellOf(row, settings.target)));
  if (new Set(labels).size < 2) {
    refuse('E_CLASSES_TOO_FEW', `column "${settings.target}" has fewer than two labels; choose another target`);
  }
  const { recipe, features } = recipeFor(rows, settings);
  const early = recipe.model === 'auto' ? recipe : { ...recipe, evaluate: false };
  const { train, test } = holdOut(labels, groupsOf(rows, settings.target, new Set()), settings.holdout, settings.seed);
  const held = test.length > 0 && settings.holdout > 0;
  const judge = held
    ? learn(
        train.map((i) => rows[i]),
        early,
        'learning',
        tell,
      )
    : learn(rows, early, 'learning', tell);
  const judged = held
    ? answers(
        judge,
        test.map((i) => rows[i]),
        test.map((i) => labels[i]),
        tell,
      )
    : undefined;
  const seconds = () => (performance.now() - begun) / 1000;
  const first: Run = {
    ...describe(judge, settings, id),
    features,
    trainRows: train.length,
    testRows: test.length,
    seconds: seconds(),
    ...(judged && { evaluated: evaluate(judged, 'held out') }),
    curve: [],
  };
  tell({ kind: 'judged', run: first, bytes: judge.save() });
  const model = held ? learn(rows, early, 'again', tell) : judge;
  const bytes = model.save({ provenance: { dataHash: reading.sha256, rows: rows.length, notes } });
  const lesson = { rows, labels, train, test };
  const curve = held && model.learns ? learningCurve(judge, lesson) : [];
  const run: Run = { ...first, ...describe(model, settings, id), seconds: seconds(), bytes, curve };
  return { run, model, judge, judged, ...lesson };
}

/** A training that was done before, from its models: the rows and the split are made again. */
export function trainedBefore(reading: Reading, run: Run, judged: Uint8Array): Trained {
  const { settings, bytes } = run;
  const rows = reading.rows.filter((row) => !isBlank(cellOf(row, settings.target)));
  const labels = rows.map((row) => String(cellOf(row, settings.target)));
  const groups = groupsOf(rows, settings.target, new Set());
  const { train, test } = holdOut(labels, groups, settings.holdout, settings.seed);
  const judge = Classifier.load(judged);
  const [asked, truth] = [test.map((i) => rows[i]), test.map((i) => labels[i])];
  const model = Classifier.load(bytes!);
  return { run, model, judge, judged: run.evaluated && answers(judge, asked, truth), rows, labels, train, test };
}

function learn(rows: readonly DataRow[], recipe: ClassifierOptions, phase: Phase, tell: Tell): Classifier {
  let last = 0;
  const onProgress = (share: number, what: string) => {
    const now = performance.now();
    if (now - last < 50) return; // twenty times a second is more than anyone sees
    last = now;
    tell({ kind: 'progress', phase, share, what });
  };
  tell({ kind: 'progress', phase, share: 0, what: '' });
  return Classifier.fit(rows, { ...recipe, onProgress });
}

/** What a model says of labelled rows. */
export function answers(
  model: Classifier,
  rows: readonly DataRow[],
  labels: readonly string[],
  tell: Tell = () => undefined,
): Judged {
  const logProba = scoreRows(model, rows, (share) => tell({ kind: 'progress', phase: 'judging', share, what: '' }));
  return { classes: model.classes.map(String), truth: labels, logProba };
}

function describe(model: Classifier, settings: Settings, id: number) {
  const { summary, tried, warnings, schema } = model.report();
  return {
    id,
    settings,
    model: model.model,
    summary,
    classes: model.classes.map(String),
    learns: model.learns,
    tried: tried.map(({ of, name, logLoss, accuracy, chosen }) => ({ of, name, logLoss, accuracy, chosen })),
    warnings: warnings.map(({ sentence }) => sentence),
    texts: schema.columns.filter(({ kind, role }) => kind === 'text' && role === 'feature').map(({ name }) => name),
  };
}

const CURVE_ROWS = 10_000;
const CURVE_TESTS = 2_000;
const CURVE_STEPS = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1];

/** How the held-out rows are answered while training rows are counted: the same family, one part after the other. */
function learningCurve(
  judge: Classifier,
  { rows, labels, train, test }: Pick<Trained, 'rows' | 'labels' | 'train' | 'test'>,
): Run['curve'] {
  const order = mixed(train, CURVE_ROWS).map((i) => rows[i]);
  const tests = mixed(test, CURVE_TESTS);
  const [asked, truth] = [tests.map((i) => rows[i]), tests.map((i) => labels[i])];
  const points: Run['curve'][number][] = [];
  let model: Classifier | undefined;
  let at = 0;
  for (const share of CURVE_STEPS) {
    const next = Math.max(at + 1, Math.round(share * order.length));
    model = model ? model.partialFit(order.slice(at, next)) : begun(judge, order.slice(0, next));
    at = next;
    if (model) points.push({ rows: at, ...scoresOf(model, asked, truth) });
  }
  return points;
}

/** The family on its first rows; nothing where they are too few for it. */
function begun({ model, target, schema }: Classifier, rows: readonly DataRow[]): Classifier | undefined {
  try {
    return Classifier.fit(rows, { target, model: model as ModelName, evaluate: false, features: used(schema) });
  } catch (error) {
    if (error instanceof PolyaError) return undefined;
    throw error;
  }
}

const used = ({ columns }: Classifier['schema']): string[] =>
  columns.filter(({ role }) => role === 'feature').map(({ name }) => name);

/** Accuracy and log-loss on labelled rows; a class that is not known yet costs as much as can be. */
function scoresOf(model: Classifier, rows: readonly DataRow[], labels: readonly string[]) {
  const classes = model.classes.map(String);
  const logProba = model.predictLogProba(rows);
  let [right, loss] = [0, 0];
  for (const [i, label] of labels.entries()) {
    const own = logProba.row(i);
    const c = classes.indexOf(label);
    if (argmax(own) === c) right++;
    loss += Math.min(MOST_LOSS, c < 0 ? Infinity : -own[c]);
  }
  return { accuracy: right / labels.length, logLoss: loss / labels.length };
}

const MOST_LOSS = -Math.log(1e-15);

/** At most so many of the places, in an order that does not follow the file. */
function mixed(places: readonly number[], most: number): number[] {
  const rank = (i: number) => Math.imul(i, 2654435761) >>> 0;
  return [...places].sort((a, b) => rank(a) - rank(b)).slice(0, most);
}
