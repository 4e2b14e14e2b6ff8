/**
 * The subset of the protocol-buffer wire format that Spark Connect needs: integers as varints, and everything else
 * (texts, bytes, messages) as a length and that many bytes.
 */
export type FieldValue = string | number | boolean | Uint8Array;

/** A message of these fields, as number and value; an undefined value is omitted. */
export function encodeMessage(fields: readonly (readonly [field: number, value: FieldValue | undefined])[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [field, value] of fields) {
    if (value === undefined) continue;
    if (typeof value === 'number' || typeof value === 'boolean') {
      parts.push(varint(field * 8), varint(Number(value)));
    } else {
      const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
      parts.push(varint(field * 8 + 2), varint(bytes.length), bytes);
    }
  }
  return Buffer.concat(parts);
}

/** The fields of a message, in the order of the wire; numbers of fixed width are skipped. */
export function* decodeMessage(bytes: Buffer): Generator<readonly [field: number, value: number | Buffer]> {
  const reader = new Reader(bytes);
  while (reader.at < bytes.length) {
    const key = reader.varint();
    const field = Math.floor(key / 8);
    if (key % 8 === 0) yield [field, reader.varint()];
    else if (key % 8 === 2) yield [field, reader.take(reader.varint())];
    else if (key % 8 === 1) reader.take(8);
    else if (key % 8 === 5) reader.take(4);
    else throw new Error(`the response is not a protocol buffer: field ${field} has wire type ${key % 8}`);
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

class Reader {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /**
   * Exact to 2^53; a negative number, which has ten bytes, becomes a large one, but none of the fields we read is
   * negative.
   */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      if (this.at >= this.bytes.length) break;
      const byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new Error('the response is not a protocol buffer: a number does not end');
  }

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length)
      throw new Error('the response is not a protocol buffer: a field is cut off');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
