import { compareTask } from './compare-task.ts';
import { exportTask } from './export-task.ts';
import { fitTask, tuneTask } from './fit-task.ts';
import { insightTask } from './insight-task.ts';
import { profileTask } from './profile-task.ts';
import type { Task, TaskProgress, TaskResult } from './task.ts';

/** Does a task, wherever it is. */
export async function runTask(task: Task, tell: (progress: TaskProgress) => void): Promise<TaskResult> {
  switch (task.kind) {
    case 'fit':
      return fitTask(task, tell);
    case 'tune':
      return tuneTask(task, tell);
    case 'compare':
      return compareTask(task, tell);
    case 'profile':
      return profileTask(task);
    case 'export':
      return exportTask(task);
    default:
      return insightTask(task);
  }
}
