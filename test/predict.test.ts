import { expect, test } from 'vitest';
import { type Exportable, toJson } from '../src/exchange.ts';
import { openModel, type PredictRow } from '../src/predict.ts';
import { expectClose } from './close.ts';
import { chosen, drawn, labelsOf, subjects } from './exchange-subjects.ts';

test.each([...subjects, ...chosen])(
  '$name predicts from JSON what the model predicts',
  (subject) => {
    const { model, rows } = drawn(subject, 7);
    const opened = openModel(JSON.stringify(toJson(model as Exportable)));
    const expected = model.predictLogProba(rows as never, { strict: false });
    const logs = opened.predictLogProba(rows as PredictRow[]);
    const proba = opened.predictProba(rows as PredictRow[]);
    expect(opened.classes).toEqual(model.classes);
    for (let i = 0; i < rows.length; i++) {
      expectClose(proba.row(i), expected.row(i).map(Math.exp), 1e-9, 1);
    }
    expect(opened.predict(rows as PredictRow[])).toEqual(labelsOf(model, logs));
  },
  120_000,
);

test('anything but an exported model throws E_FORMAT', () => {
  for (const json of ['', '{}', '{"format":"polya/model@2"}', { format: 'polya/model@1' }]) {
    expect(() => openModel(json as string)).toThrow(expect.objectContaining({ code: 'E_FORMAT' }));
  }
});
