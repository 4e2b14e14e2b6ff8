import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildWriter } from '../../faults/build.ts';
import { killRounds } from '../../faults/kill.ts';
import { newFolder } from './subjects.ts';

test('kill -9 under load: what was acknowledged is there, each row once, and nothing that was not tried', async () => {
  const writer = await buildWriter();
  try {
    const { acknowledged, recovered } = await killRounds(join(newFolder(), 'store'), writer, 4, { longest: 300 });
    expect(acknowledged).toBeGreaterThan(20);
    expect(recovered).toBeGreaterThan(10);
  } finally {
    rmSync(writer);
  }
});
