import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { soon } from './queue.ts';

/** Renders part of a screen in its own task, so that a large screen does not block the page. */
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
