import type { GlobalValues, OptionDefs, ValuesOf } from './declare.ts';
import type { Io } from './io.ts';
import type { Printer } from './print.ts';
import type { Progress } from './progress.ts';
import type { Settings } from './settings.ts';

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
