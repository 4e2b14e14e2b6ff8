import type { TableProfile } from '../../auto/profile.ts';
import { profileRows } from '../../auto/profile.ts';
import { bar } from '../charts.ts';
import type { Inspect } from '../commands/inspect.ts';
import { openRows, readAll } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { bytes, count, counted, duration, percent } from '../numbers.ts';
import { quoted } from '../shell.ts';
import { pad, safe, shorten, width } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { readingWords } from './reading-words.ts';

type Column = TableProfile['columns'][number];

/** Rows beyond these are counted, not profiled. */
const PROFILED = 100_000;

/** Looks at data and says what is in them. */
export async function inspect(context: Inspect): Promise<undefined> {
  const begun = performance.now();
  const { args, options, print } = context;
  const source = await openRows(context, args);
  if (options.target !== undefined) requireColumn(context, options.target, source.columns, source.name);
  const { rows } = await readAll(source);
  const profile = profileRows(rows.slice(0, PROFILED), options.target === undefined ? {} : { target: options.target });
  const { first } = source;
  const size = args[0] === '-' ? first.bytesRead : (first.bytesTotal ?? first.bytesRead);
  if (print.json) {
    const { format, formatReason, encoding, compressed, delimiter, header } = first;
    await print.object({
      schema: 'polya/inspect@1',
      file: source.name,
      ...{ format, formatReason, encoding, compressed, delimiter: delimiter ?? null, header: header ?? null },
      bytes: size,
      rows: rows.length,
      rejected: source.rejected,
      profile,
    });
    return undefined;
  }
  const facts = [
    counted(rows.length, 'row'),
    counted(profile.columns.length, 'column'),
    texts.inspect.format(first.format, first.delimiter),
    first.encoding.toUpperCase(),
    bytes(size) + (first.compressed ? texts.inspect.compressed() : ''),
  ];
  await print.line(
    `${print.screen.paint.bold(safe(source.name))}  ${facts.join(' · ')}   ${duration(performance.now() - begun)}`,
  );
  await printColumns(context, profile);
  if (profile.rows < rows.length) print.talk(texts.inspect.profiled(count(profile.rows)));
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
    const about = column.role === 'target' && target ? balanceOf(target, room) : describe(column, rows);
    const role = texts.inspect.roles[column.role];
    await print.line(`  ${pad(names[k], wide)}  ${pad(column.kind, 10)}  ${pad(shorten(about, room), room)}  ${role}`);
  }
  if (!all) await print.line(`  ${texts.inspect.more(count(columns.length - shown.length))}`);
  if (target?.guessed) await print.line(`  ${texts.inspect.guessed(safe(target.name), target.reason)}`);
}

/** As many of the largest classes as there is room for, with a bar each. */
function balanceOf({ classes }: NonNullable<TableProfile['target']>, room: number): string {
  let shown = '';
  for (const [k, { value, rows, share }] of classes.entries()) {
    const one = `${shown === '' ? '' : '  '}${safe(value, 20)} ${count(rows)} (${percent(share)}) ${bar(share, 8)}`;
    const rest = k < classes.length - 1 ? `  … ${count(classes.length)}` : '';
    if (k > 0 && width(shown + one + rest) > room) return `${shown}  … ${count(classes.length)}`;
    shown += one;
  }
  return shown;
}

function describe({ kind, reason, missing, typicalLength }: Column, rows: number): string {
  const gaps = missing > 0 ? `, ${percent(missing / rows)} missing` : '';
  if (kind === 'text' && typicalLength !== undefined) return texts.inspect.text(count(typicalLength)) + gaps;
  return safe(reason, 60) + gaps;
}

/** The command to go on with: it reads the rows that were looked at. */
function sayNext(context: Inspect, { target }: TableProfile): void {
  const { print, args, options } = context;
  const [data] = args;
  if (!target) print.talk(texts.inspect.noTarget());
  else if (data !== '-') {
    const name =
      data
        .split(/[\\/]/)
        .pop()!
        .replace(/\.gz$/, '')
        .replace(/\.[^.]*$/, '') || 'model';
    const chosen = target.guessed ? '' : ` --target ${quoted(target.name)}`;
    const rows = options.where.map((filter) => ` --where ${quoted(filter)}`).join('');
    const read = readingWords(context).map((word) => ` ${quoted(word)}`);
    print.talk(
      texts.fit.next(`polya fit ${quoted(data)}${read.join('')}${rows}${chosen} -o ${quoted(`${name}.polya`)}`),
    );
  }
}
