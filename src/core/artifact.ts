import { requireOptions } from '../data/arguments.ts';
import {
  decodeTensors,
  encodeTensors,
  type FileParts,
  headerSection,
  type StreamedTensor,
  type Tensor,
  type TensorFile,
  tensorParts,
} from '../data/safetensors.ts';
import { sha256, sha256Of } from '../data/sha256.ts';
import { JsonFault, type JsonValue, parseStrictJson } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { faultOf, type Provenance, writeProvenance } from './provenance.ts';

/**
 * The learned state of an estimator as plain data: descriptions as JSON, numbers as arrays. `steps` holds nested
 * estimators.
 */
export interface State {
  readonly kind: string;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly learned: Readonly<Record<string, JsonValue>>;
  readonly arrays: Readonly<Record<string, Tensor>>;
  /** Arrays that are made while they are written; only with the option `streamed`. */
  readonly streamed?: Readonly<Record<string, StreamedTensor>>;
  readonly steps?: readonly State[];
  /** Belongs to the whole model, not to a step. */
  readonly provenance?: Provenance;
}

/** How much of a model is saved. */
export interface StateOptions {
  /**
   * Saves parameters without statistics: predictions and explanations stay the same, but the model can't learn further.
   * Default: false.
   */
  readonly slim?: boolean;
  /** Rounds log-parameters to float32; only for slim models. Default: false. */
  readonly float32?: boolean;
  /** Makes large arrays while they are written, for a state that is written before the model changes. Default: false. */
  readonly streamed?: boolean;
}

/** How a model is saved. */
export interface SaveOptions extends StateOptions {
  /** Where the model comes from. Default: only the version of the library. */
  readonly provenance?: Provenance;
}

/** A model or transformer that can be saved. */
export interface Savable {
  toState(options?: StateOptions): State;
}

/** The content of a model file, before a model is built from it. */
export interface ModelFile {
  readonly version: number;
  readonly sha256: string;
  readonly state: State;
}

const FORMAT = 'polya';
const VERSION = 2;
const STEP_LIMIT = 10_000;

interface Outline {
  kind: string;
  params: Record<string, JsonValue>;
  learned: Record<string, JsonValue>;
  steps?: Outline[];
}

/** Serializes a model to the bytes of a `*.polya` file; the `toBytes` method of every model calls this. */
export function encodeModel(model: Savable, options: SaveOptions = {}): Uint8Array<ArrayBuffer> {
  return encodeState(stateOf(model, options));
}

function stateOf(model: Savable, options: SaveOptions, streamed = false): State {
  requireOptions('toBytes', ['slim', 'float32', 'provenance'], options);
  const { provenance, slim = false, float32 = false } = options;
  if (float32 && !slim) {
    refuse('E_PARAM', 'float32 rounds parameters and saves no counts, so it needs slim: true', {
      name: 'float32',
    });
  }
  const state = model.toState({ slim, float32, streamed });
  return { ...state, provenance: { ...state.provenance, ...provenance } };
}

/** A state as the bytes of a `*.polya` file: a safetensors file with a checksum. The same state gives the same bytes. */
export function encodeState(state: State): Uint8Array<ArrayBuffer> {
  const bytes = encodeTensors(fileOf(state));
  bytes.set(new TextEncoder().encode(sha256(bytes)), checksumPlace(bytes));
  return bytes;
}

/** The bytes of a `*.polya` file in parts. If they are `streamed`, they must be written before the model changes. */
export function modelParts(model: Savable, options: SaveOptions = {}, streamed = false): FileParts {
  const parts = tensorParts(fileOf(stateOf(model, options, streamed)));
  const { head, all } = parts;
  head.set(new TextEncoder().encode(sha256Of(all())), checksumPlace(head));
  return parts;
}

function fileOf(state: State): TensorFile<Tensor | StreamedTensor> {
  const tensors = new Map<string, Tensor | StreamedTensor>();
  const outline = outlineOf(state, '', tensors);
  const metadata = new Map([
    ['format', FORMAT],
    ['version', String(VERSION)],
    ['sha256', BLANK],
    ['provenance', writeProvenance(state.provenance ?? {})],
    ['model', JSON.stringify(outline)],
  ]);
  return { tensors, metadata };
}

const BLANK = '0'.repeat(64);
const CHECKSUM_KEY = new TextEncoder().encode('"sha256":"');

/**
 * The position of the checksum's digits. The first match is the key itself: inside a JSON string its quotes would be
 * escaped.
 */
function checksumPlace(header: Uint8Array): number {
  for (let at = header.indexOf(CHECKSUM_KEY[0], 8); at >= 0; at = header.indexOf(CHECKSUM_KEY[0], at + 1)) {
    if (CHECKSUM_KEY.every((byte, k) => header[at + k] === byte)) return at + CHECKSUM_KEY.length;
  }
  return -1;
}

/** The checksum of a file, computed with its own digits set to zero, so it covers every other byte. */
function checksum(bytes: Uint8Array): string | undefined {
  const at = checksumPlace(headerSection(bytes));
  return at < 0 ? undefined : sha256(bytes.subarray(0, at), new TextEncoder().encode(BLANK), bytes.subarray(at + 64));
}

function outlineOf(
  { kind, params, learned, arrays, streamed, steps }: State,
  path: string,
  tensors: Map<string, Tensor | StreamedTensor>,
): Outline {
  for (const [name, tensor] of Object.entries({ ...arrays, ...streamed })) tensors.set(path + name, tensor);
  const inside = steps?.map((step, i) => outlineOf(step, `${path}${i}/`, tensors));
  return { kind, params, learned, ...(inside && { steps: inside }) };
}

/** Reads the state from a file. Returns a state or throws a `PolyaError`; executes nothing. */
export function decodeState(bytes: Uint8Array | ArrayBuffer): State {
  return decodeFile(bytes).state;
}

/** The inverse of `encodeState`; also returns the file's metadata. */
export function decodeFile(given: Uint8Array | ArrayBuffer): ModelFile {
  const bytes = given instanceof ArrayBuffer ? new Uint8Array(given) : given;
  if (!(bytes instanceof Uint8Array)) {
    refuse('E_TYPE', `a model file is a Uint8Array or an ArrayBuffer, got ${typeof bytes}`);
  }
  const { tensors, metadata } = decodeTensors(bytes);
  const sum = metadata.get('sha256');
  if (sum !== undefined && sum !== checksum(bytes)) {
    refuse('E_MODEL_CORRUPT', 'the checksum does not match the content of the model');
  }
  if (metadata.get('format') !== FORMAT) refuse('E_MODEL_MAGIC', 'the file is not a Pólya model');
  if (sum === undefined) return refuse('E_MODEL_CORRUPT', 'the model has no checksum');
  const version = requireVersion(metadata.get('version'));
  const known = ['format', 'version', 'sha256', 'model', ...(version > 1 ? ['provenance'] : [])];
  const stranger = [...metadata.keys()].find((key) => !known.includes(key));
  if (stranger !== undefined) refuse('E_MODEL_CORRUPT', `the file has the unknown entry ${show(stranger)}`);
  const places = new Map<string, Map<string, Tensor>>();
  for (const [name, tensor] of tensors) {
    const own = name.lastIndexOf('/') + 1;
    const path = name.slice(0, own);
    places.set(path, (places.get(path) ?? new Map()).set(name.slice(own), tensor));
  }
  const state = new StateReader(places).read(parseEntry(metadata.get('model') ?? ''), '', 0);
  const [left] = places.keys();
  if (left !== undefined) refuse('E_MODEL_CORRUPT', `the file has arrays of ${show(left)}, which does not exist`);
  return { version, sha256: sum, state: version > 1 ? { ...state, ...readProvenance(metadata) } : state };
}

const show = (text: string) => JSON.stringify(text.slice(0, 100));

function requireVersion(text: string | undefined): number {
  const version = Number(text);
  if (!/^[1-9]\d{0,8}$/.test(text ?? '')) refuse('E_MODEL_CORRUPT', 'the file has no format version');
  if (version > VERSION) {
    refuse('E_MODEL_VERSION', `the model has format ${version}, this version of Pólya reads up to ${VERSION}`, {
      actual: version,
      limit: VERSION,
    });
  }
  return version;
}

function parseEntry(text: string): JsonValue {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    const reason = cause instanceof JsonFault ? cause.message : 'it is damaged';
    return refuse('E_MODEL_CORRUPT', `the description of the model cannot be read: ${reason}`, {}, cause);
  }
}

function readProvenance(metadata: ReadonlyMap<string, string>): Pick<State, 'provenance'> {
  const provenance = parseEntry(metadata.get('provenance') ?? '');
  if (!isObject(provenance) || faultOf(provenance) !== undefined) {
    return refuse('E_MODEL_CORRUPT', 'the provenance of the model is malformed');
  }
  return { provenance };
}

const isObject = (value: JsonValue | undefined): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts the description and the arrays together again; each array belongs to exactly one step. */
class StateReader {
  private readonly places: Map<string, Map<string, Tensor>>;
  private steps = 0;

  constructor(places: Map<string, Map<string, Tensor>>) {
    this.places = places;
  }

  read(value: JsonValue, path: string, depth: number): State {
    const known =
      isObject(value) && Object.keys(value).every((key) => ['kind', 'params', 'learned', 'steps'].includes(key));
    if (!known || depth > 16) return refuse('E_MODEL_CORRUPT', 'the description of the model is malformed');
    if (++this.steps > STEP_LIMIT) refuse('E_MODEL_LIMIT', 'the model has too many steps', { limit: STEP_LIMIT });
    const { kind, params, learned, steps } = value;
    const fits = typeof kind === 'string' && isObject(params) && isObject(learned);
    if (!fits || !(steps === undefined || Array.isArray(steps))) {
      return refuse('E_MODEL_CORRUPT', 'the description of the model is malformed');
    }
    const arrays = Object.fromEntries(this.places.get(path) ?? []);
    this.places.delete(path);
    const inside = steps?.map((step, i) => this.read(step, `${path}${i}/`, depth + 1));
    return { kind, params, learned, arrays, ...(inside && { steps: inside }) };
  }
}
