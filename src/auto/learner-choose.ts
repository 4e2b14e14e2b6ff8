import { count, type Model, score } from '../core/model.ts';
import { posterior } from '../core/posterior.ts';
import { label, rowsOf } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse, show } from '../errors.ts';
import { type Truth, takeTruth } from '../evaluate/log-proba.ts';
import { choosePosterior, methodsFor } from '../evaluate/posterior-calibration.ts';
import { selectRows } from '../evaluate/rows.ts';
import { bernoulli } from '../models/bernoulli.ts';
import { complement } from '../models/complement.ts';
import { multinomial } from '../models/multinomial.ts';
import { type Sums, sums } from '../stats/sums.ts';
import type { FitReport } from './classifier-fit.ts';
import type { Division, Material } from './classifier-material.ts';
import { type ClassifierOptions, recipeOptions } from './classifier-options.ts';
import { evaluate } from './classifier-split.ts';
import type { FamilyName } from './learner-families.ts';
import { judgeFolds, splitsOf } from './learner-folds.ts';
import {
  blankLearner,
  isAboutWords,
  makeVectorizer,
  type Recipe,
  type RecipeOptions,
  recipeFor,
  settle,
  type Vectorizer,
} from './learner-recipe.ts';
import { besideEachOther, textsOf } from './learner-table.ts';
import { takeKnownWords } from './learner-words.ts';
import { FOLDS } from './records.ts';
import { orNothing } from './records-pool.ts';
import { featuresOf } from './schema.ts';

/** A family with its options, and its answers to rows that it has not learned. */
export interface CandidateAnswers extends Truth {
  readonly model: FamilyName;
  readonly name: string;
  readonly options: RecipeOptions;
  readonly logProba: Matrix;
  /** The fold of each row, for whatever is fitted to the answers. */
  readonly folds: Int32Array;
}

/** An event model of words: whose dice or coins, and whether a word counts once in a document. */
interface EventModel {
  readonly name: FamilyName;
  readonly binary: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: options and parameters differ by model, and are made for each
  readonly model: Model<Sums, any, any>;
}

const eventModels: readonly EventModel[] = [
  { name: 'multinomial', binary: false, model: multinomial },
  { name: 'multinomial', binary: true, model: multinomial },
  { name: 'complement', binary: false, model: complement },
  { name: 'complement', binary: true, model: complement },
  { name: 'bernoulli', binary: true, model: bernoulli },
];

const alphas = [1, 0.3, 0.1, 0.03, 0.01] as const;

/** Beyond so many rows one fold tells event models apart, and of a large one a part. */
const ROWS_FOR_ONE_FOLD = 5000;
const ENOUGH_JUDGED = 4000;
/** Pairs of words are tried where characters times classes are fewer. */
const MOST_PAIRS = 1e8;
/** No class is less probable. */
const LEAST = -1e4;

/**
 * Tries event models with smoothing on words and, where they are affordable, pairs of words. `weigh` tells the loss of a
 * candidate; smoothing goes from the middle of its grid to where the loss falls.
 */
export function tryWords(
  material: Material,
  names: readonly string[],
  folds: Int32Array,
  given: RecipeOptions,
  weigh: (candidate: CandidateAnswers) => number,
): void {
  const documents = names.map((name) => textsOf(material.table, name));
  const { alpha, binary, ...words } = given;
  const said = words.ngrams !== undefined || words.ngramRange !== undefined;
  const characters = documents.flat().reduce((sum, text) => sum + text.length, 0);
  const pairs = !said && characters * material.classes.length <= MOST_PAIRS;
  for (const view of [{}, ...(pairs ? [{ ngrams: [1, 2] as const }] : [])]) {
    const options = { ...words, ...view };
    const vectorizers = documents.map(() => makeVectorizer(options));
    const blocks = vectorizers.map((vectorizer, b) => vectorizer.fitTransform(documents[b]));
    const lessons = foldLessons(material, folds, blocks, vectorizers);
    for (const own of eventModels) {
      if (binary !== undefined && own.binary !== binary) continue;
      const set = own.binary && own.name !== 'bernoulli' ? { binary: true } : {};
      const about = `${own.name}${set.binary ? ', set of words' : ''}${'ngrams' in view ? ', 1–2-grams' : ''}`;
      const loss = (a: number) =>
        weigh({
          model: own.name,
          name: `${about}, alpha ${a}`,
          options: { ...options, ...set, alpha: a },
          ...answers(own, lessons, a),
        });
      if (alpha === undefined) descend(loss);
      else loss(alpha as number);
    }
  }
}

/** Walks from the middle of the grid in the direction in which the loss falls, as long as it does. */
function descend(loss: (alpha: number) => number): void {
  const middle = alphas.length >> 1;
  const known = new Map<number, number>();
  const at = (k: number): number => {
    const found = known.get(k) ?? (k < 0 || k >= alphas.length ? Infinity : loss(alphas[k]));
    known.set(k, found);
    return found;
  };
  const step = at(middle + 1) < at(middle) ? 1 : -1;
  for (let k = middle; at(k + step) < at(k); ) k += step;
}

interface FoldLesson extends Truth {
  readonly stats: Readonly<Record<'once' | 'often', Sums>>;
  readonly judge: Readonly<Record<'once' | 'often', SparseMatrix>>;
}

/** What folds count, both ways, and the rows that they judge. */
function foldLessons(
  { codes, classes, weights }: Material,
  folds: Int32Array,
  blocks: readonly SparseMatrix[],
  vectorizers: readonly Vectorizer[],
): FoldLesson[] {
  const splits = splitsOf(folds).slice(0, folds.length > ROWS_FOR_ONE_FOLD ? 1 : undefined);
  return splits.map(({ learn, judge: all }) => {
    const stride = Math.ceil(all.length / ENOUGH_JUDGED); // rows may be sorted by class
    const judge = all.filter((_, k) => k % stride === 0);
    const take = blocks.map((block, b) => takeKnownWords(block, vectorizers[b], learn));
    const [train, test] = [learn, judge].map((rows) => besideEachOther(take.map((from) => from(rows))));
    const own = Int32Array.from(learn, (i) => codes[i]);
    const w = Float64Array.from(learn, (i) => (weights ? weights[i] : 1));
    const shape = { classes: classes.length, features: train.cols };
    const counted = (X: SparseMatrix) => count(sums, label(rowsOf(X), shape, own, w));
    return {
      stats: { often: counted(train), once: counted(onceEach(train)) },
      judge: { often: test, once: onceEach(test) },
      ...takeTruth({ codes, weights }, judge),
    };
  });
}

const onceEach = ({ rows, cols, indptr, indices, data }: SparseMatrix): SparseMatrix =>
  new TidyMatrix(rows, cols, indptr, indices, new Float64Array(data.length).fill(1));

function answers({ model, binary }: EventModel, lessons: readonly FoldLesson[], a: number) {
  const way = binary ? 'once' : 'often';
  const parts = lessons.map(({ stats, judge }) => {
    const params = model.estimate(stats[way], { prior: { rule: 'bayes', a } });
    const scores = score(model, params, rowsOf(judge[way]));
    return posterior(scores, model.logPrior(params)).logProba.map((log) => Math.max(LEAST, log));
  });
  const cols = lessons[0].stats.often.classes;
  const alone = lessons.length === 1; // its rows are divided once more
  const folds = lessons.flatMap(({ codes }, fold) => Array.from(codes, (_, k) => (alone ? k % FOLDS : fold)));
  const data = Float64Array.from(parts.flatMap((part) => Array.from(part)));
  return {
    logProba: new Matrix(data.length / cols, cols, data),
    codes: Int32Array.from(lessons.flatMap(({ codes }) => Array.from(codes))),
    folds: Int32Array.from(folds),
    weights: lessons[0].weights && Float64Array.from(lessons.flatMap(({ weights }) => Array.from(weights!))),
  };
}

/** The family that was chosen, and all that were tried. */
export interface ChosenFamily {
  readonly recipe: Recipe;
  readonly tried: FitReport['tried'];
}

/** What may be said beside the model 'auto': how text is read, and what all families understand. */
const general = ['alpha', 'priors', 'fitPrior', 'classPrior', 'classWeight', 'reproducible', 'bins'];

/**
 * Chooses, of the families that count and merge, the one with the least out-of-fold log-loss. If probabilities are to be calibrated
 * and the rows suffice, each fold is evaluated at a temperature that the other folds have set. For text, event models, smoothing
 * and n-grams are tried from shared counts.
 */
export function chooseFamily(material: Material, { folds }: Division, options: ClassifierOptions): ChosenFamily {
  // a family is chosen by how well it describes rows as they are; class weights are for the chosen one
  const { alpha, classWeight, ...said } = recipeOptions(options);
  const given: RecipeOptions = alpha === 'auto' ? said : { ...said, alpha };
  for (const name of Object.keys(given)) {
    if (general.includes(name) || isAboutWords(name)) continue;
    refuse('E_PARAM', `${show(name)} belongs to one family: name the model that it is for`, { name });
  }
  const { schema, classes } = material;
  const texts = featuresOf(schema, 'text').map(({ name }) => name);
  const others = featuresOf(schema, 'columns').length;
  const context = { asked: new Set(options.features), classes };
  const make = (model: FamilyName, own: RecipeOptions) => recipeFor(model, schema, own, context);
  let best: { loss: number; candidate: Omit<CandidateAnswers, 'logProba'> } | undefined;
  const tried: { name: string; logLoss: number; accuracy: number }[] = [];
  const weigh = (candidate: CandidateAnswers): number => {
    requireGoing(options.signal);
    const { logLoss, accuracy } = judge(candidate, options.calibrate !== false);
    tried.push({ name: candidate.name, logLoss, accuracy });
    options.onProgress?.(Math.min(0.75, tried.length / 40), candidate.name);
    if (!best || logLoss < best.loss) best = { loss: logLoss, candidate };
    return logLoss;
  };
  if (others + texts.length === 0) refuse('E_EMPTY_INPUT', 'no column says anything about the label', { features: 0 });
  if (others === 0) tryWords(material, texts, folds, given, weigh);
  else tryColumns(material, folds, columnCandidates(material, given, texts.length > 0), make, options, weigh);
  best = best as typeof best | undefined; // it is set inside
  if (!best) return refuse('E_EMPTY_INPUT', 'no family that counts can learn from these columns');
  const { model, name, options: own } = best.candidate;
  const of = others === 0 ? texts.join(', ') : 'columns';
  return {
    recipe: make(model, { ...priorsOf(given, own), classWeight }),
    tried: tried.map((entry) => ({ of, ...entry, chosen: entry.name === name })),
  };
}

const priorsOf = (
  { priors, fitPrior, classPrior, reproducible }: RecipeOptions,
  own: RecipeOptions,
): RecipeOptions => ({
  priors,
  fitPrior,
  classPrior,
  reproducible,
  ...own,
});

function judge(candidate: CandidateAnswers, calibrated: boolean) {
  const { logProba, folds } = candidate;
  const methods = calibrated ? methodsFor(candidate, logProba.cols, 'temperature') : [];
  return evaluate(choosePosterior(methods, candidate, folds)?.logProba ?? logProba, candidate, '');
}

type Attempt = readonly [model: FamilyName, name: string, options: RecipeOptions];

/** Work beyond this, in steps of an inner loop over all rows, is not begun for one candidate. */
const MOST_WORK = 2e9;
const MOST_KERNELS = 5e7;

/** The families that could describe columns that are no text, or not text alone. */
function columnCandidates({ table, schema, classes }: Material, given: RecipeOptions, text: boolean): Attempt[] {
  const { alpha = 1, ...words } = given;
  if (text) {
    const wordAlphas = given.alpha === undefined ? [1, 0.1, 0.01] : [alpha as number];
    return wordAlphas.map((wordAlpha) => [
      'mixed',
      `mixed, alpha of words ${wordAlpha}`,
      { ...words, alpha: 1, wordAlpha },
    ]);
  }
  const columns = featuresOf(schema, 'columns');
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const width = columns.length;
  const own = { alpha: alpha as number };
  const binned = given.bins ? [given.bins] : numbers.length > 0 ? (['mdl', 'frequency'] as const) : (['mdl'] as const);
  const pairs = table.length * width ** 2 * 5 < MOST_WORK;
  const square = (table.length + 10 * width) * width ** 2;
  const values = Math.max(0, ...numbers.map(({ distinct }) => distinct));
  return [
    ['mixed', 'mixed', own],
    ...binned.flatMap((bins): Attempt[] => {
      const suffix =
        numbers.length === 0 ? '' : bins === 'mdl' ? ', bins by description length' : ', bins of equal frequency';
      const level = (model: FamilyName): Attempt => [model, model + suffix, { ...own, bins }];
      return [level('categorical'), ...(pairs && width > 1 ? [level('tan'), level('aode'), level('waode')] : [])];
    }),
    ...(table.length * values <= MOST_KERNELS ? ([['kernel', 'kernel', {}]] as Attempt[]) : []),
    ['poisson', 'poisson', {}],
    ...(square < MOST_WORK ? ([['lda', 'lda', {}]] as Attempt[]) : []),
    ...(square * classes.length < MOST_WORK
      ? ([
          ['qda', 'qda', {}],
          ['rda', 'rda(0.5, 0)', {}],
          ['rda', 'rda(0.2, 0.1)', { lambda: 0.2, gamma: 0.1 }],
        ] as Attempt[])
      : []),
  ];
}

/** Weighs the candidates that can take the columns; one that refuses them is passed over. */
function tryColumns(
  material: Material,
  folds: Int32Array,
  attempts: readonly Attempt[],
  make: (model: FamilyName, options: RecipeOptions) => Recipe,
  { signal }: ClassifierOptions,
  weigh: (candidate: CandidateAnswers) => number,
): void {
  const { table, codes, classes, weights } = material;
  const labels = Array.from(codes, (c) => classes[c]);
  for (const [model, name, options] of attempts) {
    const answered = orNothing(() => {
      const recipe = make(model, options);
      const learner = blankLearner(recipe, settle(recipe, table, codes, classes.length));
      const counted = learner.fit({ table, labels, weights, signal });
      return judgeFolds(recipe, learner, counted, material, folds, signal);
    });
    if (!answered || answered.judged.length === 0) continue;
    const { logProba, judged } = answered;
    const own = Int32Array.from(judged, (i) => folds[i]);
    weigh({ model, name, options, folds: own, logProba: selectRows(logProba, judged), ...takeTruth(material, judged) });
  }
}
