import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { soon } from './queue.ts';

/** A part of a screen that is put on it in a task of its own, so that the whole screen never holds the page for long. */
export function Later({ children }: { children: ComponentChildren }): ComponentChildren {
  const ready = useSignal(false);
  useEffect(() => {
    let current = true;
    soon(() => {
      if (current) ready.value = true;
    });
    return () => {
      current = false;
    };
  }, []);
  return ready.value ? children : <p class="soft">…</p>;
}
