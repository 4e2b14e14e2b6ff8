import type { State, StateOptions } from '../core/artifact.ts';
import type { Posterior } from '../core/posterior.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import {
  countedClasses,
  countedStates,
  learnedCounts,
  learnedWords,
  posteriorByOthers,
  requireWords,
  type WordClassifier,
} from '../estimators/counted-words.ts';
import type { LearnOptions } from '../estimators/lesson.ts';
import { decaySteps } from '../estimators/pipeline-learning.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { PipelineWords } from '../estimators/pipeline-words.ts';
import { fitSemiSupervised } from '../estimators/semi-supervised.ts';
import type { Growth } from '../text/growth.ts';
import type { OtherWords } from '../text/other-words.ts';
import { keepsAll, pruneRule } from '../text/prune.ts';
import { studyPruning } from '../text/pruning.ts';
import type { CountedWords } from '../text/word-counts.ts';
import type { DataRow } from './cells.ts';
import { type Counting, copyOf, familyOf, knowsSomething } from './learner-families.ts';
import type { Vectorizer } from './learner-options.ts';
import {
  type Counted,
  type LabelledRows,
  type LearnerParts,
  optionsOf,
  type PartlyLabelledRows,
  type Plan,
  requireSamePlan,
} from './learner-plan.ts';
import { classLogPrior, posteriorUnder, requirePriors } from './learner-priors.ts';
import { countPresent, readTable, type Table, textColumns, textOf } from './learner-table.ts';
import { type Change, move, moved, widthOf } from './learner-words.ts';

/** A change of a vocabulary that has been worked out and not yet made. */
type Pending = Growth & { commit(): void };

/**
 * A family over the columns of records: it reads cells, counts words, and keeps the statistic of its estimator, so that it
 * learns on, unlearns and merges. Whatever it does succeeds as a whole or leaves it as it was.
 */
export class RecordLearner implements LearnerParts {
  readonly plan: Plan;
  private readonly own: PipelineWords;
  /** Words that were counted elsewhere, until somebody looks at what they have taught: who saves them needs no more. */
  private waiting: CountedWords | undefined;

  /** The weight of each class, where the counts themselves were not saved. */
  private readonly slimCount: Float64Array | undefined;

  constructor(plan: Plan, { vectorizers, estimator }: LearnerParts, slimCount?: Float64Array) {
    this.plan = plan;
    this.slimCount = slimCount;
    this.own = new PipelineWords([...vectorizers, estimator]);
  }

  /** The vectorizers and the estimator behind them. */
  private get steps(): PipelineWords {
    const { waiting } = this;
    if (waiting) {
      this.waiting = undefined;
      const [vectorizer] = this.words as readonly CountVectorizer[];
      this.own.steps = [learnedWords(vectorizer, waiting), this.counted(waiting)];
    }
    return this.own;
  }

  /** What reads the columns of text. */
  get vectorizers(): readonly Vectorizer[] {
    return this.words;
  }

  /** The same, perhaps before they have learned: how they read is what they were told. */
  get readers(): readonly Vectorizer[] {
    return this.own.steps.slice(0, -1) as readonly Step[] as readonly Vectorizer[];
  }

  /** What counts. */
  get estimator(): Counting {
    return this.counting;
  }

  /** The sorted classes; none before anything is learned. */
  get classes(): Label[] {
    if (this.waiting) return countedClasses(this.waiting).classes;
    const estimator = this.steps.last as Counting; // few documents teach no class that it does not know
    return knowsSomething(estimator) ? estimator.classes : [];
  }

  /** The weight of each class. */
  get classCount(): Float64Array {
    return this.waiting ? countedClasses(this.waiting).documents : this.estimator.classCount;
  }

  /** How many columns each text has. */
  get widths(): number[] {
    return this.waiting ? [this.waiting.ends.length] : this.words.map(widthOf);
  }

  /** The pseudo-counts in use, where the family has any and something was learned. */
  get alpha(): unknown {
    const blank = this.own.last as Step as Counting;
    const { alpha } = (this.waiting ? blank.getParams() : this.estimator) as { alpha?: unknown };
    return this.classes.length > 0 ? alpha : undefined;
  }

  /** The vectorizers and the estimator as plain data. */
  states(options: StateOptions = {}): State[] {
    if (this.waiting && !options.slim) {
      const [vectorizer] = this.readers as readonly CountVectorizer[];
      return countedStates(vectorizer, this.own.last as unknown as WordClassifier, this.waiting);
    }
    return (options.slim ? this.steps.steps : this.steps.toSave).map((own) => own.toState(options));
  }

  /** Keeps the counts of words in as little room as they need. */
  condense(): void {
    this.steps.condense();
  }

  /** Learns from these rows alone, and answers what was counted. */
  fit(lesson: LabelledRows): Counted {
    return this.fitWith(lesson, lesson.labels, (estimator, table, options) => {
      estimator.fit(table, lesson.labels, options);
    });
  }

  /** The same from rows of which some have no label, by expectation–maximisation. */
  fitSemiSupervised({ labels, ...lesson }: PartlyLabelledRows): Counted {
    const known = labels.filter((label) => label !== null);
    return this.fitWith({ ...lesson, labels: known }, known, (estimator, table, options) => {
      fitSemiSupervised(estimator as never, table as never, labels, options);
    });
  }

  private fitWith(
    lesson: LabelledRows,
    labels: readonly Label[],
    learn: (estimator: Counting, table: Table, options: LearnOptions) => void,
  ): Counted {
    const options = optionsOf(lesson);
    requirePriors(this.plan.priors, labels);
    const vectorizers = this.words.map((vectorizer) => vectorizer.clone());
    const documents = this.documentsOf(lesson.rows);
    const blocks = vectorizers.map((vectorizer, b) => vectorizer.fitTransform(documents[b], undefined, options));
    const table = this.read(lesson.rows, blocks, true);
    const estimator = this.counting.clone();
    learn(estimator, table, options);
    this.steps.steps = [...vectorizers, estimator];
    return { table, blocks };
  }

  /** Takes over the words of its one text, which were counted elsewhere. */
  take(words: CountedWords): void {
    requireWords(words);
    requirePriors(this.plan.priors, countedClasses(words).classes);
    const blank = this.blank();
    this.own.steps = [...blank.words, blank.counting];
    this.waiting = words;
  }

  /** What an estimator of the same plan that has learned these words says of rows in their columns. */
  posteriorCounted(words: CountedWords, X: SparseMatrix): Posterior & { classes: Label[] } {
    const estimator = this.counted(words);
    const { classes } = estimator;
    const own = posteriorUnder(this.plan.priors, estimator, X);
    if (familyOf(this.plan.model).emptyRow === 'prior') return { ...own, classes };
    const logPrior = classLogPrior(this.plan.priors, classes, () => estimator.classCount);
    for (let i = 0; i < X.rows; i++) {
      if (X.indptr[i] === X.indptr[i + 1]) own.logProba.set(logPrior, i * classes.length); // no known word
    }
    return { ...own, classes };
  }

  /** The same by the words of other rows, as far as these ask for them; nothing where that is too little. */
  posteriorByOthers(words: OtherWords): (Posterior & { classes: Label[] }) | undefined {
    if (this.plan.priors !== 'empirical' || familyOf(this.plan.model).emptyRow !== 'prior') return undefined;
    return posteriorByOthers(this.own.last as unknown as WordClassifier, words);
  }

  /** Learns from further rows. */
  partialFit(lesson: LabelledRows): void {
    requirePriors(this.plan.priors, lesson.labels);
    const [documents] = this.documentsOf(lesson.rows);
    if (this.steps.learn(documents, lesson.labels, optionsOf(lesson))) return;
    this.study(lesson, 'study', (table, changes, options) => {
      const estimator = moved(this.counting, changes);
      estimator.partialFit(table, lesson.labels, options);
      return estimator;
    });
  }

  /** Takes away rows that were learned. */
  unlearn(lesson: LabelledRows): void {
    this.study(lesson, 'studyUnlearning', (table, changes, options) => {
      const estimator = changes.some(({ moves }) => moves) ? copyOf(this.counting) : this.counting;
      estimator.unlearn(table, lesson.labels, options);
      return move(estimator, changes);
    });
  }

  /** Adds what another learner of the same plan has learned. */
  merge(other: RecordLearner): void {
    requireSamePlan(this.plan, other.plan);
    const studies = this.words.map((vectorizer, b) => vectorizer.studyMerging(other.words[b] as never));
    const theirs = studies.map(({ features, theirs: moves }) => ({ features, moves }));
    const estimator = moved(this.counting, this.changes(studies));
    estimator.merge(moved(other.counting, other.changes(theirs)));
    this.commit(studies, estimator);
  }

  /** Multiplies the weight of everything learned by a factor. */
  decay(factor: number): void {
    decaySteps(this.steps.steps, 1, -Math.log2(factor));
  }

  /** Drops rare and common words by the rules that the vectorizers were given. */
  prune(): void {
    const studies = this.words.map((vectorizer): Pending => {
      const same = { features: widthOf(vectorizer), moves: undefined, commit: () => undefined };
      if (!(vectorizer instanceof CountVectorizer)) return same;
      const params = vectorizer.getParams();
      return params.vocabulary || keepsAll(pruneRule(params)) ? same : studyPruning(vectorizer);
    });
    this.commit(studies, moved(this.counting, this.changes(studies)));
  }

  /** ln p(c), as asked for or as counted: what is said of a row without any cell. */
  get logPrior(): Float64Array {
    return classLogPrior(this.plan.priors, this.classes, () => this.slimCount ?? this.classCount);
  }

  /** How many columns of each row are present. */
  presentIn(rows: readonly DataRow[]): Float64Array {
    const documents = this.documentsOf(rows);
    const live = this.steps.ahead ? this.steps.score('classPosterior', [...documents[0], '']) : undefined;
    if (live) return differsFromLast(live.joint); // the one text, without bringing the vectorizer up to date
    const blocks = this.words.map((vectorizer, b) => vectorizer.transform(documents[b]));
    return countPresent(rows, this.plan.columns, blocks);
  }

  /** ln p(c | x) and ln p(x) of rows; a row in which nothing is present gets the class prior. */
  posterior(rows: readonly DataRow[]): Posterior {
    const own = this.scored(rows);
    const { emptyRow } = familyOf(this.plan.model);
    const texts = textColumns(this.plan.columns).length > 0;
    if (emptyRow === 'prior' || (emptyRow === 'prior of columns' && !texts)) return own;
    const classes = own.logProba.length / rows.length;
    const { logProba: blank } = this.scored([{}]);
    const alike = rows.map((_, i) => i).filter((i) => blank.every((log, c) => log === own.logProba[i * classes + c]));
    if (alike.length === 0) return own;
    const present = this.presentIn(alike.map((i) => rows[i]));
    alike.forEach((i, k) => {
      if (present[k] === 0) own.logProba.set(this.logPrior, i * classes);
    });
    return own;
  }

  private scored(rows: readonly DataRow[]): Posterior {
    const live = this.steps.ahead && this.plan.priors === 'empirical';
    const scored = live && this.steps.score('classPosterior', this.documentsOf(rows)[0]);
    if (scored) return (this.steps.last as Counting).classPosterior(scored);
    return posteriorUnder(this.plan.priors, this.counting, this.tableOf(rows));
  }

  /** Rows to be judged, as the estimator takes them. */
  tableOf(rows: readonly DataRow[]): Table {
    const documents = this.documentsOf(rows);
    const blocks = this.words.map((vectorizer, b) => vectorizer.transform(documents[b]));
    return this.read(rows, blocks, false);
  }

  /** A learner of the same plan that has learned nothing. */
  blank(): RecordLearner {
    const vectorizers = this.words.map((vectorizer) => vectorizer.clone());
    return new RecordLearner(this.plan, { vectorizers, estimator: this.counting.clone() });
  }

  private counted(words: CountedWords): Counting {
    const estimator = learnedCounts(this.own.last as unknown as WordClassifier, words) as unknown as Counting;
    requirePriors(this.plan.priors, estimator.classes);
    return estimator;
  }

  private documentsOf(rows: readonly DataRow[]): string[][] {
    return textColumns(this.plan.columns).map(({ name }) => textOf(rows, name));
  }

  private read(rows: readonly DataRow[], blocks: readonly SparseMatrix[], learning: boolean): Table {
    return readTable(this.plan.model, this.plan.columns, rows, blocks, learning);
  }

  /** Works out what the words would become, changes the estimator or a copy of it, and only then the words. */
  private study(
    lesson: LabelledRows,
    method: 'study' | 'studyUnlearning',
    act: (table: Table, changes: readonly Change[], options: LearnOptions) => Counting,
  ): void {
    const options = optionsOf(lesson);
    const documents = this.documentsOf(lesson.rows);
    const studies = this.words.map((vectorizer, b) => vectorizer[method](documents[b], options));
    const blocks = studies.map((study) => study.rows());
    this.commit(studies, act(this.read(lesson.rows, blocks, true), this.changes(studies), options));
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

/** For every row but the last, 1 where its scores differ from those of the last one, an empty text, and 0 where no term is known. */
function differsFromLast({ rows, data, cols }: Matrix): Float64Array {
  const last = (rows - 1) * cols;
  return Float64Array.from({ length: rows - 1 }, (_, i) => {
    for (let c = 0; c < cols; c++) if (data[i * cols + c] !== data[last + c]) return 1;
    return 0;
  });
}
