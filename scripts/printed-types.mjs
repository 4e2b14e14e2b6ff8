// JSON Schemas from the TypeScript types of commands' output: every property of an exported interface `Prints` is one
// schema.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The JSON Schemas of everything that `polya --json` prints, by name. */
export function printedSchemas() {
  const files = readdirSync(`${root}src/cli`, { recursive: true })
    .filter(
      (file) => file.endsWith('.ts') && readFileSync(`${root}src/cli/${file}`, 'utf8').includes('interface Prints {'),
    )
    .map((file) => `${root}src/cli/${file}`);
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const entries = files.flatMap((file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    const prints = checker.getExportsOfModule(module).find(({ name }) => name === 'Prints');
    return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(prints)).map((entry) => {
      const { required, properties, ...rest } = schemaOf(checker, checker.getTypeOfSymbol(entry));
      const name = entry.getName();
      const schema = { type: 'string', const: `polya/${name}` };
      return [
        name,
        {
          $id: `urn:polya:schema:${name}`,
          title: `polya/${name}`,
          description: textOf(checker, entry),
          ...rest,
          required: ['schema', ...(required ?? [])],
          properties: { schema, ...properties },
        },
      ];
    });
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const textOf = (checker, symbol) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll('\n', ' ');

/** Aliases of `number` with a more specific meaning: the compiler drops them, so they are read from the declaration. */
const numbers = {
  Count: { type: 'integer', minimum: 0 },
  Probability: { type: 'number', minimum: 0, maximum: 1 },
};

function propertyOf(checker, symbol) {
  const declared = symbol.declarations?.[0]?.type?.getText();
  const description = textOf(checker, symbol);
  const schema = numbers[declared] ?? schemaOf(checker, checker.getTypeOfSymbol(symbol));
  return description ? { ...schema, description } : schema;
}

/** The types being described: a recursive reference is any value. */
const open = new Set();

function schemaOf(checker, type) {
  if (open.has(type)) return {};
  open.add(type);
  try {
    return describe(checker, type);
  } finally {
    open.delete(type);
  }
}

function describe(checker, type) {
  const { flags } = type;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
  if (flags & ts.TypeFlags.Null) return { type: 'null' };
  if (flags & ts.TypeFlags.StringLiteral) return { type: 'string', const: type.value };
  if (flags & ts.TypeFlags.NumberLiteral) return { type: 'number', const: type.value };
  if (flags & ts.TypeFlags.BooleanLiteral) return { type: 'boolean', const: type.intrinsicName === 'true' };
  if (flags & ts.TypeFlags.String) return { type: 'string' };
  if (flags & ts.TypeFlags.Number) return { type: 'number' };
  if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
  if (flags & ts.TypeFlags.NonPrimitive) return { type: 'object' };
  if (type.isUnion()) return unionOf(checker, type.types);
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const [item] = checker.getTypeArguments(type);
    return { type: 'array', ...(item && { items: schemaOf(checker, item) }) };
  }
  return objectOf(checker, type);
}

function unionOf(checker, types) {
  const some = types.filter((own) => !(own.flags & ts.TypeFlags.Undefined));
  const truths = some.filter((own) => own.flags & ts.TypeFlags.BooleanLiteral);
  const others = some.filter((own) => !(own.flags & ts.TypeFlags.BooleanLiteral)).map((own) => schemaOf(checker, own));
  const all =
    truths.length === 2
      ? [...others, { type: 'boolean' }]
      : [...others, ...truths.map((own) => schemaOf(checker, own))];
  if (all.length === 1) return all[0];
  if (all.every((own) => own.type === 'string' && own.const !== undefined))
    return { enum: all.map((own) => own.const) };
  return { anyOf: all };
}

function objectOf(checker, type) {
  const others = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const members = checker.getPropertiesOfType(type);
  const isUndefined = (own) => (own.flags & ts.TypeFlags.Undefined) !== 0;
  const optional = (symbol) => {
    const own = checker.getTypeOfSymbol(symbol);
    return (symbol.flags & ts.SymbolFlags.Optional) !== 0 || (own.isUnion() && own.types.some(isUndefined));
  };
  const required = members.filter((symbol) => !optional(symbol)).map(({ name }) => name);
  const properties = Object.fromEntries(members.map((symbol) => [symbol.name, propertyOf(checker, symbol)]));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(members.length > 0 && { properties }),
    ...(others ? additional(schemaOf(checker, others)) : members.length > 0 && { additionalProperties: false }),
  };
}

const additional = (schema) => (Object.keys(schema).length > 0 ? { additionalProperties: schema } : {});

/** `fit@1` → `fit.1.schema.json`. */
export const fileOf = (name) => `${name.replace('@', '.')}.schema.json`;
