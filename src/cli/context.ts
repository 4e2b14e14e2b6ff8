import type { GlobalValues, OptionDefs, ValuesOf } from './declare.ts';
import type { Io } from './io.ts';
import type { Printer } from './print.ts';
import type { Progress } from './progress.ts';
import type { Settings } from './settings.ts';

/** All that a command gets: its arguments, its options, and the ways to answer. */
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
  /** A folder for files that are removed when the command ends. */
  temporary(): Promise<string>;
}
