import { expect, test } from 'vitest';
import { currentRun, type OldRun } from '../../studio/saved-run.ts';

const bytes = new Uint8Array([1, 2, 3]);

test('a run saved under the former names of two fields is read under the present ones', () => {
  const old = {
    run: { id: 3, evaluated: { judgement: { rows: 9 }, operating: [] } },
    judge: bytes,
  } as unknown as OldRun;
  const run = { id: 3, evaluated: { evaluation: { rows: 9 }, operating: [] } };
  expect(currentRun(old)).toEqual({ run, evaluatedModel: bytes });
  const unevaluated = { run: { id: 4 }, judge: bytes } as unknown as OldRun;
  expect(currentRun(unevaluated)).toEqual({ run: { id: 4 }, evaluatedModel: bytes });
});

test('a run under the present names is read as it is', () => {
  const saved = currentRun({ run: { id: 3 }, judge: bytes } as unknown as OldRun);
  expect(currentRun(saved)).toBe(saved);
});
