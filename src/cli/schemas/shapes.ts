import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import { bounded, judgementEntries } from '../../server/insight/judgement-schema.ts';

/** An object with these entries and no others. */
export const closed = <P extends TProperties>(properties: P, description?: string): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...(description && { description }) });

/** The object that a command prints: its schema first. */
export const output = <P extends TProperties>(name: string, properties: P, description: string): TSchema =>
  Type.Object(
    { schema: Type.Literal(`polya/${name}`), ...properties },
    { additionalProperties: false, $id: idOf(name), title: `polya/${name}`, description },
  );

/** The name of a schema; it is no address, nothing is fetched. */
export const idOf = (name: string): string => `urn:polya:schema:${name}`;

/** `fit@1` → `fit.1.schema.json`. */
export const fileOf = (name: string): string => `${name.replace('@', '.')}.schema.json`;

/** A label as the data have it. */
export const label = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** A whole number from 0 on. */
export const amount = Type.Integer({ minimum: 0 });

/** A probability. */
export const probability = Type.Number({ minimum: 0, maximum: 1 });

/** A number, or null where there is none. */
export const perhaps = Type.Union([Type.Number(), Type.Null()]);

export { bounded, judgementEntries };

/** A judgement. */
export const judgement = closed(judgementEntries);

/** A file that was written. */
export const writtenEntries = {
  file: Type.String(),
  bytes: amount,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
} as const;

/** A warning about data. */
export const warning = closed({
  kind: Type.String(),
  sentence: Type.String(),
  about: Type.Optional(Type.String()),
  value: Type.Optional(Type.Number()),
});

/** A column and what it is for. */
export const column = closed({
  name: Type.String(),
  kind: Type.String(),
  role: Type.Union([Type.Literal('target'), Type.Literal('feature'), Type.Literal('ignored')]),
  reason: Type.String(),
});

/** Why a label rather than another, in nats. */
export const reasonsEntries = {
  against: Type.String(),
  logOdds: Type.Number(),
  prior: Type.Number(),
  terms: Type.Array(closed({ feature: Type.String(), value: Type.Unknown(), weight: Type.Number() })),
} as const;

/** A sample that comes with Pólya. */
export const sampleEntries = {
  name: Type.String(),
  title: Type.String(),
  rows: amount,
  columns: Type.Array(Type.String()),
  target: Type.String(),
  text: Type.Optional(Type.String()),
  description: Type.String(),
  source: Type.String(),
  license: Type.String(),
} as const;
