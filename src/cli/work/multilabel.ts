import { isBlank } from '../../data/cells.ts';
import { BernoulliNB } from '../../estimators/bernoulli-nb.ts';
import { ComplementNB } from '../../estimators/complement-nb.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../../estimators/count-vectorizer.ts';
import { MultinomialNB } from '../../estimators/multinomial-nb.ts';
import { OneVsRestClassifier } from '../../estimators/one-vs-rest-classifier.ts';
import { Pipeline } from '../../estimators/pipeline.ts';
import { f1Score, precisionScore, recallScore } from '../../evaluate/class-scores.ts';
import { accuracyScore, hammingLoss } from '../../evaluate/metrics.ts';
import { classificationReport } from '../../evaluate/report.ts';
import { trainTestSplit } from '../../evaluate/split.ts';
import { readAll } from '../data.ts';
import type { Context } from '../declare.ts';
import { counted, score } from '../numbers.ts';
import type { Count, Printer, Probability } from '../print.ts';
import { misuse } from '../problem.ts';
import { safe } from '../terminal.ts';
import { refuseIgnored } from '../usage.ts';
import { type Labelled, openLabelled } from './labelled.ts';
import { type Learning, learnOptions } from './options.ts';

/** A text pipeline that predicts any number of labels. */
export type LabelModel = Pipeline<readonly [CountVectorizer, OneVsRestClassifier]>;

/** The metrics of a multi-label model. */
export interface LabelScores {
  readonly rows: Count;
  readonly microF1: Probability;
  readonly macroF1: Probability;
  readonly samplesF1: Probability;
  readonly microPrecision: Probability;
  readonly microRecall: Probability;
  /** The fraction of rows whose labels are all correct. */
  readonly exact: Probability;
  readonly hammingLoss: Probability;
}

/** Texts with their lists of labels. */
export interface LabelledTexts {
  readonly texts: readonly string[];
  readonly labels: readonly (readonly string[])[];
  readonly target: string;
  readonly text: string;
  readonly hash: string;
}

/** Reads texts whose target column holds several labels; an empty cell means none. */
export async function readLabelledTexts(context: Labelled, separator: string): Promise<LabelledTexts> {
  const { options, args } = context;
  const { target } = options;
  if (separator === '') misuse('--multilabel needs the separator of the labels, such as ";".');
  if (target === undefined) misuse('--multilabel needs the target column: name it with --target.');
  const source = await openLabelled(context, args);
  const table = await readAll(source.tables());
  source.requireRows(table.length);
  const others = table.names.filter((name) => name !== target);
  const text = options.text ?? (others.length === 1 ? others[0] : undefined);
  if (text === undefined) misuse('--multilabel needs a text column: name it with --text.');
  const cells = (name: string) => table.column(name).cells();
  const labels = cells(target).map((cell) => labelsIn(cell, separator));
  return { texts: cells(text).map((cell) => String(cell ?? '')), labels, target, text, hash: await source.hash() };
}

function labelsIn(cell: unknown, separator: string): string[] {
  const labels = isBlank(cell) ? [] : String(cell).split(separator);
  return [...new Set(labels.map((label) => label.trim()))].filter((label) => label !== '');
}

const families = { multinomial: MultinomialNB, bernoulli: BernoulliNB, complement: ComplementNB } as const;

/** An unfitted model with the options of the command. */
function modelFor(context: Learning & Context, name: string): LabelModel {
  const family = name === 'auto' ? 'multinomial' : name;
  if (!(family in families)) {
    misuse(`--multilabel supports ${Object.keys(families).join(', ')}, not ${safe(name)}.`);
  }
  const unused = ['features', 'kinds', 'weights', 'smoothing', 'priors', 'hash', 'bins'] as const;
  refuseIgnored(context.options, unused, 'cannot be used with --multilabel.');
  const { calibrate } = context.options;
  if (calibrate !== 'auto' && calibrate !== 'none') misuse('--calibrate cannot be used with --multilabel.');
  const { alpha, ngrams, analyzer, stopWords, minDf, maxDf, maxFeatures, classWeight } = learnOptions(context, family);
  const words = { ngramRange: ngrams, analyzer, stopWords, minDf, maxDf, maxFeatures };
  const Family = families[family as keyof typeof families];
  const classifier = new Family(given({ alpha, classWeight }));
  return new Pipeline([
    ['words', new CountVectorizer(given(words) as CountVectorizerOptions)],
    ['labels', new OneVsRestClassifier(classifier)],
  ]) as unknown as LabelModel;
}

const given = (options: object) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Fits a model to all texts, after it was evaluated on a share of them. */
export function learnLabels(
  context: Learning & Context,
  name: string,
  { texts, labels }: LabelledTexts,
  holdout: number,
): { model: LabelModel; scores?: LabelScores; report?: string } {
  const learn = (X: readonly string[], y: LabelledTexts['labels']) =>
    modelFor(context, name).fit(X as string[], y as never) as LabelModel;
  const held = Math.round(holdout * texts.length);
  if (held < 1) return { model: learn(texts, labels) };
  const options = { testSize: held, randomState: context.options.seed, keepDuplicatesTogether: true };
  const [trainX, testX, trainY, testY] = trainTestSplit([...texts], [...labels], options);
  return { ...evaluateLabels(learn(trainX, trainY), testX, testY), model: learn(texts, labels) };
}

/** The scores of a model on labelled texts, and the table of all labels. */
export function evaluateLabels(
  model: LabelModel,
  texts: readonly string[],
  truth: LabelledTexts['labels'],
  digits = 3,
): { scores: LabelScores; report: string } {
  const guess = model.predict(texts as string[]) as unknown as string[][];
  const of = (average: 'micro' | 'macro' | 'samples') => ({ average, zeroDivision: 0 }) as const;
  const scores = {
    rows: texts.length,
    microF1: f1Score(truth, guess, of('micro')),
    macroF1: f1Score(truth, guess, of('macro')),
    samplesF1: f1Score(truth, guess, of('samples')),
    microPrecision: precisionScore(truth, guess, of('micro')),
    microRecall: recallScore(truth, guess, of('micro')),
    exact: accuracyScore(truth, guess),
    hammingLoss: hammingLoss(truth, guess),
  };
  return { scores, report: classificationReport(truth, guess, { zeroDivision: 0, digits }) };
}

/** Prints the table and a line of scores. */
export async function printLabelScores(print: Printer, scores: LabelScores, report: string): Promise<void> {
  await print.raw(report);
  const { microF1, macroF1, exact, rows } = scores;
  const parts = [`micro F1 ${score(microF1)}`, `macro F1 ${score(macroF1)}`, `all labels correct ${score(exact)}`];
  await print.line(`\n${[...parts, counted(rows, 'row')].join(' · ')}`);
}
