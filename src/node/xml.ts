import { resolveEntities } from '../data/html-text.ts';
import { refuse } from '../errors.ts';

/** What is done with the elements and the text of an XML document; prefixes of names are dropped. */
export interface XmlScanner {
  open(tag: string, attributes: string): void;
  text?(text: string): void;
  close?(tag: string): void;
}

/** A comment, a CDATA section, a declaration, a tag, or text: what an XML document without a DTD is made of. */
const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(?:\?|!(?!--|\[CDATA\[))[^>]*>|<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:[^<>"'/]|\/(?!>)|"[^"]*"|'[^']*')*)(\/?)>|([^<]+)/y;
/** No tag and no comment is longer. */
const MOST_TOKEN = 1 << 20;

/** Scans a document in UTF-8, which errors call `what`; yields after every piece of it. */
export async function* scanXml(
  chunks: AsyncIterable<Uint8Array>,
  what: string,
  { open, text, close }: XmlScanner,
): AsyncGenerator<undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let left = '';
  for await (const chunk of chunks) {
    try {
      left += decoder.decode(chunk, { stream: true });
    } catch (cause) {
      refuse('E_FORMAT', `${what} is not UTF-8`, {}, cause);
    }
    let at = 0;
    for (;;) {
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(left);
      if (found === null) break; // the rest of a tag or comment is in the next piece
      const [, data, slash, tag, attributes = '', alone, words] = found;
      if (words !== undefined && TOKEN.lastIndex === left.length) break; // text may go on there too
      at = TOKEN.lastIndex;
      if (tag === undefined) text?.(data ?? (words === undefined ? '' : resolveEntities(words)));
      else if (slash) close?.(tag);
      else {
        open(tag, attributes);
        if (alone) close?.(tag);
      }
    }
    left = left.slice(at);
    if (left.length > MOST_TOKEN + chunk.length) refuse('E_FORMAT', `${what} is not valid XML`, {});
    yield;
  }
  if (left.trim() !== '') refuse('E_FORMAT', `${what} is cut short`, {});
}

/** The value of an attribute, whatever its prefix. */
export function attribute(attributes: string, name: string): string | undefined {
  for (const [, own, double, single] of attributes.matchAll(/([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (own === name) return resolveEntities(double ?? single ?? '');
  return undefined;
}
