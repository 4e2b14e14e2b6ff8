import Type from 'typebox';
import { amount, closed, label } from '../shapes.ts';

/** A model in the list. */
export const summary = {
  name: Type.String(),
  version: amount,
  kind: Type.String(),
  summary: Type.String(),
  classes: amount,
  learns: Type.Boolean(),
};
const column = closed({
  name: Type.String(),
  kind: Type.Enum(['text', 'number', 'date', 'level']),
  optional: Type.Boolean(),
});
/** What a model is. */
export const card = closed({
  ...summary,
  classes: Type.Array(label),
  priors: Type.Unsafe<number[] | null>({ type: ['array', 'null'], items: { type: 'number' } }),
  target: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  columns: Type.Array(column),
  evaluation: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description: 'How good it was on rows it had not learned, when it was fitted.',
  }),
  learning: Type.String({ description: 'Whether the server learns now: ready, read-only, disk-full or no-learning.' }),
});
/** One version of a model. */
export const entry = closed({
  version: amount,
  origin: Type.Enum(['loaded', 'uploaded', 'learned', 'unlearned', 'rolled back', 'merged', 'decayed']),
  at: Type.String(),
  rows: amount,
  kept: Type.Boolean({ description: 'Whether rollback can go back to it.' }),
});
/** What a change may be meant for. */
export const ifMatch = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'The version that the change is meant for, in quotes.' })),
});
