/** Medians of wall and processor time, seeded data, and the tables that the benchmarks of speed print. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds by the clock, and of processor time in all threads. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** The middle of some numbers. */
export const middle = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
};

/** How long a peer and we are warmed up, and how long the runs that count may take together once there are five: milliseconds. */
const [WARM, ENOUGH, LEAST_RUNS, MOST_RUNS] = [300, 1500, 5, 21];

/** The median cost of at least five runs, after some to warm up: what is short is run more often. */
export function cost(run: () => unknown, least = LEAST_RUNS): Cost {
  const begun = performance.now();
  do run();
  while (performance.now() - begun < WARM);
  const [costs, start]: [Cost[], number] = [[], performance.now()];
  while (costs.length < least || (costs.length < MOST_RUNS && performance.now() - start < ENOUGH))
    costs.push(once(run));
  return { wall: middle(costs.map(({ wall }) => wall)), cpu: middle(costs.map(({ cpu }) => cpu)) };
}

function once(run: () => unknown): Cost {
  const [start, before] = [performance.now(), process.cpuUsage()];
  run();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

/** What every Python peer begins with: `cost(run)` as here. */
const PROLOGUE = `
import json, sys, time
from statistics import median
import numpy as np
def cost(run):
    begun = time.perf_counter()
    while True:
        run()
        if time.perf_counter() - begun >= ${WARM / 1000}: break
    wall, cpu, begun = [], [], time.perf_counter()
    while len(wall) < ${LEAST_RUNS} or (len(wall) < ${MOST_RUNS} and time.perf_counter() - begun < ${ENOUGH / 1000}):
        w, c = time.perf_counter(), time.process_time()
        run()
        wall.append((time.perf_counter() - w) * 1000)
        cpu.append((time.process_time() - c) * 1000)
    return {'wall': median(wall), 'cpu': median(cpu)}
`;

/**
 * What a program for the Python in POLYA_PYTHON prints as JSON; undefined without one. The arrays lie in files of their names
 * in the folder of its first argument.
 */
export function askPython(
  program: string,
  arrays: Readonly<Record<string, NodeJS.TypedArray>>,
  ...rest: readonly (number | string)[]
): Record<string, Cost> | undefined {
  const python = process.env.POLYA_PYTHON;
  if (!python) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'polya-bench-'));
  try {
    for (const [name, array] of Object.entries(arrays)) writeFileSync(join(folder, name), array);
    const answer = execFileSync(python, ['-c', PROLOGUE + program, folder, ...rest.map(String)]);
    return JSON.parse(answer.toString()) as Record<string, Cost>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One line of a table: our cost beside that of a peer, and the least ratio that is wanted. */
export interface Line {
  readonly work: string;
  readonly ours: Cost;
  readonly peer?: Cost | undefined;
  readonly must?: number;
}

/** Prints lines as a table and as JSON, and keeps the JSON in bench/results: milliseconds, and how many times faster we are by the clock and by the processor. */
export function report(title: string, lines: readonly Line[], facts: Readonly<Record<string, unknown>>): void {
  const round = (value: number) => Number(value.toPrecision(3));
  const rows = lines.map(({ work, ours, peer, must }) => ({
    work,
    wall: round(ours.wall),
    cpu: round(ours.cpu),
    ...(peer && { peerWall: round(peer.wall), peerCpu: round(peer.cpu) }),
    ...(peer && { wallRatio: round(peer.wall / ours.wall), cpuRatio: round(peer.cpu / ours.cpu) }),
    ...(must && { must }),
  }));
  console.info(title);
  console.table(rows);
  const [processor] = cpus();
  const machine = { node: process.version, processor: processor?.model, load: round(loadavg()[0]) };
  const result = JSON.stringify({ title, ...facts, ...machine, lines: rows });
  console.info(result);
  const program = (process.argv[1] ?? '').split('/').pop()?.replace(/\.ts$/, '');
  mkdirSync(new URL('results/', import.meta.url), { recursive: true });
  writeFileSync(new URL(`results/${program}.json`, import.meta.url), `${result}\n`);
}
