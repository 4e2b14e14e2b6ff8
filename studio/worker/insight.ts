import { type Classifier, doubleCounting } from '../../src/index.ts';
import { cellOf, type DataRow, refuse, wordOf } from '../../src/workbench.ts';
import { numberCells } from './number-cells.ts';
import { placesOf, sampleOf } from './sample.ts';
import type { Trained } from './training.ts';

/** A nomogram as plain data: what each value of a feature adds, class by class, in nats. */
export interface NomogramResult {
  readonly classes: readonly string[];
  /** Contributions of no axis: the prior, and the absence of all other words. */
  readonly prior: readonly number[];
  readonly axes: readonly {
    readonly feature: string;
    readonly marks: readonly {
      readonly value: string;
      readonly cell: string | number | boolean | null;
      readonly byClass: readonly number[];
    }[];
  }[];
  /** The number of features, with or without an axis. */
  readonly features: number;
  /** The number of training rows. */
  readonly rows: number;
  readonly calibrated: boolean;
}

/** Two dependent features, whose evidence is counted twice. */
export interface PairResult {
  readonly first: string;
  readonly second: string;
  /** I(Xᵢ; Xⱼ | C) in bits. */
  readonly bits: number;
  readonly overcount: number;
  readonly rows: number;
}

/** Dependent pairs, measured on a sample of the rows. */
export interface PairsResult {
  readonly pairs: readonly PairResult[];
  readonly rows: number;
  readonly all: number;
}

const MOST_AXES = 12;
const BEYOND = 20;
const MOST_ROWS = 4_000;

/** The nomogram of a model; an impossible value is drawn beyond all others of its axis. */
export function nomogramOf(model: Classifier): NomogramResult {
  const { classes, prior, rest, axes, features } = model.nomogram({ k: MOST_AXES });
  const { calibration, learned } = model.report();
  return {
    classes: classes.map(String),
    prior: finite([Array.from(prior, (log, c) => log + rest[c])])[0],
    axes: axes.map(({ feature, word, points }) => {
      const byClass = finite(points.map((point) => Array.from(point.byClass)));
      const marks = points.map(({ value }, k) => ({ value: shown(value), cell: value, byClass: byClass[k] }));
      return { feature: word ?? feature, marks };
    }),
    ...{ features, rows: learned?.weight ?? 0, calibrated: calibration !== null },
  };
}

/** Replaces −Infinity by a score below all others. */
function finite(scores: readonly (readonly number[])[]): number[][] {
  const least = Math.min(0, ...scores.flat().filter(Number.isFinite));
  return scores.map((own) => own.map((score) => (Number.isFinite(score) ? score : least - BEYOND)));
}

const shown = (value: unknown): string =>
  typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(3) : String(value ?? '–');

/** Pairs of features that are dependent within classes, which naive Bayes counts twice. */
export function pairsOf({ rows, labels, run }: Trained, model: Classifier): PairsResult {
  const { estimator } = model;
  if (!estimator)
    refuse('E_CONFLICT', 'dependent pairs are found for models of one kind of column: text, numbers or categories');
  const places = sampleOf(placesOf(rows), labels, MOST_ROWS);
  const { columns } = model.schema;
  const own = columns
    .filter(({ role }) => role === 'feature')
    .map(({ name, kind }) => {
      const number = numberCells(model, name);
      return (row: DataRow): unknown => (kind === 'number' ? number(row) : cellOf(row, name));
    });
  const [text] = run.texts;
  const X = places.map((i) =>
    text !== undefined ? wordOf(cellOf(rows[i], text) ?? '') : own.map((read) => read(rows[i])),
  );
  const found = doubleCounting(
    estimator as never,
    X as never,
    places.map((i) => labels[i]),
    { k: 14 },
  );
  const pairs = found.slice(0, 40).map(({ features: [first, second], information, overcount, rows: both }) => ({
    first: String(first),
    second: String(second),
    bits: information / Math.LN2,
    overcount,
    rows: both,
  }));
  return { pairs, rows: places.length, all: rows.length };
}
