import { closeSync, openSync, readSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readOptions } from '../core/options.ts';
import { analyzerSpec } from '../text/options.ts';
import { wholeLines } from './whole-lines.ts';
import type { WordPlan } from './word-ranges.ts';
import { taskList, type WordTasks } from './word-tasks.ts';

/** Which column is what, as far as it is known. */
export interface LikelyRoles {
  readonly text?: string | undefined;
  readonly label?: string | undefined;
  readonly presence: boolean;
}

const HEAD_BYTES = 1 << 16;

/** What a file will probably be asked for, before all is known that decides it; nothing where that is not to be guessed. */
export function likelyTasks(path: string, roles: LikelyRoles): WordTasks | undefined {
  try {
    const plan = likelyPlan(firstRow(path), roles);
    return plan && { path, borders: wholeLines(path), next: taskList(), plan, begun: true };
  } catch {
    return undefined; // whatever is wrong is told to who asks for it
  }
}

function firstRow(path: string): Record<string, unknown> {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const line = head.subarray(0, head.subarray(0, readSync(file, head)).indexOf('\n'));
    return JSON.parse(line.toString()) as Record<string, unknown>;
  } finally {
    closeSync(file);
  }
}

/** The columns that were named; of two columns, the longer one is the text. */
function likelyPlan(row: Record<string, unknown>, { presence, ...given }: LikelyRoles): WordPlan | undefined {
  const columns = Object.keys(row);
  if ((given.text === undefined || given.label === undefined) && columns.length !== 2) return undefined;
  const length = (name: string) => String(row[name]).length;
  const longest = [...columns].sort((a, b) => length(b) - length(a));
  const text = given.text ?? longest.find((name) => name !== given.label);
  const label = given.label ?? columns.find((name) => name !== text);
  if (!text || !label || !columns.includes(text) || !columns.includes(label)) return undefined;
  const analyzer = readOptions('analyzer', analyzerSpec, { tokenizer: 'auto' }); // as classifiers of records read texts
  return { text, label, presence, analyzer, rows: { columns } };
}

/** Whether what was begun is what is asked. */
export const isBegun = (begun: WordTasks, path: string, plan: WordPlan): boolean =>
  begun.path === path && isDeepStrictEqual(begun.plan, plan);
