import type { Label } from '../data/labels.ts';
import { isList } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Option } from './options.ts';

/**
 * What the rows of each class count for when parameters are estimated: the same for every class in total ('balanced'), or a
 * factor by class name (1 where none is given).
 */
export type ClassWeight = 'balanced' | Readonly<Record<string, number>>;

/** A copy with its names in order, so that equal weights are equal JSON, and without a prototype, whose names may be labels. */
function accept(value: unknown): ClassWeight | null | undefined {
  if (value === null || value === 'balanced') return value;
  const entries = Object(value) === value && !isList(value) ? Object.entries(value as object).sort() : [];
  const fits = entries.length > 0 && entries.every(([, weight]) => Number.isFinite(weight) && weight > 0);
  return fits ? Object.freeze(Object.setPrototypeOf(Object.fromEntries(entries), null)) : undefined;
}

/**
 * Class weights, as scikit-learn's `class_weight`. Fitting with them equals fitting with a `sampleWeight` of the weight of its
 * class for every row. They are applied when parameters are estimated, never to counts: learning, unlearning and merging stay exact.
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
 * Refuses a name that is no class while some class has no weight: it is most likely misspelt. scikit-learn's rule, by which weights
 * for classes that a fold happens to lack are fine as long as every other class has one. `suggest` finds the name that was meant; small
 * bundles do without it.
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
  refuse('E_CLASS_UNKNOWN', `classWeight names ${show(unknown)}, which is no class${hint}`, { class: unknown });
}
