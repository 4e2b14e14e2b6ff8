import { readFileSync } from 'node:fs';

/** What is known of a process that owned something: it works, it is ending and may still write, or it is gone. */
export type Life = 'living' | 'ending' | 'gone';

/** What Linux tells of a process: the fields of its line that lie behind its name in brackets. */
interface Line {
  /** One letter. */
  readonly state: string;
  readonly flags: number;
  readonly threads: number;
  /** When it began, in the clock of its machine. */
  readonly start: string;
  /** Signals that its first thread is yet to take. */
  readonly pending: number;
}

/** A thread that has ended and of which nobody has heard. */
const ENDED = 'Z';
/** The flag of a thread that is on its way out, and the place of SIGKILL among the signals. */
const [EXITING, KILLED] = [0x4, 1 << 8];

/** When a process began, where the system tells it; numbers of processes are used again. */
export const startOf = (pid: number): string | null => lineOf(pid)?.start ?? null;

/**
 * Whether a process that began then lives. One that was killed is not gone at once: its threads end one after another, and one that waits
 * for the disk has written before it does. Where the system tells no more than that there is such a process, it lives.
 */
export function lifeOf(pid: number, start: string | null): Life {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
  }
  const line = lineOf(pid);
  if (!line) return 'living';
  if (start !== null && line.start !== start) return 'gone';
  if (line.state === ENDED) return line.threads > 1 ? 'ending' : 'gone';
  return (line.flags & EXITING) !== 0 || (line.pending & KILLED) !== 0 ? 'ending' : 'living';
}

function lineOf(pid: number): Line | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [flags, threads, pending] = [6, 17, 28].map((place) => Number(fields[place]));
    return { state: fields[0], flags, threads, start: fields[19], pending };
  } catch {
    return undefined;
  }
}
