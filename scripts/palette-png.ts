import { crc32, deflateSync } from 'node:zlib';

const COLOURS = 256;

/**
 * A picture of few colours as a PNG with a palette: a third of the bytes, without a visible difference for screenshots.
 */
export function palettePng(pixels: Uint8Array, width: number, height: number): Buffer {
  const counts = new Map<number, number>();
  for (let k = 0; k < pixels.length; k += 4) {
    const colour = (pixels[k] << 16) | (pixels[k + 1] << 8) | pixels[k + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(counts);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const rows = Buffer.alloc((width + 1) * height); // each row begins with 0: no filter
  for (let i = 0; i < width * height; i++) {
    const k = 4 * i;
    const colour = (pixels[k] << 16) | (pixels[k + 1] << 8) | pixels[k + 2];
    rows[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = places.get(colour)!;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8); // eight bits, by palette
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const data = deflateSync(rows, { level: 9 });
  const parts = [chunk('IHDR', head), chunk('PLTE', colours), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

/**
 * Half of the palette are the most frequent colours, the other half those of the most frequent groups of similar
 * colours of the rest.
 */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const sorted = [...counts].sort(([, m], [, n]) => n - m);
  const first = sorted.slice(0, COLOURS / 2).map(([colour]) => colour);
  const around = new Map<number, [count: number, colour: number]>();
  for (const [colour, count] of sorted.slice(COLOURS / 2)) {
    const [sum, own] = around.get(colour & 0xf0f0f0) ?? [0, colour];
    around.set(colour & 0xf0f0f0, [sum + count, own]);
  }
  const others = [...around.values()].sort(([m], [n]) => n - m).map(([, colour]) => colour);
  return [...first, ...others.slice(0, COLOURS - first.length)];
}

function nearest(colour: number, palette: readonly number[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [k, own] of palette.entries()) {
    const [r, g, b] = [
      (own >> 16) - (colour >> 16),
      ((own >> 8) & 255) - ((colour >> 8) & 255),
      (own & 255) - (colour & 255),
    ];
    const gap = r * r + g * g + b * b;
    if (gap < least) [best, least] = [k, gap];
  }
  return best;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
