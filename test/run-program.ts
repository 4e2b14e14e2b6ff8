import { format } from 'node:util';

/** Runs a program in a folder and returns what it printed, as Node prints it without colours; a failed `console.assert` throws. */
export async function printedBy(file: string, folder = process.cwd()): Promise<string> {
  const lines: string[] = [];
  const { log, assert } = console;
  const before = process.cwd();
  console.log = (...values: unknown[]) => void lines.push(format(...values));
  console.assert = (holds?: boolean, ...values: unknown[]) => {
    if (!holds) throw new Error(`an assertion of ${file} failed ${format(...values)}`);
  };
  try {
    process.chdir(folder);
    await import(/* @vite-ignore */ file);
  } finally {
    process.chdir(before);
    Object.assign(console, { log, assert });
  }
  return lines.map((line) => `${line}\n`.replaceAll(/ +$/gm, '')).join('');
}
