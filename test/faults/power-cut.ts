import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoSmallDisk } from './disk.ts';
import { newStore, type Shown, shown } from './kill.ts';
import { requireLaw } from './law.ts';
import { sleep, startWriter } from './processes.ts';
import { nothingSaid, type Said } from './rows.ts';

/** Why power cannot be cut here; undefined where it can. */
export function whyNoPowerCut(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounting a file system needs root';
  const missing = ['mkfs.ext4', 'losetup', 'mount'].find((name) => spawnSync('which', [name]).status !== 0);
  if (missing) return `${missing} is not installed`;
  return spawnSync('losetup', ['-f']).status === 0 ? whyNoSmallDisk() : 'there is no loop device';
}

const mount = (image: string, at: string) =>
  execFileSync('mount', ['-o', 'loop,data=ordered', image, at], { stdio: 'pipe' });
const unmount = (at: string) => execFileSync('umount', [at], { stdio: 'pipe' });

/**
 * Cuts the power repeatedly: a store is on a file system in a file, the writer is stopped while it writes, and that file is copied as it is.
 * What the system had not yet written down is not in the copy. The copy is mounted, which repairs it as after a real cut, and
 * the store in it is opened. All that was acknowledged before the copy began must be there.
 */
export async function powerCuts(folder: string, writer: string, rounds: number): Promise<Shown> {
  const [image, copy, disk, restored] = ['disk.img', 'copy.img', 'disk', 'restored'].map((name) => join(folder, name));
  mkdirSync(disk);
  mkdirSync(restored);
  const said = nothingSaid();
  let known = new Set<number>();
  execFileSync('truncate', ['-s', '64M', image]);
  execFileSync('mkfs.ext4', ['-q', '-F', image], { stdio: 'pipe' });
  mount(image, disk);
  try {
    await newStore(join(disk, 'store'));
    for (let round = 0; round < rounds; round++) {
      const from = Math.max(0, ...said.tried) + 1;
      const before = snapshotOf(said);
      const running = startWriter([writer, join(disk, 'store'), '16', String(from), ''], said);
      await running.waitFor('ready');
      await sleep(100 + Math.random() * 500);
      running.child.kill('SIGSTOP');
      await stopped(running.child.pid!);
      const heard = running.heard();
      copyFileSync(image, copy); // the cut: nothing was unmounted or synced
      running.kill();
      await running.ended;
      mount(copy, restored);
      try {
        const heardBefore = { ...said, learned: learnedIn(before, heard), forgotten: new Set(before.forgotten) };
        known = await requireLaw(join(restored, 'store'), heardBefore);
      } finally {
        unmount(restored);
      }
      await requireLaw(join(disk, 'store'), said);
    }
  } finally {
    unmount(disk);
    rmSync(image);
  }
  return shown(rounds, said, known);
}

/** Is done when no thread of a process is at work, nor in the middle of a call: a cut has one moment. */
async function stopped(pid: number): Promise<void> {
  const threads = `/proc/${pid}/task`;
  const state = (thread: string) => /\) (\w)/.exec(readFileSync(`${threads}/${thread}/stat`, 'utf8'))?.[1];
  while (readdirSync(threads).some((thread) => state(thread) !== 'T')) await sleep(1);
}

const snapshotOf = ({ learned, forgotten }: Said) => ({ learned: new Set(learned), forgotten: new Set(forgotten) });

/** The rows that were acknowledged up to a moment. */
function learnedIn({ learned }: { learned: Set<number> }, heard: string): Set<number> {
  const now = new Set(learned);
  for (const [, id] of heard.matchAll(/^learned (\d+)\n/gm)) now.add(Number(id));
  return now;
}
