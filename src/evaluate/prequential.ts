import { type GivenOptions, integer, type Option, type OptionSpec, readOptions } from '../core/options.ts';
import { requireKind, requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';

/** Scores of a stretch of rows; NaN where nothing defines them. */
export interface StreamScores {
  readonly n: number;
  readonly accuracy: number;
  readonly logLoss: number;
  readonly kappa: number;
}

/** Scores of all rows so far, of the latest ones, and with the old ones faded. */
export interface PrequentialScores extends StreamScores {
  readonly window: StreamScores;
  readonly fading: StreamScores;
}

const fading: Option<number> = {
  kind: 'real',
  default: 0.999,
  expects: 'a number above 0 and at most 1',
  accept: (value) => (typeof value === 'number' && value > 0 && value <= 1 ? value : undefined),
};
const spec = {
  /** The number of latest rows in the window. Default: 1000. */
  window: integer({ default: 1000, min: 1 }),
  /** The factor by which the weight of a row decreases with each later row; 0.999 averages over about a thousand rows. Default: 0.999. */
  fading,
} satisfies OptionSpec;

/** Options of prequential evaluation. */
export type PrequentialOptions = GivenOptions<typeof spec>;

const EPSILON = 2 ** -52;
const HUGE = 1e100;

/** Sums over rows from which accuracy, log-loss and kappa follow. */
class Tally {
  mass = 0;
  hits = 0;
  loss = 0;
  lossMass = 0;
  readonly truths = new Map<Label, number>();
  readonly guesses = new Map<Label, number>();

  add({ truth, guess, loss }: Row, weight: number): void {
    this.mass += weight;
    if (truth === guess) this.hits += weight;
    this.truths.set(truth, (this.truths.get(truth) ?? 0) + weight);
    this.guesses.set(guess, (this.guesses.get(guess) ?? 0) + weight);
    if (Number.isNaN(loss)) return;
    this.loss += weight * loss;
    this.lossMass += weight;
  }

  /** Multiplies all sums by a factor. */
  scale(factor: number): void {
    for (const name of ['mass', 'hits', 'loss', 'lossMass'] as const) this[name] *= factor;
    for (const counts of [this.truths, this.guesses]) {
      for (const [label, mass] of counts) counts.set(label, mass * factor);
    }
  }

  scores(n: number): StreamScores {
    const accuracy = this.hits / this.mass;
    let chance = 0;
    for (const [label, mass] of this.truths)
      chance += (mass / this.mass) * ((this.guesses.get(label) ?? 0) / this.mass);
    const kappa = chance >= 1 ? Number.NaN : (accuracy - chance) / (1 - chance);
    return { n, accuracy, logLoss: this.loss / this.lossMass, kappa };
  }
}

interface Row {
  readonly truth: Label;
  readonly guess: Label;
  readonly loss: number;
}

/**
 * Test-then-train scores of a stream: every row is predicted before it is learned, so the running average is unbiased without held-out
 * rows. There are also scores of the latest rows, and scores with a fading factor γ, Σ γ^(n−i) lossᵢ / Σ γ^(n−i), which follow a drifting
 * source. Gama, Sebastião & Rodrigues, Mach. Learn. 90 (2013).
 */
export class Prequential {
  readonly #window: number;
  readonly #fading: number;
  readonly #all = new Tally();
  readonly #faded = new Tally();
  readonly #latest: Row[] = [];
  /** Sums over the window: new rows are added and old ones subtracted, and the sums are recomputed once per window. */
  #recent = new Tally();
  #next = 0;
  #n = 0;
  /** The weight of the newest row in the faded sums: it grows, so that the old ones need not be scaled down one by one. */
  #weight = 1;

  constructor(options: PrequentialOptions = {}) {
    const read = readOptions('Prequential', spec, options);
    this.#window = read.window;
    this.#fading = read.fading;
  }

  /** How many rows have been evaluated. */
  get n(): number {
    return this.#n;
  }

  /**
   * Adds one row: its label, the prediction made before learning it, and the probability that the prediction gave to the label (without it
   * the row has no log-loss). Returns the scores after 1, 2, 4, 8 … rows, so that a stream of any length gives a short table; otherwise
   * undefined.
   */
  update(truth: Label, guess: Label, probability?: number): PrequentialScores | undefined {
    if (probability !== undefined && !(typeof probability === 'number' && probability >= 0 && probability <= 1)) {
      refuse('E_VALUE_RANGE', `${show(probability)} is not a probability`, { row: this.#n });
    }
    if (truth === undefined || truth === null)
      refuse('E_LABEL_MISSING', `row ${this.#n} has no label`, { row: this.#n });
    const loss =
      probability === undefined ? Number.NaN : -Math.log(Math.min(Math.max(probability, EPSILON), 1 - EPSILON));
    const row = { truth, guess, loss };
    this.#all.add(row, 1);
    this.#weight /= this.#fading;
    this.#faded.add(row, this.#weight);
    if (this.#weight > HUGE) {
      this.#faded.scale(1 / this.#weight);
      this.#weight = 1;
    }
    this.#look(row);
    this.#n++;
    return 2 ** Math.floor(Math.log2(this.#n)) === this.#n ? this.scores() : undefined;
  }

  /** Moves the window by one row. Counts are whole and stay exact; rounding of the loss is removed by the next recomputation. */
  #look(row: Row): void {
    const gone = this.#latest[this.#next];
    this.#latest[this.#next] = row;
    this.#next = (this.#next + 1) % this.#window;
    if (gone && this.#next === 0) {
      this.#recent = new Tally();
      for (const own of this.#latest) this.#recent.add(own, 1);
      return;
    }
    if (gone) this.#recent.add(gone, -1);
    this.#recent.add(row, 1);
  }

  /** The scores so far; NaN before the first row. */
  scores(): PrequentialScores {
    return {
      ...this.#all.scores(this.#n),
      window: this.#recent.scores(this.#latest.length),
      fading: this.#faded.scores(this.#n),
    };
  }
}

/**
 * Test-then-train scores of rows that are already predicted, at 1, 2, 4, 8 … rows and at the end. `probability`, where
 * given, is what each prediction gave to the true label.
 */
export function prequentialScores(
  yTrue: ArrayLike<Label>,
  yPred: ArrayLike<Label>,
  options: PrequentialOptions & { readonly probability?: ArrayLike<number> | undefined } = {},
): PrequentialScores[] {
  const { probability, ...rest } = requireOptions('prequentialScores', ['probability', ...Object.keys(spec)], options);
  for (const list of [yTrue, yPred]) requireKind(list, 'a list of labels', 'list');
  const stream = new Prequential(rest);
  const table: PrequentialScores[] = [];
  for (const [name, list] of Object.entries({ yPred, ...(probability && { probability }) })) {
    if (list.length === yTrue.length) continue;
    refuse('E_SHAPE', `${name} has ${list.length} rows, yTrue ${yTrue.length}`, {
      expected: yTrue.length,
      actual: list.length,
    });
  }
  for (let i = 0; i < yTrue.length; i++) {
    const scores = stream.update(yTrue[i], yPred[i], probability?.[i]);
    if (scores !== undefined) table.push(scores);
    else if (i === yTrue.length - 1) table.push(stream.scores());
  }
  return table;
}
