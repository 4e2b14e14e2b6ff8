import Type, { type Static } from 'typebox';
import { amount, closed, instance, label, probability, problem } from '../shapes.ts';

const asked = {
  top_k: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Tell the k most probable classes alone.' }),
  ),
  threshold: Type.Optional(
    Type.Record(Type.String(), probability, {
      description: 'Give a label from this probability on, and only then.',
    }),
  ),
  costs: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Number({ minimum: 0 })), {
      description: 'What mistakes cost, by the true label and the one given; others cost 1. Excludes threshold.',
    }),
  ),
  reject: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Mark answers that are less probable.' })),
  explain: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Tell so many features that decided.' }),
  ),
  remember: Type.Optional(
    Type.Boolean({ description: 'Give each prediction an id, by which feedback can tell its true label later.' }),
  ),
  strict: Type.Optional(
    Type.Boolean({
      description:
        'Whether an instance with a column too few or too many, or a cell of another type, is refused. Default: true.',
    }),
  ),
};

/** What is asked for in JSON. */
export const predictBody = closed({ instances: Type.Array(instance), ...asked });

/** See `predictBody`. */
export type PredictBody = Static<typeof predictBody>;
/** What a stream asks for in its address. */
export const predictQuery = closed({
  top_k: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', description: 'For streams: as in the body.' })),
  reject: Type.Optional(
    Type.String({ pattern: '^(0(\\.[0-9]{1,16})?|1)$', description: 'For streams: as in the body.' }),
  ),
  explain: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', description: 'For streams: as in the body.' })),
  strict: Type.Optional(Type.Enum(['true', 'false'], { description: 'For streams: as in the body.' })),
});

/** What features add to the log-odds of a label against another. */
export const reasonEntries = {
  against: label,
  log_odds: Type.Number(),
  prior: Type.Number({ description: 'What belongs to no feature: the prior above all.' }),
  contributions: Type.Array(closed({ feature: Type.String(), value: Type.Unknown(), weight: Type.Number() })),
};
const prediction = {
  id: Type.Optional(Type.String({ description: 'For feedback.' })),
  label,
  probability,
  probabilities: Type.Record(Type.String(), probability),
  rejected: Type.Optional(Type.Boolean()),
  against: Type.Optional(reasonEntries.against),
  log_odds: Type.Optional(reasonEntries.log_odds),
  prior: Type.Optional(reasonEntries.prior),
  contributions: Type.Optional(reasonEntries.contributions),
};
/** The answer in JSON. */
export const predictAnswer = closed({
  predictions: Type.Array(closed(prediction)),
  model: Type.String(),
  version: amount,
});
/** The answer to one line. */
export const predictLine = Type.Union([
  closed({ line: amount, version: amount, ...prediction }),
  closed({ line: Type.Optional(amount), error: problem }),
]);
