/** The facts of an event: no stack and no content of requests. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The severity of an event. */
export type Level = 'info' | 'warn' | 'error';

/** Receives events. */
export type Log = (level: Level, event: string, facts?: Facts) => void;

const MAX_LENGTH = 500;
const cut = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_LENGTH) : value);

/** A log of one JSON line per event. */
export function jsonLog(write: (line: string) => void): Log {
  return (level, event, facts = {}) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...facts }, cut)}\n`);
}
