import { encodeState } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { argmax } from '../math/arrays.ts';
import type { DataRow } from './cells.ts';
import { type ClassifierOptions, type ClassifierParts, type ClassifierReport, fitParts } from './classifier-fit.ts';
import type { Term } from './classifier-opinions.ts';
import { readClassifier, saveClassifier } from './classifier-saved.ts';
import { applyPool } from './pool.ts';

/** What a classifier says of a row. */
export interface Classification<L extends Label = Label> {
  /** The most probable class, also of a row on which it abstains. */
  readonly label: L;
  readonly probability: number;
  /** In the order of `classes`. */
  readonly probabilities: readonly { readonly label: L; readonly probability: number }[];
  /** ln p(x) under the columns that are no text: how ordinary the row is; null where there are none. */
  readonly logEvidence: number | null;
  /** The answer is less probable than asked for, or the row says nothing. */
  readonly abstained: boolean;
}

/** Why a row got its label: rest + terms = score, class by class, in nats. */
export interface ClassifierExplanation<L extends Label = Label> {
  readonly label: L;
  readonly classes: readonly L[];
  /** What each cell, or each word of a text, adds; the most decisive first. */
  readonly terms: readonly Term[];
  /** What belongs to no feature: priors, biases, and what makes shares of probabilities. */
  readonly rest: Float64Array;
  /** The pooled score; its softmax is the posterior before curves. */
  readonly score: Float64Array;
}

/**
 * A classifier of records. It tells the kinds of columns from the rows, chooses models by held-out log-loss, pools and
 * calibrates them, and keeps what it tried. Missing cells are ordinary.
 */
export class Classifier<L extends Label = Label> {
  private readonly parts: ClassifierParts;

  private constructor(parts: ClassifierParts) {
    this.parts = parts;
  }

  /** Learns from rows; the same rows, options and seed give the same classifier. */
  static fit<L extends Label = Label>(rows: readonly DataRow[], options: ClassifierOptions): Classifier<L> {
    const { reject = 0 } = options;
    if (!(reject >= 0 && reject <= 1)) refuse('E_PARAM', 'reject is a probability', { name: 'reject' });
    return new Classifier<L>(fitParts(rows, options));
  }

  /** Reads what `save` wrote; ends in a classifier or a `PolyaError`, and executes nothing of the file. */
  static load<L extends Label = Label>(bytes: Uint8Array | ArrayBuffer): Classifier<L> {
    return new Classifier<L>(readClassifier(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)));
  }

  /** The sorted class labels. */
  get classes(): L[] {
    return [...this.parts.report.classes] as L[];
  }

  /** The choice, the alternatives with their scores, kinds of columns with reasons, and warnings. */
  report(): ClassifierReport {
    return structuredClone(this.parts.report);
  }

  /** ln p(c | x) of every row. */
  predictLogProba(rows: readonly DataRow[]): Matrix {
    const { opinions, pool, report } = this.parts;
    requireRecords(rows);
    if (rows.length === 0) return new Matrix(0, report.classes.length);
    const scores = opinions.map((opinion) => opinion.predictLogProba(rows));
    return opinions.length === 1 ? scores[0] : applyPool(pool, scores);
  }

  /** What is said of one row. */
  classify(row: DataRow): Classification<L> {
    return this.classifyAll([row])[0];
  }

  /** What is said of each row. */
  classifyAll(rows: readonly DataRow[]): Classification<L>[] {
    const { opinions, reject } = this.parts;
    const { classes } = this;
    const logProba = this.predictLogProba(rows);
    const evidence = opinions.map((opinion) => (rows.length > 0 ? opinion.logEvidence(rows) : undefined)).find(Boolean);
    return rows.map((row, i) => {
      const probabilities = classes.map((label, c) => ({ label, probability: Math.exp(logProba.row(i)[c]) }));
      const { label, probability } = probabilities[argmax(logProba.row(i))];
      const silent = !opinions.some((opinion) => opinion.hears(row));
      return {
        label,
        probability,
        probabilities,
        logEvidence: evidence?.[i] ?? null,
        abstained: silent || probability < reject,
      };
    });
  }

  /** Why a row gets its label. */
  explain(row: DataRow): ClassifierExplanation<L> {
    requireRecords([row]);
    const { opinions, pool } = this.parts;
    const { classes } = this;
    const rest = pool.bias.slice();
    const terms = opinions.flatMap((opinion, k) => {
      const weigh = (values: Float64Array) => values.map((value) => value * pool.weights[k]);
      const own = opinion.terms(row);
      weigh(own.rest).forEach((value, c) => {
        rest[c] += value;
      });
      return own.terms.map((term) => ({ ...term, byClass: weigh(term.byClass) }));
    });
    const score = rest.map((start, c) => terms.reduce((sum, { byClass }) => sum + byClass[c], start));
    const label = this.classify(row).label;
    const spread = ({ byClass }: Term) => Math.max(...byClass) - Math.min(...byClass);
    return { label, classes, terms: terms.sort((a, b) => spread(b) - spread(a)), rest, score };
  }

  /** The classifier as the bytes of a model file. */
  save(): Uint8Array<ArrayBuffer> {
    return encodeState(saveClassifier(this.parts));
  }

  /** The same as `save`, by the name that estimators have for it. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.save();
  }
}

function requireRecords(rows: readonly DataRow[]): void {
  rows.forEach((row, i) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      refuse('E_TYPE', `row ${i} is not a record with named cells`, { row: i });
    }
  });
}
