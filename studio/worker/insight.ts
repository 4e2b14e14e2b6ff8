import { cellOf, type DataRow, wordOf } from '../../src/data/cells.ts';
import { refuse } from '../../src/errors.ts';
import { doubleCounting } from '../../src/estimators/double-counting.ts';
import type { Fitted } from '../../src/estimators/inside.ts';
import { nomogram } from '../../src/estimators/nomogram.ts';
import { numberCells } from './number-cells.ts';
import { placesOf, sampleOf } from './sample.ts';
import type { Trained } from './training.ts';

/** A nomogram as plain data: what each value of a feature adds, class by class, in nats. */
export interface NomogramTold {
  readonly classes: readonly string[];
  readonly prior: readonly number[];
  readonly axes: readonly {
    readonly feature: string;
    readonly marks: readonly { readonly value: string; readonly byClass: readonly number[] }[];
  }[];
}

/** Two features that say the same thing twice. */
export interface PairTold {
  readonly first: string;
  readonly second: string;
  /** I(Xᵢ; Xⱼ | C) in bits. */
  readonly bits: number;
  readonly overcount: number;
  readonly rows: number;
}

/** The pairs that were found in a sample of the rows. */
export interface PairsTold {
  readonly pairs: readonly PairTold[];
  readonly rows: number;
  readonly all: number;
}

const MOST_AXES = 12;
const MOST_ROWS = 4_000;

/** The estimator behind a model; a pool and a discriminant of filled columns have none whose score is a sum. */
export function estimatorOf({ model }: Trained): Fitted {
  const { estimator } = model;
  if (estimator && 'inside' in estimator) return estimator as unknown as Fitted;
  return refuse(
    'E_CONFLICT',
    'its score is no sum over single features; train one naive Bayes model, such as multinomial, gaussian or categorical',
  );
}

/** The model as a nomogram; an impossible value is drawn at a bound. */
export function nomogramOf(trained: Trained): NomogramTold {
  const { classes, prior, axes } = nomogram(estimatorOf(trained), { k: MOST_AXES });
  const finite = (values: Float64Array) => Array.from(values, (value) => Math.max(-50, Math.min(50, value)));
  return {
    classes: classes.map(String),
    prior: finite(prior.byClass),
    axes: axes.map(({ feature, points }) => ({
      feature: String(feature),
      marks: points.map(({ value, byClass }) => ({ value: shown(value), byClass: finite(byClass) })),
    })),
  };
}

const shown = (value: unknown): string =>
  typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(3) : String(value ?? '–');

/** Pairs of features that count double; naive Bayes takes them to be independent in each class. */
export function pairsOf(trained: Trained): PairsTold {
  const estimator = estimatorOf(trained);
  const { rows, labels, run } = trained;
  const places = sampleOf(placesOf(rows), labels, MOST_ROWS);
  const { columns } = trained.model.schema;
  const own = columns
    .filter(({ role }) => role === 'feature')
    .map(({ name, kind }) => {
      const number = numberCells(trained.model, name);
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
