import { SAMPLE } from '../auto/selection.ts';
import type { DataRow } from '../data/cells.ts';
import type { Label } from '../data/labels.ts';
import { compareCodePoints } from '../data/order.ts';
import { emptyRecord } from '../data/table.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { numberLiteral, quoteIdentifier, quoteString } from '../engines/sql/dialect.ts';
import { ask, column, partOf, rowsOf, unreported } from '../engines/sql/frame.ts';
import { byClass } from '../engines/sql/grouped.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { stratifiedSample } from '../evaluate/trials.ts';
import { ordered, sortLabels } from './classes.ts';
import type { AnyClassifier } from './engine-counts.ts';
import type { Opened } from './source.ts';

/** Rows that the engine drew, in the order of their contents. */
export interface SampledRows {
  readonly records: readonly DataRow[];
  readonly labels: readonly Label[];
  readonly weights: Float64Array | undefined;
  /** The number of rows of the table. */
  readonly total: number;
}

/** More rows of each class are drawn than are needed, because each is drawn by a coin of its own: this many deviations. */
const MARGIN = 6;

/**
 * Draws a stratified random sample of the rows of a table: every class in proportion, and of small ones some rows in
 * any case; all rows of a table that is no larger than the sample.
 */
export async function drawSample(opened: Opened): Promise<SampledRows> {
  const { frame, target, features } = opened;
  const { dialect } = frame.engine;
  const q = (name: string) => column(frame, name);
  const { double, random } = wordsOf(dialect);
  const counted = await byClass(partOf(frame, 0, 2), [], [double('count(*)')]);
  const classes = sortLabels(counted.labels, target);
  const sizes = counted.values[1];
  const rows = sizes.reduce((sum, n) => sum + n, 0);
  const shares = counted.labels.map((label, c) => {
    const wanted = Math.max(20, (sizes[c] * SAMPLE) / rows);
    const share = rows <= SAMPLE ? 1 : Math.min(1, (wanted + MARGIN * Math.sqrt(wanted)) / sizes[c]);
    return `WHEN ${quoteString(dialect, label)} THEN ${numberLiteral(dialect, share)}`;
  });
  const cells = features.map(({ name, kind }) => cellText(opened, name, kind));
  const listed = [
    q('y'),
    frame.weight === undefined ? numberLiteral(dialect, 1) : double(q('w')),
    ...cells.map((_, j) => q(`x${j}`)),
  ];
  const all = rows <= SAMPLE;
  const chance = all ? '' : ` WHERE ${random} < CASE ${q('y')} ${shares.join(' ')} END`;
  const named = listed.map((sql, k) => `${sql} AS ${q(`s${k}`)}`).join(', ');
  const drawn: Drawn[] = [];
  const sql = `SELECT ${named} FROM ${rowsOf(frame, cells)}${chance}`;
  for await (const batch of ask(partOf(frame, 1, 2), sql)) {
    const [labels, weights, ...columns] = batch.columns;
    for (let i = 0; i < batch.rows; i++) {
      const record = emptyRecord<unknown>();
      features.forEach(({ name, kind }, j) => {
        const cell = columns[j][i];
        record[name] = kind === 'boolean' && cell !== null ? cell === 'true' : cell;
      });
      drawn.push({ code: classes.placeOf(String(labels[i])), record, weight: weights[i] as number, key: '' });
    }
  }
  return { ...fewer(drawn, classes.labels, ordered(classes, sizes), opened), total: rows };
}

interface Drawn {
  readonly code: number;
  readonly record: Record<string, unknown>;
  readonly weight: number;
  key: string;
}

/** The wanted number of rows of each class. They are sorted first, since engines return rows in any order. */
function fewer(drawn: Drawn[], labels: readonly Label[], sizes: Float64Array, { frame }: Opened) {
  for (const row of drawn) row.key = JSON.stringify([row.code, row.record, row.weight]);
  drawn.sort((a, b) => compareCodePoints(a.key, b.key));
  const codes = Int32Array.from(drawn, ({ code }) => code);
  const kept = Array.from(stratifiedSample(Int32Array.from(codes.keys()), codes, SAMPLE, sizes), (i) => drawn[i]);
  return {
    records: kept.map(({ record }) => record),
    labels: kept.map(({ code }) => labels[code]),
    weights: frame.weight === undefined ? undefined : Float64Array.from(kept, ({ weight }) => weight),
  };
}

/** A cell as a number or a text. */
function cellText({ frame }: Opened, name: string, kind: EngineColumn['kind']): string {
  const { dialect } = frame.engine;
  const { double, text } = wordsOf(dialect);
  const cell = quoteIdentifier(dialect, name);
  if (kind === 'integer' || kind === 'real') return double(cell);
  return kind === 'boolean' ? `CASE WHEN ${cell} THEN 'true' WHEN NOT ${cell} THEN 'false' END` : text(cell);
}

/**
 * The alpha that an estimator chooses by leaving rows out, on a sample that the engine draws; undefined if it was given
 * a number. `fitted` fits a copy to the sample.
 */
export async function sampledAlpha(
  estimator: AnyClassifier,
  opened: Opened,
  fitted: (sample: SampledRows) => unknown,
): Promise<number | undefined> {
  if ((estimator.getParams() as { alpha?: unknown }).alpha !== 'auto') return undefined;
  return (fitted(await drawSample({ ...opened, frame: unreported(opened.frame) })) as { readonly alpha: number }).alpha;
}
