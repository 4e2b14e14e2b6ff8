import type { Shape } from '../data/batch.ts';
import type { Axis } from './model.ts';

/**
 * What the numbers of an array of parameters are, and so what a file may hold in their place:
 * a `log` is a number or −∞, `odds` may also be +∞, a `real` is finite, a `weight` finite and not negative, a `scale` above
 * zero and perhaps infinite, a `share` between 0 and 1, a `place` a whole number from −1 on.
 * Logarithms and odds are added up to the score as they are, so that rounding them costs no more than it takes.
 */
export type Content = 'log' | 'odds' | 'real' | 'weight' | 'scale' | 'share' | 'place';

/** What an array holds, and how long each of its sides is; without sides it is one number, `any` is as long as it comes. */
export type Field = readonly [content: Content, ...sides: (Axis | number | 'any')[]];

/** Parameters as flat arrays. */
export type Packed = Readonly<Record<string, Float64Array>>;

/** How the parameters of a model lie in a file that keeps nothing else. */
export interface Form<P extends Shape, O> {
  /** The arrays by name. Without `pack` they are the parameters of these names, one number for an array without sides. */
  readonly arrays: Readonly<Record<string, Field>> | ((shape: Shape) => Readonly<Record<string, Field>>);
  pack?(params: P): Packed;
  /** The inverse of `pack` over arrays that were checked one by one; undefined where they do not fit together. */
  unpack?(packed: Packed, shape: Shape, options: O): P | undefined;
}
