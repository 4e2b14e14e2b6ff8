import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folder, polya } from './harness.ts';

const faults = {
  'a key twice': ['{"label":"a","n":1,"n":2}', 'E_FEATURE_DUPLICATE', '9:20'],
  'a number beyond a double': ['{"label":"a","n":1e999}', 'E_NOT_FINITE', '9:18'],
} as const;

const commands = [
  'fit data.jsonl --target label',
  'fit data.jsonl --target label --model gaussian --holdout 0',
  'tune data.jsonl --target label',
  'compare data.jsonl --target label -m gaussian -m lda',
  'inspect data.jsonl',
  'features data.jsonl --target label',
  'predict data.jsonl -m sound.polya',
  'evaluate data.jsonl -m sound.polya',
  'update data.jsonl -m sound.polya',
  'unlearn data.jsonl -m sound.polya',
  'calibrate data.jsonl -m sound.polya -o other.polya',
  'explain data.jsonl -m sound.polya',
];

test.each(Object.keys(faults) as (keyof typeof faults)[])('every command refuses %s in JSON Lines', async (what) => {
  const [line, code, place] = faults[what];
  const { path: cwd, remove } = folder();
  onTestFinished(remove);
  const rows = Array.from({ length: 8 }, (_, k) => `{"label":"${k % 2 ? 'a' : 'b'}","n":${k % 2 ? k : -k}}`);
  writeFileSync(join(cwd, 'sound.jsonl'), rows.join('\n'));
  writeFileSync(join(cwd, 'data.jsonl'), [...rows, line].join('\n'));
  const fit = 'fit sound.jsonl --target label --model gaussian --holdout 0 -o sound.polya';
  expect((await polya(fit.split(' '), { cwd })).code).toBe(0);
  for (const command of commands) {
    const said = await polya([...command.split(' '), '--json'], { cwd });
    expect([command, said.code]).toEqual([command, 3]);
    expect(said.err).toContain(`"code":"${code}"`);
    expect(said.err).toContain(`data.jsonl:${place} `);
  }
});
