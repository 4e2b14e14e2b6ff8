import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { leaving } from '../open.ts';
import { texts } from '../texts/index.ts';

/** The dialog that confirms opening other data; the open project stays in the list of recent projects. */
export function LeaveDialog(): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = leaving.value;
  useEffect(() => dialog.current?.showModal(), [asked]);
  if (!asked) return null;
  const { leave } = texts.value;
  return (
    <dialog ref={dialog} onClose={() => asked.answer(false)} aria-labelledby="leave-title">
      <h2 id="leave-title">{leave.title}</h2>
      <p>
        <bdi>{leave.stays(asked.name)}</bdi>
      </p>
      <p class="row">
        <button type="button" class="main" data-leave onClick={() => asked.answer(true)}>
          {leave.yes}
        </button>
        <button type="button" onClick={() => asked.answer(false)}>
          {leave.no}
        </button>
      </p>
    </dialog>
  );
}
