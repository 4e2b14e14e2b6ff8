import { Classifier, type ClassifierOptions, Matrix } from '../../src/index.ts';
import {
  cellOf,
  type DataRow,
  finishAsync,
  isBlank,
  planSplit,
  RecordTable,
  refuse,
  type ScoredRows,
  type StepOptions,
  splitRowsByColumn,
  splitTable,
} from '../../src/workbench.ts';
import type { News, RowChange, Run, Settings } from '../protocol.ts';
import { learningCurve } from './curve.ts';
import type { EditedTable } from './edited-table.ts';
import { evaluate } from './evaluating.ts';
import { follow } from './following.ts';
import { requireLabels } from './profiling.ts';
import { Progress } from './progress.ts';
import { Race } from './race.ts';
import type { Reading } from './reading.ts';
import { recipeFor } from './recipe.ts';

/** A training with everything that later requests need. */
export interface Trained {
  readonly run: Run;
  readonly model: Classifier;
  /** The model of the training rows alone, which was evaluated on the held-out rows. */
  readonly evaluatedModel: Classifier;
  /** Its scores of the held-out rows. */
  readonly scored: ScoredRows | undefined;
  readonly rows: readonly DataRow[];
  readonly labels: readonly string[];
  readonly train: readonly number[];
  readonly test: readonly number[];
  /** The indices of `rows` in the data. */
  readonly places: readonly number[];
}

type Tell = (news: News) => void;

/** What is known of a training besides its settings. */
interface About {
  readonly id: number;
  readonly notes: string;
  /** Whether the search should finish with the best models so far. */
  readonly isStopped: () => boolean;
}

/** Trains, evaluates on held-out rows, reports the evaluation, then learns the held-out rows too, as `polya fit` does. */
export async function train(table: EditedTable, settings: Settings, about: About, tell: Tell): Promise<Trained> {
  const begun = performance.now();
  const { id, notes } = about;
  const progress = new Progress(tell);
  const race = new Race(tell, begun, settings, about.isStopped);
  const reading = table.now;
  const data = trainingData(reading, settings);
  const { rows, recipe } = data;
  const first = await evaluateRun(data, { settings, id, edits: table.edits }, progress, race, tell);
  const { evaluatedModel, scored, train: own, test } = first;
  // with a split column the model of the training rows is the final one, as in polya fit
  const isLast = !scored || settings.splitColumn !== '';
  const model = isLast ? evaluatedModel.clone() : await modelOfAllRows(evaluatedModel, recipe, rows, test, progress);
  const bytes = model.save({ provenance: { dataHash: reading.sha256, rows: rows.length, notes } });
  progress.at('curve', 0);
  const grown = (curve: Run['curve'], share: number) => {
    tell({ kind: 'curve', id, curve });
    progress.at('curve', share);
  };
  const parts = { rows, labels: data.labels, train: own, test, places: data.places };
  const curve = scored && model.learns ? learningCurve(evaluatedModel, parts, grown) : [];
  const seconds = (performance.now() - begun) / 1000;
  const run: Run = { ...first.run, ...describe(model), seconds, bytes, curve };
  return { run, model, evaluatedModel, scored, ...parts };
}

/** The model of all rows: an ensemble keeps its members and weights and learns the held-out rows too, a named model is refitted. */
async function modelOfAllRows(
  evaluatedModel: Classifier,
  recipe: ClassifierOptions,
  rows: readonly DataRow[],
  test: readonly number[],
  progress: Progress,
): Promise<Classifier> {
  if (recipe.model !== 'auto') return learn(rows, recipe, 'again', progress);
  progress.at('again', 0);
  return evaluatedModel.clone().partialFit(
    test.map((i) => rows[i]),
    { strict: false },
  );
}

/** Trains on the training rows, evaluates on the held-out rows, and reports the result at once. */
async function evaluateRun(
  data: TrainingData,
  about: Pick<Run, 'settings' | 'id' | 'edits'>,
  progress: Progress,
  race: Race,
  tell: Tell,
) {
  const begun = performance.now();
  const { rows, labels, recipe, features, train: own, test } = data;
  const trainingRows = recipe.splitColumn === undefined ? own.map((i) => rows[i]) : rows; // with a split column `fit` selects the training rows itself
  const evaluatedModel = await learn(trainingRows, recipe, 'learning', progress, race);
  const [asked, truth] = [test.map((i) => rows[i]), test.map((i) => labels[i])];
  const scored =
    test.length > 0 ? answers(evaluatedModel, asked, truth, (share) => progress.at('evaluating', share)) : undefined;
  const run: Run = {
    ...about,
    ...describe(evaluatedModel),
    features,
    trainRows: own.length,
    testRows: test.length,
    ...(race.racers.length > 0 && { race: race.racers }),
    ...(race.isStopped() && { stopped: 'search' as const }),
    seconds: (performance.now() - begun) / 1000,
    ...(scored && { evaluated: evaluate(scored, 'held out') }),
    curve: [],
  };
  tell({ kind: 'evaluated', run, bytes: evaluatedModel.save() });
  return { run, evaluatedModel, scored, train: own, test };
}

type TrainingData = ReturnType<typeof trainingData>;

/** The labelled rows, the split, and the training options. */
function trainingData(reading: Reading, settings: Settings) {
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

/** The labelled rows with the indices of training and held-out rows, the same as in `polya fit`. */
export function splitRows(
  reading: Reading,
  { target, holdout, seed, splitColumn }: Pick<Settings, 'target' | 'holdout' | 'seed' | 'splitColumn'>,
) {
  const all = new RecordTable(reading.rows, reading.lines);
  const places = [...reading.rows.keys()].filter((i) => !isBlank(cellOf(reading.rows[i], target)));
  const labelled = all.take(places);
  const rows = labelled.records();
  const labels = rows.map((row) => String(cellOf(row, target)));
  if (splitColumn !== '') {
    const { train, test } = splitRowsByColumn(rows, splitColumn);
    return { rows, labels, train, test, places };
  }
  const [train, test] = splitTable(labelled, planSplit(all, target, holdout, seed));
  return { rows, labels, train, test, places };
}

/** Restores a training from its models: recomputes rows and split, and updates the models with the edits since. */
export function trainedBefore(table: EditedTable, run: Run, evaluatedBytes: Uint8Array): Trained {
  const { settings, bytes } = run;
  const parts = splitRows(table.after(run.edits), settings);
  const { rows, labels, test } = parts;
  const evaluatedModel = Classifier.load(evaluatedBytes);
  const [asked, truth] = [test.map((i) => rows[i]), test.map((i) => labels[i])];
  const model = Classifier.load(bytes!);
  const trained = {
    run,
    model,
    evaluatedModel,
    scored: run.evaluated && answers(evaluatedModel, asked, truth),
    ...parts,
  };
  followAll(trained, table.changes(run.edits));
  return trained;
}

/** Updates the models of a training with changes of the data; the evaluated model never learns held-out rows. */
export function followAll(trained: Trained, changes: readonly (RowChange & { readonly place: number })[]): void {
  const { model, evaluatedModel } = trained;
  if (changes.length === 0 || !model.learns) return;
  const held = heldOut(trained);
  follow(
    evaluatedModel,
    changes.filter(({ place }) => !held.has(place)),
  );
  follow(
    model,
    changes.filter(({ place }) => knows(trained, place)),
  );
}

const heldOut = ({ test, places }: Trained): ReadonlySet<number> => new Set(test.map((i) => places[i]));

/** Whether the model of a training learns a row; with a split column, or if it was stopped too early, it does not learn test rows. */
export const knows = (trained: Trained, place: number): boolean => {
  const { settings, stopped } = trained.run;
  return (settings.splitColumn === '' && stopped !== 'rows') || !heldOut(trained).has(place);
};

/** A first model of a few labelled rows: it takes columns of every kind, fits fast and can learn more rows. */
export const startOf = (rows: readonly DataRow[], target: string): Classifier =>
  Classifier.fit(rows, { target, model: 'mixed', evaluate: false });

/** Fits rows. Requests to stop are received between steps. */
function learn(
  rows: readonly DataRow[],
  recipe: ClassifierOptions,
  phase: 'learning' | 'again',
  progress: Progress,
  race?: Race,
): Promise<Classifier> {
  progress.at(phase, 0);
  const onProgress: StepOptions['onProgress'] = (share, what, scored) => {
    progress.at(phase, share, what);
    if (scored) race?.add(scored());
  };
  const turn = () => new Promise<void>((next) => setTimeout(next));
  return finishAsync(Classifier.fitSteps(rows, recipe), { onProgress, enough: race?.isOver }, turn);
}

/** The number of rows scored between progress reports. */
const SCORED_AT_ONCE = 512;

/** Scores labelled rows. */
export function answers(
  model: Classifier,
  rows: readonly DataRow[],
  labels: readonly string[],
  onScored: (share: number) => void = () => undefined,
): ScoredRows {
  const logProba = new Matrix(rows.length, model.classes.length);
  for (let start = 0; start < rows.length; start += SCORED_AT_ONCE) {
    const part = model.predictLogProba(rows.slice(start, start + SCORED_AT_ONCE), { strict: false });
    logProba.data.set(part.data, start * part.cols);
    onScored(Math.min(1, (start + SCORED_AT_ONCE) / rows.length));
  }
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
