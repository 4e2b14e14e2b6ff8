import { decodeTensors, encodeTensors, headerSection, type Tensor } from '../data/safetensors.ts';
import { sha256 } from '../data/sha256.ts';
import { JsonFault, type JsonValue, parseStrictJson } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';

/** What an estimator has learned, as plain data: words as JSON, numbers as arrays. `steps` are estimators inside. */
export interface State {
  readonly kind: string;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly learned: Readonly<Record<string, JsonValue>>;
  readonly arrays: Readonly<Record<string, Tensor>>;
  readonly steps?: readonly State[];
}

const FORMAT = 'polya';
const VERSION = 1;

interface Outline {
  kind: string;
  params: Record<string, JsonValue>;
  learned: Record<string, JsonValue>;
  steps?: Outline[];
}

/** A state as the bytes of a `*.polya` file: a safetensors file with a checksum. The same state gives the same bytes. */
export function encodeState(state: State): Uint8Array<ArrayBuffer> {
  const tensors = new Map<string, Tensor>();
  const outline = outlineOf(state, '', tensors);
  const metadata = new Map([
    ['format', FORMAT],
    ['version', String(VERSION)],
    ['sha256', BLANK],
    ['model', JSON.stringify(outline)],
  ]);
  const bytes = encodeTensors({ tensors, metadata });
  const at = checksumPlace(bytes);
  bytes.set(new TextEncoder().encode(sha256(bytes)), at);
  return bytes;
}

const BLANK = '0'.repeat(64);
const CHECKSUM_KEY = new TextEncoder().encode('"sha256":"');

/** Where the digits of the checksum stand. The key is the first of its spelling: inside a text its quotes are escaped. */
function checksumPlace(bytes: Uint8Array): number {
  const header = headerSection(bytes);
  const at = header.findIndex((_, start) => CHECKSUM_KEY.every((byte, k) => header[start + k] === byte));
  return at < 0 ? -1 : 8 + at + CHECKSUM_KEY.length;
}

/** The checksum of a file in which its own digits are zeros: it covers every other byte. */
function checksum(bytes: Uint8Array): string | undefined {
  const at = checksumPlace(bytes);
  return at < 0 ? undefined : sha256(bytes.subarray(0, at), new TextEncoder().encode(BLANK), bytes.subarray(at + 64));
}

function outlineOf(
  { kind, params, learned, arrays, steps }: State,
  path: string,
  tensors: Map<string, Tensor>,
): Outline {
  for (const [name, tensor] of Object.entries(arrays)) tensors.set(path + name, tensor);
  const inside = steps?.map((step, i) => outlineOf(step, `${path}${i}/`, tensors));
  return { kind, params, learned, ...(inside && { steps: inside }) };
}

/** The inverse of `encodeState`: ends in a state or a `PolyaError`, and executes nothing. */
export function decodeState(bytes: Uint8Array): State {
  const { tensors, metadata } = decodeTensors(bytes);
  const sum = metadata.get('sha256');
  if (sum !== undefined && sum !== checksum(bytes)) {
    refuse('E_MODEL_CORRUPT', 'the checksum does not fit the content of the model');
  }
  if (metadata.get('format') !== FORMAT) refuse('E_MODEL_MAGIC', 'the file is not a Pólya model');
  if (sum === undefined) refuse('E_MODEL_CORRUPT', 'the model has no checksum');
  requireVersion(metadata.get('version'));
  const rest = new Map(tensors);
  const state = stateOf(parseOutline(metadata.get('model') ?? ''), '', rest, 0);
  if (rest.size > 0)
    refuse('E_MODEL_CORRUPT', 'the file holds arrays that belong to nothing', { name: [...rest.keys()][0] });
  return state;
}

function requireVersion(text: string | undefined): void {
  const version = Number(text);
  if (!Number.isInteger(version) || version < 1) refuse('E_MODEL_CORRUPT', 'the file does not tell its format version');
  if (version > VERSION) {
    refuse('E_MODEL_VERSION', `the model has format ${version}, this version of Pólya reads up to ${VERSION}`, {
      actual: version,
      limit: VERSION,
    });
  }
}

function parseOutline(text: string): JsonValue {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    const reason = cause instanceof JsonFault ? cause.message : 'it is damaged';
    return refuse('E_MODEL_CORRUPT', `the description of the model cannot be read: ${reason}`, {}, cause);
  }
}

const isObject = (value: JsonValue | undefined): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function stateOf(value: JsonValue, path: string, tensors: Map<string, Tensor>, depth: number): State {
  const known =
    isObject(value) && Object.keys(value).every((key) => ['kind', 'params', 'learned', 'steps'].includes(key));
  if (!known || depth > 16) return refuse('E_MODEL_CORRUPT', 'the description of the model has a wrong form');
  const { kind, params, learned, steps } = value;
  if (
    typeof kind !== 'string' ||
    !isObject(params) ||
    !isObject(learned) ||
    !(steps === undefined || Array.isArray(steps))
  ) {
    return refuse('E_MODEL_CORRUPT', 'the description of the model has a wrong form');
  }
  const arrays = new Map<string, Tensor>();
  for (const [name, tensor] of tensors) {
    const own = name.slice(path.length);
    if (!name.startsWith(path) || own.includes('/')) continue;
    arrays.set(own, tensor);
    tensors.delete(name);
  }
  const inside = steps?.map((step, i) => stateOf(step, `${path}${i}/`, tensors, depth + 1));
  return { kind, params, learned, arrays: Object.fromEntries(arrays), ...(inside && { steps: inside }) };
}
