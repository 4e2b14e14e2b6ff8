import Type from 'typebox';
import {
  amount,
  bounded,
  closed,
  column,
  judgement,
  judgementEntries,
  label,
  output,
  perhaps,
  probability,
  reasonsEntries,
  warning,
  writtenEntries,
} from './shapes.ts';

const stream = { n: amount, accuracy: perhaps, logLoss: perhaps, kappa: perhaps } as const;
const losses = closed({ logLoss: perhaps, brier: perhaps, calibrationError: perhaps });
const tried = closed({
  of: Type.String(),
  name: Type.String(),
  logLoss: perhaps,
  accuracy: perhaps,
  chosen: Type.Boolean(),
  weight: Type.Optional(Type.Number()),
});

/** What the commands print that learn and judge. */
export const learning = {
  'fit@1': output(
    'fit@1',
    {
      ...writtenEntries,
      target: closed({ name: Type.String(), guessed: Type.Boolean() }),
      model: Type.String(),
      summary: Type.String(),
      classes: Type.Array(label),
      rows: amount,
      columns: Type.Array(column),
      ignored: Type.Array(closed({ name: Type.String(), reason: Type.String() })),
      learns: Type.Boolean(),
      judgement: Type.Union([judgement, Type.Null()]),
      tried: Type.Array(tried),
      warnings: Type.Array(warning),
      seed: amount,
      seconds: Type.Number({ minimum: 0 }),
      repeat: Type.String({ description: 'The command that makes the same model again.' }),
    },
    'A model was learned, judged and written.',
  ),
  'predict@1': Type.Object(
    {
      schema: Type.Literal('polya/predict@1'),
      label: Type.String(),
      probability,
      rejected: Type.Optional(Type.Boolean()),
      top: Type.Optional(Type.Array(closed({ label: Type.String(), probability }))),
      probabilities: Type.Optional(Type.Record(Type.String(), probability)),
      explanation: Type.Optional(closed(reasonsEntries)),
    },
    {
      $id: 'urn:polya:schema:predict@1',
      title: 'polya/predict@1',
      description: 'The answer to one row, one per line; columns that are handed on stand beside it.',
    },
  ),
  'score@1': output(
    'score@1',
    {
      table: Type.String({ description: 'The table that was made in the engine.' }),
      rows: amount,
      label: Type.String({ description: 'The column with the label.' }),
      probabilities: Type.Array(Type.String(), {
        description: 'The column of each class, in the order of the classes.',
      }),
      seconds: Type.Number({ minimum: 0 }),
    },
    'Rows were scored inside an engine, and the answers are a table there.',
  ),
  'evaluate@1': output(
    'evaluate@1',
    {
      model: Type.String(),
      ...judgementEntries,
      slices: Type.Array(closed({ value: Type.String(), rows: amount, accuracy: bounded })),
      thresholds: Type.Optional(
        Type.Array(
          closed({
            label: Type.String(),
            goal: Type.String(),
            threshold: Type.Union([Type.Number(), Type.Null()]),
            value: Type.Number(),
            precision: Type.Union([Type.Number(), Type.Null()]),
            recall: Type.Number(),
          }),
        ),
      ),
      cost: Type.Optional(Type.Number()),
      compared: Type.Optional(
        closed({
          names: Type.Array(Type.String()),
          difference: Type.Number(),
          pValue: Type.Number(),
          better: Type.Union([Type.String(), Type.Null()]),
          words: Type.String(),
        }),
      ),
      gates: Type.Array(
        closed({
          name: Type.String(),
          kind: Type.Union([Type.Literal('under'), Type.Literal('over')]),
          limit: Type.Number(),
          value: Type.Number(),
          met: Type.Boolean(),
        }),
      ),
    },
    'A model, or a way to fit, was judged.',
  ),
  'compare@1': output(
    'compare@1',
    {
      on: Type.String(),
      rows: amount,
      by: Type.String(),
      models: Type.Array(
        closed({
          name: Type.String(),
          accuracy: Type.Number(),
          deviation: perhaps,
          logLoss: perhaps,
          verdict: Type.Union([
            Type.Object({
              difference: Type.Number(),
              pValue: perhaps,
              better: Type.Union([Type.String(), Type.Null()]),
              method: Type.String(),
              words: Type.String(),
            }),
            Type.Null(),
          ]),
        }),
      ),
    },
    'Models were compared on the same folds or rows.',
  ),
  'tune@1': output(
    'tune@1',
    {
      rows: amount,
      target: Type.String(),
      folds: amount,
      table: Type.Array(
        closed({
          settings: Type.Record(Type.String(), Type.String()),
          logLoss: perhaps,
          accuracy: Type.Number(),
          rows: amount,
        }),
      ),
      nested: Type.Union([judgement, Type.Null()]),
      repeat: Type.String(),
      written: Type.Optional(closed(writtenEntries)),
    },
    'Settings were tried; the best come first.',
  ),
  'update@1': output(
    'update@1',
    {
      ...writtenEntries,
      learned: amount,
      classes: Type.Array(label),
      prequential: Type.Array(closed({ ...stream, window: closed(stream), fading: closed(stream) })),
    },
    'Rows were predicted, then learned.',
  ),
  'unlearn@1': output(
    'unlearn@1',
    { ...writtenEntries, unlearned: amount, classes: Type.Array(label) },
    'Rows were taken away.',
  ),
  'merge@1': output(
    'merge@1',
    { ...writtenEntries, models: Type.Array(Type.String()), rows: amount, classes: Type.Array(label) },
    'Models were added.',
  ),
  'calibrate@1': output(
    'calibrate@1',
    { ...writtenEntries, method: Type.String(), rows: amount, before: losses, after: losses },
    'Probabilities were made honest; the losses after are by folds.',
  ),
} as const;
