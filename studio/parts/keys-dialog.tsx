import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/index.ts';

/** The keys of the page. */
export function KeysDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title">
      <h2 id="keys-title">{texts.value.keys.title}</h2>
      <dl class="keylist">
        {texts.value.keys.list.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        {texts.value.drawer.close}
      </button>
    </dialog>
  );
}
