import { integer, readOptions } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { insightOf } from '../models/insights.ts';
import { type Fitted, insideOf, type Names, placeOfClass, requirePart } from './inside.ts';

/** Which features are asked for. */
export interface MostInformativeOptions {
  /** The class they speak for; all classes, one after the other, where none is given. */
  readonly class?: Label | undefined;
  /** How many of each class. */
  readonly k?: number | undefined;
}

/** A feature that speaks for a class. */
export interface Informative {
  readonly class: Label;
  readonly feature: string | number;
  /** How much it speaks for the class, in nats; below zero it speaks against it. */
  readonly nats: number;
  /** Where the feature has levels, the one by which it speaks. */
  readonly level?: Level;
}

const spec = {
  /** How many features of each class. */
  k: integer({ default: 10, min: 1 }),
} as const;

/** The features that speak most for each class, in order; the first of equals comes first. */
export function mostInformative(fitted: Fitted, given: MostInformativeOptions & Names = {}): Informative[] {
  const known = ['class', 'names', ...Object.keys(spec)];
  const { class: wanted, names, ...rest } = requireOptions('mostInformative', known, given);
  const { k } = readOptions('mostInformative', spec, rest);
  const inside = insideOf(fitted, names);
  const { kind, params, classes, features } = inside;
  const insight = insightOf(inside.model);
  const reason = 'its features do not speak for a class one by one';
  const telling = requirePart(kind, insight.telling, 'mostInformative', reason);
  const { stats, options } = inside.counted();
  const told = telling(params, stats, options);
  const chosen = wanted === undefined ? [...classes.keys()] : [placeOfClass(classes, wanted)];
  return chosen.flatMap((c) => {
    const nats = told.subarray(c * features, (c + 1) * features);
    const order = Uint32Array.from(nats.keys()).sort((a, b) => compare(nats[b], nats[a]) || a - b);
    return Array.from(order.subarray(0, k), (j) => {
      const level = insight.tellingLevel?.(params, c, j) ?? Number.NaN;
      const named = Number.isNaN(level) ? {} : { level: inside.cell(j, level) as Level };
      return { class: classes[c], feature: inside.name(j), nats: nats[j], ...named };
    });
  });
}

/** Infinities are equal to themselves. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b);
