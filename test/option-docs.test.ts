import { dirname } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { entryPoints } from '../scripts/entry-points.mjs';

const root = new URL('..', import.meta.url).pathname;

/** The options of every exported type whose name ends in Options, by their position in the sources. */
function publicOptions(): Map<string, string> {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(`${root}tsconfig.json`));
  const program = ts.createProgram(
    Object.values(entryPoints).map((file) => root + file),
    options,
  );
  const checker = program.getTypeChecker();
  const found = new Map<string, string>();
  for (const file of Object.values(entryPoints)) {
    for (const exported of checker.getExportsOfModule(
      checker.getSymbolAtLocation(program.getSourceFile(root + file)!)!,
    )) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!symbol.name.endsWith('Options') || !(symbol.flags & ts.SymbolFlags.Type)) continue;
      for (const option of checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
        const [declaration] = option.declarations ?? [];
        if (!declaration) continue;
        const source = declaration.getSourceFile();
        const line = source.getLineAndCharacterOfPosition(declaration.getStart()).line + 1;
        const isOptional = Boolean(option.flags & ts.SymbolFlags.Optional);
        const doc = ts.displayPartsToString(option.getDocumentationComment(checker)).trim();
        const place = `${source.fileName.replace(root, '')}:${line} ${option.name}`;
        if (doc === '') found.set(place, 'no doc comment');
        else if (isOptional && !/default|required/i.test(doc)) found.set(place, `no default: ${doc}`);
        else if (!found.has(place)) found.set(place, '');
      }
    }
  }
  return found;
}

test('every public option has a doc comment, and an optional one states its default', () => {
  const options = publicOptions();
  expect(options.size).toBeGreaterThan(470);
  expect([...options].filter(([, fault]) => fault !== '')).toEqual([]);
}, 120_000);
