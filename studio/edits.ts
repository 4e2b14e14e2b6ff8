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

/** The column that labels are written to: the target of the selected run, else the chosen target. */
export const targetNow = (): string => run.value?.settings.target ?? settings.value.target;

/** The rows labelled in the studio, including confirmed labels and rows typed on Try. */
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

/** Undoes the last action. */
export async function undo(): Promise<void> {
  const last = acts.value.at(-1);
  if (!last) return;
  if ('undo' in last) return apply(last.undo, () => acts.value.slice(0, -1));
  batch(() => {
    acts.value = acts.value.slice(0, -1);
    skipped.value = skipped.value.filter((place) => place !== last.skipped);
  });
}

/** Adds a typed row to the model. If data are open, the row is also appended to them, so that it is saved and used for training. */
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

/** Makes an edit; undoing it applies its inverse. */
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

/** Refreshes the profile after a series of edits. */
function profileSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const { target } = settings.value;
    if (target === '' || !opened.value) return;
    lab.ask('profile', [target]).then((found) => (profile.value = found), refused);
  }, 200);
}
