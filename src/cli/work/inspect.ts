import { type TableProfile, TableProfiler } from '../../auto/profile.ts';
import { bar } from '../charts.ts';
import type { Inspect } from '../commands/inspect.ts';
import { openRows } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { bytes, count, counted, duration, percent } from '../numbers.ts';
import { quoted } from '../shell.ts';
import { pad, safe, shorten, width } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { readingWords } from './reading-words.ts';

type Column = TableProfile['columns'][number];

/** Profiles data without keeping all rows in memory. */
export async function inspect(context: Inspect): Promise<undefined> {
  const begun = performance.now();
  const { args, options, print } = context;
  const source = await openRows(context, args);
  if (options.target !== undefined) requireColumn(context, options.target, source.columns, source.name);
  const profiler = new TableProfiler({ target: options.target });
  for await (const table of source.tables()) profiler.add(table.records());
  const profile = profiler.profile();
  const { first } = source;
  const size = args[0] === '-' ? first.bytesRead : (first.bytesTotal ?? first.bytesRead);
  if (print.json) {
    const { format, formatReason, encoding, compressed, delimiter, header } = first;
    await print.object({
      schema: 'polya/inspect@1',
      file: source.name,
      ...{ format, formatReason, encoding, compressed, delimiter: delimiter ?? null, header: header ?? null },
      bytes: size,
      rows: profile.rows,
      rejected: source.rejected,
      profile,
    });
    return undefined;
  }
  const facts = [
    counted(profile.rows, 'row'),
    counted(profile.columns.length, 'column'),
    texts.inspect.format(first.format, first.delimiter),
    first.encoding.toUpperCase(),
    bytes(size) + (first.compressed ? texts.inspect.compressed() : ''),
  ];
  await print.line(
    `${print.screen.paint.bold(safe(source.name))}  ${facts.join(' · ')}   ${duration(performance.now() - begun)}`,
  );
  await printColumns(context, profile);
  if (profile.sampledRows < profile.rows) print.talk(texts.inspect.sampled(count(profile.sampledRows)));
  for (const { sentence } of profile.warnings) print.warn(safe(sentence));
  sayNext(context, profile);
  return undefined;
}

/** As many columns are shown; of more, the first of them and the target. */
const SHOWN = 60;

async function printColumns({ print, options }: Inspect, { columns, target, rows }: TableProfile): Promise<void> {
  const all = options.verbose || columns.length <= SHOWN;
  const shown = all ? columns : columns.filter(({ role }, k) => k < SHOWN - 1 || role === 'target');
  const names = shown.map(({ name }) => safe(name, 24));
  const wide = Math.max(...names.map(width));
  const room = Math.max(30, Math.min(print.screen.columns, 110) - wide - 28);
  for (const [k, column] of shown.entries()) {
    const about = column.role === 'target' && target ? summaryOf(target) : describe(column, rows);
    const role = texts.inspect.roles[column.role];
    await print.line(`  ${pad(names[k], wide)}  ${pad(column.kind, 10)}  ${pad(shorten(about, room), room)}  ${role}`);
  }
  if (!all) await print.line(`  ${texts.inspect.more(count(columns.length - shown.length))}`);
  if (target?.guessed) await print.line(`  ${texts.inspect.guessed(safe(target.name), target.reason)}`);
  if (target) for (const line of balanceOf(target, options.verbose)) await print.line(line);
}

type Target = NonNullable<TableProfile['target']>;

const summaryOf = ({ classes, missing }: Target): string =>
  counted(classes.length, 'class', 'classes') + (missing > 0 ? texts.inspect.unlabeled(count(missing)) : '');

/** At most this many classes are shown, unless all are asked for. */
const SHOWN_CLASSES = 8;

/** The classes of the target, each on a line with its share as a bar; the smallest is always among them. */
function balanceOf({ name, classes }: Target, all: boolean): string[] {
  const most = all || classes.length <= SHOWN_CLASSES ? classes.length : SHOWN_CLASSES - 2;
  const shown = [...classes.slice(0, most), ...classes.slice(Math.max(most, classes.length - 1))];
  const names = shown.map(({ value }) => safe(value, 24));
  const sizes = shown.map(({ rows }) => count(rows));
  const [wide, long] = [names, sizes].map((words) => Math.max(0, ...words.map(width)));
  const lines = shown.map(
    ({ share }, k) =>
      `      ${pad(names[k], wide)}  ${pad(sizes[k], long, 'right')}  ${pad(percent(share), 7, 'right')}  ${bar(share, 20)}`,
  );
  if (shown.length < classes.length)
    lines.splice(most, 0, `      ${texts.inspect.moreClasses(count(classes.length - shown.length))}`);
  return [`  ${texts.inspect.classes(safe(name))}`, ...lines];
}

function describe({ kind, reason, missing, typicalLength }: Column, rows: number): string {
  const gaps = missing > 0 ? `, ${percent(missing / rows)} missing` : '';
  if (kind === 'text' && typicalLength !== undefined) return texts.inspect.text(count(typicalLength)) + gaps;
  return safe(reason, 60) + gaps;
}

/** The command to go on with: it reads the rows that were looked at. */
function sayNext(context: Inspect, { target, warnings }: TableProfile): void {
  const { print, args, options } = context;
  const [data] = args;
  if (warnings.some(({ kind }) => kind === 'several-labels')) return; // nothing learns from such a target
  if (!target) print.talk(texts.inspect.noTarget());
  else if (data !== '-') {
    const name =
      data
        .split(/[\\/]/)
        .pop()!
        .replace(/\.gz$/, '')
        .replace(/\.[^.]*$/, '') || 'model';
    const chosen = target.guessed ? '' : ` --target ${quoted(target.name)}`;
    const skipping = target.missing > 0 ? ' --skip-unlabeled' : '';
    const rows = options.where.map((filter) => ` --where ${quoted(filter)}`).join('');
    const read = readingWords(context).map((word) => ` ${quoted(word)}`);
    print.talk(
      texts.fit.next(
        `polya fit ${quoted(data)}${read.join('')}${rows}${chosen}${skipping} -o ${quoted(`${name}.polya`)}`,
      ),
    );
  }
}
