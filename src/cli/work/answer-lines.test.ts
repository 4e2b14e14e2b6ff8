import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { RecordTable } from '../../data/column-table.ts';
import { Matrix } from '../../data/matrix.ts';
import { Answers, type Rules } from './answer.ts';
import { AnswerLines } from './answer-lines.ts';
import type { Scorer } from './model-input.ts';

const classes = ['ham', 'spám', 'a\u001bb'];

/** A model that gives these logarithms. */
function scorerOf(logs: readonly (readonly number[])[]): Scorer {
  return {
    ...{ file: 'm', kind: 'test', classes, target: undefined, columns: [], texts: [] },
    ...{ classifier: undefined, opened: undefined },
    predictLogProba: () => Matrix.from(logs),
    explain: () => ({ terms: [], rest: new Float64Array(), score: new Float64Array() }),
  };
}

function linesOf(logs: readonly (readonly number[])[], reject?: number): string[] {
  const rules: Rules = { top: undefined, proba: false, rule: {}, reject, explain: undefined };
  const table = new RecordTable(logs.map(() => ({})));
  const scorer = scorerOf(logs);
  const form = { form: 'text', kept: [], color: false, columns: 80 } as const;
  return new AnswerLines(scorer, rules, form)
    .of(new Answers(scorer, table, rules), table)
    .split('\n')
    .slice(0, -1);
}

const logs = fc.array(fc.double({ min: -800, max: 0, noNaN: true }), { minLength: 3, maxLength: 3 });

test.prop([fc.array(logs, { minLength: 1 })])(
  'a line is the first of the most probable labels with four digits',
  (rows) => {
    const expected = rows.map((row) => {
      const proba = row.map(Math.exp);
      const best = proba.indexOf(Math.max(...proba));
      return `${['ham', 'spám', 'a?b'][best]}\t${proba[best].toFixed(4)}`;
    });
    expect(linesOf(rows).map((line) => line.replace(/^a[^\t]*b\t/, 'a?b\t'))).toEqual(expected);
  },
);

test('digits of ties, of certainty and of what is no number are those of toFixed', () => {
  const of = (p: number) => linesOf([[Math.log(p), -750, -760]])[0].split('\t')[1];
  for (const p of [0.12345, 0.00005, 0.99995, 0.5, 1, 0.99994999, 1e-9]) {
    expect(of(p)).toBe(Math.exp(Math.log(p)).toFixed(4));
  }
  expect(linesOf([[Number.NaN, Number.NaN, Number.NaN]])[0]).toBe('ham\t–');
});

test('rows below the limit are marked as rejected', () => {
  const row = [0.2, 0.7, 0.1].map(Math.log);
  expect(linesOf([row], 0.8)).toEqual(['spám\t0.7000\trejected']);
  expect(linesOf([row], 0.6)).toEqual(['spám\t0.7000']);
});
