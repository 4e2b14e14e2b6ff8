import type { State, StateOptions } from '../core/artifact.ts';
import { type Label, sortClasses } from '../data/labels.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import { restore } from '../estimators/restore.ts';
import { damaged, SavedArrays, tensor } from '../estimators/saved.ts';
import { toFloat32 } from '../estimators/slim.ts';
import type { PoolParts, PoolView, TriedText } from './text-pool.ts';
import type { Weighting } from './text-rows.ts';
import { type TermTable, tableOf } from './text-table.ts';

/** The array that tells which row of a table is whose. */
const rowsName = (name: string) => `${name}Rows`;

/** Places as the narrowest numbers that hold them. */
const narrow = (rows: Uint32Array, most: number) => (most <= 2 ** 16 ? Uint16Array.from(rows) : rows);

/** A pool as plain data: its vectorizers are steps, its weights arrays. It learns no more, and keeps no counts of terms. */
export function savePool(kind: string, parts: PoolParts, options: StateOptions = {}): State {
  const { classes, bias, views, curves, tried, logPrior } = parts;
  const float32 = options.float32 || parts.largestError !== undefined;
  let largestError = parts.largestError ?? 0;
  const arrays: Record<string, Tensor> = {
    bias: tensor(bias),
    curves: tensor(curves.flatMap(({ a, b }) => [a, b])),
    ...(logPrior && { logPrior: tensor(logPrior) }),
  };
  views.forEach(({ parts }, v) => {
    for (const { weighting, weights, rows } of parts) {
      const { data, error } = float32 ? toFloat32(weights) : { data: weights, error: 0 };
      const kept = weights.length / classes.length;
      arrays[`${weighting}${v}`] = { shape: [kept, classes.length], data };
      arrays[rowsName(`${weighting}${v}`)] = { shape: [rows.length], data: narrow(rows, kept) };
      largestError = Math.max(largestError, error);
    }
  });
  const learned = {
    classes: [...classes],
    views: views.map(({ name }) => name),
    tried: tried.map((entry) => ({ ...entry })),
    ...(float32 && { largestError }),
  };
  const steps = views.map(({ vectorizer }) => vectorizer.toState({ ...options, slim: true }));
  return { kind, params: {}, learned, arrays, steps };
}

const isObject = (value: JsonValue): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readTried(value: JsonValue | undefined): TriedText[] {
  const fits = (entry: JsonValue) =>
    isObject(entry) &&
    typeof entry.name === 'string' &&
    Number.isFinite(entry.logLoss) &&
    Number.isFinite(entry.accuracy) &&
    typeof entry.chosen === 'boolean' &&
    (entry.weight === undefined || Number.isFinite(entry.weight));
  if (!Array.isArray(value) || !value.every(fits)) return damaged('its table of what was tried is wrong');
  return value as unknown as TriedText[];
}

function readClasses(value: JsonValue | undefined): Label[] {
  if (!Array.isArray(value) || value.length === 0) return damaged('its classes are wrong');
  const sorted = sortClasses(value);
  return sorted.every((label, c) => label === value[c]) ? sorted : damaged('its classes are not in order');
}

/** The weights of so many terms, from a table of different rows, or of all of them as older files have it. */
function readTable(name: string, terms: number, classes: number, arrays: SavedArrays): TermTable {
  if (!arrays.has(rowsName(name))) {
    const all = finite(arrays.take(name, terms * classes));
    return tableOf(terms, classes, (j, row) => row.set(all.subarray(j * classes, (j + 1) * classes)));
  }
  const weights = finite(arrays.take(name));
  const places = arrays.take(rowsName(name), terms);
  const kept = weights.length / classes;
  const fits = Number.isInteger(kept) && places.every((row) => Number.isInteger(row) && row >= 0 && row < kept);
  return fits ? { rows: Uint32Array.from(places), weights } : damaged('a term has weights that are not there');
}

function readView(name: JsonValue, v: number, vectorizer: unknown, arrays: SavedArrays, classes: number): PoolView {
  if (typeof name !== 'string' || !(vectorizer instanceof CountVectorizer)) return damaged('it has a wrong view');
  const terms = vectorizer.getFeatureNamesOut().length;
  const weightings: readonly Weighting[] = ['root', 'presence'];
  const present = weightings.filter((weighting) => arrays.has(`${weighting}${v}`));
  return {
    name,
    vectorizer,
    parts: present.map((weighting) => ({ weighting, ...readTable(`${weighting}${v}`, terms, classes, arrays) })),
  };
}

const finite = (values: Float64Array) =>
  values.every(Number.isFinite) ? values : damaged('a weight is no finite number');

/** A vectorizer from plain data; nothing else is a step of a pool. */
export function restoreVectorizer(state: State): CountVectorizer {
  if (state.kind !== 'CountVectorizer') damaged('a view of it is no vectorizer');
  return restore(new CountVectorizer(state.params as CountVectorizerOptions), state);
}

/** The inverse of `savePool`; believes nothing. */
export function readPool(state: State, restore: (state: State) => unknown): PoolParts {
  const { steps = [] } = state;
  const { largestError, ...learned } = state.learned;
  if (Object.keys(learned).sort().join() !== 'classes,tried,views') damaged('it has other entries than it should');
  if (largestError !== undefined && !((largestError as number) >= 0)) damaged('its largest error is none');
  const arrays = new SavedArrays(state);
  const classes = readClasses(learned.classes);
  const { views: names } = learned;
  if (!Array.isArray(names) || names.length !== steps.length) return damaged('its views are wrong');
  const views = names.map((name, v) => readView(name, v, restore(steps[v]), arrays, classes.length));
  const bias = finite(arrays.take('bias', classes.length));
  const pairs = finite(arrays.take('curves'));
  if (pairs.length !== 0 && pairs.length !== 2 * classes.length) damaged('its curves are wrong');
  const curves = Array.from({ length: pairs.length / 2 }, (_, c) => ({ a: pairs[2 * c], b: pairs[2 * c + 1] }));
  const logPrior = arrays.has('logPrior') ? finite(arrays.take('logPrior', classes.length)) : undefined;
  arrays.close();
  const rounded = largestError === undefined ? {} : { largestError: largestError as number };
  return { classes, bias, views, curves, tried: readTried(learned.tried), ...(logPrior && { logPrior }), ...rounded };
}
