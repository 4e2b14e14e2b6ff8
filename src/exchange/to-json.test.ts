import { readFileSync } from 'node:fs';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { chosen, drawn, subjects, writtenCells } from '../../test/exchange-subjects.ts';
import { modelSchema } from './json/schema.ts';
import type { Plan, PlanScore } from './plan.ts';
import type { PlanTerm } from './plan-terms.ts';
import { runPlan } from './run-plan.ts';
import { toJson } from './to-json.ts';

type Json = never[] & Record<string, never> & number;

/** Lists in lists of JSON numbers as one list of doubles. */
const flat = (value: unknown): Float64Array => Float64Array.from([value].flat(9) as number[], Number);
const orNull = (value: unknown) => (value === null ? null : flat(value));
const integers = (value: unknown) => Int32Array.from(flat(value));
const fallback = (value: unknown) => (value === 'refuse' || value === 'missing' ? value : Number(value));
const each = <T>(value: unknown, make: (item: Json) => T): T[] => (value as Json[]).map(make);

/** A term as a program that knows nothing but the schema reads it. */
function readTerm(json: Json): PlanTerm {
  const tables = Object.fromEntries(
    Object.entries(json)
      .filter(([, value]) => Array.isArray(value))
      .map(([name, value]) => [name, flat(value)]),
  );
  const term = { ...(json as object), ...tables } as Record<string, unknown>;
  if (json.op === ('table' as never)) {
    const levels = Int32Array.from(each(json.faces, (faces) => faces.length - 1));
    const offsets = levels.map((_, j) => levels.slice(0, j).reduce((sum, count) => sum + count + 1, 0));
    Object.assign(term, { levels, offsets });
  }
  if (json.op === ('kernels' as never)) {
    const read = (own: Json) =>
      own === null ? null : { ...(own as object), points: flat(own.points), weights: flat(own.weights) };
    Object.assign(term, { kernels: each(json.kernels, (row) => row.map(read)).flat() });
  }
  if (json.marginals) {
    const { means, covariances, start } = json.marginals as unknown as Record<string, Json>;
    const marginals = { means: flat(means), covariances: each(covariances, orNull), start: flat(start) };
    Object.assign(term, { marginals });
  }
  if (json.op === ('planes' as never)) Object.assign(term, { rank: (json.rows as never[]).length });
  if (json.op === ('quadrics' as never)) {
    const read = (own: Json) => {
      if (own === null) return null;
      const { rows, mean, centre } = own as unknown as { rows: never[]; mean: never; centre: never };
      return { rank: rows.length, rows: flat(rows), mean: flat(mean), centre: orNull(centre) };
    };
    Object.assign(term, { forms: each(json.forms, read) });
  }
  if (json.op === ('tree' as never))
    Object.assign(term, { dice: each(json.dice, flat), parents: integers(json.parents) });
  if (json.op === ('contexts' as never)) {
    const depth = (own: Json) => Object.fromEntries(Object.entries(own).map(([name, value]) => [name, listOr(value)]));
    const listOr = (value: unknown) => (Array.isArray(value) ? flat(value) : value);
    const read = ({ feature, parents, depths }: Json) => ({
      feature,
      parents: integers(parents),
      depths: each(depths, depth),
    });
    Object.assign(term, { features: each(json.features, read) });
  }
  return term as unknown as PlanTerm;
}

function readScore(json: Json): PlanScore {
  const own = { ...(json as object) } as Record<string, unknown>;
  for (const name of ['start', 'weights', 'bias', 'a', 'b', 'places', 'unmet', 'needed']) {
    if (name in own) own[name] = flat(own[name]);
  }
  for (const name of ['of', 'first', 'second']) if (name in own) own[name] = readScore(own[name] as Json);
  const line = ({ x, y }: Json) => ({ x: flat(x), y: flat(y) });
  if ('prior' in own) own.prior = orNull(own.prior);
  if ('fill' in own) own.fill = Number(own.fill);
  if ('terms' in own) own.terms = each(own.terms, readTerm);
  if ('lines' in own) own.lines = each(own.lines, line);
  if ('parts' in own) own.parts = each(own.parts, ({ of, less }) => ({ of: readScore(of), less: orNull(less) }));
  if (own.op === 'pool') own.members = each(own.members, readScore);
  if (own.op === 'pool' && own.share) {
    const { weights, bias, ...share } = own.share as Record<string, unknown>;
    own.share = { ...share, weights: flat(weights), bias: flat(bias) };
  }
  if (own.op === 'calibrated') {
    own.members = each(own.members, ({ of, over, curve }) => {
      const { a, b, lines, ...rest } = curve as Record<string, unknown>;
      const lists = lines ? { lines: each(lines, line) } : a ? { a: flat(a), b: flat(b) } : {};
      return { of: readScore(of), over, curve: { ...rest, ...lists } };
    });
  }
  return own as unknown as PlanScore;
}

/** The plan that a JSON text says. */
function readPlan(text: string): Plan {
  const { inputs, vectors, score, ...rest } = JSON.parse(text);
  const numeric = ['idf', 'columns', 'values', 'mean', 'scale', 'fill', 'widths', 'levels'];
  return {
    ...rest,
    inputs: each(inputs, (input) => ({
      ...(input as object),
      ...('codes' in input && { codes: flat(input.codes) }),
      missing: fallback(input.missing),
      unknown: fallback(input.unknown),
    })),
    vectors: each(vectors, (vector) => {
      const lists = numeric.filter((name) => Array.isArray(vector[name])).map((name) => [name, flat(vector[name])]);
      return {
        ...(vector as object),
        ...Object.fromEntries(lists),
        ...('cuts' in vector && { cuts: each(vector.cuts, orNull) }),
      };
    }),
    score: readScore(score),
  } as Plan;
}

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
        const [there, here] = [runPlan(readPlan(text), rows), model.predictLogProba(rows as never, { strict: false })];
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
