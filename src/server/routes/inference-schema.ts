import Type from 'typebox';
import { closed, modelName } from '../shapes.ts';

/** The data types of the protocol that are understood. */
export const datatypes = [
  'BOOL',
  'UINT8',
  'UINT16',
  'UINT32',
  'UINT64',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'FP16',
  'FP32',
  'FP64',
  'BYTES',
] as const;

const parameters = Type.Optional(Type.Object({}, { additionalProperties: true }));
const shape = Type.Array(Type.Integer({ minimum: 0, maximum: 10_000_000 }), { minItems: 1, maxItems: 8 });
const modelShape = Type.Array(Type.Integer({ minimum: -1 }));

/** One tensor of a request. */
export const tensor = closed({
  name: Type.String({ maxLength: 1000 }),
  shape,
  datatype: Type.Enum([...datatypes]),
  parameters,
  data: Type.Array(Type.Unknown(), { description: 'Flat in the order of rows, or nested.' }),
});

/** A request for inference. */
export const inferBody = closed({
  id: Type.Optional(Type.String({ maxLength: 256 })),
  parameters,
  inputs: Type.Array(tensor, { minItems: 1, maxItems: 10_000 }),
  outputs: Type.Optional(Type.Array(closed({ name: Type.String({ maxLength: 1000 }), parameters }), { maxItems: 16 })),
});

/** The answer to it. */
export const inferAnswer = closed({
  model_name: Type.String(),
  model_version: Type.String(),
  id: Type.Optional(Type.String()),
  outputs: Type.Array(
    closed({
      name: Type.String(),
      shape: Type.Array(Type.Integer({ minimum: 0 })),
      datatype: Type.String(),
      data: Type.Array(Type.Unknown()),
    }),
  ),
});

/** What a model takes and gives. */
export const modelMetadata = closed({
  name: Type.String(),
  versions: Type.Array(Type.String()),
  platform: Type.String(),
  inputs: Type.Array(closed({ name: Type.String(), datatype: Type.String(), shape: modelShape })),
  outputs: Type.Array(closed({ name: Type.String(), datatype: Type.String(), shape: modelShape })),
});

/** What the server is. */
export const serverMetadata = closed({
  name: Type.String(),
  version: Type.String(),
  extensions: Type.Array(Type.String()),
});

/** The paths of a model with a version. */
export const versionParams = closed({ model: modelName, version: Type.String({ pattern: '^[0-9]{1,15}$' }) });
