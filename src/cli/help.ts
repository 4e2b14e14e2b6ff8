import type { ArgumentDef, Command, OptionDef, OptionDefs } from './declare.ts';
import { globals } from './globals.ts';
import { pad, type Screen, width, wrap } from './terminal.ts';
import { help as said } from './texts/help.ts';
import { flagOf } from './values.ts';

/** `-h` shows at most so many options of a command. */
const FEW = 12;

/** The page of one command: `-h` in short, `--help` in full. */
export function commandHelp(command: Command, kind: 'short' | 'full', { columns, paint }: Screen): string {
  const { name, summary, about, arguments: args, options, examples, aliases = [] } = command;
  const wide = Math.min(columns, 100);
  const full = kind === 'full';
  const own = full ? options : commonOf(options);
  const parts = [
    `${paint.bold(`polya ${name}`)} ${args.map(argumentText).join(' ')}`.trimEnd(),
    wrap(full && about ? `${summary} ${about}` : summary, wide),
    section(
      said.arguments(),
      args.map(({ name: word, doc }) => [word, doc] as const),
      wide,
      paint.bold,
    ),
    section(said.options(), Object.entries(own).map(optionRow), wide, paint.bold),
    full ? section(said.everywhere(), Object.entries(globals).map(optionRow), wide, paint.bold) : '',
    exampleText(full ? examples : examples.slice(0, 2), paint.bold),
    full && aliases.length > 0 ? said.aliases(aliases) : '',
    full ? '' : said.more(name),
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

function exampleText(examples: Command['examples'], bold: (text: string) => string): string {
  if (examples.length === 0) return '';
  return [bold(said.examples()), ...examples.flatMap(({ line, says }) => [`  ${line}`, `      ${says}`])].join('\n');
}

/** What `polya` alone says: six lines and three examples. */
export const startText = (commands: readonly Command[], { paint }: Screen, version: string): string =>
  said.start(version, paint.bold, namesOf(commands));

const namesOf = (commands: readonly Command[]): string[] => commands.map(({ name }) => name);

/** What `polya --help` says: every command with its summary. */
export function programHelp(commands: readonly Command[], { columns, paint }: Screen, version: string): string {
  const wide = Math.min(columns, 100);
  const rows = commands.map(({ name, aliases = [], summary }) => [[name, ...aliases].join(', '), summary] as const);
  const everywhere = section(
    said.everywhere(),
    [...Object.entries(globals).map(optionRow), ['-V, --version', said.version()]],
    wide,
    paint.bold,
  );
  return `${[startText(commands, { columns, paint, tty: false }, version).trimEnd(), section(said.commands(), rows, wide, paint.bold), everywhere, said.topics()].join('\n\n')}\n`;
}
