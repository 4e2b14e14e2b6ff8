import type { ArgumentDef, Command, OptionDef, OptionDefs } from '../src/cli/declare.ts';
import { globals } from '../src/cli/declare.ts';
import { exitOf, Problem } from '../src/cli/problem.ts';
import { allCommands } from '../src/cli/registry.ts';
import { reading } from '../src/cli/shared-options.ts';
import { flagOf } from '../src/cli/values.ts';
import { type ErrorCode, refusals } from '../src/errors.ts';

/** The page of the command line with its generated parts updated from the source. */
export async function withReference(page: string): Promise<string> {
  return between(between(page, 'commands', commandsText(await allCommands())), 'codes', codesText());
}

function between(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  return `${page.slice(0, page.indexOf(start) + start.length)}\n\n${content}\n\n${page.slice(page.indexOf(end))}`;
}

function commandsText(commands: readonly Command[]): string {
  const shared = [
    '### Options of commands that read data',
    table(reading),
    '### Options of every command',
    table(globals),
  ];
  return ['## Commands', ...commands.map(commandText), ...shared].join('\n\n');
}

const argument = ({ name, required, many }: ArgumentDef): string =>
  required ? `<${name}${many ? '…' : ''}>` : `[${name}${many ? '…' : ''}]`;

function commandText({ name, aliases, summary, about, arguments: args, options, examples }: Command): string {
  const readsData = Object.keys(reading).every((key) => options[key] === reading[key as keyof typeof reading]);
  const own = Object.fromEntries(Object.entries(options).filter(([key]) => !Object.hasOwn(reading, key)));
  const also = aliases.length > 0 ? ` Also called \`${aliases.join('`, `')}\`.` : '';
  return [
    `### polya ${[name, ...args.map(argument)].join(' ')}`,
    [summary, about].filter(Boolean).join(' ') + also,
    `${runnerOf(name)}\n\`\`\`console\n${Object.entries(examples)
      .map(([line, does]) => `$ ${line}   # ${does}`)
      .join('\n')}\n\`\`\``,
    readsData ? table(own) : table(options),
    readsData ? 'It takes the [options of commands that read data](#options-of-commands-that-read-data) too.' : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Which test runs the examples of a command; test/docs-blocks.test.ts requires it. */
const runnerOf = (name: string): string => {
  if (name === 'studio') return '<!-- not run: it serves a page, which test/studio drives in a browser -->';
  return `<!-- run by ${name === 'serve' ? 'test/docs-sessions.test.ts' : 'test/cli/help.test.ts'} -->`;
};

function table(options: OptionDefs): string {
  const rows = Object.entries(options).map(([name, def]) => `| ${flagsOf(name, def)} | ${aboutOf(def)} |`);
  return rows.length === 0 ? '' : ['| option | |', '|---|---|', ...rows].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

function flagsOf(name: string, { short, kind, value = 'TEXT', choices }: OptionDef): string {
  const operand = kind === 'flag' ? '' : ` ${choices ? 'NAME' : value}`;
  return cell(`\`${short ? `-${short}, ` : ''}${flagOf(name)}${operand}\``);
}

function aboutOf({ doc, choices, default: usual, kind }: OptionDef): string {
  const words = choices ? `: ${choices.join(', ')}` : '';
  const preset = usual === undefined || kind === 'flag' || kind === 'list' ? '' : ` (${usual})`;
  return cell(`${doc}${words}${preset}`);
}

function codesText(): string {
  const rows = (Object.keys(refusals) as ErrorCode[]).map(
    (code) => `| \`${code}\` | ${refusals[code]} | ${exitOf(new Problem(code, ''))} |`,
  );
  return ['| code | meaning | exit |', '|---|---|---|', ...rows].join('\n');
}
