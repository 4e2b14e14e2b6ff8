import type { Classifier } from '../../src/auto/classifier.ts';
import { cellOf, type DataRow, wordOf } from '../../src/data/cells.ts';
import { refuse } from '../../src/errors.ts';
import type { Judgement } from '../../src/server/insight/judge.ts';
import type { DataSource, News, Opened, Operating, Profile, Run, Settings, ThresholdRule } from '../protocol.ts';
import type { RowFilter } from '../rows/filter.ts';
import { type Answer, ask, type ModelFacts, openDesk, typedRecord } from './asking.ts';
import { type Belief, beliefsOf, type Surface, surfaceOf } from './beliefs.ts';
import { type BoundaryAsked, type BoundaryTold, boundaryOf } from './boundary.ts';
import {
  type Comparison,
  compare,
  heldOutRows,
  type JudgedRow,
  judgedOf,
  type RowsTold,
  rowsOfCell,
  type Slice,
  selectRows,
  slicesOf,
} from './comparing.ts';
import { type DensitiesTold, densitiesOf } from './densities.ts';
import { type ExportForm, exportModel, reportPage } from './exporting.ts';
import { type NomogramTold, nomogramOf, type PairsTold, pairsOf } from './insight.ts';
import { evaluateAt, operatingFor } from './judging.ts';
import { LabelDesk, type Labelling, type Queue } from './labelling.ts';
import { profileOf } from './profiling.ts';
import { type Reading, readData } from './reading.ts';
import { type SimplexTold, simplexOf } from './simplex.ts';
import { type SingleTold, singleOf } from './single.ts';
import { type SmoothingTold, smoothingOf } from './smoothing.ts';
import { type Trained, train, trainedBefore } from './training.ts';
import { drawUrns, type UrnsDrawn } from './urns.ts';
import { type WordsTold, wordsOf } from './words.ts';

const PREVIEW = 50;
const LONGEST_CELL = 300;

type Tell = (news: News) => void;

/** Everything that a worker is asked: it holds the rows and the models, and the page only draws. */
export class Laboratory {
  private reading: Reading | undefined;
  private readonly runs = new Map<number, Trained>();
  private readonly singles = new Map<number, ReturnType<typeof singleOf>>();
  private model: Classifier | undefined;
  private labelling: LabelDesk | undefined;

  /** Reads data and tells what they look like; earlier runs are forgotten. */
  async open(source: DataSource, tell: Tell): Promise<Opened> {
    const reading = await readData(source, (share) => tell({ kind: 'progress', phase: 'reading', share, what: '' }));
    const { name, format, reason, rows, bytes, sha256, columns, bad } = reading;
    const profile = profileOf(rows);
    this.reading = reading;
    this.runs.clear();
    this.singles.clear();
    this.labelling = undefined;
    const cell = (row: DataRow, column: string) => wordOf(cellOf(row, column) ?? '').slice(0, LONGEST_CELL);
    return {
      ...{ name, source: source.kind, format, reason, bytes, sha256, columns, profile },
      rows: rows.length,
      preview: rows.slice(0, PREVIEW).map((row) => columns.map((column) => cell(row, column))),
      bad: bad.map(({ line, reason: why }) => ({ line, reason: why })),
    };
  }

  /** The same rows with another target. */
  profile(target: string): Profile {
    return profileOf(this.data().rows, target);
  }

  /** See `train`. */
  train(settings: Settings, id: number, notes: string, tell: Tell): Run {
    const trained = train(this.data(), settings, id, notes, tell);
    this.runs.set(id, trained);
    this.labelling = undefined;
    return trained.run;
  }

  /** Takes a run back that another worker had made. */
  restore(run: Run, judged: Uint8Array): void {
    this.runs.set(run.id, trainedBefore(this.data(), run, judged));
  }

  /** Reads a model file to be asked. */
  load(bytes: Uint8Array): ModelFacts {
    const { model, facts } = openDesk(bytes);
    this.model = model;
    return facts;
  }

  ask(row: DataRow): Answer {
    const model = this.loaded();
    return ask(model, typedRecord(model, row));
  }

  /** Learns one more row, and says what it would answer now. */
  learn(row: DataRow, label: string): Answer {
    const model = this.loaded();
    const record = typedRecord(model, row);
    model.partialFit([{ ...record, [model.target]: label }]);
    return ask(model, record);
  }

  export(form: ExportForm): Promise<Uint8Array<ArrayBuffer>> {
    return exportModel(this.loaded(), form);
  }

  /** The model file as it is now, with what was learned here. */
  save(): Uint8Array<ArrayBuffer> {
    return this.loaded().save();
  }

  report(id: number, command: string): Promise<string> {
    return reportPage(this.data(), this.run(id), command);
  }

  rows(id: number, truth: string, answer: string, at?: ThresholdRule): JudgedRow[] {
    return rowsOfCell(this.run(id), truth, answer, at);
  }

  slices(id: number, column: string, at?: ThresholdRule): Slice[] {
    return slicesOf(this.run(id), column, at);
  }

  /** The rows of a part of a picture. */
  select(id: number, filter: RowFilter, at?: ThresholdRule): RowsTold {
    return selectRows(this.run(id), filter, at);
  }

  /** The evaluation of a run when a class is given from a threshold on. */
  evaluateAt(id: number, at: ThresholdRule): Judgement {
    const trained = this.run(id);
    return evaluateAt(judgedOf(trained), trained.run.evaluated?.judgement.on ?? '', at);
  }

  /** The held-out rows of a run as CSV. */
  heldOut(id: number): string {
    return heldOutRows(this.run(id), this.data().columns);
  }

  compare(first: number, second: number): Comparison {
    return compare(this.run(first), this.run(second));
  }

  words(id: number, column: string): WordsTold {
    return wordsOf(this.run(id), column);
  }

  densities(id: number, column: string, classes: readonly string[]): DensitiesTold {
    return densitiesOf(this.run(id), column, classes);
  }

  /** Everything that a threshold moves, of one class. */
  operating(id: number, label: string): Operating {
    return operatingFor(judgedOf(this.run(id)), label);
  }

  /** The best single naive Bayes model beside an ensemble. */
  single(id: number): SingleTold {
    const found = this.singles.get(id) ?? singleOf(this.run(id));
    this.singles.set(id, found);
    return found.told;
  }

  nomogram(id: number, single: boolean): NomogramTold {
    return nomogramOf(this.modelOf(id, single));
  }

  pairs(id: number, single: boolean): PairsTold {
    return pairsOf(this.run(id), this.modelOf(id, single));
  }

  boundary(id: number, asked: BoundaryAsked): BoundaryTold {
    return boundaryOf(this.run(id), asked);
  }

  beliefs(id: number, column: string, event: string, label: string, a: number): Belief[] {
    return beliefsOf(this.run(id), column, event, label, a);
  }

  simplex(id: number, column: string, label: string, a: number): SimplexTold | null {
    return simplexOf(this.run(id), column, label, a);
  }

  surface(id: number, column: string, label: string, rows: number): Surface {
    return surfaceOf(this.run(id), column, label, rows);
  }

  smoothing(id: number, column: string): SmoothingTold {
    return smoothingOf(this.run(id), column);
  }

  urns(colours: number, balls: number, added: number, draws: number, seed: number): UrnsDrawn {
    return drawUrns(colours, balls, added, draws, seed);
  }

  /** One step of labelling: an answer, a skip, an undo, or a look. */
  label(
    id: number,
    queue: Queue,
    step: { readonly do: 'look' | 'undo' | 'skip' | 'answer'; readonly place?: number; readonly label?: string },
  ): Labelling {
    this.labelling ??= new LabelDesk(this.data(), this.run(id), this.committee(id));
    if (step.do === 'answer') this.labelling.answer(step.place!, step.label!);
    if (step.do === 'skip') this.labelling.skip(step.place!);
    if (step.do === 'undo') this.labelling.undo();
    return this.labelling.state(queue);
  }

  /** The last other runs of the same target. */
  private committee(id: number): Trained[] {
    const { target } = this.run(id).run.settings;
    return [...this.runs.values()].filter(({ run }) => run.id !== id && run.settings.target === target).slice(-4);
  }

  /** The model of a run, or the single one beside it. */
  private modelOf(id: number, single: boolean): Classifier {
    if (single) this.single(id);
    return (single && this.singles.get(id)?.model) || this.run(id).model;
  }

  private data(): Reading {
    return this.reading ?? refuse('E_NOT_FOUND', 'no data are open');
  }

  private run(id: number): Trained {
    return this.runs.get(id) ?? refuse('E_NOT_FOUND', 'this run is no longer there; train again');
  }

  private loaded(): Classifier {
    return this.model ?? refuse('E_NOT_FOUND', 'no model is open');
  }
}
