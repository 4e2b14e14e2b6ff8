import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of a file that `test/engines/results.ts` wrote. */
interface Result {
  readonly engine: string;
  readonly release: string;
  readonly family: string;
  readonly shown: string;
}

const PAGE = join(import.meta.dirname, '../../docs/engines.md');
const ENGINES = ['DuckDB', 'PostgreSQL', 'ClickHouse', 'Spark'];
const [BEGIN, END] = ['<!-- families: written by the suites of the engines -->', '<!-- end of families -->'];

/** Writes the results of a run into the table of families and engines; the columns of other engines stay as they are. */
export function writeFamilies(file: string): void {
  const results = readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Result); // biome-ignore format: short
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const [table, after] = rest.split(END);
  const cellsOf = (line: string) => line.split('|').slice(1, -1).map((cell) => cell.trim()); // biome-ignore format: short
  const lines = table.split('\n').filter((line) => line.startsWith('|')).map(cellsOf); // biome-ignore format: short
  const releases = new Map(ENGINES.map((engine, k) => [engine, lines[0]?.[k + 1] ?? engine]));
  const known = new Map(lines.slice(2).map(([family, ...cells]) => [family, cells]));
  for (const { engine, release, family, shown } of results) {
    const cells = known.get(family) ?? ENGINES.map(() => '');
    cells[ENGINES.indexOf(engine)] = shown;
    known.set(family, cells);
    releases.set(engine, `${engine} ${release}`);
  }
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = [row(['family', ...ENGINES.map((engine) => releases.get(engine) as string)]), row(['---', ...ENGINES.map(() => '---')])]; // biome-ignore format: short
  const rows = [...known].map(([family, cells]) => row([family, ...cells]));
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${[...head, ...rows].join('\n')}\n\n${END}${after}`);
}

if (process.argv[1] === import.meta.filename) writeFamilies(process.argv[2]);
