import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { PolyaError } from '../errors.ts';
import { type AnyCandidate, learnFolds } from '../estimators/fold-learning.ts';
import { selectRows } from '../evaluate/rows.ts';
import type { Material } from './classifier-material.ts';
import { foldRows } from './ensemble.ts';
import type { RecordLearner } from './learner.ts';
import { type Counting, posteriorUnder } from './learner-families.ts';
import type { Counted } from './learner-plan.ts';
import { blankLearner, type Recipe, settle } from './learner-recipe.ts';
import { type EstimatorInput, readTable } from './learner-table.ts';
import { takeKnownWords } from './learner-words.ts';

/** Log-probabilities of rows by models that have not learned them, and which rows were judged. */
export interface OutOfFold {
  readonly logProba: Matrix;
  readonly judged: Int32Array;
}

/** No class is less probable: one that a fold has not met, or an answer that is wrong for sure. */
const LEAST = -1e4;

/**
 * Judges every row by what the other folds teach. Documents are read once: a fold takes rows and the columns of words that its
 * own rows know. Where rows settle nothing and there is no text, every fold is counted once and a training set is the sum of
 * the others. Cuts and fills are settled anew by the rows of each training set.
 */
export function predictFolds(
  recipe: Recipe,
  learner: RecordLearner,
  counted: Counted,
  material: Material,
  folds: Int32Array,
  signal?: AbortSignal,
): OutOfFold {
  const out = new FoldAnswers(material.classes, material.table.length);
  const plain = counted.blocks.length === 0 && JSON.stringify(recipe.columns) === JSON.stringify(learner.plan.columns);
  const splits = splitsOf(folds);
  const judge = (estimator: Counting, input: EstimatorInput, rows: Int32Array) => {
    const { logProba } = posteriorUnder(recipe.priors, estimator, input);
    out.put(rows, estimator.classes, logProba);
  };
  if (plain) {
    const estimators = learnSums(learner.estimator, counted.input, material, splits, signal);
    for (const { judge: rows } of splits) {
      out.attempt(() => {
        const { value, done } = estimators.next();
        if (!done) judge(value, selectRows(counted.input as never, rows), rows);
      });
    }
  } else {
    for (const split of splits) {
      out.attempt(() => {
        const fold = foldTables(recipe, learner, counted, material, split);
        const estimator = fold.estimator.clone();
        const labels = Array.from(split.learn, (i) => material.classes[material.codes[i]]);
        const sampleWeight = material.weights && selectRows(material.weights, split.learn);
        estimator.fit(fold.learn, labels, { ...(sampleWeight && { sampleWeight }), ...(signal && { signal }) });
        judge(estimator, fold.judge, split.judge);
      });
    }
  }
  return out.done(material.weights);
}

/** Rows to learn and rows to judge. */
export interface Split {
  readonly learn: Int32Array;
  readonly judge: Int32Array;
}

/** The folds, those that judge and learn something. */
export function splitsOf(folds: Int32Array): Split[] {
  const count = folds.reduce((most, fold) => Math.max(most, fold + 1), 0);
  return Array.from({ length: count }, (_, fold) => foldRows(folds, fold)).filter(
    ({ learn, judge }) => learn.length > 0 && judge.length > 0,
  );
}

/** An estimator for every fold that has learned the others. */
function learnSums(
  estimator: Counting,
  X: EstimatorInput,
  { classes, codes, weights }: Material,
  splits: readonly Split[],
  signal: AbortSignal | undefined,
): Generator<Counting> {
  const lesson = {
    X: X as never,
    y: Array.from(codes, (c) => classes[c]),
    classes,
    weights,
    splits: splits.map(({ learn, judge }) => [Array.from(learn), Array.from(judge)] as const),
    signal,
  };
  return learnFolds(estimator.clone() as unknown as AnyCandidate, lesson as never) as unknown as Generator<Counting>;
}

/** The tables of a fold, and the estimator that learns the first of them. */
function foldTables(
  recipe: Recipe,
  learner: RecordLearner,
  { blocks }: Counted,
  { table, codes, classes }: Material,
  { learn, judge }: Split,
): { estimator: Counting; learn: EstimatorInput; judge: EstimatorInput } {
  const own = Int32Array.from(learn, (i) => codes[i]);
  const columns = settle(recipe, table.take(learn), own, classes.length);
  const take = blocks.map((block, b) => takeKnownWords(block, learner.vectorizers[b], learn));
  const read = (places: Int32Array, learning: boolean) =>
    readTable(
      recipe.model,
      columns,
      table.take(places),
      take.map((from) => from(places)),
      learning,
    );
  return {
    estimator: blankLearner(recipe, columns).estimator,
    learn: read(learn, true),
    judge: read(judge, false),
  };
}

/** Answers that come in fold by fold. */
class FoldAnswers {
  private readonly out: Matrix;
  private readonly classes: readonly Label[];
  private readonly judged: number[] = [];

  constructor(classes: readonly Label[], rows: number) {
    this.classes = classes;
    this.out = new Matrix(rows, classes.length, new Float64Array(rows * classes.length).fill(LEAST));
  }

  /** A fold too small for the family judges nothing. */
  attempt(work: () => void): void {
    try {
      work();
    } catch (cause) {
      if (!(cause instanceof PolyaError) || cause.code === 'E_CANCELLED') throw cause;
    }
  }

  put(rows: Int32Array, classes: readonly Label[], logProba: Float64Array): void {
    const place = classes.map((label) => this.classes.indexOf(label));
    rows.forEach((i, k) => {
      const row = this.out.row(i);
      place.forEach((at, c) => {
        row[at] = Math.max(LEAST, logProba[k * place.length + c]);
      });
      this.judged.push(i);
    });
  }

  done(weights: Float64Array | undefined): OutOfFold {
    const judged = Int32Array.from(this.judged.filter((i) => !weights || weights[i] > 0)).sort();
    return { logProba: this.out, judged };
  }
}
