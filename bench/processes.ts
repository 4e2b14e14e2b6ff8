/** Time and memory of whole processes. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Cost, middle } from './measure.ts';

/** Milliseconds, and peak megabytes. */
export interface ProcessCost extends Cost {
  readonly peak: number;
}

/** Extra certificates would be read at the start of every Node process; the benchmarks don't need them. */
const { NODE_EXTRA_CA_CERTS: _, ...surroundings } = process.env;

/** Runs a command to its end; the shell reports the processor time, and the memory is sampled while it runs. */
function once(words: readonly string[], env: NodeJS.ProcessEnv): Promise<ProcessCost> {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@"';
  const shell = spawn('bash', ['-c', script, 'bash', ...words], { env: { ...surroundings, ...env } });
  let [said, peak] = ['', 0];
  shell.stdout.resume();
  shell.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const watch = setInterval(() => {
    for (const pid of childrenOf(shell.pid!)) peak = Math.max(peak, peakOf(pid));
  }, 10);
  return new Promise((resolve, reject) => {
    shell.on('close', (code) => {
      clearInterval(watch);
      const [real, user, system] = said.trim().split('\n').at(-1)!.split(' ').map(Number);
      if (code === 0) resolve({ wall: real * 1000, cpu: (user + system) * 1000, peak });
      else reject(new Error(said));
    });
  });
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The median cost of several commands, each run a number of times, in turn: other load affects all alike. */
export async function costsOf<Name extends string>(
  commands: Readonly<Record<Name, readonly string[]>>,
  { runs = 5, env = {} }: { readonly runs?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Record<Name, ProcessCost>> {
  const all = new Map<string, ProcessCost[]>();
  for (let run = 0; run < runs; run++) {
    for (const [name, words] of Object.entries<readonly string[]>(commands)) {
      all.set(name, [...(all.get(name) ?? []), await once(words, env)]);
    }
  }
  const entries = [...all].map(([name, costs]): [string, ProcessCost] => [
    name,
    {
      wall: middle(costs.map(({ wall }) => wall)),
      cpu: middle(costs.map(({ cpu }) => cpu)),
      peak: Math.max(...costs.map(({ peak }) => peak)),
    },
  ]);
  return Object.fromEntries(entries) as Record<Name, ProcessCost>;
}
