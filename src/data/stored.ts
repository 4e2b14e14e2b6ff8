import { numbersOf, type Tensor, type TensorData } from './safetensors.ts';

const STORED = Symbol('arrays as they were stored');

interface Holder {
  readonly [STORED]?: Map<string, TensorData>;
}

/**
 * Gives an object an array of numbers which is made when somebody first asks for it. Until then there is a copy of what a file has:
 * its counts are mostly bytes, and the numbers take eight times the room.
 */
export function numbersLater(holder: object, name: string, { shape, data }: Tensor): void {
  const stored = (holder as Holder)[STORED] ?? new Map<string, TensorData>();
  stored.set(name, data.slice());
  const make = () => {
    const kept = { shape, data: stored.get(name)! };
    stored.delete(name);
    return numbersOf(kept)!;
  };
  let numbers: Float64Array | undefined;
  Object.defineProperty(holder, STORED, { value: stored, configurable: true });
  Object.defineProperty(holder, name, { get: () => (numbers ??= make()), enumerable: true });
}

/** An array of an object: as it was stored, or the numbers where somebody has asked for them. */
export function asStored<Name extends string>(holder: Readonly<Record<Name, Float64Array>>, name: Name): TensorData {
  return (holder as Holder)[STORED]?.get(name) ?? holder[name];
}
