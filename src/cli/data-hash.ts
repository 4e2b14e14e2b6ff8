import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { count } from './numbers.ts';

/** Large chunks take a third of the time of the default size. */
const CHUNK = 1 << 20;

/**
 * Identifies data by CRC-32 and length. It detects accidental differences between files, not intended ones, at a tenth
 * of the cost of SHA-256, which took a quarter of the time of learning from a file (docs/decisions/0034-data-hash.md).
 */
export class DataHash {
  private crc = 0;
  private length = 0;

  get bytes(): number {
    return this.length;
  }

  update(bytes: Uint8Array): this {
    this.crc = crc32(bytes, this.crc);
    this.length += bytes.length;
    return this;
  }

  /** The hash of all bytes so far, as `Provenance.dataHash` has it. */
  digest(): string {
    return `crc32:${this.crc.toString(16).padStart(8, '0')}:${this.length}`;
  }

  /** Adds a file, or a folder: the names and bytes of all files in it. */
  async addFile(path: string): Promise<void> {
    if (!(await stat(path)).isDirectory()) {
      for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) this.update(chunk as Uint8Array);
      return;
    }
    for (const name of (await readdir(path)).sort()) {
      this.addText(`${name}\0`);
      await this.addFile(join(path, name));
    }
  }

  addText(text: string): this {
    return this.update(Buffer.from(text));
  }
}

/** A hash of data for people: its kind, its digits, and the length of the data if it is part of the hash. */
export function describeHash(hash: string): string {
  const [kind, digits, bytes] = hash.split(':');
  return bytes === undefined ? `sha256 ${hash}` : `${kind} ${digits}, ${count(Number(bytes))} bytes`;
}
