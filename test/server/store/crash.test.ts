import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/server/store/index.ts';
import { buildWriter } from '../../faults/build.ts';
import { killRounds, newStore } from '../../faults/kill.ts';
import { requireLaw } from '../../faults/law.ts';
import { startWriter } from '../../faults/processes.ts';
import { nothingSaid } from '../../faults/rows.ts';
import { newFolder } from './subjects.ts';

test('kill -9 under load: acknowledged rows are recovered, each once, and no row that was not sent', async () => {
  const writer = await buildWriter();
  try {
    const { acknowledged, recovered } = await killRounds(join(newFolder(), 'store'), writer, 4, { longest: 300 });
    expect(acknowledged).toBeGreaterThanOrEqual(2); // two writers are killed after their first row is learned, the others at any time
    expect(recovered).toBeGreaterThan(0);
  } finally {
    rmSync(writer);
  }
});

test('a store that is opened at the moment its owner is killed waits for the last write of the owner', async () => {
  const writer = await buildWriter();
  const folder = join(newFolder(), 'store');
  try {
    await newStore(folder);
    const said = nothingSaid();
    for (let round = 0; round < 3; round++) {
      const from = Math.max(0, ...said.tried) + 1;
      const running = startWriter([writer, folder, '16', String(from), ''], said);
      await running.waitFor('learned');
      running.kill();
      await (await openStore(folder)).close();
      await running.ended;
      expect((await requireLaw(folder, said)).size).toBeGreaterThan(0);
    }
  } finally {
    rmSync(writer);
  }
});
