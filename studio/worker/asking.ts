import { Classifier, inspectModel, type LoadedModel, load } from '../../src/index.ts';
import { cellOf, type DataRow, refuse, wordOf } from '../../src/workbench.ts';
import { type Span, spansOf, type Term } from './spans.ts';

/** The prediction for one row and its explanation. */
export interface Answer {
  readonly label: string;
  readonly abstained: boolean;
  readonly probabilities: readonly { readonly label: string; readonly probability: number }[];
  /** ln p(c | x) by class, after calibration. */
  readonly logProba: readonly number[];
  /** Prior and constants by class, which belong to no feature. */
  readonly rest: readonly number[];
  readonly classes: readonly string[];
  /** The contribution of each cell or word, the most decisive first. */
  readonly terms: readonly { readonly feature: string; readonly value: string; readonly byClass: readonly number[] }[];
  /** The sum of all further terms. */
  readonly more: readonly number[];
  /** The words of the first text column that contribute. */
  readonly spans: readonly Span[];
  /** The first word or cell whose removal would change the prediction. */
  readonly flip?: { readonly value: string; readonly label: string };
}

/** Facts about a model. */
export interface ModelFacts {
  readonly kind: string;
  readonly model: string;
  readonly summary: string;
  readonly target: string;
  readonly classes: readonly string[];
  readonly columns: readonly { readonly name: string; readonly kind: string; readonly levels: readonly string[] }[];
  readonly learns: boolean;
  readonly bytes: number;
  readonly sha256: string;
  readonly formatVersion: number;
  readonly notes: string;
  readonly learned: number | null;
}

const MOST_TERMS = 60;
const MOST_CHARACTERS = 5_000;

/** Reads a model file and its facts. */
export function openDesk(bytes: Uint8Array): { model: Classifier; facts: ModelFacts } {
  const opened = load<LoadedModel>(bytes);
  if (!(opened instanceof Classifier)) {
    refuse(
      'E_TYPE',
      'this file contains an estimator or a part of one; the page opens classifiers written by polya fit',
    );
  }
  return { model: opened, facts: factsOf(opened, bytes) };
}

/** The facts of a model and its file. */
export function factsOf(model: Classifier, bytes: Uint8Array): ModelFacts {
  const card = inspectModel(bytes);
  const { summary, learned } = model.report();
  return {
    kind: 'Classifier',
    model: model.model,
    summary,
    target: model.target,
    classes: model.classes.map(String),
    columns: model.schema.columns
      .filter(({ role }) => role === 'feature')
      .map(({ name, kind, levels }) => ({ name, kind, levels: (levels ?? []).slice(0, 50).map(String) })),
    learns: model.learns,
    bytes: bytes.length,
    sha256: card.sha256,
    formatVersion: card.formatVersion,
    notes: card.provenance?.notes ?? '',
    learned: learned?.weight ?? null,
  };
}

/** The typed cells as a record for the model; an empty or absent field is a blank cell. */
export function typedRecord({ columns }: Classifier, row: DataRow): DataRow {
  return Object.fromEntries(columns.map(({ name }) => [name, cellOf(row, name) ?? '']));
}

/** Classifies one record and explains it. */
export function ask(model: Classifier, row: DataRow): Answer {
  const { label, probabilities, abstained } = model.classify(row);
  const { classes, terms, rest, score } = model.explain(row);
  const text = model.schema.columns.find(({ role, kind }) => role === 'feature' && kind === 'text')?.name;
  const sumOf = (part: typeof terms) => classes.map((_, c) => part.reduce((sum, { byClass }) => sum + byClass[c], 0));
  const result = terms.slice(0, MOST_TERMS).map(({ feature, value, byClass }) => ({
    feature,
    value: String(value ?? ''),
    byClass: Array.from(byClass),
  }));
  const flip = flipOf(classes.map(String), terms, score);
  return {
    label: String(label),
    abstained,
    probabilities: probabilities.map((own) => ({ label: String(own.label), probability: own.probability })),
    logProba: Array.from(model.predictLogProba([row], { strict: false }).row(0)),
    rest: Array.from(rest),
    classes: classes.map(String),
    terms: result,
    more: sumOf(terms.slice(MOST_TERMS)),
    spans: text === undefined ? [] : spansIn(wordOf(cellOf(row, text) ?? ''), text, terms, classes.length),
    ...(flip && { flip }),
  };
}

/** The spans of the shown part of a text. */
const spansIn = (cell: string, text: string, terms: readonly Term[], classes: number): Span[] =>
  spansOf(
    cell.slice(0, MOST_CHARACTERS),
    terms.filter(({ feature }) => feature === text),
    classes,
  );

/** The single term whose absence changes the greatest score; the most decisive one of several. */
function flipOf(
  classes: readonly string[],
  terms: readonly { readonly value: unknown; readonly byClass: Float64Array }[],
  score: Float64Array,
): Answer['flip'] {
  const bestOf = (values: Float64Array) => values.indexOf(Math.max(...values));
  const best = bestOf(score);
  for (const { value, byClass } of terms) {
    const other = bestOf(score.map((sum, c) => sum - byClass[c]));
    if (other !== best && other >= 0) return { value: String(value ?? ''), label: classes[other] };
  }
  return undefined;
}
