import { Prequential, type StreamScores } from '../../evaluate/prequential.ts';
import { argmax } from '../../math/arrays.ts';
import { TokenBucket } from '../http/token-bucket.ts';
import type { Example, ServedModel } from './served-model.ts';

/** Scores of rows that were predicted before they were learned; null if not defined. */
interface LearnScores {
  readonly n: number;
  readonly accuracy: number | null;
  readonly log_loss: number | null;
  readonly kappa: number | null;
}

/** Scores of all rows so far, and of the latest. */
export type PrequentialScores = LearnScores & { readonly window: LearnScores };

/**
 * Rows that are predicted before they are learned: at most 250 per second, and all of a group or none, because the first prediction after
 * learning costs as much as a hundred others. The scores look back on the latest thousand rows.
 */
const [EVALUATED_PER_SECOND, EVALUATED_AT_ONCE] = [250, 1000];

/** How well a model predicts rows before it learns them. */
export class LearnScorer {
  private readonly stream = new Prequential();
  private readonly budget = new TokenBucket(EVALUATED_PER_SECOND, EVALUATED_AT_ONCE);
  private latest: PrequentialScores | null = null;

  /** Predicts examples that the model is about to learn; what is returned adds their scores once it has. */
  predict(model: ServedModel, examples: readonly Example[]): () => void {
    const wanted = Math.min(examples.length, EVALUATED_AT_ONCE);
    const now = performance.now();
    const count = this.budget.has(wanted, now) ? this.budget.take(wanted, now) : 0;
    const guesses = count > 0 ? guessesOf(model, examples.slice(0, count)) : [];
    return () => {
      for (const { truth, label, probability } of guesses) this.stream.update(truth, label, probability);
    };
  }

  /** The scores; null before the first row. Requests of one group share an object. */
  scores(): PrequentialScores | null {
    const { n } = this.stream;
    if (n > 0 && this.latest?.n !== n) {
      const all = this.stream.scores();
      this.latest = { ...scoresOf(all), window: scoresOf(all.window) };
    }
    return this.latest;
  }
}

/** Scores for JSON, which has no NaN. */
function scoresOf({ n, accuracy, logLoss, kappa }: StreamScores): LearnScores {
  const number = (value: number) => (Number.isFinite(value) ? value : null);
  return { n, accuracy: number(accuracy), log_loss: number(logLoss), kappa: number(kappa) };
}

/** The labels that a model predicts for examples, and the probability that it gives to their true labels. */
function guessesOf(model: ServedModel, examples: readonly Example[]) {
  const { classes } = model;
  const instances = examples.map(({ instance }) => instance);
  const logProba = model.predictLogProba(instances, true, 'examples');
  return examples.map(({ label: truth }, i) => {
    const row = logProba.row(i);
    const c = classes.indexOf(truth);
    return { truth, label: classes[argmax(row)], probability: c < 0 ? 0 : Math.min(1, Math.exp(row[c])) };
  });
}
