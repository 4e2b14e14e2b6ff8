/** The first bytes of a project file. */
const MAGIC = 'polya-project-1\n';

const arrays = { Uint8Array, Float64Array, Float32Array, Int32Array, Uint32Array } as const;

type ArrayName = keyof typeof arrays;

interface Part {
  readonly $part: number;
  readonly type: ArrayName | 'Blob';
}

/** Whether a file was written by `pack`. */
export async function isPacked(file: Blob): Promise<boolean> {
  return (await file.slice(0, MAGIC.length).text()) === MAGIC;
}

/** Writes plain data with typed arrays and files into one file: a JSON description, then the binary parts. */
export async function pack(value: unknown): Promise<Blob> {
  const parts: Blob[] = [];
  const describe = (own: unknown): unknown => {
    if (own instanceof Blob) return { $part: parts.push(own) - 1, type: 'Blob' } satisfies Part;
    if (ArrayBuffer.isView(own)) {
      return { $part: parts.push(new Blob([own as Uint8Array<ArrayBuffer>])) - 1, type: typeOf(own) };
    }
    if (Array.isArray(own)) return own.map(describe);
    if (typeof own !== 'object' || own === null) return own;
    return Object.fromEntries(Object.entries(own).map(([name, part]) => [name, describe(part)]));
  };
  const described = describe(value);
  const head = new TextEncoder().encode(JSON.stringify({ value: described, sizes: parts.map(({ size }) => size) }));
  return new Blob([MAGIC, `${head.length}\n`, head, ...parts]);
}

/** The name of a typed array, which a minifier leaves as it is. */
const typeOf = (own: ArrayBufferView): ArrayName =>
  (Object.keys(arrays) as ArrayName[]).find((name) => own instanceof arrays[name])!;

/** Reads a file written by `pack`; throws if it is damaged. */
export async function unpack(file: Blob): Promise<unknown> {
  const length = /^(\d{1,12})\n/.exec(await file.slice(MAGIC.length, MAGIC.length + 13).text());
  if (!length) throw new Error('this project file is damaged');
  const begin = MAGIC.length + length[0].length;
  let at = begin + Number(length[1]);
  const { value, sizes } = JSON.parse(await file.slice(begin, at).text()) as { value: unknown; sizes: number[] };
  const parts = sizes.map((size) => {
    at += size;
    return file.slice(at - size, at);
  });
  if (at !== file.size) throw new Error('this project file is damaged');
  const restore = async (own: unknown): Promise<unknown> => {
    if (Array.isArray(own)) return Promise.all(own.map(restore));
    if (typeof own !== 'object' || own === null) return own;
    if (Object.hasOwn(own, '$part')) return partOf(own as Part, parts);
    const entries = Object.entries(own).map(async ([name, part]) => [name, await restore(part)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return restore(value);
}

async function partOf({ $part, type }: Part, parts: readonly Blob[]): Promise<unknown> {
  const blob = parts[$part];
  if (type === 'Blob') return new Blob([await blob.arrayBuffer()]); // a copy, because the original file may be moved
  return new arrays[type](await blob.arrayBuffer());
}
