import { inspectTable } from '../../node/inspect.ts';
import type { Task, TaskResult } from './task.ts';

/** Looks at a table before anything is learned from it. */
export async function profileTask({ data, target }: Extract<Task, { kind: 'profile' }>): Promise<TaskResult> {
  const { path, name, format } = data;
  const seen = await inspectTable(path, {
    name,
    ...(format !== undefined && { format }),
    ...(target !== undefined && { target }),
  });
  const { format: found, formatReason, encoding, compressed, columns, rows, bytesRead, profile } = seen;
  return {
    result: { name, format: found, formatReason, encoding, compressed, columns, rows, bytes: bytesRead, profile },
  };
}
