import { type TableProfile, TableProfiler } from '../../auto/profile.ts';
import type { OpenTable } from '../../node/table.ts';
import { openRows, type RowSource } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { type Context, command } from '../declare.ts';
import { bytes, count, counted, duration, percent } from '../numbers.ts';
import type { Count } from '../print.ts';
import { reading, roles } from '../shared-options.ts';
import { quoted } from '../shell.ts';
import { bar, pad, safe, shorten, width } from '../terminal.ts';
import { outputFor } from '../work/model-output.ts';
import { readingWords } from '../work/options.ts';

const options = { target: roles.target, ...reading } as const;

type Inspect = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** The profile of a dataset. */
  'inspect@1': Pick<OpenTable, 'format' | 'formatReason' | 'encoding' | 'compressed'> & {
    file: string;
    delimiter: string | null;
    header: boolean | null;
    bytes: Count;
    rows: Count;
    rejected: Count;
    profile: TableProfile;
  };
}

/** `polya inspect` */
export const declaration = command({
  arguments: [{ name: 'data', doc: 'a file, a folder of texts, or - for stdin', required: true, complete: 'file' }],
  options,
  examples: {
    'polya inspect sms.csv': 'describes the file, and suggests the next command',
    'cat sms.csv | polya inspect - --json': 'the same as JSON',
  },
  run,
});

type Column = TableProfile['columns'][number];

/** Profiles data without keeping all rows in memory. */
async function run(context: Inspect): Promise<void> {
  const begun = performance.now();
  const { args, options, print } = context;
  const source = await openRows(context, args);
  if (options.target !== undefined) requireColumn(context, options.target, source.columns, source.name);
  const profiler = new TableProfiler({ target: options.target });
  for await (const table of source.tables()) profiler.add(table.records());
  const profile = profiler.profile();
  const { first } = source;
  const size = source.bytes;
  if (print.json) {
    const { format, formatReason, encoding, compressed, delimiter, header } = first;
    await print.object<Prints>('inspect@1', {
      file: source.name,
      ...{ format, formatReason, encoding, compressed, delimiter: delimiter ?? null, header: header ?? null },
      bytes: size,
      rows: profile.rows,
      rejected: source.rejected,
      profile,
    });
    return;
  }
  const facts = [
    counted(profile.rows, 'row'),
    counted(profile.columns.length, 'column'),
    formatText(first),
    first.encoding.toUpperCase(),
    bytes(size) + (first.compressed ? ' compressed' : ''),
  ];
  await print.line(
    `${print.screen.paint.bold(safe(source.name))}  ${facts.join(' · ')}   ${duration(performance.now() - begun)}`,
  );
  await printColumns(context, profile);
  if (profile.sampledRows < profile.rows)
    print.note(
      `classes and missing cells are counted in all rows, leaks in a random sample of ${count(profile.sampledRows)} rows`,
    );
  for (const { sentence } of profile.warnings) print.warn(safe(sentence));
  suggestNext(context, profile);
}

/** The maximum number of columns shown; the target is always among them. */
const SHOWN = 60;

async function printColumns({ print, options }: Inspect, { columns, target, rows }: TableProfile): Promise<void> {
  const all = options.verbose || columns.length <= SHOWN;
  const shown = all ? columns : columns.filter(({ role }, k) => k < SHOWN - 1 || role === 'target');
  const names = shown.map(({ name }) => safe(name, 24));
  const wide = Math.max(...names.map(width));
  const room = Math.max(30, Math.min(print.screen.columns, 110) - wide - 28);
  for (const [k, column] of shown.entries()) {
    const about = column.role === 'target' && target ? summaryOf(target) : describe(column, rows);
    const role = marks[column.role];
    await print.line(`  ${pad(names[k], wide)}  ${pad(column.kind, 10)}  ${pad(shorten(about, room), room)}  ${role}`);
  }
  if (!all)
    await print.line(`  … and ${count(columns.length - shown.length)} more columns; --verbose shows all of them`);
  if (target?.guessed)
    await print.line(`  target ${safe(target.name)} was detected: ${target.reason}; use --target for another column`);
  if (target) for (const line of balanceOf(target, options.verbose)) await print.line(line);
}

type Target = NonNullable<TableProfile['target']>;

const summaryOf = ({ classes, missing }: Target): string =>
  counted(classes.length, 'class', 'classes') + (missing > 0 ? `, ${count(missing)} rows without a label` : '');

/** The maximum number of classes shown without --verbose. */
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
    lines.splice(most, 0, `      … ${count(classes.length - shown.length)} more; --verbose shows all of them`);
  return [`  classes of ${safe(name)}`, ...lines];
}

function describe({ kind, reason, missing, typicalLength }: Column, rows: number): string {
  const gaps = missing > 0 ? `, ${percent(missing / rows)} missing` : '';
  if (kind === 'text' && typicalLength !== undefined) return `median ${count(typicalLength)} characters${gaps}`;
  return safe(reason, 60) + gaps;
}

/** Suggests the next command, which reads the same rows. */
function suggestNext(context: Inspect, { target, warnings }: TableProfile): void {
  const { print, args, options } = context;
  const [data] = args;
  if (warnings.some(({ kind }) => kind === 'several-labels')) return; // no command fits such a target
  if (!target) print.note('No column looks like a target; name it with --target.');
  else if (data !== '-') {
    const chosen = target.guessed ? '' : ` --target ${quoted(target.name)}`;
    const split = warnings.find(({ kind }) => kind === 'split')?.about;
    const held = split === undefined ? '' : ` --split-column ${quoted(split)}`;
    const skipping = target.missing > 0 ? ' --skip-unlabeled' : '';
    const rows = options.where.map((filter) => ` --where ${quoted(filter)}`).join('');
    const read = readingWords(context).map((word) => ` ${quoted(word)}`);
    print.note(
      `→ polya fit ${quoted(data)}${read.join('')}${rows}${chosen}${held}${skipping} -o ${quoted(outputFor(undefined, data))}`,
    );
  }
}

const marks = { target: '← target', feature: '← feature', ignored: 'ignored' } as const;

const delimiters: Readonly<Record<string, string>> = { ',': 'comma', '\t': 'tab', ';': 'semicolon', '|': 'bar' };

const formatText = ({ format, delimiter }: RowSource['first']): string =>
  delimiter === undefined ? format : `${format}, ${delimiters[delimiter] ?? `"${delimiter}"`}`;
