import type { State, StateOptions } from '../core/artifact.ts';
import type { Posterior } from '../core/posterior.ts';
import { type ColumnTable, RecordTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { CodedColumn } from '../data/packed-columns.ts';
import { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { readWeights } from '../data/weights.ts';
import { PolyaError, refuse, unlessRefused } from '../errors.ts';
import { copyOf } from '../estimators/copy.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { type CountedTextState, refuseWordless } from '../estimators/counted-text.ts';
import { learnOptions } from '../estimators/fold-learning.ts';
import { HashingVectorizer } from '../estimators/hashing-vectorizer.ts';
import { damaged } from '../estimators/learned.ts';
import type { LearnOptions } from '../estimators/learning.ts';
import { decaySteps } from '../estimators/pipeline-learning.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { restore } from '../estimators/restore.ts';
import { fitSemiSupervised } from '../estimators/semi-supervised.ts';
import { SharedSteps } from '../estimators/shared-steps.ts';
import { sum } from '../math/arrays.ts';
import { logShares } from '../math/logs.ts';
import type { Document } from '../text/documents.ts';
import type { Growth, Study, StudyOptions } from '../text/growth.ts';
import { keepsAll, pruneRule } from '../text/prune.ts';
import { studyPruning } from '../text/pruning.ts';
import { termsOf } from './informative.ts';
import {
  countPresent,
  type EstimatorInput,
  type ReadColumn,
  type Reading,
  readTable,
  textColumns,
} from './learner-columns.ts';
import {
  type Counting,
  type FamilyName,
  familyOf,
  knowsSomething,
  logPriorOf,
  makeEstimator,
  type Priors,
  posteriorUnder,
  requirePriors,
} from './learner-families.ts';
import type { Vectorizer } from './learner-recipe.ts';
import { type LabelledRows, type Predictor, refuseMismatch, type Scores, type Term } from './predictor.ts';

/** What a learner is, apart from what it has learned: two of the same plan can be merged. */
export interface Plan {
  readonly model: FamilyName;
  readonly columns: readonly ReadColumn[];
  readonly priors: Priors;
}

/** What reads and what counts: a vectorizer for each column of text, and an estimator. */
interface LearnerParts {
  readonly vectorizers: readonly Vectorizer[];
  readonly estimator: Counting;
  /** Whether rows may have weights that are no whole numbers. */
  readonly fractional?: boolean | undefined;
}

/** Rows whose labels may be numbers into a list of the different ones. */
export interface CodedRows extends Omit<LabelledRows, 'labels'> {
  readonly labels: readonly Label[] | CodedColumn<Label>;
}

/** Rows of which some have no label. */
export interface PartlyLabelledRows extends Omit<LabelledRows, 'labels'> {
  readonly labels: readonly (Label | null)[];
}

/** Refuses learners of two plans. */
function requireSamePlan(mine: Plan, theirs: Plan): void {
  if (JSON.stringify(mine) === JSON.stringify(theirs)) return;
  const advice = 'fit both with the schema and the options of one of them';
  refuse('E_MERGE_MISMATCH', `the two classifiers differ in family, columns, cuts or priors; ${advice}`, {
    expected: mine.model,
    actual: theirs.model,
  });
}

/** A change of a vocabulary that has been worked out and not yet made. */
type Pending = Growth & { commit(): void };

/** What a learner has learned, as plain data. */
export interface LearnerState extends Required<Pick<State, 'learned' | 'steps'>> {
  /** Counts of words that the steps, blank, are to be filled with. */
  readonly counts?: CountedTextState | undefined;
  readonly fractional?: boolean | undefined;
}

/** Readings whose cells are counted in whole numbers. */
const WHOLE: ReadonlySet<Reading> = new Set(['text', 'flag', 'level', 'bin']);

/**
 * A family over the columns of a table: it reads cells, counts words, and keeps the statistic of its estimator, so that it can learn
 * more, unlearn and merge. Every method succeeds as a whole or changes nothing.
 */
export class RecordLearner implements Predictor, Omit<LearnerParts, 'fractional'> {
  readonly plan: Plan;
  private readonly steps: SharedSteps;

  /** The weight of each class, where the counts themselves were not saved. */
  private readonly slimCount: Float64Array | undefined;

  /** Whether rows may have weights that are no whole numbers. */
  private fractional: boolean;

  constructor(
    plan: Plan,
    { vectorizers, estimator, fractional = false }: LearnerParts,
    slimCount?: Float64Array,
    beside?: RecordLearner,
  ) {
    this.plan = plan;
    this.slimCount = slimCount;
    this.fractional = fractional;
    this.steps = new SharedSteps([...vectorizers, estimator], beside?.steps);
  }

  /** The inverse of `toState`, for a plan that was checked; a state that does not fit is refused as a damaged model. */
  static fromState(plan: Plan, { learned, steps, counts, fractional }: LearnerState): RecordLearner {
    const texts = textColumns(plan.columns).length;
    if (steps.length !== texts + 1) return damaged('its numbers of texts and vocabularies differ');
    const vectorizers = steps.slice(0, texts).map(readVectorizer);
    const last = steps[texts];
    const estimator = makeEstimator(plan.model, last.params);
    if (estimator.kind !== last.kind) return damaged('its estimator is of another family');
    const parts = { vectorizers, estimator: restore(estimator, last), fractional };
    const slim = last.learned.slim === true;
    const shares = slim ? (readShares(learned.classShares) ?? sharesOf(parts.estimator)) : undefined;
    const learner = new RecordLearner(plan, parts, shares);
    if (counts && !learner.steps.addCounts(counts)) damaged('its counts are too large');
    return learner;
  }

  /** What was learned, as plain data that can be sent to another thread. */
  toState(): LearnerState {
    const { fractional } = this;
    const counts = this.steps.toCounts();
    if (!counts) return { ...this.toFile(), fractional };
    return { learned: {}, steps: this.steps.unfitted.map((step) => step.clone().toState()), counts, fractional };
  }

  /** The learner as the state of a file. */
  saved(options?: StateOptions): State {
    return {
      kind: 'RecordLearner',
      params: JSON.parse(JSON.stringify(this.plan)),
      arrays: {},
      ...this.toFile(options),
    };
  }

  private toFile(options: StateOptions = {}): Pick<LearnerState, 'learned' | 'steps'> {
    const steps = (options.slim ? this.steps.steps : this.steps.toSave(options.streamed)).map((own) =>
      own.toState(options),
    );
    const slim = steps.at(-1)?.learned.slim === true;
    return { learned: slim ? { classShares: Array.from(this.logPrior, Math.exp) } : {}, steps };
  }

  /** Whether all sums are whole numbers, so that the order in which rows are added, or learners merged, cannot change them. */
  get exact(): boolean {
    if (this.fractional || this.counting.settles || this.counting.getParams().reproducible) return false;
    if (!this.plan.columns.every(({ reading }) => WHOLE.has(reading))) return false;
    return !knowsSomething(this.counting) || this.counted.every(Number.isInteger);
  }

  /** What reads the columns of text. */
  get vectorizers(): readonly Vectorizer[] {
    return this.words;
  }

  /** What counts. */
  get estimator(): Counting {
    return this.counting;
  }

  /** The sorted classes; none before anything is learned. */
  get classes(): Label[] {
    return this.steps.classes ?? (knowsSomething(this.counting) ? this.counting.classes : []);
  }

  /** The weight of each class; undefined if it was saved without counts. */
  get classCount(): Float64Array | undefined {
    if (this.slimCount) return undefined;
    return this.classes.length > 0 ? this.counted : new Float64Array(0);
  }

  private get counted(): Float64Array {
    return this.steps.classCount ?? this.estimator.classCount;
  }

  /** The columns of records that it reads. */
  get columns(): readonly { readonly name: string }[] {
    const names = new Set(this.plan.columns.map(({ name, from = name }) => from));
    return Array.from(names, (name) => ({ name }));
  }

  /** The options of what reads each text, and how many columns the text has. */
  get texts(): readonly { readonly step: Vectorizer; readonly width: number }[] {
    const { features, unfitted } = this.steps; // to ask the vectorizers would copy all counts
    const steps = unfitted.slice(0, -1) as readonly Step[] as readonly Vectorizer[];
    return steps.map((step, b) => ({ step, width: features ?? widthOf(this.words[b]) }));
  }

  /** The pseudo-counts in use, where the family has any and something was learned. */
  get alpha(): unknown {
    if (this.classes.length === 0) return undefined;
    const { features, unfitted } = this.steps; // shared counts have the pseudo-counts that were given
    const given = () => (unfitted.at(-1) as Step as Counting).getParams();
    const { alpha } = (features === undefined ? this.estimator : given()) as { alpha?: unknown };
    return alpha;
  }

  /** Drops what can be derived from the counts of words. */
  condense(): void {
    this.steps.condense();
  }

  /** Learns from these rows alone. */
  fit(training: LabelledRows): void {
    this.fitWith(training, training.labels, (estimator, input, options) => {
      estimator.fit(input, training.labels, options);
    });
  }

  /** The same from rows of which some have no label, by expectation–maximisation. */
  fitSemiSupervised({ labels, ...training }: PartlyLabelledRows): void {
    const known = labels.filter((label) => label !== null);
    this.fitWith({ ...training, labels: known }, known, (estimator, input, options) => {
      fitSemiSupervised(estimator as never, input as never, labels, options);
    });
  }

  private fitWith(
    training: LabelledRows,
    labels: readonly Label[],
    learn: (estimator: Counting, input: EstimatorInput, options: LearnOptions) => void,
  ): void {
    const options = learnOptions(training.weights, training.signal);
    requirePriors(this.plan.priors, labels);
    this.notice(training);
    const vectorizers = this.words.map((vectorizer) => vectorizer.clone());
    const documents = this.documentsOf(training.table);
    const blocks = vectorizers.map((vectorizer, b) => vectorizer.fitTransform(documents[b], undefined, options));
    const estimator = this.counting.clone();
    learn(estimator, this.read(training.table, blocks, true), options);
    this.steps.steps = [...vectorizers, estimator];
  }

  /** Learns from further rows. */
  partialFit(training: CodedRows): void {
    const { labels } = training;
    requirePriors(this.plan.priors, labels instanceof CodedColumn ? labels.values : labels);
    this.learn('partialFit', training);
  }

  /** Takes away rows that were learned. */
  unlearn(training: LabelledRows): void {
    this.learn('unlearn', training);
  }

  /** Learns or unlearns rows when the returned function is called. A learner is the only predictor of its classifier. */
  change(method: 'partialFit' | 'unlearn', rows: LabelledRows): () => void {
    return () => this[method](rows);
  }

  /** The same for `merge`. */
  mergeLater(other: Predictor): () => void {
    return () => this.merge(other instanceof RecordLearner ? other : refuseMismatch());
  }

  /** Adds what another learner of the same plan has learned. */
  merge(other: RecordLearner): void {
    requireSamePlan(this.plan, other.plan);
    this.fractional ||= other.fractional;
    if (this.steps.merge(other.steps)) return;
    const studies = this.words.map((vectorizer, b) => vectorizer.studyMerging(other.words[b] as never));
    const theirs = studies.map(({ features, theirs: moves }) => ({ features, moves }));
    const estimator = moved(this.counting, this.changes(studies));
    estimator.merge(moved(other.counting, other.changes(theirs)));
    this.commit(studies, estimator);
  }

  /** Adds what another learner of the same plan has learned, as `toState` has it. */
  mergeState(state: LearnerState): void {
    this.fractional ||= state.fractional === true;
    if (!state.counts || !this.steps.addCounts(state.counts)) this.merge(RecordLearner.fromState(this.plan, state));
  }

  /** Multiplies the weight of everything learned by a factor. */
  decay(factor: number): void {
    this.fractional ||= factor !== 1;
    decaySteps(this.steps.steps, 1, -Math.log2(factor));
  }

  /**
   * Ends learning in parts: refuses texts without any word and columns that cannot be estimated, as those with a singular covariance, and
   * drops rare and common words as the vectorizers were asked to. Words are estimated later, when they are asked for.
   */
  finish(): void {
    if (this.texts.some(({ width }) => width === 0)) refuseWordless();
    this.prune();
    if (this.texts.length === 0) this.counting.inside();
  }

  /** Whether the vectorizers were asked to drop rare or common words. */
  get prunes(): boolean {
    return this.steps.unfitted.some(prunesBy);
  }

  private prune(): void {
    if (!this.prunes) return;
    const studies = this.words.map((vectorizer): Pending => {
      if (prunesBy(vectorizer)) return studyPruning(vectorizer);
      return { features: widthOf(vectorizer), moves: undefined, commit: () => undefined };
    });
    this.commit(studies, moved(this.counting, this.changes(studies)));
  }

  /** A learner that has learned the same. */
  copy(): RecordLearner {
    const copy = this.blank();
    copy.merge(this);
    return copy;
  }

  /** ln p(c), as asked for or as counted: what is said of a row without any cell. */
  get logPrior(): Float64Array {
    return logPriorOf(this.plan.priors, this.classes) ?? logShares(this.slimCount ?? this.counted);
  }

  /** How many columns of each row are present. */
  presentIn(table: ColumnTable): Float64Array {
    const documents = this.documentsOf(table);
    const known = this.steps.knownTerms(documents[0]);
    if (known) return known.map((terms) => Number(terms > 0));
    return countPresent(table, this.plan.columns, this.blocksOf(table, documents));
  }

  /** Log-posteriors of rows, and ln p(x) where scores are densities; a row in which nothing is present gets the class prior. */
  scores(table: ColumnTable): Scores {
    const { logProba: data, logEvidence } = this.posterior(table);
    const logProba = new Matrix(table.length, data.length / table.length, data);
    const { emptyRow } = familyOf(this.plan.model);
    if (emptyRow === 'other' || (emptyRow === 'prior of columns' && textColumns(this.plan.columns).length > 0))
      this.fillEmpty(logProba, table);
    return {
      logProba,
      logEvidence: this.plan.model === 'complement' ? undefined : logEvidence,
      present: () => this.presentIn(table),
    };
  }

  /** Puts the class prior in the place of what the estimator says of rows without any cell. */
  private fillEmpty(logProba: Matrix, table: ColumnTable): void {
    const { logProba: blank } = this.posterior(new RecordTable([{}]));
    const all = Array.from({ length: table.length }, (_, i) => i);
    const alike = all.filter((i) => blank.every((log, c) => log === logProba.at(i, c)));
    if (alike.length === 0) return;
    const present = this.presentIn(table.take(alike));
    alike.forEach((i, k) => {
      if (present[k] === 0) logProba.row(i).set(this.logPrior);
    });
  }

  private posterior(table: ColumnTable): Posterior {
    const scores = this.plan.priors === 'empirical' ? this.steps.scores(this.documentsOf(table)[0]) : undefined;
    return scores?.classPosterior() ?? posteriorUnder(this.plan.priors, this.counting, this.inputOf(table));
  }

  /** What cells and words of the first row add to the score of each class, and what belongs to none of them. */
  terms(table: ColumnTable): { terms: Term[]; rest: Float64Array } {
    return this.presentIn(table)[0] > 0 ? termsOf(this, table) : { terms: [], rest: this.logPrior };
  }

  /** Rows to be scored, as the estimator takes them. */
  inputOf(table: ColumnTable): EstimatorInput {
    return this.read(table, this.blocksOf(table), false);
  }

  /** A learner of the same plan that has learned nothing; it may share the words of another one, see `SharedSteps`. */
  blank(beside?: RecordLearner): RecordLearner {
    const steps = this.steps.unfitted.map((step) => step.clone());
    const vectorizers = steps.slice(0, -1) as readonly Step[] as readonly Vectorizer[];
    const estimator = steps.at(-1) as Step as Counting;
    return new RecordLearner(this.plan, { vectorizers, estimator, fractional: this.fractional }, undefined, beside);
  }

  /** Gives the memory back; the learner must not be used afterwards. */
  drop(): void {
    this.steps.drop();
  }

  /** Notes whether rows weigh whole numbers. */
  private notice({ weights }: Pick<LabelledRows, 'weights'>): void {
    this.fractional ||= weights?.every(Number.isInteger) === false;
  }

  private documentsOf(table: ColumnTable): (readonly Document[])[] {
    return textColumns(this.plan.columns).map(({ name }) => table.column(name).documents());
  }

  /** The counted words of texts. */
  private blocksOf(table: ColumnTable, documents = this.documentsOf(table)): SparseMatrix[] {
    return this.words.map((vectorizer, b) => vectorizer.transform(documents[b]));
  }

  private read(table: ColumnTable, blocks: readonly SparseMatrix[], learning: boolean): EstimatorInput {
    return readTable(this.plan.model, this.plan.columns, table, blocks, learning);
  }

  /**
   * Learns or unlearns rows. Where documents are all that is learned, their counts are shared; otherwise works out what the words would
   * become, changes the estimator or a copy of it, and only then the words.
   */
  private learn(method: 'partialFit' | 'unlearn', { table, labels, weights, signal }: CodedRows): void {
    const learns = method === 'partialFit';
    const options = learnOptions(weights, signal);
    const documents = this.documentsOf(table);
    const listed = documents.length > 0 && labels instanceof CodedColumn ? labels.toArray() : labels;
    this.notice({ weights });
    if (!(listed instanceof CodedColumn)) {
      const [texts] = documents;
      if (learns ? this.steps.learn(texts, listed, options, true) : this.steps.unlearn(texts, listed, options)) return;
    }
    const studies = this.words.map((vectorizer, b) =>
      learns ? studyWords(vectorizer, documents[b], options) : vectorizer.studyUnlearning(documents[b], options),
    );
    const input = this.read(
      table,
      studies.map((study) => study.rows()),
      true,
    );
    const changes = this.changes(studies);
    const grown = learns
      ? moved(this.counting, changes)
      : changes.some(({ moves }) => moves)
        ? copyOf(this.counting)
        : this.counting;
    if (learns) grown.partialFit(input, listed, options);
    else grown.unlearn(input, listed as readonly Label[], options);
    this.commit(studies, learns ? grown : move(grown, changes));
  }

  private changes(studies: readonly Growth[]): Change[] {
    const texts = textColumns(this.plan.columns);
    const { words } = this;
    return studies.map(({ features, moves }, b) => ({
      name: texts[b].name,
      before: widthOf(words[b]),
      features,
      moves,
    }));
  }

  private commit(studies: readonly Pending[], estimator: Counting): void {
    for (const study of studies) study.commit();
    this.steps.steps = [...this.words, estimator];
  }

  private get words(): readonly Vectorizer[] {
    return this.steps.steps.slice(0, -1) as readonly Step[] as readonly Vectorizer[];
  }

  private get counting(): Counting {
    return this.steps.steps.at(-1) as Step as Counting;
  }
}

/** The shares of the classes that a slim state has in the place of counts; files of version 0.1 have none. */
function readShares(value: JsonValue | undefined): Float64Array | undefined {
  if (value === undefined) return undefined;
  const fits = Array.isArray(value) && value.every((share) => (share as number) >= 0 && (share as number) <= 1);
  return fits ? Float64Array.from(value as number[]) : damaged('its class prior is wrong');
}

function sharesOf(estimator: Counting): Float64Array {
  const { model, params } = estimator.inside();
  return model.logPrior(params as never).map(Math.exp);
}

function readVectorizer(state: State): Vectorizer {
  if (state.kind === 'CountVectorizer') return restore(new CountVectorizer(state.params as never), state);
  if (state.kind === 'HashingVectorizer') return restore(new HashingVectorizer(state.params as never), state);
  return damaged('it reads text without a vectorizer');
}

/** Whether a step is a vectorizer that was asked to drop rare or common words. */
function prunesBy(step: Step | Vectorizer): step is CountVectorizer {
  if (!(step instanceof CountVectorizer)) return false;
  const params = step.getParams();
  return !params.vocabulary && !keepsAll(pruneRule(params));
}

/** How many columns of words a vectorizer has. */
function widthOf(vectorizer: Vectorizer): number {
  if (!(vectorizer instanceof CountVectorizer)) return vectorizer.getParams().nFeatures;
  return unlessRefused(() => vectorizer.known().columns.ids.length, 'E_NOT_FITTED') ?? 0;
}

/** What a vectorizer would become by learning documents. A part of the rows may hold no word, unlike all rows together. */
function studyWords(
  vectorizer: Vectorizer,
  documents: readonly Document[],
  options: StudyOptions,
): Study<SparseMatrix> {
  try {
    return vectorizer.study(documents, options);
  } catch (cause) {
    const wordless = cause instanceof PolyaError && cause.code === 'E_EMPTY_INPUT' && documents.length > 0;
    if (!wordless || !(vectorizer instanceof CountVectorizer)) throw cause;
    const weight = sum(readWeights(options.sampleWeight, documents.length));
    const none = new Float64Array(0);
    const before = vectorizer.learnedVocabulary ?? vectorizer.blank();
    const next = before.learn({ documents: weight, df: none, tf: none });
    return {
      features: 0,
      moves: undefined,
      rows: () =>
        SparseMatrix.fromRows(
          documents.map(() => []),
          0,
        ),
      commit: () => void vectorizer.adopt(() => next),
    };
  }
}

/** A block of words that changes: the column of text it is of, how wide it was, and where its columns go. */
interface Change extends Growth {
  readonly name: string;
  readonly before: number;
}

/** Where the columns of all blocks side by side go. */
function sideBySide(changes: readonly Change[]): { features: number; place: Int32Array } {
  const place = new Int32Array(changes.reduce((sum, { before }) => sum + before, 0));
  let [from, to] = [0, 0];
  for (const { before, features, moves } of changes) {
    for (let j = 0; j < before; j++) {
      const at = moves ? moves[j] : j;
      place[from + j] = at < 0 ? -1 : to + at;
    }
    from += before;
    to += features;
  }
  return { features: to, place };
}

/** The estimator itself, or where words move a copy of it with its features in their new places. */
function moved(estimator: Counting, changes: readonly Change[]): Counting {
  return changes.some(({ moves }) => moves) ? move(copyOf(estimator), changes) : estimator;
}

/** Moves the features of an estimator to where words have gone. */
function move(estimator: Counting, changes: readonly Change[]): Counting {
  if (changes.every(({ moves }) => !moves) || !knowsSomething(estimator)) return estimator;
  if (hasBlocks(estimator)) {
    for (const { name, features, moves } of changes) if (moves) estimator.moveColumn(name, features, moves);
  } else {
    const { features, place } = sideBySide(changes);
    estimator.moveFeatures(features, place);
  }
  return estimator;
}

/** An estimator in which every text is a block of its own. */
interface Blocks {
  moveColumn(name: string, features: number, place: Int32Array): unknown;
}

const hasBlocks = (estimator: Counting): estimator is Counting & Blocks => 'moveColumn' in estimator;
