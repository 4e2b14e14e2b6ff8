/** Lists of parents by feature; null for a feature that a model leaves out. No feature depends on itself, directly or through others. */
export type Parents = readonly (readonly number[] | null)[];

/** The features with every parent before its children, the lowest number first; undefined if there is a cycle. */
export function parentsFirst(given: Parents): Int32Array | undefined {
  const order: number[] = [];
  const placed = new Uint8Array(given.length);
  while (order.length < given.length) {
    const next = given.findIndex((own, j) => !placed[j] && (own ?? []).every((parent) => placed[parent]));
    if (next < 0) return undefined;
    placed[next] = 1;
    order.push(next);
  }
  return Int32Array.from(order);
}

/** Whether a value lists the parents of `features` features: each once, none left out by the model, and without a cycle. */
export function isParents(value: unknown, features: number): value is Parents {
  if (!Array.isArray(value) || value.length !== features) return false;
  const isFeature = (parent: unknown) => Number.isInteger(parent) && Array.isArray(value[parent as number]);
  const fits = (own: unknown) =>
    own === null || (Array.isArray(own) && own.every(isFeature) && new Set(own).size === own.length);
  return value.every(fits) && parentsFirst(value as Parents) !== undefined;
}
