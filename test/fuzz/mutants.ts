import {
  decodeTensors,
  encodeTensors,
  headerSection,
  type Tensor,
  type TensorData,
} from '../../src/data/safetensors.ts';
import { sha256 } from '../../src/data/sha256.ts';
import type { JsonValue } from '../../src/data/strict-json.ts';
import type { Random } from '../../src/math/random.ts';

const KEY = '"sha256":"';
const latin = new TextDecoder('latin1');

/**
 * Updates the checksum of the bytes, so that the checks behind it are reached. Bytes without a checksum are returned
 * unchanged.
 */
export function withChecksum(given: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(given);
  let header: Uint8Array;
  try {
    header = headerSection(bytes);
  } catch {
    return bytes;
  }
  const at = latin.decode(header).indexOf(KEY);
  const place = at + KEY.length;
  if (at < 0 || place + 64 > bytes.length) return bytes;
  bytes.fill(0x30, place, place + 64);
  bytes.set(new TextEncoder().encode(sha256(bytes)), place);
  return bytes;
}

/** A file from any header and any data, consistent or not. */
export function fileOf(header: string, data: Uint8Array = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(header);
  const bytes = new Uint8Array(8 + json.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  bytes.set(data, 8 + json.length);
  return withChecksum(bytes);
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(list.length)];

const numbers = [
  0,
  -0,
  1,
  -1,
  2,
  0.5,
  1e-320,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  Infinity,
  -Infinity,
  Number.NaN,
];
const values: readonly JsonValue[] = [
  ...numbers.filter(Number.isFinite),
  null,
  true,
  false,
  '',
  'a',
  '__proto__',
  'auto',
  'constructor',
  [],
  [1],
  ['a', 'b'],
  [[]],
  {},
  { a: 1 },
];

/** JSON with one change: another value, a key added or removed, a list reversed, doubled or cut. */
export function mutateJson(random: Random, value: JsonValue): JsonValue {
  const deeper = typeof value === 'object' && value !== null && random.uniform() < 0.85;
  if (!deeper) return mutateLeaf(random, value);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.uniform() < 0.2) return mutateList(random, value);
    const k = random.integer(value.length);
    return value.map((item, at) => (at === k ? mutateJson(random, item) : item));
  }
  const keys = Object.keys(value);
  const key = keys.length > 0 ? pick(random, keys) : 'new';
  const chance = random.uniform();
  const entries = Object.entries(value);
  if (chance < 0.06) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (chance < 0.12) return Object.fromEntries([...entries, [pick(random, ['__proto__', 'toString', 'x']), 1]]);
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? mutateJson(random, item) : item]));
}

function mutateLeaf(random: Random, value: JsonValue): JsonValue {
  if (typeof value === 'number' && random.uniform() < 0.5) return value + pick(random, [1, -1, 0.5, 1e9]);
  if (typeof value === 'string' && random.uniform() < 0.4) return value + pick(random, ['x', '\u0000', 'é', ' ']);
  return pick(random, values);
}

function mutateList(random: Random, list: JsonValue[]): JsonValue[] {
  return pick(random, [
    [...list].reverse(),
    [...list, ...list.slice(-1)],
    list.slice(1),
    [...list, pick(random, values)],
  ]);
}

/** An array with some cells changed, or another length, shape or type. */
function mutateTensor(random: Random, { shape, data }: Tensor): Tensor {
  const chance = random.uniform();
  if (chance < 0.7 && data.length > 0) {
    const wide = chance < 0.35 ? new Float64Array(data) : data.slice();
    for (let k = 0; k < 1 + random.integer(3); k++) wide[random.integer(wide.length)] = pick(random, numbers);
    return { shape, data: wide };
  }
  if (chance < 0.8) {
    const shorter = data.slice(0, random.integer(data.length + 1));
    return { shape: [shorter.length], data: shorter };
  }
  if (chance < 0.9) return { shape: [...shape].reverse(), data };
  const type = pick(random, [Float64Array, Float32Array, Int32Array, Uint32Array, Uint16Array, Uint8Array]);
  return { shape, data: new type(data) as TensorData };
}

/** A file whose parts are well-formed but no longer consistent: tests the checks behind the checksum. */
export function mutateParts(random: Random, bytes: Uint8Array): Uint8Array {
  const file = decodeTensors(bytes);
  const [tensors, metadata] = [new Map(file.tensors), new Map(file.metadata)];
  for (let k = 0; k < 1 + random.integer(2); k++) {
    const names = [...tensors.keys()];
    if (names.length > 0 && random.uniform() < 0.5) {
      const name = pick(random, names);
      const chance = random.uniform();
      if (chance < 0.06) tensors.delete(name);
      else if (chance < 0.12) tensors.set(pick(random, [`${name}x`, `0/${name}`, '__proto__']), tensors.get(name)!);
      else tensors.set(name, mutateTensor(random, tensors.get(name)!));
    } else {
      const entry = random.uniform() < 0.9 ? 'model' : pick(random, ['provenance', 'version', 'format', 'sha256']);
      const text = metadata.get(entry) ?? '';
      metadata.set(entry, /^[{[]/.test(text) ? JSON.stringify(mutateJson(random, JSON.parse(text))) : `${text}1`);
    }
  }
  return withChecksum(encodeTensors({ tensors, metadata }));
}

/** A file with bytes changed anywhere: bits, runs, pieces cut out, doubled or inserted. */
export function mutateBytes(random: Random, given: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(given);
  const at = random.integer(bytes.length);
  const to = Math.min(bytes.length, at + 1 + random.integer(12));
  const chance = random.uniform();
  if (chance < 0.4) bytes[at] ^= 1 << random.integer(8);
  else if (chance < 0.6) for (let k = at; k < to; k++) bytes[k] = random.integer(256);
  else if (chance < 0.7) return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(to)]);
  else if (chance < 0.8) return Uint8Array.from([...bytes.subarray(0, to), ...bytes.subarray(at)]);
  else if (chance < 0.9) bytes[at] = pick(random, [...Buffer.from('{}[]",:0123456789-.eE\\ utfn')]);
  else bytes.copyWithin(at, random.integer(bytes.length), Math.min(bytes.length, random.integer(bytes.length) + 8));
  return bytes;
}

/** Random bytes, some of them with a plausible header length. */
export function randomBytes(random: Random): Uint8Array {
  const bytes = Uint8Array.from({ length: random.integer(200) }, () => random.integer(256));
  if (bytes.length >= 8 && random.uniform() < 0.5) bytes.fill(0, 1, 8);
  return bytes;
}
