import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Asked } from '../parts/answers.ts';
import type { BoundaryAsked, BoundaryResult } from '../worker/boundary.ts';
import type { Move } from './drag.ts';

/**
 * Sends moved points to the model one request at a time. While a request runs, only the latest further move is kept, so the picture does
 * not lag behind the pointer. `reset` puts every point back and drops a pending move.
 */
export function useMoves(
  moved: Signal<BoundaryAsked['moved']>,
  asked: Asked<BoundaryResult>,
): { move: Move; reset: () => void } {
  const state = useRef<{ waits: boolean; next: Parameters<Move> | undefined }>({ waits: false, next: undefined });
  const ask = (points: BoundaryAsked['moved']) => {
    state.current.next = undefined;
    if (JSON.stringify(points) === JSON.stringify(moved.value)) return; // there is no request, so no answer would clear it
    state.current.waits = true;
    moved.value = points;
  };
  const apply = (...[place, x, y]: Parameters<Move>) =>
    ask([...moved.value.filter((own) => own.place !== place), { place, x, y }]);
  useEffect(() => {
    const { next } = state.current;
    state.current.waits = false;
    if (next) apply(...next);
  }, [asked.value.value, asked.refusal.value]);
  const move: Move = (...step) => {
    if (state.current.waits) state.current.next = step;
    else apply(...step);
  };
  return { move, reset: () => ask([]) };
}
