/** Medians of wall and processor time, random data, and the tables that the speed benchmarks print. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Wall time in milliseconds, and processor time of all threads. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** The median. */
export const middle = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
};

/** The warm-up time of a peer and of us, and the time limit of the measured runs once there are five: milliseconds. */
const [WARM, ENOUGH, LEAST_RUNS, MOST_RUNS] = [300, 1500, 5, 21];

/** The median cost of at least five runs, after a warm-up: short runs are repeated more often. */
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

/** The beginning of every Python program: defines `cost(run)` as here. */
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
 * The JSON output of a program for the Python in POLYA_PYTHON; undefined without one. The arrays are files with their
 * names in the folder of its first argument.
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

/** One line of a table: our cost, that of a peer, and the minimum ratio. */
export interface Line {
  readonly work: string;
  readonly ours: Cost;
  readonly peer?: Cost | undefined;
  readonly must?: number;
}

/**
 * Prints lines as a table and as JSON, and stores the JSON in bench/results: milliseconds, and how many times faster we
 * are by wall and processor time.
 */
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
