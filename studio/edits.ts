import { batch } from '@preact/signals';
import { desk, lab } from './client.ts';
import type { Edit, RowChange } from './protocol.ts';
import {
  type Act,
  acts,
  edits,
  learnedHere,
  model,
  opened,
  profile,
  refused,
  run,
  settings,
  skipped,
} from './state.ts';

/** Changes some cells of a row, or adds a row after the last one; the models follow. */
export const editRow = (edit: Edit): Promise<void> => apply(edit, (inverse) => [...acts.value, { undo: inverse }]);

/** Labels a row. */
export const labelRow = (place: number, label: string): Promise<void> =>
  editRow({ place, cells: { [targetNow()]: label } });

/** The column that labels go to: that of the run that is looked at, else the one that is chosen. */
export const targetNow = (): string => run.value?.settings.target ?? settings.value.target;

/** The rows that were labelled here, also those whose label was confirmed or that were typed on Try. */
export function labelledHere(target: string): number[] {
  const places = acts.value.flatMap((act) =>
    'undo' in act && (act.undo.cells === null || Object.hasOwn(act.undo.cells, target)) ? [act.undo.place] : [],
  );
  return [...new Set(places)];
}

/** Leaves a row out of the queues. */
export function skipRow(place: number): void {
  batch(() => {
    skipped.value = [...skipped.value, place];
    acts.value = [...acts.value, { skipped: place }];
  });
}

/** Takes the last act back, whatever it was. */
export async function undo(): Promise<void> {
  const last = acts.value.at(-1);
  if (!last) return;
  if ('undo' in last) return apply(last.undo, () => acts.value.slice(0, -1));
  batch(() => {
    acts.value = acts.value.slice(0, -1);
    skipped.value = skipped.value.filter((place) => place !== last.skipped);
  });
}

/** Teaches the model a row that was typed. Where data are open, it becomes their last row, so that it is kept and trained with. */
export async function correct(typed: Readonly<Record<string, string>>, label: string): Promise<void> {
  const on = model.value!;
  const { splitColumn } = settings.value;
  if (!opened.value || on.run === undefined) {
    const row = await desk.ask('labelled', [typed, label]);
    await followOnDesk({ before: undefined, after: row });
    return;
  }
  const place = opened.value.rows;
  await editRow({
    place,
    cells: { ...typed, ...(splitColumn && { [splitColumn]: 'train' }), [on.facts.target]: label },
  });
}

/** Makes an edit; `undo` applies its inverse. */
async function apply(edit: Edit, actsAfter: (inverse: Edit) => readonly Act[]): Promise<void> {
  const { before, after, inverse, follows, columns, rows } = await lab.ask('edit', [edit]);
  batch(() => {
    edits.value = [...edits.value, edit];
    acts.value = actsAfter(inverse);
    if (opened.value) opened.value = { ...opened.value, columns, rows };
  });
  const on = model.value;
  if (on?.run !== undefined && !on.early && on.facts.learns && follows.includes(on.run)) {
    await followOnDesk({ before, after });
  }
  profileSoon();
}

async function followOnDesk(change: RowChange): Promise<void> {
  const now = await desk.ask('follow', [[change]]);
  if (!model.value) return;
  model.value = { ...model.value, ...now };
  learnedHere.value++;
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Counts classes and values again, once several edits in a row are done. */
function profileSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const { target } = settings.value;
    if (target === '' || !opened.value) return;
    lab.ask('profile', [target]).then((found) => (profile.value = found), refused);
  }, 200);
}
