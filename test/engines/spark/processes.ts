import { readdirSync, readFileSync } from 'node:fs';

/** The process of an executor, found by the arguments that its worker gave it. */
export function executorProcess(application: string, executor: string): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const args = argumentsOf(Number(name));
    const has = (flag: string, value: string) => args.includes(value) && args[args.indexOf(value) - 1] === flag;
    if (has('--app-id', application) && has('--executor-id', executor)) return Number(name);
  }
  throw new Error(`no process of executor ${executor}`);
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // it has ended meanwhile
  }
}
