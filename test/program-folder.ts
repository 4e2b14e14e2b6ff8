import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Classifier, formatCsv, loadIris, loadTitanic } from '../src/index.ts';
import { loadSms } from '../src/node.ts';

/** Makes the folder in which the programs of the pages run: the samples as `polya demo` writes them, and the model of the tutorial. */
export function fillProgramFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, { rows, columns }] of Object.entries({
    sms: loadSms(),
    iris: loadIris(),
    titanic: loadTitanic(),
  })) {
    const records: readonly Readonly<Record<string, unknown>>[] = rows;
    const cells = records.map((row) => columns.map((column) => String(row[column])));
    writeFileSync(join(folder, `${name}.csv`), formatCsv([columns, ...cells]));
  }
  const { rows, target } = loadSms();
  writeFileSync(
    join(folder, 'spam.polya'),
    Classifier.fit(rows, { target, model: 'multinomial', evaluate: false }).save(),
  );
  return folder;
}
