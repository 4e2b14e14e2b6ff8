import { Classifier, PolyaError } from '../../src/index.ts';
import { evaluateRows, refuse } from '../../src/workbench.ts';
import { heldOutScores } from './comparing.ts';
import { recipeFor } from './recipe.ts';
import { shuffled } from './sample.ts';
import { answers, type Trained } from './training.ts';

/** The best single naive Bayes model, compared with an ensemble. */
export interface SingleResult {
  readonly model: string;
  readonly summary: string;
  /** On the held-out rows: the single model, then the ensemble. */
  readonly accuracy: readonly [single: number, ensemble: number];
  readonly logLoss: readonly [single: number | null, ensemble: number | null];
  readonly rows: number;
}

/** Families whose score is a sum over features. */
const FAMILIES = ['multinomial', 'complement', 'bernoulli', 'gaussian', 'categorical', 'mixed'] as const;
/** Families are compared on a fifth of at most this many training rows. */
const MOST_ROWS = 10_000;

/**
 * The best single naive Bayes model for the columns of a run: the family with the least log-loss on a fifth of the training rows, with the
 * usual smoothing; it is then fitted to all of them, its smoothing chosen, and evaluated on the held-out rows like the ensemble.
 */
export function singleOf(trained: Trained): { readonly model: Classifier; readonly result: SingleResult } {
  const { rows, labels, train, test, run } = trained;
  const order = shuffled(train, labels).slice(0, MOST_ROWS);
  const cut = Math.ceil(order.length / 5);
  const held = order.slice(0, cut);
  const usual = run.settings.alpha || '1'; // choosing it for every family takes ten times as long as the rest
  const fitted = (places: readonly number[], model: string, alpha: string) => {
    const settings = { ...run.settings, model, alpha, calibrate: 'none' };
    const { recipe, features } = recipeFor(rows, settings);
    if (features.length !== run.settings.features.length) return undefined; // the family does not take all columns
    return Classifier.fit(
      places.map((i) => rows[i]),
      { ...recipe, evaluate: false },
    );
  };
  const tried = FAMILIES.flatMap((model) => {
    try {
      const own = fitted(order.slice(cut), model, usual);
      return own ? [{ model, loss: lossOf(own, held, trained) }] : [];
    } catch (error) {
      if (error instanceof PolyaError) return []; // a family that does not take these columns
      throw error;
    }
  });
  const [best] = tried.sort((a, b) => a.loss - b.loss);
  const model = best && fitted(train, best.model, run.settings.alpha);
  if (!model) return refuse('E_CONFLICT', 'no naive Bayes model takes all of these columns');
  const own = evaluateRows(answersOn(model, test, trained), '');
  const whole = evaluateRows(heldOutScores(trained), '');
  return {
    model,
    result: {
      model: best.model,
      summary: model.report().summary,
      accuracy: [own.accuracy.value, whole.accuracy.value],
      logLoss: [own.logLoss, whole.logLoss],
      rows: test.length,
    },
  };
}

const answersOn = (model: Classifier, places: readonly number[], { rows, labels }: Trained) =>
  answers(
    model,
    places.map((i) => rows[i]),
    places.map((i) => labels[i]),
  );

/** Log-loss on rows whose labels the model knows. */
function lossOf(model: Classifier, places: readonly number[], trained: Trained): number {
  return evaluateRows(answersOn(model, places, trained), '').logLoss ?? Infinity;
}
