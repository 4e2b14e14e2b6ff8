import { count, type Model, score } from '../core/model.ts';
import { posterior } from '../core/posterior.ts';
import { label, rowsOf } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { type Truth, takeTruth } from '../evaluate/log-proba.ts';
import { bernoulli } from '../models/bernoulli.ts';
import { complement } from '../models/complement.ts';
import { multinomial } from '../models/multinomial.ts';
import { type Sums, sums } from '../stats/sums.ts';
import type { Material } from './classifier-material.ts';
import type { FamilyName } from './learner-families.ts';
import { splitsOf } from './learner-folds.ts';
import { makeVectorizer, type Vectorizer } from './learner-options.ts';
import type { RecipeOptions } from './learner-recipe.ts';
import { besideEachOther, textsOf } from './learner-table.ts';
import { takeKnownWords } from './learner-words-known.ts';
import { FOLDS } from './records.ts';

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
