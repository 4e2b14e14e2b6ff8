import type { JSX } from 'preact';
import { refused, work } from '../state.ts';
import { texts, whole } from '../texts/index.ts';
import { endTour, stop, stops, visit } from '../tour.ts';

/** The tour: a card that stays on the page while it leads from screen to screen. */
export function Tour(): JSX.Element | null {
  const k = stop.value;
  if (k === undefined) return null;
  const { tour: say, screens } = texts.value;
  const last = k === stops.length - 1;
  const to = (next: number) => visit(next).catch(refused);
  return (
    <aside class="tour" aria-label={say.title}>
      <div aria-live="polite">
        <p class="soft">{say.at(whole(k + 1), whole(stops.length))}</p>
        <h2>{screens[stops[k]]}</h2>
        <p>{say.stops[stops[k]]}</p>
      </div>
      <p class="row">
        <button type="button" disabled={k === 0} onClick={() => to(k - 1)}>
          {say.back}
        </button>
        <button
          type="button"
          class="main"
          data-tour-next
          disabled={work.value !== undefined}
          onClick={() => (last ? endTour() : to(k + 1))}
        >
          {last ? say.done : say.next}
        </button>
        {!last && (
          <button type="button" class="ghost" data-tour-end onClick={endTour}>
            {say.end}
          </button>
        )}
      </p>
    </aside>
  );
}
