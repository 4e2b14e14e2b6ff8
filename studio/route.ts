import { signal } from '@preact/signals';
import { type Screen, screens } from './screen-names.ts';

/** The route: a screen and its view state. It never contains data. */
export interface Route {
  readonly screen: Screen;
  readonly view: Readonly<Record<string, string>>;
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const known = screens.find(([name]) => name === path);
  return { screen: known ? known[0] : 'start', view: Object.fromEntries(new URLSearchParams(query)) };
}

/** Parses the address. */
export const route = signal<Route>(read());

addEventListener('hashchange', () => {
  route.value = read();
});

/** The address of a screen. */
export function address(screen: Screen, view: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(view).toString();
  return `#/${screen}${query ? `?${query}` : ''}`;
}

/** Goes to a screen and adds an entry to the history. */
export function go(screen: Screen, view: Readonly<Record<string, string>> = {}): void {
  location.hash = address(screen, view);
}

/** Changes the view state of the screen; replaces the entry in the history, so that a slider does not add hundreds. */
export function show(view: Readonly<Record<string, string | undefined>>, { replace = true } = {}): void {
  const { screen, view: old } = route.value;
  const next = Object.entries({ ...old, ...view }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const url = address(screen, Object.fromEntries(next));
  if (!replace) {
    location.hash = url;
    return;
  }
  history.replaceState(null, '', url);
  route.value = read();
}

/** A value of the view state as a number, or its default. */
export function viewNumber(name: string, usual: number): number {
  const value = Number(route.value.view[name] ?? Number.NaN);
  return Number.isFinite(value) ? value : usual;
}
