// What scripts that read the public types share: the declarations of the sources.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import ts from 'typescript';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const declarations = join(root, '.cache', 'declarations');

/** The declarations of an entry point, once `declare` has run. */
export const declarationOf = (source) => source.replace(/^src/, () => declarations).replace(/\.ts$/, '.d.ts');

/** Writes the declarations of all sources; ends the process with the errors where there are any. */
export function declare() {
  rmSync(declarations, { recursive: true, force: true });
  const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  const options = ['-p', 'tsconfig.build.json', '--outDir', declarations];
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options], { cwd: root, encoding: 'utf8' });
  if (status !== 0) {
    console.error(stdout);
    process.exit(2);
  }
  for (const name of readdirSync(declarations, { recursive: true })) {
    const file = join(declarations, name);
    if (file.endsWith('.d.ts')) writeFileSync(file, withoutProtected(readFileSync(file, 'utf8')));
  }
}

/** Declarations without the protected members of classes, which are for subclasses inside the library. */
function withoutProtected(text) {
  if (!text.includes('protected ')) return text;
  const { statements } = ts.createSourceFile('a.d.ts', text, ts.ScriptTarget.ESNext);
  const isProtected = ({ modifiers, kind }) =>
    kind !== ts.SyntaxKind.Constructor &&
    modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ProtectedKeyword);
  const members = statements.filter(ts.isClassDeclaration).flatMap((declared) => declared.members.filter(isProtected));
  return members.reverse().reduce((rest, { pos, end }) => rest.slice(0, pos) + rest.slice(end), text);
}

export const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
};

/** Runs API Extractor over one file of declarations. */
export function extract(mainEntryPointFilePath, config, localBuild = true) {
  const quiet = { default: { logLevel: 'none' } };
  const prepared = ExtractorConfig.prepare({
    configObjectFullPath: join(root, 'api-extractor.json'),
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath,
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: { compilerMessageReporting: quiet, extractorMessageReporting: quiet, tsdocMessageReporting: quiet },
      ...config,
    },
  });
  return Extractor.invoke(prepared, {
    localBuild,
    messageCallback: (message) => {
      message.handled = message.logLevel !== 'error' || message.messageId.startsWith('console-api-report');
    },
  });
}
