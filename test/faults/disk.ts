import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newStore, type Shown, shown } from './kill.ts';
import { requireLaw } from './law.ts';
import { sleep, startWriter } from './processes.ts';
import { nothingSaid } from './rows.ts';

/** Why no small disk can be made here. */
export function whyNoSmallDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounting a small disk needs root';
  const place = mkdtempSync(join(tmpdir(), 'polya-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', place]).status === 0;
  if (mounted) execFileSync('umount', [place]);
  rmdirSync(place);
  return mounted ? undefined : 'mounting a small disk is not allowed here';
}

/** Why calls of the system cannot be disturbed here. */
export function whyNoStrace(): string | undefined {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
    ? undefined
    : 'strace is not installed, or not allowed';
}

/**
 * A disk that becomes full while a writer works: it says E_DISK_FULL, and goes on by itself when there is space. The law holds all
 * the time.
 */
export async function fullDisk(folder: string, writer: string): Promise<Shown & { readonly refused: number }> {
  const disk = join(folder, 'small');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'none', disk]);
  try {
    const [store, filler] = [join(disk, 'store'), join(disk, 'filler')];
    await newStore(store);
    const said = nothingSaid();
    const running = startWriter([writer, store, '16', '1', '', 'until-end'], said);
    await running.waitFor('learned');
    fill(filler);
    await running.waitFor('refused E_DISK_FULL');
    await sleep(300);
    const from = running.heard().length;
    rmSync(filler);
    const goesOn = () => {
      const heard = running.heard();
      return heard.includes('\nwarning there is space again') && heard.includes('\nlearned ', from);
    };
    for (let tries = 0; !goesOn(); tries++) {
      if (tries > 600) throw new Error('learning did not go on');
      await sleep(100);
    }
    running.child.stdin?.write('end');
    await running.ended;
    const known = await requireLaw(store, said);
    const refused = said.refused.get('E_DISK_FULL') ?? 0;
    return { ...shown(1, said, known), refused };
  } finally {
    execFileSync('umount', [disk]);
  }
}

/** Takes all the space that is left. */
function fill(path: string): void {
  for (let size = 2 ** 20; size >= 512; size /= 2) {
    try {
      for (;;) writeFileSync(path, new Uint8Array(size), { flag: 'a' });
    } catch {
      // a smaller piece may fit
    }
  }
}

/**
 * From its n-th call on, a sync fails as that of a broken disk does: the writer says E_STORE_READONLY, acknowledges nothing more, and
 * acknowledged rows are recovered by a start.
 */
export async function failedSync(folder: string, writer: string, calls: readonly number[]): Promise<Shown> {
  const store = join(folder, 'sync');
  await newStore(store);
  const said = nothingSaid();
  let known = new Set<number>();
  for (const call of calls) {
    const from = Math.max(0, ...said.tried) + 1;
    const inject = [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=fdatasync',
      '-e',
      `inject=fdatasync:error=EIO:when=${call}+`,
    ];
    const running = startWriter([writer, store, '8', String(from), ''], said, ['strace', ...inject]);
    await running.waitFor('refused E_STORE_READONLY');
    const heard = running.heard().length;
    await sleep(200);
    if (running.heard().slice(heard).includes('\nlearned '))
      throw new Error('a row was acknowledged after a failed sync');
    running.kill();
    await running.ended;
    known = await requireLaw(store, said);
  }
  return shown(calls.length, said, known);
}

/**
 * One write or sync of the log fails, once: nothing that was acknowledged is lost, the model stays, learning resumes by itself, and the
 * next start needs no option.
 */
export async function failedOnce(folder: string, writer: string, calls: readonly number[]): Promise<Shown> {
  const store = join(folder, 'once');
  await newStore(store);
  const said = nothingSaid();
  let known = new Set<number>();
  let rounds = 0;
  for (const fault of ['pwrite64:error=EIO', 'pwrite64:error=ENOSPC', 'fdatasync:error=EIO']) {
    for (const call of calls) {
      rounds++;
      const from = Math.max(0, ...said.tried) + 1;
      const trace = [
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        `trace=${fault.split(':')[0]}`,
        '-e',
        `inject=${fault}:when=${call}`,
      ];
      const running = startWriter([writer, store, '8', String(from), '', 'until-end'], said, ['strace', ...trace]);
      await Promise.race([running.waitFor('warning'), sleep(4000)]);
      const heard = running.heard().length;
      for (let tries = 0; !running.heard().includes('\nlearned ', heard); tries++) {
        if (tries > 200) throw new Error(`learning did not resume after ${fault} at call ${call}`);
        await sleep(50);
      }
      running.kill();
      await running.ended;
      known = await requireLaw(store, said);
    }
  }
  return shown(rounds, said, known);
}

/** The writer is killed as it enters its n-th call of one kind: between any two writes of a commit, a snapshot, a renaming. */
export async function killedCalls(folder: string, writer: string, calls: readonly number[]): Promise<Shown> {
  const store = join(folder, 'calls');
  await newStore(store);
  const said = nothingSaid();
  let known = new Set<number>();
  const kinds = ['pwrite64', 'fdatasync', 'fsync', 'rename', 'unlink'];
  let rounds = 0;
  for (const kind of kinds) {
    for (const call of kind === 'pwrite64' || kind === 'fdatasync' ? calls : calls.slice(0, 3)) {
      rounds++;
      const from = Math.max(0, ...said.tried) + 1;
      const inject = [
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        `trace=${kind}`,
        '-e',
        `inject=${kind}:signal=SIGKILL:when=${call}`,
      ];
      const running = startWriter([writer, store, '8', String(from), ''], said, ['strace', ...inject]);
      await Promise.race([running.ended, sleep(6000)]);
      running.kill();
      await running.ended;
      known = await requireLaw(store, said);
    }
  }
  return shown(rounds, said, known);
}
