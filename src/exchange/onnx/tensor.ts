import { Message } from './protobuf.ts';

/** The types of tensors that are used, by their numbers in onnx.proto. */
export const types = { float: 1, int64: 7, string: 8, bool: 9, double: 11 } as const;

/** The type of a tensor. */
export type TensorType = keyof typeof types;

/** A constant: numbers, strings or flags in a shape. */
export interface Constant {
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number | string | boolean>;
}

const SIZES = { float: 4, int64: 8, bool: 1, double: 8 } as const;

function rawBytes(type: Exclude<TensorType, 'string'>, values: ArrayLike<number | string | boolean>): Uint8Array {
  const size = SIZES[type];
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < values.length; k++) {
    const value = Number(values[k]);
    if (type === 'double') view.setFloat64(k * size, value, true);
    else if (type === 'float') view.setFloat32(k * size, value, true);
    else if (type === 'int64') view.setBigInt64(k * size, BigInt(value), true);
    else bytes[k] = value;
  }
  return bytes;
}

/** A TensorProto. */
export function tensorMessage(name: string, { type, shape, values }: Constant): Message {
  const message = new Message();
  for (const length of shape) message.integer(1, length);
  message.integer(2, types[type]).bytes(8, name);
  if (type === 'string') for (let k = 0; k < values.length; k++) message.bytes(6, String(values[k]));
  else message.bytes(9, rawBytes(type, values));
  return message;
}

/** A ValueInfoProto of a tensor whose first length is the number of rows. */
export function valueMessage(name: string, type: TensorType, columns: number | undefined): Message {
  const dimension = (length: number | string) =>
    typeof length === 'string' ? new Message().bytes(2, length) : new Message().integer(1, length);
  const shape = new Message().bytes(1, dimension('N'));
  if (columns !== undefined) shape.bytes(1, dimension(columns < 0 ? 'T' : columns));
  const tensor = new Message().integer(1, types[type]).bytes(2, shape);
  return new Message().bytes(1, name).bytes(2, new Message().bytes(1, tensor));
}
