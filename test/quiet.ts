/** Whether this machine is otherwise idle, so that promised times can be checked exactly: `POLYA_QUIET=1 npm test`. */
export const quiet = Boolean(process.env.POLYA_QUIET);

/**
 * The limit of a time in a test. On a shared machine the limit is ten times as high, which still detects a slow
 * algorithm.
 */
export const atMost = (milliseconds: number): number => (quiet ? 1 : 10) * milliseconds;

/** The processor time of a task, in milliseconds; pauses of the machine don't count. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The limit of a single run: on a shared machine the process may be paused for some seconds. For anything far below a
 * second, repeat it and compare its median or its minimum with `atMost`.
 */
export const atMostOnce = (milliseconds: number): number => atMost(milliseconds) + (quiet ? 0 : 10_000);
