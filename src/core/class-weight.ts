import type { Label } from '../data/labels.ts';
import { isList } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Option } from './options.ts';

/**
 * The weight of each class's rows when parameters are estimated: 'balanced' gives every class the same total weight; a
 * map gives a factor by class name (1 if a class is not listed).
 */
export type ClassWeight = 'balanced' | Readonly<Record<string, number>>;

/**
 * A copy with sorted keys, so equal weights serialize to equal JSON, and without a prototype, because labels may equal
 * its property names.
 */
function accept(value: unknown): ClassWeight | null | undefined {
  if (value === null || value === 'balanced') return value;
  const entries = Object(value) === value && !isList(value) ? Object.entries(value as object).sort() : [];
  const fits = entries.length > 0 && entries.every(([, weight]) => Number.isFinite(weight) && weight > 0);
  return fits ? Object.freeze(Object.setPrototypeOf(Object.fromEntries(entries), null)) : undefined;
}

/**
 * Class weights, like scikit-learn's `class_weight`. Fitting with them equals fitting with each row's class weight as
 * its `sampleWeight`. They are applied when parameters are estimated, never to counts, so learning, unlearning and
 * merging stay exact.
 */
export const classWeight: Option<ClassWeight | null> = {
  kind: 'custom',
  default: null,
  choices: ['balanced'],
  expects: "'balanced', a positive weight for each class, or null",
  accept,
};

/** The factor of each class. 'balanced' is n / (K · n[c]) over the K classes that have rows, as in scikit-learn. */
export function classFactors(weight: ClassWeight, classes: readonly Label[], n: Float64Array): Float64Array {
  if (weight !== 'balanced') return Float64Array.from(classes, (label) => weight[String(label)] ?? 1);
  const share = sum(n) / n.filter((own) => own > 0).length;
  return n.map((own) => (own > 0 ? share / own : 1));
}

/**
 * Throws if a name is not a class while some class has no weight, because the name is probably misspelt. This is
 * scikit-learn's rule: weights for classes missing from a fold are fine if every other class has one. `suggest` finds
 * the closest name; small bundles leave it out.
 */
export function requireWeightedClasses(
  weight: ClassWeight | null,
  classes: readonly Label[],
  suggest?: (name: string, known: Iterable<string>) => string | undefined,
): void {
  if (weight === null || weight === 'balanced') return;
  const names = new Set(classes.map(String));
  const unknown = Object.keys(weight).find((name) => !names.has(name));
  if (unknown === undefined || classes.every((label) => Object.hasOwn(weight, String(label)))) return;
  const near = suggest?.(unknown, names);
  const hint = near === undefined ? '' : `; did you mean ${show(near)}?`;
  refuse('E_CLASS_UNKNOWN', `classWeight names ${show(unknown)}, which is not a class${hint}`, { class: unknown });
}
