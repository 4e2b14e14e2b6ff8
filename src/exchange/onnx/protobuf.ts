/** A protocol buffer message under construction. */
export class Message {
  private readonly parts: Uint8Array[] = [];

  /** A whole number; a negative one in the two's complement of 64 bits. */
  integer(field: number, value: number | bigint): this {
    this.parts.push(varint(field * 8), varint(value));
    return this;
  }

  /** Text, bytes or a message inside. */
  bytes(field: number, value: string | Uint8Array | Message): this {
    const content =
      typeof value === 'string' ? encoder.encode(value) : value instanceof Message ? value.toBytes() : value;
    this.parts.push(varint(field * 8 + 2), varint(content.length), content);
    return this;
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

const encoder = new TextEncoder();

/** Seven bits to a byte, the lowest first; the eighth marks that more follow. */
function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}
