import { resolve } from 'node:path';
import { formatCsv } from '../../data/csv-format.ts';
import { suggest } from '../../data/suggest.ts';
import type { Dataset } from '../../datasets/dataset.ts';
import { datasets } from '../../node/datasets.ts';
import type { Demo } from '../commands/demo.ts';
import type { Context } from '../context.ts';
import { bytes, counted } from '../numbers.ts';
import { fail } from '../problem.ts';
import { corrected, quoted } from '../shell.ts';
import { pad, wrap } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { requireFree } from './model-output.ts';

/** Writes a sample dataset and prints commands to try. */
export async function demo(context: Demo): Promise<undefined> {
  const { args, options, print } = context;
  if (args.length === 0) return listSamples(context);
  const set = sampleNamed(context, args[0]);
  const file = options.output ?? `${set.name}.${options.format}`;
  requireFree(context, file, options.force);
  const content = new TextEncoder().encode(options.format === 'csv' ? asCsv(set) : asJsonLines(set));
  await context.io.save(resolve(context.io.cwd, file), content);
  const commands = stepsFor(set, file);
  if (print.json) {
    await print.object({ schema: 'polya/demo@1', file, ...cardOf(set), bytes: content.length, commands });
    return undefined;
  }
  print.talk(texts.fit.wrote(file, `${counted(set.rows.length, 'row')}, ${bytes(content.length)}`));
  for (const sentence of [set.description, texts.demo.source(set.source, set.license)]) {
    await print.line(wrap(sentence, print.screen.columns));
  }
  await print.line();
  await print.line(texts.demo.try());
  for (const line of commands) await print.line(`  ${line}`);
  return undefined;
}

/** A sample dataset by its name. */
export function sampleNamed({ words }: Pick<Context, 'words'>, name: string): Dataset {
  const load = datasets.get(name);
  if (load) return load();
  const near = suggest(name, datasets.keys());
  return fail('E_USAGE', texts.demo.unknown(name, near), {
    notes: [texts.demo.known([...datasets.keys()])],
    command: near && corrected(words, name, near),
  });
}

/** A sample dataset without its rows, with their number instead. */
export function cardOf({ name, title, rows, columns, target, text, description, source, license }: Dataset) {
  return { name, title, rows: rows.length, columns, target, ...(text && { text }), description, source, license };
}

/** A sample dataset as CSV. */
export const asCsv = ({ columns, rows }: Dataset): string =>
  formatCsv([columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))]);

const asJsonLines = ({ rows }: Dataset): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

async function listSamples({ print }: Demo): Promise<undefined> {
  const sets = [...datasets.values()].map((load) => load());
  if (print.json) {
    await print.object({ schema: 'polya/demos@1', samples: sets.map(cardOf) });
    return undefined;
  }
  const wide = Math.max(...sets.map(({ name }) => name.length));
  for (const { name, title, rows } of sets)
    await print.line(`  ${pad(name, wide)}  ${pad(counted(rows.length, 'row'), 11, 'right')}  ${title}`);
  print.talk(texts.fit.next('polya demo sms'));
  return undefined;
}

/** The commands to try next. */
function stepsFor({ name, target, text, questions }: Dataset, file: string): string[] {
  const model = `${name}.polya`;
  const fit = `polya fit ${file} --target ${quoted(target)} -o ${model}`;
  if (text === undefined)
    return [
      `polya inspect ${file}`,
      fit,
      `polya predict ${file} -m ${model} --output csv`,
      `polya explain ${file} -m ${model} --row 1`,
    ];
  const question = questions![0]![text]; // all samples with texts have questions, without quotes in them
  return [
    `polya inspect ${file}`,
    fit,
    `polya predict -m ${model} --text "${question}" --explain 4`,
    `polya features ${file} --target ${quoted(target)} --top 10`,
  ];
}
