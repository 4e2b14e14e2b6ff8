import { numbersOf, type Tensor, type TensorData } from './safetensors.ts';

const STORED = Symbol('arrays as they were stored');

interface Holder {
  readonly [STORED]?: Map<string, TensorData>;
}

/**
 * Gives an object an array of numbers that is converted on first access. Until then the object holds the narrow array that it is given:
 * counts are mostly bytes, and as numbers they take eight times the memory.
 */
export function numbersLater(holder: object, name: string, { shape, data }: Tensor): void {
  const stored = (holder as Holder)[STORED] ?? new Map<string, TensorData>();
  stored.set(name, data);
  let numbers: Float64Array | undefined;
  const settle = (value: Float64Array) => {
    stored.delete(name);
    numbers = value;
    return value;
  };
  Object.defineProperty(holder, STORED, { value: stored });
  Object.defineProperty(holder, name, {
    get: () => numbers ?? settle(numbersOf({ shape, data: stored.get(name)! })!),
    set: settle, // a statistic that grows in place replaces its arrays
    enumerable: true,
  });
}

/** An array of an object: as it was stored, or the numbers where somebody has asked for them. */
export function asStored<Name extends string>(holder: Readonly<Record<Name, Float64Array>>, name: Name): TensorData {
  return (holder as Holder)[STORED]?.get(name) ?? holder[name];
}
