import Type from 'typebox';
import { amount, closed } from '../shapes.ts';

const perhaps = Type.Union([Type.Number(), Type.Null()]);

/** A number with the bounds of its 95 % interval. */
export const bounded = closed({ value: Type.Number(), low: Type.Number(), high: Type.Number() });

const line = closed({
  precision: Type.Number(),
  recall: Type.Number(),
  'f1-score': Type.Number(),
  support: Type.Number(),
});

/** All scores of a judgement. */
export const judgementEntries = {
  on: Type.String({ description: 'On what the scores are: held-out rows, folds, a file.' }),
  rows: amount,
  accuracy: bounded,
  report: Type.Record(Type.String(), Type.Union([line, Type.Number()]), {
    description: 'The keys and numbers of classification_report(output_dict=True) of scikit-learn.',
  }),
  intervals: Type.Record(Type.String(), closed({ precision: bounded, recall: bounded })),
  logLoss: perhaps,
  brier: perhaps,
  calibrationError: perhaps,
  confusion: closed({ labels: Type.Array(Type.String()), matrix: Type.Array(Type.Array(Type.Number())) }),
  unknown: amount,
} as const;
