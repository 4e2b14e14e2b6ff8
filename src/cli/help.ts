import { type ArgumentDef, type Command, globals, type OptionDef, type OptionDefs } from './declare.ts';
import { groups, verbs } from './registry.ts';
import { inEngine, modelling, modelRoles, partitioning, reading, roles } from './shared-options.ts';
import { pad, type Screen, width, wrap } from './terminal.ts';
import { flagOf } from './values.ts';
import { version } from './version.ts';

/** The maximum number of options in `-h`. */
const FEW = 12;

/** The page of one command: `-h` in short, `--help` in full. */
export function commandHelp(command: Command, kind: 'short' | 'full', { columns, paint }: Screen): string {
  const { name, summary, about, arguments: args, options, examples, aliases } = command;
  const wide = Math.min(columns, 100);
  const full = kind === 'full';
  const sections = full ? sectionsOf(options) : [['Options', Object.entries(commonOf(options))] as const];
  const parts = [
    `${paint.bold(`polya ${name}`)} ${args.map(argumentText).join(' ')}`.trimEnd(),
    wrap(full && about ? `${summary} ${about}` : summary, wide),
    section(
      'Arguments',
      args.map(({ name: word, doc }) => [word, doc] as const),
      wide,
      paint.bold,
    ),
    ...sections.map(([title, own]) => section(title, own.map(optionRow), wide, paint.bold)),
    full ? section('Options of every command', Object.entries(globals).map(optionRow), wide, paint.bold) : '',
    exampleText(Object.entries(examples).slice(0, full ? undefined : 2), paint.bold),
    full && aliases.length > 0 ? `Also called ${aliases.join(', ')}.` : '',
    full ? '' : `All options: polya ${name} --help`,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function commonOf(options: OptionDefs): OptionDefs {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, { common }]) => common)
      .slice(0, FEW),
  );
}

/** The headings of shared options in `--help`. */
const headings: readonly (readonly [title: string, ...shared: OptionDefs[]])[] = [
  ['Columns', roles, modelRoles],
  ['Model', modelling],
  ['Reading data', reading],
  ['Database engines', inEngine, partitioning],
];

/** The options of a command under their headings; its own ones come first. */
function sectionsOf(options: OptionDefs): [title: string, options: [string, OptionDef][]][] {
  const titleOf = ([name, def]: [string, OptionDef]) =>
    headings.find(([, ...shared]) => shared.some((own) => own[name] === def))?.[0] ?? 'Options';
  return ['Options', ...headings.map(([title]) => title)].map((title) => [
    title,
    Object.entries(options).filter((own) => titleOf(own) === title),
  ]);
}

const argumentText = ({ name, required, many }: ArgumentDef): string => {
  const word = `${name}${many ? '…' : ''}`;
  return required ? `<${word}>` : `[${word}]`;
};

function optionRow([name, def]: readonly [string, OptionDef]): readonly [string, string] {
  const { short, kind, choices, value = 'TEXT' } = def;
  const operand = kind === 'flag' ? '' : ` ${choices ? 'NAME' : value}`;
  const usual = def.default === undefined || def.kind === 'flag' || def.kind === 'list' ? '' : ` [${def.default}]`;
  const words = choices ? ` (${choices.join(', ')})` : '';
  return [`${short ? `-${short}, ` : '    '}${flagOf(name)}${operand}`, `${def.doc}${words}${usual}`];
}

function section(
  title: string,
  rows: readonly (readonly [string, string])[],
  columns: number,
  bold: (text: string) => string,
): string {
  if (rows.length === 0) return '';
  const left = Math.min(28, Math.max(...rows.map(([name]) => width(name))));
  const indent = ' '.repeat(left + 4);
  const lines = rows.map(([name, doc]) => {
    const text = wrap(doc, columns - left - 4).replaceAll('\n', `\n${indent}`);
    return width(name) > left ? `  ${name}\n${indent}${text}` : `  ${pad(name, left)}  ${text}`;
  });
  return [bold(title), ...lines].join('\n');
}

const exampleText = (examples: readonly (readonly string[])[], bold: (text: string) => string): string =>
  [bold('Examples'), ...examples.flatMap(([line, does]) => [`  ${line}`, `      ${does}`])].join('\n');

/** What `polya` alone prints: three examples and the commands by group. */
export function startText({ paint }: Screen): string {
  const lines = groups.map((group) => {
    const names = verbs.filter((verb) => verb.group === group).map(({ name }) => name);
    return `  ${pad(group, 15)}${names.join(' ')}`;
  });
  return `${paint.bold('polya')} ${version()}: classification by counting, for text and tables

  polya demo sms                         writes a sample dataset, sms.csv
  polya fit sms.csv -o sms.polya         chooses, fits and evaluates a model
  polya predict -m sms.polya --text "…"  predicts a label; --explain 4 explains it

${lines.join('\n')}

polya COMMAND -h lists the most common options, --help all of them.
`;
}

/** What `polya --help` prints: every command with its summary. */
export function programHelp({ columns, paint }: Screen): string {
  const wide = Math.min(columns, 100);
  const sections = groups.map((group) => {
    const own = verbs.filter((verb) => verb.group === group);
    const rows = own.map(({ name, aliases, summary }) => [[name, ...aliases].join(', '), summary] as const);
    return section(group[0].toUpperCase() + group.slice(1), rows, wide, paint.bold);
  });
  const everywhere = [...Object.entries(globals).map(optionRow), ['-V, --version', 'the version'] as const];
  return `${[
    `${paint.bold('polya')} ${version()}: classification by counting, for text and tables`,
    ...sections,
    section('Options of every command', everywhere, wide, paint.bold),
    'polya COMMAND -h lists the most common options of a command, --help all of them.',
    'polya help TOPIC: formats, models, smoothing, config, exit-codes',
  ].join('\n\n')}\n`;
}
