import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process, in megabytes. */
export interface Resident {
  /** The peak since the last call. */
  readonly highest: number;
  /** Now: private memory (heaps, buffers), and file pages (its program, the journal), which the system can reclaim. */
  readonly anonymous: number;
  readonly files: number;
}

/**
 * Linux's memory counters of a process; the peak is reset, so that each phase has its own. Undefined on other systems.
 */
export function residentOf(pid: number): Resident {
  if (process.platform !== 'linux') return { highest: Number.NaN, anonymous: Number.NaN, files: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024);
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return { highest: of('VmHWM'), anonymous: of('RssAnon'), files: of('RssFile') };
}
