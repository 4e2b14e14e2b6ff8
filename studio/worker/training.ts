import { Classifier } from '../../src/auto/classifier.ts';
import type { ClassifierOptions } from '../../src/auto/classifier-options.ts';
import { splitRows as splitByColumn } from '../../src/auto/schema-kinds.ts';
import { cellOf, type DataRow, isBlank } from '../../src/data/cells.ts';
import { RecordTable } from '../../src/data/column-table.ts';
import { Matrix } from '../../src/data/matrix.ts';
import { refuse } from '../../src/errors.ts';
import type { ScoredRows } from '../../src/evaluate/evaluation.ts';
import { planSplit, splitTable } from '../../src/evaluate/held-out.ts';
import { concat } from '../../src/math/arrays.ts';
import type { News, RowChange, Run, Settings } from '../protocol.ts';
import { learningCurve } from './curve.ts';
import { follow } from './following.ts';
import { evaluate } from './judging.ts';
import { requireLabels } from './profiling.ts';
import { Progress } from './progress.ts';
import type { Reading } from './reading.ts';
import { recipeFor } from './recipe.ts';
import type { Sheet } from './sheet.ts';

/** A training with all that later questions need. */
export interface Trained {
  readonly run: Run;
  readonly model: Classifier;
  /** The one that was judged, and by which rows. */
  readonly judge: Classifier;
  readonly judged: ScoredRows | undefined;
  readonly rows: readonly DataRow[];
  readonly labels: readonly string[];
  readonly train: readonly number[];
  readonly test: readonly number[];
  /** The places of `rows` in the data. */
  readonly places: readonly number[];
}

type Tell = (news: News) => void;

/** Learns, evaluates on held-out rows, reports it, and then learns these rows too: what `polya fit` does. */
export function train(sheet: Sheet, settings: Settings, id: number, notes: string, tell: Tell): Trained {
  const begun = performance.now();
  const progress = new Progress(tell);
  const reading = sheet.now;
  const lesson = lessonOf(reading, settings);
  const { rows, recipe } = lesson;
  const first = judgeRun(lesson, { settings, id, edits: sheet.edits }, progress, tell);
  const { judge, judged, train: own, test } = first;
  // with a split column the model of the training rows is the one that is kept, as by polya fit
  const isLast = !judged || settings.splitColumn !== '';
  const model = isLast ? judge.clone() : modelOfAllRows(judge, recipe, rows, test, progress);
  const bytes = model.save({ provenance: { dataHash: reading.sha256, rows: rows.length, notes } });
  progress.at('curve', 0);
  const grown = (curve: Run['curve'], share: number) => {
    tell({ kind: 'curve', id, curve });
    progress.at('curve', share);
  };
  const parts = { rows, labels: lesson.labels, train: own, test, places: lesson.places };
  const curve = judged && model.learns ? learningCurve(judge, parts, grown) : [];
  const seconds = (performance.now() - begun) / 1000;
  const run: Run = { ...first.run, ...describe(model), seconds, bytes, curve };
  return { run, model, judge, judged, ...parts };
}

/** The model of all rows: an ensemble stays as it was chosen and learns the held-out rows too, a named model is fitted again. */
function modelOfAllRows(
  judge: Classifier,
  recipe: ClassifierOptions,
  rows: readonly DataRow[],
  test: readonly number[],
  progress: Progress,
): Classifier {
  if (recipe.model !== 'auto') return learn(rows, recipe, 'again', progress);
  progress.at('again', 0);
  return judge.clone().partialFit(
    test.map((i) => rows[i]),
    { strict: false },
  );
}

/** A model of most rows, judged by the others, which is told at once. */
function judgeRun(lesson: Lesson, about: Pick<Run, 'settings' | 'id' | 'edits'>, progress: Progress, tell: Tell) {
  const begun = performance.now();
  const { rows, labels, recipe, features, train: own, test } = lesson;
  const taught = recipe.splitColumn === undefined ? own.map((i) => rows[i]) : rows; // with a split column it chooses by itself
  const judge = learn(taught, recipe, 'learning', progress);
  const [asked, truth] = [test.map((i) => rows[i]), test.map((i) => labels[i])];
  const judged = test.length > 0 ? answers(judge, asked, truth, (share) => progress.at('judging', share)) : undefined;
  const run: Run = {
    ...about,
    ...describe(judge),
    features,
    trainRows: own.length,
    testRows: test.length,
    seconds: (performance.now() - begun) / 1000,
    ...(judged && { evaluated: evaluate(judged, 'held out') }),
    curve: [],
  };
  tell({ kind: 'judged', run, bytes: judge.save() });
  return { run, judge, judged, train: own, test };
}

type Lesson = ReturnType<typeof lessonOf>;

/** The labelled rows, which of them are held out, and how they are learned. */
function lessonOf(reading: Reading, settings: Settings) {
  const parts = splitRows(reading, settings);
  const { rows, labels } = parts;
  requireLabels(rows, settings.target);
  if (new Set(labels).size < 2) {
    refuse('E_CLASSES_TOO_FEW', `column "${settings.target}" has fewer than two labels; choose another target`);
  }
  const { recipe, features } = recipeFor(rows, settings);
  return {
    ...parts,
    features,
    recipe: recipe.model === 'auto' && !recipe.splitColumn ? recipe : { ...recipe, evaluate: false },
  };
}

/** The labelled rows with the numbers of those to train with and to evaluate with, which `polya fit` chooses alike. */
function splitRows(reading: Reading, { target, holdout, seed, splitColumn }: Settings) {
  const all = new RecordTable(reading.rows, reading.lines);
  const places = [...reading.rows.keys()].filter((i) => !isBlank(cellOf(reading.rows[i], target)));
  const labelled = all.take(places);
  const rows = labelled.records();
  const labels = rows.map((row) => String(cellOf(row, target)));
  if (splitColumn !== '') {
    const { train, test } = splitByColumn(rows, splitColumn);
    return { rows, labels, train, test, places };
  }
  const [train, test] = splitTable(labelled, planSplit(all, target, holdout, seed));
  return { rows, labels, train, test, places };
}

/** A training that was done before, from its models: the rows and the split are made again, and the models follow the edits since. */
export function trainedBefore(sheet: Sheet, run: Run, judged: Uint8Array): Trained {
  const { settings, bytes } = run;
  const parts = splitRows(sheet.after(run.edits), settings);
  const { rows, labels, test } = parts;
  const judge = Classifier.load(judged);
  const [asked, truth] = [test.map((i) => rows[i]), test.map((i) => labels[i])];
  const model = Classifier.load(bytes!);
  const trained = { run, model, judge, judged: run.evaluated && answers(judge, asked, truth), ...parts };
  followAll(trained, sheet.changes(run.edits));
  return trained;
}

/** Lets the models of a training follow changes of the data; held-out rows stay unknown to the model that was evaluated. */
export function followAll(trained: Trained, changes: readonly (RowChange & { readonly place: number })[]): void {
  const { model, judge } = trained;
  if (changes.length === 0 || !model.learns) return;
  const held = heldOut(trained);
  follow(
    judge,
    changes.filter(({ place }) => !held.has(place)),
  );
  follow(
    model,
    changes.filter(({ place }) => knows(trained, place)),
  );
}

const heldOut = ({ test, places }: Trained): ReadonlySet<number> => new Set(test.map((i) => places[i]));

/** Whether a row is one that the model of a training learns: with a split column, test rows are none. */
export const knows = (trained: Trained, place: number): boolean =>
  trained.run.settings.splitColumn === '' || !heldOut(trained).has(place);

/** A first model of a few labelled rows: columns of every kind, fitted in a moment, and it learns more labels as they come. */
export const startOf = (rows: readonly DataRow[], target: string): Classifier =>
  Classifier.fit(rows, { target, model: 'mixed', evaluate: false });

function learn(
  rows: readonly DataRow[],
  recipe: ClassifierOptions,
  phase: 'learning' | 'again',
  progress: Progress,
): Classifier {
  progress.at(phase, 0);
  return Classifier.fit(rows, { ...recipe, onProgress: (share, what) => progress.at(phase, share, what) });
}

/** How many rows are scored between two reports of progress. */
const SCORED_AT_ONCE = 512;

/** Scores labelled rows. */
export function answers(
  model: Classifier,
  rows: readonly DataRow[],
  labels: readonly string[],
  onScored: (share: number) => void = () => undefined,
): ScoredRows {
  const parts: Matrix[] = [];
  for (let start = 0; start < rows.length; start += SCORED_AT_ONCE) {
    parts.push(model.predictLogProba(rows.slice(start, start + SCORED_AT_ONCE), { strict: false }));
    onScored(Math.min(1, (start + SCORED_AT_ONCE) / rows.length));
  }
  const logProba = new Matrix(rows.length, parts[0]?.cols ?? 0, concat(parts.map(({ data }) => data)));
  return { classes: model.classes.map(String), truth: labels, logProba };
}

function describe(model: Classifier) {
  const { summary, tried, warnings, schema } = model.report();
  return {
    model: model.model,
    summary,
    classes: model.classes.map(String),
    learns: model.learns,
    tried: tried.map(({ of, name, logLoss, accuracy, chosen }) => ({ of, name, logLoss, accuracy, chosen })),
    warnings,
    texts: schema.columns.filter(({ kind, role }) => kind === 'text' && role === 'feature').map(({ name }) => name),
  };
}
