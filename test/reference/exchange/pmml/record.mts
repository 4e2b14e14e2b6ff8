/**
 * Scores the models of models.ts with JPMML and writes what it answers: npx tsx test/reference/exchange/pmml/record.mts
 * Needs Java 17 and Maven. Every document is validated against the schema of PMML 4.4 that comes with JPMML. Writes scores.json.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toPmml } from '../../../../src/exchange/pmml.ts';
import { type Cell, pmmlCases } from './models.ts';

const here = new URL('.', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'polya-pmml-'));
const [libraries, cases] = [join(folder, 'lib'), join(folder, 'cases')];
mkdirSync(cases);

const cellText = (cell: Cell) => (cell === null ? '' : cell === '' ? '\\e' : String(cell));
const documents = pmmlCases.map(({ model, name, fields, rows, refused }) => {
  const pmml = toPmml(model);
  writeFileSync(join(cases, `${name}.pmml`), pmml);
  writeFileSync(
    join(cases, `${name}.tsv`),
    [fields, ...[...rows, ...refused].map((row) => row.map(cellText))].map((row) => `${row.join('\t')}\n`).join(''),
  );
  return pmml;
});

try {
  execFileSync(
    'mvn',
    ['-q', '-B', '-f', join(here, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`],
    { stdio: 'inherit' },
  );
  execFileSync('java', ['-cp', join(libraries, '*'), join(here, 'Score.java'), cases], { stdio: 'inherit' });
  const recorded = pmmlCases.map(({ name }, k) => {
    const answers = readFileSync(join(cases, `${name}.out`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    return { name, pmml: documents[k], answers };
  });
  writeFileSync(join(here, 'scores.json'), `${JSON.stringify(recorded, null, 1)}\n`);
  console.log(`${recorded.length} models scored by JPMML`);
} finally {
  rmSync(folder, { recursive: true });
}
