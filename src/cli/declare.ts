import type { Io } from './io.ts';
import type { Printer } from './print.ts';
import type { Progress } from './progress.ts';
import type { Settings } from './settings.ts';

/** The value of an option or setting. */
export type Value = string | number | boolean | readonly string[];

/** The type of an option. */
export type OptionKind = 'flag' | 'text' | 'number' | 'integer' | 'choice' | 'list';

/** What the shell completes a value with. */
export type Completion = 'column' | 'file' | 'model' | 'shell' | 'topic' | 'dataset';

/** One option. Flag, help, completion, environment variable and config setting are derived from it. */
export interface OptionDef<T = unknown> {
  readonly kind: OptionKind;
  readonly short?: string;
  /** Another name for the flag. */
  readonly alias?: string;
  /** The placeholder of the value in help. */
  readonly value?: string;
  readonly doc: string;
  readonly choices?: readonly string[];
  readonly default?: Value;
  readonly min?: number;
  readonly max?: number;
  /** Whether `-h` shows it; `--help` shows all. */
  readonly common?: boolean;
  /** Whether the environment and the config file may set it; true by default. */
  readonly setting?: boolean;
  readonly complete?: Completion;
  /** Whether commas separate the items of a list; true by default. */
  readonly commas?: boolean;
  /** The type of the value, for the compiler alone. */
  readonly type?: T;
}

type Given = Omit<OptionDef, 'kind' | 'type' | 'choices' | 'default' | 'doc'>;

/** On or off. */
export const flag = (doc: string, given: Given & { default?: boolean } = {}): OptionDef<boolean> => ({
  ...{ kind: 'flag', doc, default: false },
  ...given,
});

/** The type of a value: undefined is possible unless it has a default. */
type Valued<T, G> = OptionDef<G extends { default: T } ? T : T | undefined>;

/** One text. */
export const text = <G extends Given & { default?: string }>(doc: string, given?: G): Valued<string, G> => ({
  ...{ kind: 'text', doc },
  ...given,
});

/** One number. */
export const number = <G extends Given & { default?: number }>(doc: string, given?: G): Valued<number, G> => ({
  ...{ kind: 'number', doc, value: 'NUMBER' },
  ...given,
});

/** One whole number. */
export const integer = <G extends Given & { default?: number }>(doc: string, given?: G): Valued<number, G> => ({
  ...{ kind: 'integer', doc, value: 'N' },
  ...given,
});

/** One of several words. */
export const choice = <const C extends readonly string[], G extends Given & { default?: C[number] }>(
  choices: C,
  doc: string,
  given?: G,
): Valued<C[number], G> => ({ kind: 'choice', choices, doc, ...given });

/** Several texts: the option repeated, or separated by commas. */
export const list = (doc: string, given: Given = {}): OptionDef<readonly string[]> => ({
  ...{ kind: 'list', doc, default: [] },
  ...given,
});

/** Options by name, in camelCase; on the command line in kebab-case. */
export type OptionDefs = Readonly<Record<string, OptionDef>>;

/** The values of options. */
export type ValuesOf<O extends OptionDefs> = {
  readonly [K in keyof O]: O[K] extends OptionDef<infer T> ? T : never;
};

/** A positional argument. */
export interface ArgumentDef {
  readonly name: string;
  readonly doc: string;
  readonly required?: boolean;
  readonly many?: boolean;
  readonly complete?: Completion;
}

/** What the module of a verb declares. */
export interface Declaration<O extends OptionDefs = OptionDefs> {
  /** Further text for `--help`. */
  readonly about?: string;
  readonly arguments: readonly ArgumentDef[];
  readonly options: O;
  /** What command lines do, for help; the tests run them. */
  readonly examples: Readonly<Record<string, string>>;
  /** Runs the command; returns the exit code if it is not 0. */
  run(context: Context<O>): Promise<number | undefined> | Promise<void>;
}

/** A declaration with the types of its options kept. */
export const command = <const O extends OptionDefs>(given: Declaration<O>): Declaration<O> => given;

/** A verb of the command line, as the list of commands shows it. */
export interface Verb {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Its heading in the help. */
  readonly group: string;
  readonly summary: string;
}

/** A verb with its declaration. */
export type Command = Verb & Declaration;

/** `maxBadRows` → `max-bad-rows`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `max-bad-rows` → `maxBadRows`. */
export const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Options of every command, before or after its name. */
export const globals = {
  json: flag('print one JSON object instead of text (one per line where rows are printed)', { common: true }),
  quiet: flag('print only errors to stderr', { short: 'q' }),
  verbose: flag('print more to stderr: every column and its role, every model tried', { short: 'v' }),
  color: choice(['auto', 'always', 'never'], 'colours; auto: on a terminal', { default: 'auto' }),
  progress: choice(
    ['auto', 'bar', 'plain', 'json', 'none'],
    'progress on stderr; auto: a bar on a terminal, plain lines elsewhere',
    { default: 'auto' },
  ),
  seed: integer('the random seed', { default: 1, min: 0, max: 4294967295 }),
  threads: integer('the maximum number of threads; the number of cores if not given', { min: 1, max: 256 }),
  yes: flag('accept detected values without asking', { short: 'y' }),
  config: text('the config file; if not given, polya.config.json in this folder or a parent folder', {
    value: 'FILE',
    setting: false,
    complete: 'file',
  }),
  printConfig: flag('print every setting with its origin, and exit', { setting: false }),
  debug: flag('print the stack trace of an error'),
} as const;

/** Their values. */
export type GlobalValues = ValuesOf<typeof globals>;

/** What a command gets: arguments, options, and how to print. */
export interface Context<O extends OptionDefs = OptionDefs> {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: ValuesOf<O> & GlobalValues;
  /** The options with their origins. */
  readonly settings: Settings;
  /** The words of the command line. */
  readonly words: readonly string[];
  readonly io: Io;
  readonly print: Printer;
  readonly progress: Progress;
  /** A temporary folder, which is removed when the command ends. */
  temporary(): Promise<string>;
}
