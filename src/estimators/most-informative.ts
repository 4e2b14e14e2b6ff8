import { integer, readOptions } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { type Known, placeOfClass, requirePart } from './known.ts';

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

const spec = { k: integer({ default: 10, min: 1, doc: 'how many features of each class' }) } as const;

/** The features that speak most for each class, in order; the first of equals comes first. */
export function mostInformative<S extends Shape, P extends Shape>(
  known: Known<S, P>,
  { class: wanted, ...rest }: MostInformativeOptions,
): Informative[] {
  const { k } = readOptions('mostInformative', spec, rest);
  const { kind, model, params, classes, features } = known;
  const reason = 'its features do not speak for a class one by one';
  const telling = requirePart(kind, model.telling, 'mostInformative', reason);
  const { stats, options } = known.counted();
  const told = telling.call(model, params, stats, options);
  const chosen = wanted === undefined ? [...classes.keys()] : [placeOfClass(classes, wanted)];
  return chosen.flatMap((c) => {
    const nats = told.subarray(c * features, (c + 1) * features);
    const order = Uint32Array.from(nats.keys()).sort((a, b) => compare(nats[b], nats[a]) || a - b);
    return Array.from(order.subarray(0, k), (j) => {
      const level = model.tellingLevel?.(params, c, j) ?? Number.NaN;
      const named = Number.isNaN(level) ? {} : { level: known.cell(j, level) as Level };
      return { class: classes[c], feature: known.name(j), nats: nats[j], ...named };
    });
  });
}

/** Infinities are equal to themselves. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b);
