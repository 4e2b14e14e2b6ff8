/** A byte stream whose beginning has been read. */
export interface Peeked {
  /** The first bytes: as many as requested, or a few more, or all of a shorter stream. */
  readonly head: Uint8Array;
  /** Whether the head is the whole stream. */
  readonly whole: boolean;
  /** The complete stream, to be read once. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Reads pieces until there are `bytes` of them, and puts them back in front of the rest. */
export async function peek(chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  const source = chunks[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let size = 0;
  let whole = false;
  while (size < bytes && !whole) {
    const { done, value } = await source.next();
    whole = done === true;
    if (done) break;
    pieces.push(value);
    size += value.length;
  }
  const head = pieces.length === 1 ? pieces[0]! : joinBytes(pieces, size);
  return { head, whole, chunks: restOf(head, source) };
}

async function* restOf(
  head: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (head.length > 0) yield head;
    for (let step = await source.next(); !step.done; step = await source.next()) yield step.value;
  } finally {
    await source.return?.();
  }
}

/** Pieces as one; it runs in a browser too, where there is no Buffer. */
function joinBytes(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
