import { appendFileSync } from 'node:fs';
import type { SqlEngine } from '../../src/engines/engine.ts';
import { wordsOf } from '../../src/engines/sql/words.ts';
import { textColumns } from '../../src/engines/text-columns.ts';

/** Adds to the file POLYA_RESULTS that a family was fitted and scored in an engine; docs/engines.md has a table of these lines. */
export async function noteResult(engine: SqlEngine, family: string): Promise<void> {
  const file = process.env.POLYA_RESULTS;
  if (file === undefined) return;
  const [[version]] = await textColumns(engine.query(`SELECT ${wordsOf(engine.dialect).text('version()')} AS v`), 1);
  const release = /\d+\.\d+(\.\d+)?/.exec(version)?.[0];
  appendFileSync(file, `${JSON.stringify({ engine: engine.name, release, family, shown: 'fit, score' })}\n`);
}
