import type { State } from '../core/artifact.ts';
import { compareLabels, type Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Tensor } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Contribution } from '../estimators/explanation.ts';
import { damaged, type SavedArrays, tensor } from '../estimators/persist.ts';
import { addScaledInto, remainder, sum } from '../math/arrays.ts';
import { logShares } from '../math/logs.ts';
import { requireEnough } from '../stats/additive.ts';
import { Bags } from '../text/bag.ts';
import { Columns } from '../text/columns.ts';
import { type Document, requireDocument } from '../text/documents.ts';
import { grown } from '../text/grown.ts';
import type { Reader } from '../text/reader.ts';
import { Vocabulary } from '../text/vocabulary.ts';
import { fromUnits, rootShare, TermCells, unitsOf } from './text-cells.ts';
import { baseWeight, cellWeight, type EventModel } from './text-counts.ts';
import { type ExplainedTerm, type ExplainedView, explainByWord } from './text-explain.ts';

/** A model of the counts of a view, as a member of an ensemble. */
export interface ViewMember {
  readonly model: EventModel;
  readonly alpha: number;
  /** How much its scores count. */
  readonly factor: number;
  /** The weight of a term that has none of its own. */
  readonly initial: number;
  /** Weights of terms by their ids; NaN for a term without one. Undefined if all terms have the initial weight. */
  readonly weights: Float32Array | undefined;
}

/** Documents with the numbers of their classes, and how much each counts. */
export interface CodedDocuments {
  readonly documents: readonly Document[];
  readonly codes: Int32Array;
  readonly weights?: Float64Array | undefined;
}

/** What each term of a document adds to the score of each class, and how often it occurs. */
type EachTerm = (id: number, byClass: Float64Array, count: number) => void;

/**
 * One view of the text that keeps its counts, and the members of an ensemble that score by them:
 *
 *   S[c] = Σ_m f_m Σⱼ xⱼ g_m[j] w_m[j,c],   xⱼ = √(count of j / count of all known terms)              (1)
 *
 * with the weights w of `ClassCells.scorer`. The weights of cells are estimated when they are first needed after a change.
 */
export class LearningView {
  readonly name: string;
  /** How texts are read. */
  readonly vectorizer: CountVectorizer;
  readonly members: readonly ViewMember[];
  readonly cells: TermCells;
  private readonly reader: Reader;
  private bases: readonly Float64Array[] | undefined;
  private estimated = new Float64Array(0);

  constructor(name: string, vectorizer: CountVectorizer, members: readonly ViewMember[], cells = new TermCells()) {
    this.name = name;
    this.vectorizer = vectorizer;
    this.reader = vectorizer.known().reader;
    this.members = members;
    this.cells = cells;
  }

  /** The same view and members, without counts. */
  blank(): LearningView {
    return new LearningView(this.name, this.vectorizer, this.members);
  }

  /** Reads documents and returns a function that counts them. */
  learn(lesson: CodedDocuments): () => void {
    const bags = this.read(lesson, true);
    return () => {
      eachCell(bags, lesson, (id, c, amount) => {
        this.cells.add(id, c, amount);
        this.changed(id);
      });
    };
  }

  /** Checks that documents were counted and returns a function that subtracts them. */
  unlearn(lesson: CodedDocuments, classes: number): () => void {
    const { cells } = this;
    const sums = new Map<number, number>();
    eachCell(this.read(lesson, false), lesson, (id, c, amount) => {
      const key = id * classes + c;
      sums.set(key, (sums.get(key) ?? 0) + amount);
    });
    const each = (act: (id: number, c: number, amount: number) => void) => {
      for (const [key, amount] of sums) act(Math.floor(key / classes), key % classes, amount);
    };
    each((id, c, amount) => requireEnough([cells.at(id, c)], [amount], 's'));
    return () => {
      each((id, c, amount) => {
        cells.subtract(id, c, amount);
        this.changed(id);
      });
    };
  }

  /** The terms of documents. Unless they are learned, all of them must be known. */
  private read({ documents }: CodedDocuments, learns: boolean): Bags {
    const bags = new Bags();
    if (
      this.reader.readMany(
        documents,
        documents.map((_, i) => i),
        learns,
        bags,
      ) > 0 &&
      !learns
    ) {
      refuse('E_UNLEARN_UNDERFLOW', 'a document holds a term that was never learned');
    }
    return bags;
  }

  /** Adds what another view has counted; its class c is place[c] here. */
  merge(other: LearningView, place: Int32Array): void {
    const ids = Uint32Array.from(other.cells.known());
    const own = this.reader.idsOf(other.reader.encode(ids));
    const { ends, classes, sums } = other.cells.listed(ids);
    for (let k = 0, cell = 0; k < ids.length; k++) {
      for (; cell < ends[k]; cell++) this.cells.add(own[k], place[classes[cell]], sums[cell]);
      this.changed(own[k]);
    }
  }

  /** Multiplies all counts by a factor. */
  decay(factor: number): void {
    this.cells.scale(factor);
    this.bases = undefined;
    this.estimated.fill(Number.NaN);
  }

  /** Invalidates what was estimated from the counts of a term. */
  private changed(id: number): void {
    const { cells } = this;
    this.bases = undefined;
    for (let cell = cells.begin(id); cell >= 0; cell = cells.next(cell)) this.estimated[cell] = Number.NaN;
  }

  /** Adds the scores of a document; returns whether it has a known term. `each` is called with what every term adds. */
  addScores(document: Document, row: number, scores: Float64Array, each?: EachTerm): boolean {
    const { ids, counts } = this.reader.read(requireDocument(document, row), row, false);
    let total = 0;
    for (let k = 0; k < ids.length; k++) if (this.cells.total(ids[k]) > 0) total += counts[k];
    if (total === 0) return false;
    const bases = this.basesOf(scores.length);
    const lengths = new Float64Array(bases.length);
    for (let k = 0; k < ids.length; k++) {
      const id = ids[k];
      if (this.cells.total(id) === 0) continue;
      const x = Math.sqrt(counts[k] / total);
      for (let m = 0; m < lengths.length; m++) lengths[m] += x * this.weightOf(m, id);
      this.addCells(id, x, scores);
      if (each) {
        const byClass = new Float64Array(scores.length);
        this.addTerm(id, x, byClass);
        each(id, byClass, counts[k]);
      }
    }
    for (let m = 0; m < lengths.length; m++) addScaledInto(scores, lengths[m], bases[m]);
    return true;
  }

  /** What the terms of a document add to the scores of the listed classes. */
  explained(document: Document, row: number, classes: number, shown: readonly number[]): ExplainedView {
    const { reader, vectorizer } = this;
    const terms = new Map<number, ExplainedTerm>();
    this.addScores(document, row, new Float64Array(classes), (id, byClass, count) => {
      terms.set(id, { byClass: Float64Array.from(shown, (c) => byClass[c]), count });
    });
    const read = (word: string) => reader.read(word, row, false);
    return { vectorizer, terms, nameOf: (id) => reader.term(id), read };
  }

  /** Adds what x of a term adds to the score of every class. */
  addTerm(id: number, x: number, byClass: Float64Array): void {
    this.basesOf(byClass.length).forEach((base, m) => {
      addScaledInto(byClass, x * this.weightOf(m, id), base);
    });
    this.addCells(id, x, byClass);
  }

  private addCells(id: number, x: number, scores: Float64Array): void {
    const { cells } = this;
    if (this.estimated.length < cells.size) this.estimated = grown(this.estimated, cells.size, Number.NaN);
    for (let cell = cells.begin(id); cell >= 0; cell = cells.next(cell)) {
      let weight = this.estimated[cell];
      if (Number.isNaN(weight)) weight = this.estimated[cell] = this.estimate(id, cell);
      scores[cells.classOf(cell)] += x * weight;
    }
  }

  private estimate(id: number, cell: number): number {
    const { cells, members } = this;
    const own = cells.sum(cell);
    let weight = 0;
    for (let m = 0; m < members.length; m++) {
      const { model, alpha, factor } = members[m];
      weight += factor * this.weightOf(m, id) * cellWeight(model, own, cells.total(id), alpha);
    }
    return weight;
  }

  private weightOf(m: number, id: number): number {
    const { weights, initial } = this.members[m];
    const own = weights && id < weights.length ? weights[id] : Number.NaN;
    return Number.isNaN(own) ? initial : own;
  }

  /** What every term adds to the score of each class, by member. */
  private basesOf(classes: number): readonly Float64Array[] {
    if (this.bases?.[0].length === classes) return this.bases;
    const { cells, members } = this;
    const all = sum(cells.byClass);
    const baseOf = ({ model, alpha, factor }: ViewMember, c: number) =>
      factor * baseWeight(model, cells.byClass[c] ?? 0, all, alpha * cells.terms);
    this.bases = members.map((member) => Float64Array.from({ length: classes }, (_, c) => baseOf(member, c)));
    return this.bases;
  }

  /** A vectorizer with a column for every term that has counts. */
  current(): CountVectorizer {
    const { reader, cells } = this;
    const columns = Columns.sorted(reader, (id) => cells.total(id) > 0);
    const counts = { documents: 0, df: new Float64Array(0), tf: new Float64Array(0), left: 'none' as const };
    return this.vectorizer.clone().adopt(() => new Vocabulary(reader, columns, false, counts));
  }

  /** Adds the view to the arrays of a state, by its number; returns the state of its vectorizer. */
  save(v: number, arrays: Record<string, Tensor>): State {
    const vectorizer = this.current();
    const { ids } = vectorizer.known().columns;
    const { ends, classes, sums } = this.cells.listed(ids);
    const units = unitsOf(sums);
    arrays[`ends${v}`] = { shape: [ends.length], data: ends };
    arrays[`classes${v}`] = { shape: [classes.length], data: classes };
    arrays[`${units ? 'units' : 'sums'}${v}`] = { shape: [sums.length], data: units ?? sums };
    this.members.forEach(({ weights }, m) => {
      if (!weights) return;
      const own = Float32Array.from(ids, (id) => (id < weights.length ? weights[id] : Number.NaN));
      arrays[`weights${v}.${m}`] = { shape: [own.length], data: own };
    });
    return vectorizer.toState({ slim: true });
  }

  /** The inverse of `save`; takes nothing on trust. */
  static load(
    name: string,
    v: number,
    vectorizer: CountVectorizer,
    members: readonly Omit<ViewMember, 'weights'>[],
    arrays: SavedArrays,
    classes: number,
  ): LearningView {
    const { columns } = vectorizer.known();
    const terms = columns.ids.length;
    const ends = arrays.take(`ends${v}`, terms);
    const size = ends[terms - 1] ?? 0;
    const codes = arrays.take(`classes${v}`, size);
    const sums = arrays.has(`units${v}`) ? fromUnits(arrays.take(`units${v}`, size)) : arrays.take(`sums${v}`, size);
    const fits =
      ends.every((end, k) => Number.isInteger(end) && end >= (k > 0 ? ends[k - 1] : 0)) &&
      codes.every((c) => c < classes) &&
      sums.every((sum) => sum > 0 && sum < Infinity);
    if (!fits) damaged('the counts of its terms are wrong');
    const cells = TermCells.of({ ends, classes: codes, sums }, columns.ids);
    const own = members.map((member, m): ViewMember => {
      if (!arrays.has(`weights${v}.${m}`)) return { ...member, weights: undefined };
      const saved = arrays.take(`weights${v}.${m}`, terms);
      if (saved.some((weight) => weight < 0 || weight === Infinity)) damaged('the weight of a term is wrong');
      const weights = new Float32Array(vectorizer.known().reader.size).fill(Number.NaN);
      columns.ids.forEach((id, k) => {
        weights[id] = saved[k];
      });
      return { ...member, weights };
    });
    return new LearningView(name, vectorizer, own, cells);
  }
}

/** Calls `act` with the cell of every term of every document, as much as the document counts. */
function eachCell(
  bags: Bags,
  { codes, weights }: CodedDocuments,
  act: (id: number, c: number, amount: number) => void,
): void {
  for (let i = 0; i < bags.rows; i++) {
    const { ids, counts } = bags.row(i);
    const weight = weights?.[i] ?? 1;
    let total = 0;
    for (let k = 0; k < ids.length; k++) total += counts[k];
    for (let k = 0; k < ids.length; k++) act(ids[k], codes[i], weight * rootShare(counts[k], total));
  }
}

/** The counts of an ensemble of text, by class and in every view, and the scores that follow from them. */
export class LearningText {
  readonly views: readonly LearningView[];
  /** The label of every class by its number, in order of arrival. */
  readonly labels: Label[];
  /** The weight of the documents of every class. */
  private n: Float64Array;
  /** By the classes of the fit. */
  private readonly bias: Float64Array;

  constructor(labels: readonly Label[], n: Float64Array, bias: Float64Array, views: readonly LearningView[]) {
    this.labels = [...labels];
    this.n = n;
    this.bias = bias;
    this.views = views;
  }

  /** The classes that have documents, sorted. */
  get classes(): Label[] {
    return this.shown.map((c) => this.labels[c]);
  }

  /** The numbers of the classes that have documents, in the order of their labels. */
  get shown(): number[] {
    const { labels, n } = this;
    return [...labels.keys()].filter((c) => n[c] > 0).sort((a, b) => compareLabels(labels[a], labels[b]));
  }

  /** How many classes the fit had; they have the first numbers. */
  get fitted(): number {
    return this.bias.length;
  }

  /** By class: the weight of its documents. */
  get classCount(): Float64Array {
    return Float64Array.from(this.shown, (c) => this.n[c]);
  }

  get logPrior(): Float64Array {
    return logShares(this.classCount);
  }

  /** The scores of a document without any term. */
  get start(): Float64Array {
    const logPrior = this.logPrior;
    const factor = this.views.reduce((sum, { members }) => members.reduce((own, m) => own + m.factor, sum), 0);
    return Float64Array.from(this.shown, (c, k) => (this.bias[c] ?? 0) + factor * logPrior[k]);
  }

  /** Pooled scores of documents by class, and whether each has a known term. */
  scores(documents: readonly Document[]): { scores: Matrix; known: Uint8Array } {
    const { shown, start } = this;
    const scores = new Matrix(documents.length, shown.length);
    const known = new Uint8Array(documents.length);
    const own = new Float64Array(this.labels.length);
    documents.forEach((document, i) => {
      own.fill(0);
      for (const view of this.views) if (view.addScores(document, i, own)) known[i] = 1;
      const row = scores.row(i);
      for (let k = 0; k < row.length; k++) row[k] = start[k] + own[shown[k]];
    });
    return { scores, known };
  }

  /** What every word of a document adds to the score of each class. */
  contributions(document: Document, row: number): Contribution[] {
    const { shown, labels } = this;
    const views = this.views.map((view) => view.explained(document, row, labels.length, shown));
    return explainByWord(document, row, shown.length, views);
  }

  /** Documents as they are counted. A label that is new gets the next number once the change is made. */
  private coded(documents: readonly Document[], y: readonly Label[], weights?: Float64Array) {
    const labels = [...this.labels];
    const places = new Map(labels.map((label, c) => [label, c]));
    const codes = Int32Array.from(y, (label) => {
      if (!places.has(label)) places.set(label, labels.push(label) - 1);
      return places.get(label)!;
    });
    const n = new Float64Array(labels.length);
    codes.forEach((c, i) => {
      n[c] += weights?.[i] ?? 1;
    });
    return { documents, codes, weights, labels, n };
  }

  /** Prepares learning documents: validates them and returns a function that applies the change. */
  learn(documents: readonly Document[], y: readonly Label[], weights?: Float64Array): () => void {
    const lesson = this.coded(documents, y, weights);
    const commits = this.views.map((view) => view.learn(lesson));
    return () => {
      this.labels.push(...lesson.labels.slice(this.labels.length));
      this.n = Float64Array.from(lesson.n, (more, c) => (this.n[c] ?? 0) + more);
      for (const commit of commits) commit();
    };
  }

  /** Prepares unlearning documents likewise. */
  unlearn(documents: readonly Document[], y: readonly Label[], weights?: Float64Array): () => void {
    const lesson = this.coded(documents, y, weights);
    requireEnough(
      Array.from(lesson.n, (_, c) => this.n[c] ?? 0),
      lesson.n,
      'n',
    );
    const commits = this.views.map((view) => view.unlearn(lesson, lesson.labels.length));
    return () => {
      this.n = this.n.map((have, c) => remainder(have, lesson.n[c] ?? 0));
      for (const commit of commits) commit();
    };
  }

  /** Prepares adding the counts of another ensemble with the same members likewise. */
  merge(other: LearningText): () => void {
    if (JSON.stringify(this.plan) !== JSON.stringify(other.plan)) {
      refuse('E_MERGE_MISMATCH', 'the two ensembles have different members; fit one like the other to merge them');
    }
    return () => {
      const place = Int32Array.from(other.labels, (label) => {
        const known = this.labels.indexOf(label);
        return known >= 0 ? known : this.labels.push(label) - 1;
      });
      const n = new Float64Array(this.labels.length);
      n.set(this.n);
      place.forEach((at, c) => {
        n[at] += other.n[c];
      });
      this.n = n;
      this.views.forEach((view, v) => void view.merge(other.views[v], place));
    };
  }

  /** Multiplies all counts by a factor. */
  decay(factor: number): void {
    this.n = this.n.map((have) => have * factor);
    for (const view of this.views) view.decay(factor);
  }

  /** The same members with their weights, and nothing learned. */
  blank(): LearningText {
    const labels = this.labels.slice(0, this.bias.length);
    return new LearningText(
      labels,
      new Float64Array(labels.length),
      this.bias,
      this.views.map((view) => view.blank()),
    );
  }

  /** What the fit has chosen, apart from the weights of terms. */
  private get plan() {
    return {
      bias: Array.from(this.bias, (own, c) => [this.labels[c], own]),
      views: this.views.map(({ name, members }) => [name, ...members.map(({ weights, ...member }) => member)]),
    };
  }

  /** The counts and members as plain data. */
  save(arrays: Record<string, Tensor>): { learned: State['learned']; steps: State[] } {
    arrays.bias = tensor(this.bias);
    arrays.n = tensor(this.n);
    const members = this.views.map((view) => view.members.map(({ weights, ...member }) => member));
    const steps = this.views.map((view, v) => view.save(v, arrays));
    return { learned: { classes: [...this.labels], members: JSON.parse(JSON.stringify(members)) }, steps };
  }
}
