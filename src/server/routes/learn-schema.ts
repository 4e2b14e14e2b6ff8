import Type, { type Static } from 'typebox';
import { amount, closed, perhaps, problem } from '../shapes.ts';

/** What is learned in JSON. */
export const learnBody = closed({
  examples: Type.Array(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'A label, perhaps a weight, and the cells by name, or all of them as "instance".',
      },
    ),
  ),
  report: Type.Optional(
    Type.Enum(['whole', 'rows'], {
      description: 'whole: all examples are learned, or none. rows: those that can be are, and each is told of.',
    }),
  ),
});

/** See `learnBody`. */
export type LearnBody = Static<typeof learnBody>;

const scores = { n: amount, accuracy: perhaps, log_loss: perhaps, kappa: perhaps };
const prequential = closed(
  { ...scores, window: closed(scores) },
  'Scores of n rows so far that were predicted before they were learned, up to 250 a second, and of the latest of them.',
);
const row = Type.Union([closed({ version: amount }), closed({ error: problem })]);
/** What was done. */
export const answerOf = (done: string) =>
  closed({
    model: Type.String(),
    version: amount,
    [done]: amount,
    prequential: Type.Optional(prequential),
    repeated: Type.Optional(Type.Boolean({ description: 'The key was used before: nothing was done again.' })),
    exact: Type.Optional(
      Type.Boolean({
        description: 'The model is the one that never saw these rows: counts are identical, moments within 1e-12.',
      }),
    ),
    rows: Type.Optional(Type.Array(row)),
  });
/** What was done with one line. */
export const lineOf = (done: string) =>
  Type.Union([
    closed({ line: amount, version: amount, [done]: amount, repeated: Type.Optional(Type.Boolean()) }),
    closed({ line: Type.Optional(amount), error: problem }),
  ]);
/** What headers may ask for. */
export const learnHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ pattern: '^[!-~]{1,128}$', description: 'Repeats of a key are done once.' }),
  ),
  'if-match': Type.Optional(Type.String({ description: 'The version that the change is meant for, in quotes.' })),
});
