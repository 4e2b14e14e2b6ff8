import { type Classifier, formatCsv } from '../../src/index.ts';
import { cellOf, type DataRow, type Evaluation, isBlank, refuse, wordOf } from '../../src/workbench.ts';
import type {
  ColumnCard,
  DataSource,
  Edit,
  Edited,
  News,
  Opened,
  Operating,
  Profile,
  RowChange,
  Run,
  Settings,
  ThresholdRule,
} from '../protocol.ts';
import type { RowFilter } from '../rows/filter.ts';
import { type Answer, ask, factsOf, type ModelFacts, openDesk, typedRecord } from './asking.ts';
import { type Belief, beliefsOf, type Surface, surfaceOf } from './beliefs.ts';
import { type BoundaryAsked, type BoundaryResult, boundaryOf } from './boundary.ts';
import { type Browse, type Browsed, browse } from './browsing.ts';
import {
  type Comparison,
  compare,
  heldOutRows,
  heldOutScores,
  type RowsResult,
  rowsOfCell,
  type ScoredRow,
  type Slice,
  selectRows,
  slicesOf,
} from './comparing.ts';
import { type DensitiesResult, densitiesOf } from './densities.ts';
import { EditedTable } from './edited-table.ts';
import { type Folds, foldsOf, type SecondFile, secondFile } from './elsewhere.ts';
import { evaluateAt, operatingFor } from './evaluating.ts';
import { type ExportForm, exportModel, type ReportWording, reportPage } from './exporting.ts';
import { follow } from './following.ts';
import { type NomogramResult, nomogramOf, type PairsResult, pairsOf } from './insight.ts';
import { type Labelling, labellingOf, type Queue } from './labelling.ts';
import { type LiveAsked, type LiveResult, liveOf } from './live.ts';
import { profileOf } from './profiling.ts';
import { readData } from './reading.ts';
import { type SimplexResult, simplexOf } from './simplex.ts';
import { type SingleResult, singleOf } from './single.ts';
import { type SmoothingResult, smoothingOf } from './smoothing.ts';
import { followAll, knows, startOf, type Trained, train, trainedBefore } from './training.ts';
import { drawUrns, type UrnsDrawn } from './urns.ts';
import { type WordsResult, wordsOf } from './words.ts';

const PREVIEW = 50;
const LONGEST_CELL = 300;

type Tell = (news: News) => void;

/** Reports how much of a file is read. */
const reported = (tell: Tell) => (share: number) => tell({ kind: 'progress', phase: 'reading', share, what: '' });

/** The methods of a worker, which holds the rows and the models; the page only draws. */
export class Laboratory {
  private table: EditedTable | undefined;
  /** The columns as they were last described. */
  private cards: readonly ColumnCard[] = [];
  private readonly runs = new Map<number, Trained>();
  private readonly singles = new Map<number, ReturnType<typeof singleOf>>();
  /** Whether the current search should finish. */
  private isStopped = false;
  private model: Classifier | undefined;
  /** The provenance notes of the loaded model. */
  private notes = '';
  /** A quick model that guesses labels before the first training. */
  private starter: Classifier | undefined;

  /** Reads data, applies earlier edits and describes the result; earlier runs are dropped. */
  async open(source: DataSource, edits: readonly Edit[], target: string, tell: Tell): Promise<Opened> {
    const read = await readData(source, reported(tell));
    this.table = new EditedTable(read, edits);
    const { name, format, reason, encoding, rows, bytes, sha256, columns, bad, renamed } = this.table.now;
    const profile = this.described(target === '' ? undefined : target);
    this.runs.clear();
    this.singles.clear();
    this.starter = undefined;
    const cell = (row: DataRow, column: string) => wordOf(cellOf(row, column) ?? '').slice(0, LONGEST_CELL);
    return {
      ...{ name, source: source.kind, format, reason, encoding, bytes, sha256, columns, renamed, profile },
      rows: rows.length,
      preview: rows.slice(0, PREVIEW).map((row) => columns.map((column) => cell(row, column))),
      bad: bad.map(({ line, reason: why }) => ({ line, reason: why })),
    };
  }

  /** The profile for another target. */
  profile(target: string): Profile {
    return this.described(target);
  }

  private described(target: string | undefined): Profile {
    const profile = profileOf(this.data().now.rows, target);
    this.cards = profile.columns;
    return profile;
  }

  /** Edits a row and updates all models. */
  edit(edit: Edit): Edited {
    const done = this.data().edit(edit);
    const change = [{ place: edit.place, before: done.before, after: done.after }];
    for (const trained of this.runs.values()) followAll(trained, change);
    if (this.starter) follow(this.starter, change);
    const follows = [...this.runs.values()].filter((trained) => knows(trained, edit.place));
    return { ...done, follows: follows.map(({ run }) => run.id) };
  }

  /** The rows changed since a run was trained, limited to those its model has learned. */
  changes({ id, edits }: Pick<Run, 'id' | 'edits'>): RowChange[] {
    const trained = this.runs.get(id);
    return this.data()
      .changes(edits)
      .filter(({ place }) => !trained || knows(trained, place));
  }

  /** One page of rows, with the predictions of a run. */
  browse(id: number | undefined, target: string, asked: Browse): Browsed {
    const trained = id === undefined ? undefined : this.runs.get(id);
    return browse(this.data().now, trained, { target, columns: this.cards }, asked);
  }

  /** All rows as CSV, with all edits. */
  csv(): string {
    const { rows, columns } = this.data().now;
    return formatCsv([[...columns], ...rows.map((row) => columns.map((name) => wordOf(cellOf(row, name) ?? '')))]);
  }

  /** See `train`. */
  async train(settings: Settings, id: number, notes: string, tell: Tell): Promise<Run> {
    this.isStopped = false;
    const trained = await train(this.data(), settings, { id, notes, isStopped: () => this.isStopped }, tell);
    this.runs.set(id, trained);
    return trained.run;
  }

  /** Makes the search for models finish with the best ones so far; the only request that is answered during a training. */
  stopSearch(): void {
    this.isStopped = true;
  }

  /** Restores a run that another worker trained. */
  restore(run: Run, evaluatedModel: Uint8Array): void {
    this.runs.set(run.id, trainedBefore(this.data(), run, evaluatedModel));
  }

  /** See `secondFile`. */
  async second(id: number, source: DataSource, tell: Tell): Promise<SecondFile> {
    const trained = this.run(id);
    return secondFile(trained, await readData(source, reported(tell)));
  }

  /** See `foldsOf`. */
  folds(id: number, k: number, tell: Tell): Folds {
    return foldsOf(this.run(id), k, tell);
  }

  /** Loads a model file for prediction. */
  load(bytes: Uint8Array): ModelFacts {
    const { model, facts } = openDesk(bytes);
    this.model = model;
    this.notes = facts.notes;
    return facts;
  }

  ask(row: DataRow): Answer {
    const model = this.loaded();
    return ask(model, typedRecord(model, row));
  }

  /** Updates the loaded model with changes of its rows; returns its new facts and file. */
  follow(changes: readonly RowChange[]): { facts: ModelFacts; bytes: Uint8Array<ArrayBuffer> } {
    const model = this.loaded();
    follow(model, changes);
    const bytes = model.save({ provenance: { notes: this.notes } });
    return { facts: factsOf(model, bytes), bytes };
  }

  /** The typed cells as a labelled row. */
  labelled(row: DataRow, label: string): DataRow {
    const model = this.loaded();
    return { ...typedRecord(model, row), [model.target]: label };
  }

  /** The model in an export format. */
  export(form: ExportForm): Promise<Uint8Array<ArrayBuffer>> {
    return exportModel(this.loaded(), form);
  }

  /** The size of the model in an export format; throws if the format cannot express it. */
  async exportSize(form: ExportForm): Promise<number> {
    return (await this.export(form)).length;
  }

  report(id: number, wording: ReportWording): string {
    return reportPage(this.data().now, this.run(id), wording);
  }

  rows(id: number, truth: string, answer: string, at?: ThresholdRule): ScoredRow[] {
    return rowsOfCell(this.run(id), truth, answer, at);
  }

  slices(id: number, column: string, at?: ThresholdRule): Slice[] {
    return slicesOf(this.run(id), column, at);
  }

  /** The rows of a part of a picture. */
  select(id: number, filter: RowFilter, at?: ThresholdRule): RowsResult {
    return selectRows(this.run(id), filter, at);
  }

  /** The evaluation of a run with a threshold rule. */
  evaluateAt(id: number, at: ThresholdRule): Evaluation {
    const trained = this.run(id);
    return evaluateAt(heldOutScores(trained), trained.run.evaluated?.evaluation.on ?? '', at);
  }

  /** The held-out rows of a run as CSV. */
  heldOut(id: number): string {
    return heldOutRows(this.run(id), this.data().now.columns);
  }

  compare(first: number, second: number): Comparison {
    return compare(this.run(first), this.run(second));
  }

  words(id: number, column: string): WordsResult {
    return wordsOf(this.run(id), column);
  }

  densities(id: number, column: string, classes: readonly string[]): DensitiesResult {
    return densitiesOf(this.run(id), column, classes);
  }

  /** The curves of one class. */
  operating(id: number, label: string): Operating {
    return operatingFor(heldOutScores(this.run(id)), label);
  }

  /** The best single naive Bayes model for the columns of an ensemble. */
  single(id: number): SingleResult {
    const found = this.singles.get(id) ?? singleOf(this.run(id));
    this.singles.set(id, found);
    return found.result;
  }

  nomogram(id: number, single: boolean): NomogramResult {
    return nomogramOf(this.modelOf(id, single));
  }

  pairs(id: number, single: boolean): PairsResult {
    return pairsOf(this.run(id), this.modelOf(id, single));
  }

  boundary(id: number, asked: BoundaryAsked): BoundaryResult {
    return boundaryOf(this.run(id), asked);
  }

  /** See `liveOf`. */
  live(asked: LiveAsked): LiveResult {
    return liveOf(this.data().now, asked);
  }

  beliefs(id: number, column: string, event: string, label: string, a: number): Belief[] {
    return beliefsOf(this.run(id), column, event, label, a);
  }

  simplex(id: number, column: string, label: string, a: number): SimplexResult | null {
    return simplexOf(this.run(id), column, label, a);
  }

  surface(id: number, column: string, label: string, rows: number): Surface {
    return surfaceOf(this.run(id), column, label, rows);
  }

  smoothing(id: number, column: string): SmoothingResult {
    return smoothingOf(this.run(id), column);
  }

  urns(colours: number, balls: number, added: number, draws: number, seed: number): UrnsDrawn {
    return drawUrns(colours, balls, added, draws, seed);
  }

  /** The next row to label. Without a run, a quick model of the labels so far makes the guesses. */
  label(id: number | undefined, target: string, queue: Queue, done: readonly number[]): Labelling {
    const table = this.data();
    const trained = id === undefined ? undefined : this.runs.get(id);
    const model = trained ? trained.evaluatedModel : this.guesser(target);
    const others = trained ? this.otherRuns(trained.run.id).map(({ evaluatedModel }) => evaluatedModel) : [];
    return labellingOf({ table, target, model, trained, others, done: new Set(done) }, queue);
  }

  /** A quick model of the labelled rows, as soon as there are two classes. */
  private guesser(target: string): Classifier | undefined {
    if (this.starter?.target === target) return this.starter;
    const rows = this.data().now.rows.filter((row) => !isBlank(cellOf(row, target)));
    if (new Set(rows.map((row) => String(cellOf(row, target)))).size < 2) return undefined;
    this.starter = startOf(rows, target);
    return this.starter;
  }

  /** The latest other runs with the same target. */
  private otherRuns(id: number): Trained[] {
    const { target } = this.run(id).run.settings;
    return [...this.runs.values()].filter(({ run }) => run.id !== id && run.settings.target === target).slice(-4);
  }

  /** The model of a run, or its best single model. */
  private modelOf(id: number, single: boolean): Classifier {
    if (single) this.single(id);
    return (single && this.singles.get(id)?.model) || this.run(id).model;
  }

  private data(): EditedTable {
    return this.table ?? refuse('E_NOT_FOUND', 'no data are open');
  }

  private run(id: number): Trained {
    return this.runs.get(id) ?? refuse('E_NOT_FOUND', 'this run no longer exists; train again');
  }

  private loaded(): Classifier {
    return this.model ?? refuse('E_NOT_FOUND', 'no model is open');
  }
}
