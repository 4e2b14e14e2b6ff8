import { join } from 'node:path';
import ts from 'typescript';
import * as polya from '../src/index.ts';
import { PolyaError } from '../src/index.ts';

const root = join(import.meta.dirname, '..');

/** The entry points whose options are listed. */
const entries: Readonly<Record<string, string>> = {
  polya: 'src/index.ts',
  'polya/node': 'src/node.ts',
  'polya/exchange': 'src/exchange.ts',
  'polya/client': 'src/client.ts',
  'polya/server': 'src/server.ts',
  'polya/engines': 'src/engines.ts',
};

/** Longer types are cut: the editor shows them. */
const LONGEST_TYPE = 90;

const intro = `# Options of every class and function

Written from the declarations by \`npm run reference\`. A value that an option doesn't accept is refused with
[\`E_PARAM\`](errors.md#e_param), and a name that doesn't exist with the one that was probably meant:

\`\`\`ts
import { MultinomialNB, PolyaError } from 'polya';

try {
  new MultinomialNB({ aplha: 0.1 } as object);
} catch (error) {
  if (error instanceof PolyaError) console.log(error.message);
}
\`\`\`

\`\`\`text
MultinomialNB has no option "aplha"; did you mean "alpha"?
\`\`\`
`;

/** The page with the options of every exported class, and of every exported type of options. */
export function optionsPage(): string {
  const files = Object.values(entries).map((path) => join(root, path));
  const program = ts.createProgram(files, optionsOfCompiler());
  const checker = program.getTypeChecker();
  const parts = Object.entries(entries).flatMap(([entry, path]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, path))!)!;
    const own = checker
      .getExportsOfModule(module)
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    const tables = new Map(own.flatMap((symbol) => sectionOf(checker, symbol)));
    const sections = [...tables]
      .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([name, table]) => `### ${name}\n\n${table}`);
    return sections.length === 0 ? [] : [`## \`${entry}\``, ...sections];
  });
  return `${[intro.trim(), ...parts].join('\n\n')}\n`;
}

function optionsOfCompiler(): ts.CompilerOptions {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  return ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.build.json'), { noEmit: true }, host)!.options;
}

/** Classes come before the options of functions. */
const rank = (name: string): number => (/Options$/.test(name) ? 1 : 0);

/** The section of a class or of a type of options; nothing for other exports. */
function sectionOf(checker: ts.TypeChecker, symbol: ts.Symbol): [name: string, table: string][] {
  const { name } = symbol;
  const [signature] = symbol.valueDeclaration ? checker.getTypeOfSymbol(symbol).getConstructSignatures() : [];
  const given = signature?.parameters.find((parameter) => parameter.name === 'options');
  if (given) return table(checker, name, checker.getNonNullableType(checker.getTypeOfSymbol(given)));
  const isOptions = /Options$/.test(name) && (symbol.flags & ts.SymbolFlags.Type) !== 0;
  const ofClass = name.replace(/Options$/, '') in polya;
  return isOptions && !ofClass ? table(checker, name, checker.getDeclaredTypeOfSymbol(symbol)) : [];
}

function table(checker: ts.TypeChecker, name: string, type: ts.Type): [name: string, table: string][] {
  const defaults = defaultsOf(name);
  const rows = type.getProperties().map((property) => {
    const required = (property.flags & ts.SymbolFlags.Optional) === 0 ? 'required' : '';
    const usual = property.name in defaults ? `\`${shown(defaults[property.name])}\`` : required;
    const about = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ');
    const values = valuesOf(name, property.name);
    const cells = [values === undefined ? typeText(checker, property) : prose(values), usual, prose(about)];
    return `| \`${property.name}\` | ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return rows.length === 0
    ? []
    : [[name, ['| option | values | default | |', '|---|---|---|---|', ...rows].join('\n')]];
}

/** Text of a cell, in which a bracket is no tag. */
const prose = (text: string): string => text.replaceAll('<', '&lt;');

function typeText(checker: ts.TypeChecker, property: ts.Symbol): string {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(property));
  const text = checker
    .typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
    .replaceAll(/import\("[^"]*"\)\./g, '');
  return text.length > LONGEST_TYPE ? '' : `\`${text.replaceAll('"', "'")}\``;
}

type Constructor = new (options?: object) => { getParams?(): Readonly<Record<string, unknown>> };

const classOf = (name: string): Constructor | undefined => {
  const found = (polya as Readonly<Record<string, unknown>>)[name];
  return typeof found === 'function' ? (found as Constructor) : undefined;
};

/** The default of every option, as the class has it without options. */
function defaultsOf(name: string): Readonly<Record<string, unknown>> {
  const Class = classOf(name);
  if (Class === undefined) return {};
  try {
    return new Class().getParams?.() ?? {};
  } catch {
    return {}; // it needs an estimator or a column
  }
}

/** What an option accepts, in the words of the refusal of a value that it does not accept. */
function valuesOf(name: string, option: string): string | undefined {
  const Class = classOf(name);
  if (Class === undefined) return undefined;
  try {
    new Class({ [option]: Symbol('no value') });
  } catch (error) {
    const expected = error instanceof PolyaError && error.code === 'E_PARAM' ? error.details.expected : undefined;
    if (typeof expected === 'string') return expected;
  }
  return undefined;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return value.name || 'a function';
  if (value instanceof RegExp) return String(value);
  return JSON.stringify(value) ?? String(value);
}
