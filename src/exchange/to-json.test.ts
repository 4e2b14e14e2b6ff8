import { readFileSync } from 'node:fs';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { chosen, drawn, subjects, writtenCells } from '../../test/exchange-subjects.ts';
import { fromJson, modelSchema } from './plan-json.ts';
import { runPlan } from './run-plan.ts';
import { toJson } from './to-json.ts';

describe('JSON follows the schema and says all that there is to say', () => {
  test.each([...subjects, ...chosen, ...writtenCells].map((subject) => [subject.name, subject] as const))(
    '%s',
    (_, subject) => {
      for (const seed of [1, 2, 3].slice(0, subjects.includes(subject) ? 3 : 1)) {
        const { model, rows } = drawn(subject, seed);
        const json = toJson(model);
        const text = JSON.stringify(json);
        expect(JSON.parse(text)).toEqual(json);
        expect(Check(modelSchema as never, json)).toBe(true);
        const [there, here] = [runPlan(fromJson(text), rows), model.predictLogProba(rows as never, { strict: false })];
        there.data.forEach((value, k) => {
          if (value === here.data[k]) return;
          expect(Math.abs(value - here.data[k])).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(here.data[k])));
        });
      }
    },
  );
});

test('the schema takes nothing else', () => {
  const json = toJson(drawn(subjects[0], 1).model) as unknown as Record<string, unknown>;
  const spoiled = (change: object) => Check(modelSchema as never, { ...json, ...change });
  expect(spoiled({})).toBe(true);
  expect(spoiled({ more: 1 })).toBe(false);
  expect(spoiled({ format: 'polya/model@2' })).toBe(false);
  expect(spoiled({ classes: [] })).toBe(false);
  expect(spoiled({ score: { op: 'sum', start: ['one'], terms: [] } })).toBe(false);
  expect(spoiled({ score: { op: 'other' } })).toBe(false);
  expect(spoiled({ vectors: [{ op: 'pick', from: -1, columns: [], width: 0 }] })).toBe(false);
});

test('the schema in docs/ is this one', () => {
  const file = new URL('../../docs/polya-model.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(modelSchema);
});
