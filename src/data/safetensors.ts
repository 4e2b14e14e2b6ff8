import { refuse, show } from '../errors.ts';
import { type JsonFault, type JsonValue, parseStrictJson } from './strict-json.ts';
import { decodeUtf8 } from './utf8.ts';

/** The arrays that a file can hold. */
export type TensorData = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** An array with its shape. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** An array that is made in parts each time it is written, because it is large and needed for nothing else. */
export interface StreamedTensor {
  readonly shape: readonly number[];
  readonly dtype: Dtype;
  /** The parts in order; each is valid until the next one is made. */
  parts(): Iterable<TensorData>;
}

/** The content of a safetensors file: arrays by name, and text metadata. */
export interface TensorFile<T = Tensor> {
  readonly tensors: ReadonlyMap<string, T>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** The content of a file that is to be written. */
type Writable = TensorFile<Tensor | StreamedTensor>;

const DTYPES = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  U16: Uint16Array,
  U8: Uint8Array,
} as const;

/** The element types of arrays in files, as safetensors calls them. */
export type Dtype = keyof typeof DTYPES;

/** The limit of the official readers. */
const HEADER_LIMIT = 100_000_000;
const TENSOR_LIMIT = 100_000;
const ALIGNMENT = 8;
const BRACE = 0x7b; // the offset of the header

/** The element type of an array. */
export function dtypeOf(data: TensorData): Dtype {
  return (Object.keys(DTYPES) as Dtype[]).find((dtype) => data instanceof DTYPES[dtype])!;
}

/**
 * The smallest type that holds an array exactly: float64 numbers that are all counts below 2^32 are stored as integers.
 * Most counts are small, and a model consists mostly of counts.
 */
function storedAs(data: TensorData): Dtype {
  if (!(data instanceof Float64Array)) return dtypeOf(data);
  let most = 0;
  for (let k = 0; k < data.length; k++) {
    const value = data[k];
    if (value >>> 0 !== value || Object.is(value, -0)) return 'F64';
    if (value > most) most = value;
  }
  return most < 2 ** 8 ? 'U8' : most < 2 ** 16 ? 'U16' : 'U32';
}

/** An array of counts. */
export type CountArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** A type of such arrays. */
export type CountType = new (values: number | ArrayLike<number>) => CountArray;

/** Whether an array type can hold only whole numbers below 2³². */
export const isUnsigned = (data: TensorData): data is Exclude<CountArray, Float64Array> =>
  data instanceof Uint8Array || data instanceof Uint16Array || data instanceof Uint32Array;

/** The narrowest array type for integers up to `most`; float64 if `most` is infinite. */
export const narrowest = (most: number): CountType =>
  DTYPES[storedAs(Float64Array.of(most)) as 'U8' | 'U16' | 'U32' | 'F64'];

/**
 * Writes a safetensors file: eight bytes of header length, a JSON header, the arrays one after another. Arrays with
 * wide elements come first and the header is padded with spaces, so every array is aligned. Equal content gives equal
 * bytes. A float64 array of counts is read back with narrower elements; use `numbersOf` to convert it.
 */
export function encodeTensors(file: Writable): Uint8Array<ArrayBuffer> {
  const { length, all } = tensorParts(file);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of all()) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A file in parts. */
export interface FileParts {
  readonly head: Uint8Array<ArrayBuffer>;
  /** The size of the file in bytes. */
  readonly length: number;
  /** The parts in order, the header first; each is valid until the next. Every call makes streamed arrays again. */
  all(): Iterable<Uint8Array<ArrayBuffer>>;
}

/**
 * The same file in parts, for sequential writing without a second copy: narrow arrays are passed on as they are and
 * must not change any more.
 */
export function tensorParts(file: Writable): FileParts {
  const { head, order, length } = layOut(file);
  const ready = order.map(({ dtype, tensor }) =>
    'parts' in tensor
      ? tensor
      : bytesOf(dtype === dtypeOf(tensor.data) && dtype !== 'F64' ? tensor.data : new DTYPES[dtype](tensor.data)),
  );
  return {
    head,
    length: head.length + length,
    *all() {
      yield head;
      for (const own of ready) {
        if (!('parts' in own)) yield own;
        else for (const data of own.parts()) yield bytesOf(data);
      }
    },
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: TensorData) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

/** The header of a file, and its arrays in their order. */
function layOut({ tensors, metadata }: Writable) {
  const order = Array.from(tensors, ([name, tensor]) => {
    const dtype = 'parts' in tensor ? tensor.dtype : storedAs(tensor.data);
    return { name, tensor, dtype, width: DTYPES[dtype].BYTES_PER_ELEMENT };
  }).sort((a, b) => b.width - a.width || (a.name < b.name ? -1 : 1));
  const entries: [string, JsonValue][] = [['__metadata__', Object.fromEntries(metadata)]];
  let end = 0;
  for (const { name, tensor, dtype, width } of order) {
    const start = end;
    end += tensor.shape.reduce((product, n) => product * n, width);
    entries.push([name, { dtype, shape: [...tensor.shape], data_offsets: [start, end] }]);
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const headerLength = requireHeader(Math.ceil(json.length / ALIGNMENT) * ALIGNMENT);
  const head = new Uint8Array(8 + headerLength).fill(0x20, 8);
  new DataView(head.buffer).setUint32(0, headerLength, true);
  head.set(json, 8);
  return { head, order, length: end };
}

function requireHeader(length: number): number {
  if (length <= HEADER_LIMIT) return length;
  return refuse('E_MODEL_LIMIT', `the header has ${length} bytes, and ${HEADER_LIMIT} are the most`, {
    limit: HEADER_LIMIT,
    actual: length,
  });
}

/** The numbers of an array, whatever its element type; always a copy. */
export function numbersOf(tensor: Tensor | undefined): Float64Array | undefined {
  return tensor && new Float64Array(tensor.data);
}

/** A file without its arrays. */
export function headerSection(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, 8 + headerLength(bytes));
}

/** Whether bytes may be UTF-8 text; a header length never is, because it ends with zeros. */
const isText = (bytes: Uint8Array): boolean => !bytes.includes(0) && !bytes.includes(0xff);

function headerLength(bytes: Uint8Array): number {
  if (bytes.length < 8) refuse('E_MODEL_CORRUPT', `the file ends after ${bytes.length} bytes`, { bytes: bytes.length });
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
  if (bytes[8] !== BRACE && isText(bytes.subarray(0, 8))) refuse('E_MODEL_MAGIC', 'the file is not a Pólya model');
  requireHeader(length);
  if (length > bytes.length - 8) {
    refuse('E_MODEL_CORRUPT', `the header claims ${length} bytes, the file has ${bytes.length}`, { length });
  }
  return length;
}

/**
 * Reads a safetensors file, validating everything: lengths are checked against the file before anything is allocated,
 * the arrays must tile the data section, and shapes must fit their bytes. Arrays are views of `bytes` where alignment
 * allows.
 */
export function decodeTensors(bytes: Uint8Array): TensorFile {
  const length = headerLength(bytes);
  const header = parseHeader(bytes.subarray(8, 8 + length));
  const metadata = new Map<string, string>();
  const places: [string, Place][] = [];
  for (const name of Object.keys(header)) {
    if (name === '__metadata__') readMetadata(header[name], metadata);
    else places.push([name, readPlace(name, header[name])]);
  }
  requireTiling(places, bytes.length - 8 - length);
  const tensors = new Map<string, Tensor>();
  for (const [name, place] of places) tensors.set(name, readTensor(bytes, 8 + length, place));
  return { tensors, metadata };
}

function parseHeader(bytes: Uint8Array): Record<string, JsonValue> {
  const text = decodeUtf8(bytes) ?? refuse('E_MODEL_CORRUPT', 'the header of the file is not UTF-8');
  try {
    const value = parseStrictJson(text, 8, TENSOR_LIMIT);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    const { message, limit } = cause as JsonFault;
    const code = limit ? 'E_MODEL_LIMIT' : 'E_MODEL_CORRUPT';
    refuse(code, `the header of the file cannot be read: ${message}`, {}, cause);
  }
  return refuse('E_MODEL_CORRUPT', 'the header of the file is not an object');
}

interface Place {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly start: number;
  readonly end: number;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readMetadata(value: JsonValue, metadata: Map<string, string>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse('E_MODEL_CORRUPT', 'the metadata of the file is not an object');
  }
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') refuse('E_MODEL_CORRUPT', 'the metadata of the file has values that are not text');
    metadata.set(key, text);
  }
}

function readPlace(name: string, entry: JsonValue): Place {
  const fault = (what: string) => refuse('E_MODEL_CORRUPT', `array ${show(name)}: ${what}`, { name });
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return fault('its entry is not an object');
  if (Object.keys(entry).sort().join() !== 'data_offsets,dtype,shape') fault('its entry has unexpected keys');
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== 'string' || !Object.hasOwn(DTYPES, dtype)) return fault('its element type is unknown');
  if (!Array.isArray(shape) || shape.length > 8 || !shape.every(isCount))
    return fault('its shape is not a list of counts');
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isCount)) return fault('its offsets are wrong');
  const [start, end] = offsets as number[];
  const size = (shape as number[]).reduce((product, n) => product * n, DTYPES[dtype as Dtype].BYTES_PER_ELEMENT);
  if (size !== end - start) fault(`its shape needs ${size} bytes, it has ${end - start}`);
  return { dtype: dtype as Dtype, shape: shape as number[], start, end };
}

function requireTiling(places: readonly [string, Place][], length: number): void {
  let end = 0;
  for (const [name, place] of places) {
    if (place.start !== end) {
      refuse('E_MODEL_CORRUPT', `array ${show(name)} does not begin where the one before it ends`, {
        name,
        expected: end,
      });
    }
    end = place.end;
  }
  if (end !== length) {
    refuse('E_MODEL_CORRUPT', `the arrays take ${end} bytes, the file has ${length} for them`, {
      expected: end,
      actual: length,
    });
  }
}

function readTensor(bytes: Uint8Array, origin: number, { dtype, shape, start, end }: Place): Tensor {
  const type = DTYPES[dtype];
  const aligned = (bytes.byteOffset + origin + start) % type.BYTES_PER_ELEMENT === 0;
  const part = bytes.subarray(origin + start, origin + end);
  const source = aligned ? part : part.slice();
  return {
    shape,
    data: new type(source.buffer as ArrayBuffer, source.byteOffset, (end - start) / type.BYTES_PER_ELEMENT),
  };
}
