import { resolve } from 'node:path';
import { datasets as samples } from '../../node/datasets.ts';
import type { Datasets } from '../commands/datasets.ts';
import { count, counted } from '../numbers.ts';
import { fail } from '../problem.ts';
import { pad, wrap } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { asCsv, cardOf, sampleNamed } from './demo.ts';
import { requireFree } from './model-output.ts';

/** The one set that does not come with the package. */
export const NEWS = '20newsgroups';

/** Lists data sets, or writes one. */
export async function datasets(context: Datasets): Promise<undefined> {
  const { args, options, print, io } = context;
  if (args.length === 0) return listSets(context);
  if (args[0] === NEWS) return fetchNews(context);
  const set = sampleNamed(context, args[0]);
  const content = asCsv(set);
  if (options.output === undefined || options.output === '-') {
    if (print.json) await print.object({ schema: 'polya/dataset@1', ...cardOf(set) });
    else await print.raw(content);
    return undefined;
  }
  requireFree(context, options.output, options.force);
  await io.save(resolve(io.cwd, options.output), new TextEncoder().encode(content));
  if (print.json) await print.object({ schema: 'polya/dataset@1', ...cardOf(set), file: options.output });
  else print.talk(texts.fit.wrote(options.output, counted(set.rows.length, 'row')));
  return undefined;
}

async function listSets({ print }: Datasets): Promise<undefined> {
  const sets = [...samples.values()].map((load) => cardOf(load()));
  if (print.json) {
    await print.object({
      schema: 'polya/datasets@1',
      datasets: sets,
      fetched: [{ name: NEWS, title: texts.demo.newsTitle() }],
    });
    return undefined;
  }
  const indent = ' '.repeat(26);
  const columns = Math.max(40, print.screen.columns - indent.length);
  const list = async (name: string, rows: string, ...lines: string[]) => {
    const said = lines.map((line) => wrap(line, columns, indent)).join(`\n${indent}`);
    await print.line(`  ${pad(name, 14)}${pad(rows, 8, 'right')}  ${said}`);
  };
  for (const { name, rows, title, source, license } of sets)
    await list(name, count(rows), title, `${source}; ${license}`);
  await list(NEWS, '18,846', texts.demo.newsTitle());
  return undefined;
}

const parts = ['headers', 'footers', 'quotes'] as const;

async function fetchNews(context: Datasets): Promise<undefined> {
  const { options, io, print, progress } = context;
  const { subset, categories, remove, cache } = options;
  for (const part of remove)
    if (!(parts as readonly string[]).includes(part)) fail('E_USAGE', texts.demo.newsUnknown(part));
  const file = options.output ?? '20newsgroups.jsonl';
  requireFree(context, file, options.force);
  const { fetch20newsgroups } = await import('../../node/newsgroups.ts');
  const place = cache === undefined ? io.env.POLYA_DATA : resolve(io.cwd, cache);
  const { data, labels } = await fetch20newsgroups({
    subset,
    ...(categories.length > 0 && { categories }),
    ...(remove.length > 0 && { remove: remove as (typeof parts)[number][] }),
    ...(place && { cache: place }),
    ...(options.from && { from: resolve(io.cwd, options.from) }),
    onProgress: ({ phase, done, total }) => {
      const share = total ? done / total : undefined;
      const amount = phase === 'read' ? { rows: done } : { bytes: done };
      progress.step(phase === 'read' ? texts.phases.reading() : texts.phases.fetching(), { share, ...amount });
    },
  });
  progress.end();
  const lines = data.map((text, i) => `${JSON.stringify({ label: labels[i], text })}\n`).join('');
  await io.save(resolve(io.cwd, file), new TextEncoder().encode(lines));
  if (print.json) await print.object({ schema: 'polya/dataset@1', name: NEWS, file, rows: data.length, subset });
  else print.talk(texts.demo.fetched(count(data.length), file));
  return undefined;
}
