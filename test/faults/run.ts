/**
 * What a store survives, tried: `npm run test:faults [rounds]`. Prints one line for every fault; what cannot be tried here is skipped with
 * its reason. The exit code is 0 when everything that was tried has held.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWriter } from './build.ts';
import { failedOnce, failedSync, fullDisk, killedCalls, whyNoSmallDisk, whyNoStrace } from './disk.ts';
import { flipBits, leftBehind } from './flips.ts';
import { killRounds } from './kill.ts';
import { powerCuts, whyNoPowerCut } from './power-cut.ts';

const rounds = Number(process.argv[2] ?? 60);
const only = process.argv[3];
const folder = mkdtempSync(join(tmpdir(), 'polya-faults-'));
const writer = await buildWriter();
let failures = 0;

async function attempt(name: string, why: string | undefined, act: () => Promise<object>): Promise<void> {
  if (only && !name.includes(only)) return;
  if (why) {
    console.info(`skipped  ${name}: ${why}`);
    return;
  }
  const start = performance.now();
  try {
    const found = Object.entries(await act()).map(([key, value]) => `${key} ${value}`);
    console.info(`held     ${name}: ${found.join(', ')} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (cause) {
    failures++;
    console.info(`FAILED   ${name}: ${(cause as Error).stack}`);
  }
}

const calls = Array.from({ length: 12 }, (_, k) => 2 + k * 3);
await attempt('kill -9 under load', undefined, () => killRounds(join(folder, 'killed'), writer, rounds));
await attempt('power cut', whyNoPowerCut(), () => powerCuts(folder, writer, Math.ceil(rounds / 3)));
await attempt('full disk', whyNoSmallDisk(), () => fullDisk(folder, writer));
await attempt('failed sync', whyNoStrace(), () => failedSync(folder, writer, [2, 5, 9, 14]));
await attempt('one failed write', whyNoStrace(), () => failedOnce(folder, writer, [3, 8, 21]));
await attempt('killed at a call', whyNoStrace(), () => killedCalls(folder, writer, calls));
await attempt('flipped bits', undefined, async () =>
  flipBits(await leftBehind(join(folder, 'flipped'), 12), function* (length) {
    for (let at = 0; at < length; at += at % 4096 < 192 ? 11 : 307) yield at;
  }),
);
rmSync(folder, { recursive: true, force: true });
rmSync(writer);
process.exit(failures > 0 ? 1 : 0);
