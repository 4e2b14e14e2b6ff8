// Writes the declarations of the package: dist/lib/types.d.ts with all of them, and one file per entry point that re-exports its own.
// The modules are built already. One file keeps a class the same class in every entry point.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { compilerOptions, declarationOf, declarations, declare, extract, root } from './declarations.mjs';
import { entryPoints } from './entry-points.mjs';

const out = join(root, 'dist', 'lib');

declare();
const files = Object.values(entryPoints).map(declarationOf);
const { options } = ts.convertCompilerOptionsFromJson(
  { ...compilerOptions, allowImportingTsExtensions: true, noEmit: true },
  root,
);
const program = ts.createProgram(files, options);
const checker = program.getTypeChecker();

/** The values that the module of an entry point exports; all else is a type. */
function valuesOf(entry) {
  const module = readFileSync(join(root, 'dist', entry === 'server' ? 'cli/server.mjs' : `lib/${entry}.js`), 'utf8');
  const [, list] = /\bexport(?: const)? ?\{([^{}]*)\}[^{}]*$/.exec(module);
  return new Set(list.split(',').map((item) => item.trim().replace(/.* as /, '')));
}

/** What each exported symbol is called in types.d.ts: its own name, or with the entry point where another has that name. */
const names = new Map();
const sources = [];
for (const [entry, source] of Object.entries(entryPoints)) {
  const file = declarationOf(source);
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  const values = valuesOf(entry);
  const exported = checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (!(target.flags & ts.SymbolFlags.Type) && !values.has(symbol.name)) return []; // from `export type *`
    const taken = [...names.values()].includes(symbol.name);
    if (!names.has(target)) {
      names.set(target, taken ? `${entry}${symbol.name}` : symbol.name);
      sources.push(`export { ${symbol.name} as ${names.get(target)} } from '${file}';`);
    }
    const own = names.get(target);
    return own === symbol.name ? own : `${own} as ${symbol.name}`;
  });
  writeFileSync(join(out, `${entry}.d.ts`), `export { ${exported.sort().join(', ')} } from './types.js';\n`);
}

const all = join(declarations, 'all.d.ts');
writeFileSync(all, sources.join('\n'));
const { succeeded } = extract(all, {
  apiReport: { enabled: false },
  dtsRollup: { enabled: true, untrimmedFilePath: join(out, 'types.d.ts') },
});
rmSync(declarations, { recursive: true, force: true });
if (!succeeded) process.exit(1);

// TypeScript before 5.7 has no parameters of typed arrays. From 5.9 on bytes for a Blob or a request are Uint8Array<ArrayBuffer>, which is
// what an encoder returns in every version.
const file = join(out, 'types.d.ts');
const text = readFileSync(file, 'utf8')
  .replaceAll('Uint8Array<ArrayBuffer>', 'FileBytes')
  .replaceAll(/\b((?:Uint|Int|Float)\d+Array)<ArrayBuffer(?:Like)?>/g, '$1');
writeFileSync(file, `declare type FileBytes = ReturnType<TextEncoder['encode']>;\n\n${text}`);
