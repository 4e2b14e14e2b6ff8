import { writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import ts from 'typescript';

const entry = new URL('../src/exchange/javascript/entry.ts', import.meta.url).pathname;
export const file: URL = new URL('../src/exchange/javascript/pieces.ts', import.meta.url);

/** Tables of which an exported module contains only the entries of its plan. */
const TABLES = [
  ...['inputs', 'vectors', 'terms', 'scores'],
  ...['tokenizers', 'units', 'accents', 'locators', 'numberReaders', 'levelReaders'],
];

/** The code that scores rows, as one minified module that keeps its top-level names. */
async function bundle(): Promise<ts.SourceFile> {
  const build = await rolldown({ input: entry, treeshake: { annotations: true } });
  const minify = { compress: { target: 'es2022' }, mangle: { toplevel: false }, codegen: { removeWhitespace: true } };
  const { output } = await build.generate({ format: 'esm', minify });
  await build.close();
  // in ASCII, so that a module works in every encoding that it may be served in
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const code = output[0].code.replace(/[^ -~\n]/g, escaped);
  return ts.createSourceFile('bundle.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
}

/** A top-level declaration. */
interface Declared {
  readonly name: string;
  readonly node: ts.Node;
  /** The text before the node. */
  readonly head: string;
}

function* declarations(source: ts.SourceFile): Generator<Declared> {
  for (const node of source.statements) {
    if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) yield { name: node.name!.text, node, head: '' };
    if (!ts.isVariableStatement(node)) continue; // calls without an effect, and the exports
    const keyword = node.declarationList.flags & ts.NodeFlags.Const ? 'const' : 'let';
    for (const own of node.declarationList.declarations) {
      yield { name: own.name.getText(), node: own, head: `${keyword} ` };
    }
  }
}

/** Operations have their JSON shape beside their code; modules need only the code. */
const isShape = (node: ts.Node): boolean =>
  ts.isObjectLiteralElementLike(node) &&
  node.name?.getText() === 'shape' &&
  (node.parent as ts.ObjectLiteralExpression).properties.some(({ name }) => name?.getText() === 'run');

/** The text of a node without shapes. */
function textOf(node: ts.Node): string {
  const [from, to] = [node.getStart(), node.getEnd()];
  const cuts: [from: number, to: number][] = [];
  const visit = (inner: ts.Node): void => {
    if (isShape(inner))
      cuts.push([inner.getFullStart(), inner.getEnd() + 1]); // the comma too
    else ts.forEachChild(inner, visit);
  };
  visit(node);
  const source = node.getSourceFile().text;
  let [text, at] = ['', from];
  for (const [start, end] of cuts) {
    text += source.slice(at, start);
    at = end;
  }
  return text + source.slice(at, to);
}

/** Whether an identifier is a property name rather than a variable. */
function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node;
}

/** The declarations that a node refers to. */
function needsOf(node: ts.Node, names: ReadonlySet<string>, own: string): string[] {
  const found = new Set<string>();
  const visit = (inner: ts.Node): void => {
    if (isShape(inner)) return;
    if (ts.isIdentifier(inner) && names.has(inner.text) && !isPropertyName(inner)) found.add(inner.text);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  found.delete(own);
  return [...found];
}

/** A piece as `toJavaScript` reads it. */
type Piece = [name: string, code: string, needs: string[], entries?: [key: string, code: string, needs: string[]][]];

function pieceOf({ name, node, head }: Declared, names: ReadonlySet<string>): Piece {
  const value = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  if (!TABLES.includes(name) || !value || !ts.isObjectLiteralExpression(value)) {
    return [name, `${head}${textOf(node)}`, needsOf(node, names, name)];
  }
  const entries = value.properties.map((property): [string, string, string[]] => {
    const key = property.name as ts.PropertyName;
    const text = ts.isStringLiteral(key) ? key.text : key.getText();
    return [text, textOf(property), needsOf(property, names, name)];
  });
  return [name, '', [], entries];
}

/** The pieces reachable from the exports of the entry. */
function reachable(all: readonly Piece[]): Piece[] {
  const byName = new Map(all.map((piece) => [piece[0], piece]));
  const reached = new Set<string>();
  const reach = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    const [, , needs, entries = []] = byName.get(name)!;
    for (const needed of [...needs, ...entries.flatMap(([, , own]) => own)]) reach(needed);
  };
  for (const root of ['argmax', 'explainRow', 'runRow', 'doubles']) reach(root);
  return all.filter(([name]) => reached.has(name));
}

/** The source file with the pieces. */
export async function piecesModule(): Promise<string> {
  const all = [...declarations(await bundle())];
  const names = new Set(all.map(({ name }) => name));
  const pieces = all.map((declared) => pieceOf(declared, names));
  const lost = TABLES.filter((table) => !pieces.some(([name, , , entries]) => name === table && entries));
  if (lost.length > 0) throw new Error(`no table of this name: ${lost.join(', ')}`);
  return [
    '/** Generated by `npm run exchange` from src/exchange/javascript/entry.ts; a test generates it again and compares. */',
    "import type { Piece } from '../to-javascript.ts';",
    '',
    '/** The declarations that exported modules are made of, in an order in which they can be evaluated. */',
    'export const pieces: readonly Piece[] = [',
    ...reachable(pieces).map((piece) => `  ${JSON.stringify(piece)},`),
    '];',
    '',
  ].join('\n');
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const text = await piecesModule();
  writeFileSync(file, text);
  console.info(`src/exchange/javascript/pieces.ts: ${text.length} characters`);
}
