/** Values of a size are told apart to 2⁻⁵⁰ of it: a deviation below that is rounding, not spread. */
const RESOLUTION = 2 ** -50;
/** What has no spread gets 2⁻³² of its size: wide enough that the rounding of a mean does not count. */
const FLOOR = 2 ** -32;
/** Below this size the square of a floor would vanish, and the size counts as 1. */
const LEAST_SIZE = 1e-140;

/** A standard deviation of values of this size, or the positive floor where they have none. */
export function resolved(deviation: number, size: number): number {
  return deviation > RESOLUTION * size ? deviation : FLOOR * (size > LEAST_SIZE ? size : 1);
}
