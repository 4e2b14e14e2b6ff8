/**
 * The bar of a time in a test. What the product promises is meant for a machine that does nothing else: `POLYA_QUIET=1 npm test`
 * asks for exactly that. On a shared machine ten times as much still tells a slow algorithm from a slow minute.
 */
export const atMost = (milliseconds: number): number => (process.env.POLYA_QUIET ? 1 : 10) * milliseconds;
