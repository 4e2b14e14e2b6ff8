import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Asked } from '../parts/answers.ts';
import type { BoundaryAsked, BoundaryResult } from '../worker/boundary.ts';
import type { Move } from './drag.ts';

/**
 * Moves points as fast as the model learns: while one answer is on its way, of all further moves only the last is kept, so
 * that the picture follows the pointer and never lags behind it. `reset` puts every point back and drops a kept move.
 */
export function useMoves(
  moved: Signal<BoundaryAsked['moved']>,
  asked: Asked<BoundaryResult>,
): { move: Move; reset: () => void } {
  const state = useRef<{ waits: boolean; next: Parameters<Move> | undefined }>({ waits: false, next: undefined });
  const ask = (points: BoundaryAsked['moved']) => {
    state.current.next = undefined;
    if (JSON.stringify(points) === JSON.stringify(moved.value)) return; // nothing is asked, so no answer would come
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
