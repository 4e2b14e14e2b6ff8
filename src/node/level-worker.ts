import { parentPort } from 'node:worker_threads';
import type { LevelCounts } from '../data/level-counter.ts';
import { serve } from '../engines/workers.ts';
import { countLevelTasks, type LevelTasks } from './level-tasks.ts';

serve<LevelTasks, LevelCounts | null>(parentPort!, (tasks, note) => {
  const counting = countLevelTasks(tasks);
  for (let step = counting.next(); ; step = counting.next()) {
    if (step.done) {
      const found = step.value ?? null;
      return { found, transfer: found?.columns.map(({ counts }) => counts.buffer) ?? [] };
    }
    note(step.value);
  }
});
