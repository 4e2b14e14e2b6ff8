/** Whether this machine does nothing else, so that what the product promises can be asked for exactly: `POLYA_QUIET=1 npm test`. */
export const quiet = Boolean(process.env.POLYA_QUIET);

/** The bar of a time in a test. On a shared machine ten times as much still tells a slow algorithm from a slow minute. */
export const atMost = (milliseconds: number): number => (quiet ? 1 : 10) * milliseconds;

/** The processor time of a piece of work, in milliseconds: pauses of the machine are not in it. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The bar of something that is done once: on a shared machine the process may be stopped for some seconds in the middle of it. What
 * takes far less than a second is better repeated, and its median or its best compared with `atMost`.
 */
export const atMostOnce = (milliseconds: number): number => atMost(milliseconds) + (quiet ? 0 : 10_000);
