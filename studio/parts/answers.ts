import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { WorkerRefusal } from '../client.ts';
import type { Refusal } from '../protocol.ts';

/** An answer that is on its way, there, or refused. */
export interface Asked<T> {
  readonly value: Signal<T | undefined>;
  readonly refusal: Signal<Refusal | undefined>;
}

/** Asks again whenever what it depends on changes; an answer that comes too late is dropped. */
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
        if (!current || (error instanceof WorkerRefusal && error.code === 'E_CANCELLED')) return;
        value.value = undefined;
        refusal.value = {
          code: error instanceof WorkerRefusal ? error.code : 'E_INTERNAL',
          sentence: error instanceof Error ? error.message : String(error),
        };
      },
    );
    return () => {
      current = false;
    };
  }, on as unknown[]);
  return { value, refusal };
}
