import { refuse, show } from '../errors.ts';
import { compareCodePoints, requireWellFormed } from './order.ts';
import type { CodedColumn } from './packed-columns.ts';

/** A class label: all labels of one model are strings, or all are integers, or all are booleans. */
export type Label = string | number | boolean;

/** Labels as class numbers, and the sorted classes. */
export interface Labels {
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
}

/** Compares labels of one type: strings by code point, numbers by size, false before true. */
export function compareLabels(a: Label, b: Label): number {
  return typeof a === 'string' ? compareCodePoints(a, b as string) : Number(a) - Number(b);
}

function checkLabel(value: unknown, row: number): Label {
  if (value === null || value === undefined || Number.isNaN(value)) {
    refuse('E_LABEL_MISSING', `row ${row} has no label`, { row });
  }
  if (typeof value === 'string') requireWellFormed(value, `label of row ${row}:`);
  else if (typeof value === 'object') {
    refuse('E_SHAPE', `labels are one value per row; row ${row} has ${show(value)}`, { row });
  } else if (typeof value !== 'boolean' && !Number.isSafeInteger(value)) {
    refuse('E_LABEL_TYPE', `labels are strings, integers or booleans; row ${row} has ${show(value)}`, { row });
  }
  return value === 0 ? 0 : (value as Label); // −0 and 0 are one class
}

/** Throws if labels of one model have two types. */
export function requireSameType(a: Label, b: Label, row: number): void {
  if (typeof a !== typeof b) {
    refuse('E_LABEL_TYPE', `row ${row} has the ${typeof b} ${show(b)}, the labels before it are of type ${typeof a}`, {
      row,
      expected: typeof a,
      actual: typeof b,
    });
  }
}

/** Checks a list of classes and returns it sorted; throws on a duplicate. */
export function sortClasses(classes: ArrayLike<unknown>): Label[] {
  const { classes: sorted } = encodeAny(classes);
  if (sorted.length !== classes.length) {
    refuse('E_PARAM', `classes has ${classes.length} entries, of which ${sorted.length} are distinct`, {
      name: 'classes',
      actual: classes.length,
      distinct: sorted.length,
    });
  }
  return [...sorted];
}

/** Throws if labels are not a list; a string is one label, not a list of letters. */
export function requireLabels<T extends { readonly length: number }>(y: T): T {
  if (typeof y === 'object' && y !== null && Number.isSafeInteger(y.length)) return y;
  return refuse('E_SHAPE', `labels are a list, got ${show(y)}`);
}

/** Converts labels to class numbers. The classes are sorted, whatever the order of arrival. */
export function encodeLabels(y: ArrayLike<unknown>): Labels {
  const small = y instanceof Int32Array || y instanceof Uint8Array ? encodeSmall(y) : undefined;
  return small ?? encodeAny(y);
}

/** Integers below 256, encoded without a search; undefined if there are others. */
function encodeSmall(y: Int32Array | Uint8Array): Labels | undefined {
  const codes = new Int32Array(y.length);
  const place = new Int32Array(256);
  for (let i = 0; i < y.length; i++) {
    const value = y[i];
    if (value >>> 0 > 255) return undefined;
    place[value] = 1;
    codes[i] = value;
  }
  const classes: number[] = [];
  for (let value = 0; value < 256; value++) if (place[value]) place[value] = classes.push(value) - 1;
  const stay = classes.every((value, c) => value === c);
  if (!stay) for (let i = 0; i < codes.length; i++) codes[i] = place[codes[i]];
  return { classes, codes };
}

/** The same for labels of any type, in any list. */
export function encodeAny(y: ArrayLike<unknown>): Labels {
  requireLabels(y);
  const seen = new Map<Label, number>();
  const small = new Int32Array(256).fill(-1); // codes of small numbers, found without hashing
  const codes = new Int32Array(y.length);
  let first: Label | undefined;
  for (let i = 0; i < y.length; i++) {
    const given = y[i] as Label;
    const tiny = typeof given === 'number' && given >= 0 && given < 256;
    // known labels need no further check
    let code = tiny && small[given] >= 0 ? small[given] : seen.get(given);
    if (code === undefined) {
      const value = checkLabel(given, i);
      if (first === undefined) first = value;
      else requireSameType(first, value, i);
      seen.set(value, (code = seen.size));
      if (tiny) small[given] = code;
    }
    codes[i] = code;
  }
  const { classes, place } = inOrder(seen);
  for (let i = 0; i < codes.length; i++) codes[i] = place[codes[i]];
  return { classes, codes };
}

/** The same for labels given as codes with distinct values. */
export function encodeCodes({ codes: given, values }: CodedColumn<unknown>): Labels {
  const seen = new Map<Label, number>();
  const arrivals = new Int32Array(values.length); // the index of each value among those that differ as labels
  for (let i = 0, next = 0; i < given.length && next < values.length; i++) {
    if (given[i] !== next) continue;
    const value = checkLabel(values[next], i);
    const [first = value] = seen.keys();
    requireSameType(first, value, i);
    if (!seen.has(value)) seen.set(value, seen.size);
    arrivals[next++] = seen.get(value) as number;
  }
  const { classes, place } = inOrder(seen);
  return {
    classes,
    codes: recoded(
      given,
      arrivals.map((k) => place[k]),
    ),
  };
}

function recoded(codes: Int32Array, place: Int32Array): Int32Array {
  const moved = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) moved[i] = place[codes[i]];
  return moved;
}

/** The sorted classes, and the index of each label among them. */
function inOrder(seen: ReadonlyMap<Label, number>): { classes: Label[]; place: Int32Array } {
  const arrived = [...seen.keys()];
  const classes = [...arrived].sort(compareLabels);
  return { classes, place: moves(arrived, classes) };
}

/** The sorted union of two sorted lists of classes. */
export function uniteClasses(a: readonly Label[], b: readonly Label[]): Label[] {
  return [...new Set([...a, ...b])].sort(compareLabels);
}

/** The index of each class of one list in another; −1 if it is missing. */
export function moves(from: readonly Label[], to: readonly Label[]): Int32Array {
  const place = new Map(to.map((value, c) => [value, c]));
  return Int32Array.from(from, (value) => place.get(value) ?? -1);
}

/** The place of each label in a list; a label that is not there yet is added at its end. */
export function placesIn(labels: Label[], y: readonly Label[]): Int32Array {
  const places = new Map(labels.map((label, c) => [label, c]));
  return Int32Array.from(y, (label) => {
    if (!places.has(label)) places.set(label, labels.push(label) - 1);
    return places.get(label)!;
  });
}

/** The places of labels that have rows, in the order of the labels; all of them where their weights are not known. */
export function placesShown(labels: readonly Label[], weights: Float64Array | undefined): number[] {
  const known = [...labels.keys()].filter((c) => !weights || weights[c] > 0);
  return known.sort((a, b) => compareLabels(labels[a], labels[b]));
}
