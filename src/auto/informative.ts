import { coinDivergence, logOddsRatio } from '../core/telling.ts';
import type { ColumnTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { MixedColumn } from '../estimators/mixed-columns.ts';
import { informativeFeatures } from '../estimators/most-informative.ts';
import { levelTable } from '../features/level-table.ts';
import { type Counted, logOddsOf } from '../features/rank.ts';
import { countCodes, sum, topPlaces } from '../math/arrays.ts';
import { Random } from '../math/random.ts';
import { insightOf } from '../models/insights.ts';
import type { RecordLearner } from './learner.ts';
import { textColumns } from './learner-columns.ts';
import { priorShift } from './learner-families.ts';
import type { Term } from './predictor.ts';
import type { Frame } from './records.ts';
import type { CountedView } from './text-candidates.ts';
import type { LearningView } from './text-view.ts';

/** What the cells and words of the first row add to the score of each class, and what belongs to none of them. */
export function termsOf(learner: RecordLearner, table: ColumnTable): { terms: Term[]; rest: Float64Array } {
  const { estimator, plan } = learner;
  const { model, params, name, rows } = estimator.inside();
  const { features, terms, rest } = model.terms(params as never, rows(learner.inputOf(table)), 0);
  const shift = priorShift(estimator, plan.priors);
  const prior = model.logPrior(params as never);
  const classes = prior.length;
  const meaning = featureMeaning(learner, name);
  const sources = new Map(plan.columns.map((own) => [own.name, own.from]));
  return {
    terms: Array.from(features, (j, f): Term => {
      const { column, word } = meaning(j);
      const value = word ?? table.column(sources.get(column) ?? column).cell(0);
      return { feature: column, value, byClass: terms.slice(f * classes, (f + 1) * classes) };
    }),
    rest: rest.map((value, c) => value + prior[c] + (shift ? shift[c] : 0)),
  };
}

/** What a feature stands for: a column, or a word of one. */
type Meaning = (feature: number) => { readonly column: string; readonly word?: string };

/** A function from the places of features to what they stand for. */
export function featureMeaning(learner: RecordLearner, name: (j: number) => string | number): Meaning {
  const texts = textColumns(learner.plan.columns).map((column, b) => {
    const vectorizer = learner.vectorizers[b];
    const words = vectorizer instanceof CountVectorizer ? vectorizer.known().terms : undefined;
    return { name: column.name, words, width: words?.length ?? Object(vectorizer.getParams()).nFeatures };
  });
  if (texts.length === 0) return (j) => ({ column: String(name(j)) });
  const { columns } = learner.estimator as unknown as { columns?: readonly MixedColumn[] };
  const blocks = (columns ?? texts).map((block) => ({
    name: block.name as string,
    width: (block.width as number | undefined) ?? 1,
    text: block.width === undefined ? undefined : texts.find((text) => text.name === block.name),
  }));
  return (feature) => {
    let place = feature;
    const block = blocks.find(({ width }) => place < width || void (place -= width))!;
    if (!block.text) return { column: block.name };
    return { column: block.name, word: block.text.words?.[place] ?? `#${place}` };
  };
}

/** A word, a level or a measurement that speaks for a class. */
export interface ClassifierInformative<L extends Label = Label> {
  readonly class: L;
  /** The column. */
  readonly feature: string;
  /** The word of a text, the level of a category, or the range of a number. */
  readonly value?: string;
  /** How much it speaks for the class, in nats; below zero it speaks against it. */
  readonly nats: number;
  /** ln of the ratio of its odds in the class and elsewhere; absent for a measurement. */
  readonly logOdds?: number;
  /** The mean of a measurement in the class. */
  readonly mean?: number;
}

/** A term of a text that speaks for a class. */
export type InformativeTerm = Required<Pick<ClassifierInformative, 'class' | 'value' | 'nats' | 'logOdds'>>;

/** A pool has this many for each class: it keeps no counts to find more in. */
const KEPT = 30;

/** The best for each class, in the order of the classes. */
export function bestOfEach<T extends Pick<ClassifierInformative, 'class' | 'nats'>>(
  found: readonly T[],
  classes: readonly Label[],
  k = KEPT,
): T[] {
  return classes.flatMap((label) => {
    const own = found.filter((term) => term.class === label);
    return topPlaces(
      Float64Array.from(own, ({ nats }) => nats),
      k,
    ).map((place) => own[place]);
  });
}

/** Whether the features of a family speak for a class one by one. */
export const hasTelling = ({ estimator }: RecordLearner): boolean =>
  insightOf(estimator.inside().model).telling !== undefined;

/** What the counts of one family say. Refuses with E_CONFLICT where features do not speak for a class one by one. */
export function informativeOfLearner(
  learner: RecordLearner,
  only: Label | undefined,
  k: number,
): ClassifierInformative[] {
  const meaning = featureMeaning(learner, learner.estimator.inside().name);
  return informativeFeatures(learner.estimator, { class: only, k }).map(({ place, level, ...own }) => {
    const { column, word } = meaning(place);
    const value = word ?? (level === undefined ? undefined : String(level));
    return { ...own, feature: column, ...(value !== undefined && { value }) };
  });
}

/**
 * The terms of a pooled linear model of text. With w[j,c] the weight of term j for class c less its mean weight for the others, and x̄
 * its mean cell in the texts of the class and in the others,
 *
 *   nats[j,c] = |w[j,c]| (x̄[j,c] − x̄[j,others]):                                                               (1)
 *
 * by how much the term sets texts of the class apart from others, on average. Words are shown rather than n-grams of characters.
 */
export function informativeTerms(
  views: readonly LearningView[],
  counted: readonly CountedView[],
  classes: readonly Label[],
): InformativeTerm[] {
  const words = views.filter(({ vectorizer }) => vectorizer.getParams().analyzer === 'word');
  const found = (words.length > 0 ? words : views).flatMap((view) => {
    return termsOfView(view, counted.find(({ name }) => name === view.name)!, classes);
  });
  return bestOfEach(found, classes);
}

/** Terms that occur in a class; one that does not speaks for no class. */
function termsOfView(own: LearningView, view: CountedView, classes: readonly Label[]): InformativeTerm[] {
  const { whole, cells } = view;
  const { y } = cells;
  const { first, count, classes: classOf, size: all } = cells.cells;
  const { reader } = view.vectorizer.known();
  const size = classes.length;
  const weights = new Float64Array(size);
  const presence = cells.count(
    y.map((_, i) => i),
    true,
  ).s;
  const rest = whole.n.map((rows) => Math.max(1, y.length - rows));
  const nats = new Float64Array(all);
  const termOf = new Uint32Array(all);
  const having = new Float64Array(reader.size);
  for (let j = 0; j < having.length; j++) {
    const [begin, end] = [first[j], first[j] + count[j]];
    having[j] = sum(presence.subarray(begin, end));
    termOf.fill(j, begin, end);
    weights.fill(0);
    own.addTerm(j, 1, weights);
    const [total, weighed] = [sum(whole.s.subarray(begin, end)), sum(weights)];
    for (let cell = begin; cell < end; cell++) {
      const [c, mine, weight] = [classOf[cell], whole.s[cell], weights[classOf[cell]]];
      const contrast = Math.abs(weight - (weighed - weight) / Math.max(1, size - 1));
      nats[cell] = contrast * (mine / whole.n[c] - (total - mine) / rest[c]);
    }
  }
  const byClass: number[][] = classes.map(() => []);
  for (let cell = 0; cell < nats.length; cell++) byClass[classOf[cell]].push(cell);
  return classes.flatMap((label, c) => {
    const [rows, cells] = [whole.n[c], byClass[c]];
    const best = topPlaces(
      Float64Array.from(cells, (cell) => nats[cell]),
      KEPT,
    );
    return best.map((place) => {
      const cell = cells[place];
      const [n11, n10] = [presence[cell], having[termOf[cell]] - presence[cell]];
      const { logOdds } = logOddsOf({ n11, n10, n01: rows - n11, n00: y.length - rows - n10 });
      return { class: label, value: reader.term(termOf[cell]), nats: nats[cell], logOdds };
    });
  });
}

/** What is said of columns is found in this many rows. */
const MOST_ROWS = 20_000;

/** The levels and ranges of columns that speak most for each class. */
export function informativeLevels(
  { rows, columns }: Frame,
  about: readonly { readonly name: string; readonly levels?: readonly string[] }[],
  codes: Int32Array,
  classes: readonly Label[],
): ClassifierInformative[] {
  const random = new Random(0);
  const sample = Int32Array.from({ length: rows }, (_, i) => i).filter(
    () => rows <= MOST_ROWS || random.uniform() < MOST_ROWS / rows,
  );
  const own = Int32Array.from(sample, (i) => codes[i]);
  const totals = countCodes(own, classes.length);
  const found = columns.flatMap((values, k) => {
    const { name, levels } = about[k];
    const cells = Float64Array.from(sample, (i) => values[i]);
    return levelsOf(levelTable(name, cells, levels, own, classes.length), totals, classes);
  });
  return bestOfEach(found, classes);
}

/** Each level with its share of the class and of the others, half a row added to each cell. */
function levelsOf(
  { feature, levels, table }: Counted,
  totals: Float64Array,
  classes: readonly Label[],
): ClassifierInformative[] {
  const all = sum(totals);
  return levels.flatMap((value, v) => {
    let having = 0;
    for (let c = 0; c < classes.length; c++) having += table.at(c, v);
    if (having === 0) return [];
    return classes.map((label, c) => {
      const own = (table.at(c, v) + 0.5) / (totals[c] + 1);
      const rest = (having - table.at(c, v) + 0.5) / (all - totals[c] + 1);
      const nats = coinDivergence(own, rest);
      return { class: label, feature, value, nats, logOdds: logOddsRatio(own, rest) };
    });
  });
}

/** What speaks for one class, by names that a person reads. */
export interface InformativeList {
  readonly label: string;
  readonly terms: readonly {
    readonly name: string;
    readonly nats: number;
    readonly logOdds?: number;
    readonly mean?: number;
  }[];
}

/** Lists of what speaks for each class: a word by itself, a level or range with its column, a measurement by its column. */
export function informativeLists(
  found: readonly ClassifierInformative[],
  classes: readonly Label[],
  texts: readonly string[],
): InformativeList[] {
  const nameOf = (feature: string, value: string | undefined): string => {
    if (value === undefined) return feature;
    if (texts.includes(feature)) return value;
    return /^[<≥] -?\d/.test(value) ? `${feature} ${value}` : `${feature} = ${value}`;
  };
  return classes.map((label) => ({
    label: String(label),
    terms: found
      .filter((term) => String(term.class) === String(label) && term.nats > 0)
      .map(({ class: _, feature, value, ...term }) => ({ name: nameOf(feature, value), ...term })),
  }));
}
