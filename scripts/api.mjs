// Writes the public types of each entry point as api/*.api.md, from declarations that it makes itself: npm run api. With --check it
// writes nothing and fails when a report differs from the declarations.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { declarationOf, declarations, declare, extract, root } from './declarations.mjs';
import { entryPoints } from './entry-points.mjs';

const check = process.argv.includes('--check');
const reportFolder = join(root, 'api');
const reportTempFolder = join(root, '.cache', 'api');

declare();
for (const folder of [reportFolder, reportTempFolder]) mkdirSync(folder, { recursive: true });
let stale = false;
for (const source of Object.values(entryPoints)) {
  const path = source.slice('src/'.length).replace(/(\/index)?\.ts$/, '');
  const reportFileName = path === 'index' ? 'polya.api.md' : `polya-${path.replaceAll('/', '-')}.api.md`;
  const apiReport = { enabled: true, reportFolder, reportTempFolder, reportFileName };
  const config = { apiReport, dtsRollup: { enabled: false } };
  const { succeeded, apiReportChanged } = extract(declarationOf(source), config, !check);
  if (check && (apiReportChanged || !succeeded)) {
    console.error(`api/${reportFileName} differs from the declarations: run npm run api and look at the change`);
    stale = true;
  } else console.log(`api/${reportFileName}${apiReportChanged ? ' has changed' : ''}`);
}
rmSync(declarations, { recursive: true, force: true });
process.exit(stale ? 1 : 0);
