/** What is written of an event: plain facts, no stack and no content of requests. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** How much an event matters. */
export type Level = 'info' | 'warn' | 'error';

/** Writes down what happens. */
export type Log = (level: Level, event: string, facts?: Facts) => void;

const LONGEST = 500;
const cut = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(0, LONGEST) : value);

/** A log of one JSON line per event, whatever the facts hold. */
export function jsonLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  return (level, event, facts = {}) =>
    write(`${JSON.stringify({ time: now().toISOString(), level, event, ...facts }, cut)}\n`);
}
