import fc from 'fast-check';

/** A schema as OpenAPI 3.1 has it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** One operation of a description. */
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }>
  >;
}

/** A description, as far as it is needed. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** A request that was made up. */
export interface MadeUp {
  readonly verb: string;
  readonly path: string;
  readonly operation: Operation;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Things that clients have, by the name under which they are asked for. */
export type Known = Readonly<Record<string, readonly string[]>>;

const nasty = fc.constantFrom<unknown>(
  null,
  true,
  -1,
  0,
  1e308,
  1.5,
  '',
  'a',
  '__proto__',
  'constructor',
  '\u0000',
  '💥',
  '../../etc/passwd',
  '"1"',
  [],
  {},
  [[[]]],
  { a: 1 },
  'x'.repeat(2000),
  Number.MAX_SAFE_INTEGER,
);
const junk = fc.oneof({ weight: 3, arbitrary: nasty }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) });
const words = fc.constantFrom(
  'free prize',
  'see you',
  'call',
  '',
  'spam',
  'ham',
  'label',
  'free free free',
  '日本',
  'a b c',
);
const cells = fc.oneof(
  words,
  fc.record({ text: words }, { requiredKeys: [] }),
  fc.record(
    {
      text: words,
      label: fc.constantFrom<unknown>('spam', 'ham', 'new', 1, null),
      weight: fc.constantFrom<unknown>(1, 2, 0, -1, 'x'),
    },
    { requiredKeys: ['text'] },
  ),
  fc.array(fc.constantFrom<unknown>(1, 2.5, -3, 1e300, null, 'x'), { maxLength: 3 }),
);

/** Values that fit a schema, most of the time. */
function valuesOf(schema: JsonSchema, name: string, known: Known): fc.Arbitrary<unknown> {
  if (Object.hasOwn(known, name))
    return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known[name]) }, { weight: 1, arbitrary: nasty });
  if (name === 'instances' || name === 'examples') return fc.array(cells, { maxLength: 4 });
  if (name === 'instance') return cells;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((own) => valuesOf(own, name, known)));
  const types =
    typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['string', 'number', 'object', 'null']);
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, known)));
}

function valuesOfType(type: string, schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const { minimum = -10, maximum = 100 } = schema;
  if (type === 'integer') return fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, minimum + 100)) });
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'string') return schema.pattern ? fc.oneof(fc.stringMatching(new RegExp(schema.pattern)), words) : words;
  if (type === 'array')
    return fc.array(valuesOf(schema.items ?? {}, '', known), { minLength: schema.minItems ?? 0, maxLength: 4 });
  const { properties = {}, required = [], patternProperties } = schema;
  const own = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valuesOf(inner, name, known)])),
    { requiredKeys: required as never[] },
  ) as fc.Arbitrary<object>;
  const [extra] = Object.values(patternProperties ?? {});
  return extra
    ? fc.dictionary(fc.constantFrom('spam', 'ham', 'model', 'alpha', 'x'), valuesOf(extra, '', known), { maxKeys: 3 })
    : own;
}

/** A value with one thing in it replaced, added or taken away. */
function corrupted(value: unknown, where: number, by: unknown): unknown {
  if (typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0 || where % 4 === 0) return Array.isArray(value) ? [...value, by] : { ...value, surplus: by };
  const key = keys[where % keys.length];
  if (where % 4 === 1 && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).filter(([own]) => own !== key));
  const changed = corrupted((value as Record<string, unknown>)[key], where >> 2, by);
  return Array.isArray(value)
    ? value.map((own, i) => (String(i) === key ? changed : own))
    : { ...value, [key]: changed };
}

/** Requests for all operations of a description: two of three are valid, the third is invalid somewhere. */
export function requestsFor({ paths }: Description, known: Known, leaveOut: ReadonlySet<string>): fc.Arbitrary<MadeUp> {
  const all = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, { operationId }]) => !leaveOut.has(operationId))
      .map(([verb, operation]) => requestFor(path, verb, operation, known)),
  );
  return fc.oneof(...all);
}

function requestFor(path: string, verb: string, operation: Operation, known: Known): fc.Arbitrary<MadeUp> {
  const { parameters = [], requestBody } = operation;
  const types = Object.entries(requestBody?.content ?? {});
  const own = fc.record({
    values: fc.tuple(...parameters.map(({ name, schema }) => valuesOf(schema, name, known))),
    given: fc.tuple(...parameters.map(({ in: place }) => (place === 'path' ? fc.constant(true) : fc.boolean()))),
    type: types.length > 0 ? fc.constantFrom(...types) : fc.constant(undefined),
    spoil: fc.nat(2),
    where: fc.nat(1_000_000),
    by: junk,
    broken: fc.nat(30),
  });
  return own.chain(({ values, given, type, spoil, where, by, broken }) => {
    const schema = type?.[1].schema;
    const bodies = schema ? valuesOf(schema, '', known) : fc.constant(undefined);
    return bodies.map((value) => {
      const bad = spoil === 0;
      const wrong = bad && (where % 3 === 0 || value === undefined) ? where % Math.max(1, parameters.length) : -1;
      let url = path;
      const query: string[] = [];
      const headers: Record<string, string> = {};
      parameters.forEach(({ name, in: place }, k) => {
        const word = String(k === wrong ? by : values[k]);
        if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(word));
        else if (place === 'query' && given[k]) query.push(`${encodeURIComponent(name)}=${encodeURIComponent(word)}`);
        else if (place === 'header' && given[k]) headers[name] = word.replace(/[^\x20-\x7e]/g, '').slice(0, 500);
      });
      const sent =
        value === undefined ? undefined : JSON.stringify(bad && wrong < 0 ? corrupted(value, where, by) : value);
      if (sent !== undefined) headers['content-type'] = type![0];
      const cut = sent !== undefined && broken === 0 ? sent.slice(0, where % (sent.length + 1)) : sent;
      return { verb, path, operation, headers, body: cut, url: query.length > 0 ? `${url}?${query.join('&')}` : url };
    });
  });
}
