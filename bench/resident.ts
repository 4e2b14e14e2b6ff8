import { readFileSync, writeFileSync } from 'node:fs';

/** Memory of a process that is in the machine's, in megabytes. */
export interface Resident {
  /** The highest since this was asked last. */
  readonly highest: number;
  /** Now: what only the process has (heaps, buffers), and pages of files (its program, the journal), which the system can take back. */
  readonly anonymous: number;
  readonly files: number;
}

/** What Linux tells of the memory of a process; its highest mark is set back, so that each phase has its own. Others tell nothing. */
export function residentOf(pid: number): Resident {
  if (process.platform !== 'linux') return { highest: Number.NaN, anonymous: Number.NaN, files: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024);
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return { highest: of('VmHWM'), anonymous: of('RssAnon'), files: of('RssFile') };
}
