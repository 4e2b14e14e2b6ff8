import type { Field, Form, Packed } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { axisLength, shapeOf } from './layout.ts';

/** The arrays of parameters of this shape. */
export function fieldsOf<P extends Shape, O>({ arrays }: Form<P, O>, shape: Shape): [string, Field][] {
  return Object.entries(typeof arrays === 'function' ? arrays(shape) : arrays);
}

/** The length of each side of an array; `length` is used for sides of any length. */
export function sidesOf([, ...sides]: Field, shape: Shape, length: number): number[] {
  return sides.map((side) => (side === 'any' ? length : typeof side === 'number' ? side : axisLength(side, shape)));
}

/** Parameters as flat arrays. */
export function pack<P extends Shape, O>(form: Form<P, O>, params: P): Packed {
  if (form.pack) return form.pack(params);
  const own = params as unknown as Readonly<Record<string, Float64Array | number>>;
  const flat = fieldsOf(form, params).map(([name]) => {
    const value = own[name];
    return [name, typeof value === 'number' ? Float64Array.of(value) : value];
  });
  return Object.fromEntries(flat) as Packed;
}

/** The inverse of `pack`, given arrays that were validated one by one; undefined if they are inconsistent. */
export function unpack<P extends Shape, O>(form: Form<P, O>, packed: Packed, shape: Shape, options: O): P | undefined {
  if (form.unpack) return form.unpack(packed, shape, options);
  const own = fieldsOf(form, shape).map(([name, field]) => [name, field.length > 1 ? packed[name] : packed[name][0]]);
  return { ...shapeOf(shape), ...Object.fromEntries(own) } as unknown as P;
}
