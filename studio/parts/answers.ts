import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refusalIn } from '../client.ts';
import type { Refusal } from '../protocol.ts';

/** The state of a request: pending, answered or failed. */
export interface Asked<T> {
  readonly value: Signal<T | undefined>;
  readonly refusal: Signal<Refusal | undefined>;
}

/** Sends a request whenever its dependencies change; an answer to an outdated request is dropped. */
export function useAnswer<T>(question: () => Promise<T> | undefined, on: readonly unknown[]): Asked<T> {
  const value = useSignal<T | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  useEffect(() => {
    let current = true;
    question()?.then(
      (found) => {
        if (!current) return;
        value.value = found;
        refusal.value = undefined;
      },
      (error: unknown) => {
        const found = refusalIn(error);
        if (!current || found.code === 'E_CANCELLED') return;
        value.value = undefined;
        refusal.value = found;
      },
    );
    return () => {
      current = false;
    };
  }, on as unknown[]);
  return { value, refusal };
}
