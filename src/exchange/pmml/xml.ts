import { refuse, show } from '../../errors.ts';

/** What an element is made of; attributes that are undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element of XML, with its children inside; empty ones close themselves. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  if (children.length === 0) return `<${name}${written.join('')}/>`;
  const inside = children.join('\n').replaceAll('\n', '\n  ');
  return `<${name}${written.join('')}>\n  ${inside}\n</${name}>`;
}

const ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'], // unescaped, a parser would treat the last three as blanks
  ['\n', '&#10;'],
  ['\r', '&#13;'],
]);

/** Characters that no document of XML 1.0 can hold, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
const OUTSIDE_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** A text as the content of an element or an attribute. */
export function escaped(text: string): string {
  if (OUTSIDE_XML.test(text) || !text.isWellFormed()) {
    refuse('E_IDENTIFIER', `${show(text)} holds a character that XML does not allow`, { name: text.slice(0, 100) });
  }
  return text.replace(/[&<>"\t\n\r]/g, (sign) => ESCAPES.get(sign) as string);
}

/** Refuses what PMML cannot express. */
export function cannotSay(what: string, why: string): never {
  return refuse('E_CONFLICT', `PMML cannot represent ${what}: ${why}`, { what });
}
