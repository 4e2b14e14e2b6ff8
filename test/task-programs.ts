import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

const folder = join(root, 'examples', 'tasks');
const SHOWN = /^\/\* prints\n(.*?) ?\*\/$/ms;

/** A small program that solves a task of the guides, written from the documentation alone. */
export interface TaskProgram {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** What it prints, as the comment at its end says. */
  readonly output: string;
}

/** The programs of `examples/tasks`. */
export const taskPrograms = (): TaskProgram[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const file = join(folder, name);
      const text = readFileSync(file, 'utf8');
      return { name: name.slice(0, -3), file, text, output: SHOWN.exec(text)?.[1] ?? '' };
    });

/** A program with another output in the comment at its end. */
export const withTaskOutput = (text: string, output: string): string =>
  text.replace(SHOWN, () => `/* prints\n${output}*/`);
