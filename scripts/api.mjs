// Writes the public API of each entry point to api/*.api.md, from declarations that it builds itself: npm run api. With
// --check it writes nothing and fails if a report is out of date.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = new URL('..', import.meta.url).pathname;
const declarations = join(root, '.cache', 'declarations');
const check = process.argv.includes('--check');
const { exports: entryPoints } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

declare();
mkdirSync(join(root, 'api'), { recursive: true });
mkdirSync(join(root, '.cache', 'api'), { recursive: true });
let stale = false;
for (const [entryPoint, { types }] of Object.entries(entryPoints)) {
  if (!types) continue;
  const report = `polya${entryPoint.slice(1).replaceAll('/', '-')}.api.md`;
  const entry = types.replace('./dist', declarations);
  if (!existsSync(entry)) fail(`${types} of the entry point ${entryPoint} has no source`);
  const { succeeded, apiReportChanged } = Extractor.invoke(configOf(entry, report), {
    localBuild: !check,
    messageCallback: (message) => {
      message.handled = message.logLevel !== 'error' || message.messageId.startsWith('console-api-report');
    },
  });
  if (check && (apiReportChanged || !succeeded)) {
    console.error(`api/${report} is out of date: run npm run api and review the change`);
    stale = true;
  } else console.log(`api/${report}${apiReportChanged ? ' has changed' : ''}`);
}
rmSync(declarations, { recursive: true, force: true });
process.exit(stale ? 1 : 0);

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}

function declare() {
  rmSync(declarations, { recursive: true, force: true });
  const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  const options = [
    '-p',
    'tsconfig.build.json',
    '--emitDeclarationOnly',
    '--declarationMap',
    'false',
    '--outDir',
    declarations,
  ];
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options], { cwd: root, encoding: 'utf8' });
  if (status !== 0) fail(stdout);
}

function configOf(mainEntryPointFilePath, reportFileName) {
  const quiet = { default: { logLevel: 'none' } };
  const lib = ['es2024', 'dom', 'dom.iterable'];
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib,
    types: ['node'],
    strict: true,
    skipLibCheck: true,
  };
  const reportTempFolder = join(root, '.cache', 'api');
  return ExtractorConfig.prepare({
    configObjectFullPath: join(root, 'api-extractor.json'),
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath,
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: { enabled: true, reportFolder: join(root, 'api'), reportTempFolder, reportFileName },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: { compilerMessageReporting: quiet, extractorMessageReporting: quiet, tsdocMessageReporting: quiet },
    },
  });
}
