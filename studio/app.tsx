import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { listen } from './keyboard.ts';
import { ErrorBoundary } from './parts/boundary.tsx';
import { Drawer } from './parts/drawer.tsx';
import { KeysDialog } from './parts/keys-dialog.tsx';
import { LeaveDialog } from './parts/leave-dialog.tsx';
import { Progress } from './parts/progress.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { Tour } from './parts/tour.tsx';
import { address, route } from './route.ts';
import { type Screen, screens } from './screen-names.ts';
import { Start } from './screens/start.tsx';
import { refusal, refused } from './state.ts';
import { texts } from './texts/index.ts';
import { endTour } from './tour.ts';
import { restart } from './train.ts';

/** Screens are loaded when they are opened. */
const loads = {
  data: () => import('./screens/data.tsx'),
  train: () => import('./screens/train.tsx'),
  evaluate: () => import('./screens/evaluate.tsx'),
  understand: () => import('./screens/understand.tsx'),
  boundary: () => import('./screens/boundary.tsx'),
  try: () => import('./screens/try.tsx'),
  label: () => import('./screens/label.tsx'),
  compare: () => import('./screens/compare.tsx'),
  export: () => import('./screens/export.tsx'),
  server: () => import('./screens/server.tsx'),
} as const;

/** The screens loaded so far. */
const views = new Map<Screen, ComponentType>([['start', Start]]);

/** One screen, loaded when it is first opened. */
function View({ screen }: { screen: Screen }): JSX.Element {
  const failure = useSignal<unknown>(undefined);
  const view = useSignal(views.get(screen));
  useEffect(() => {
    if (view.value || screen === 'start') return;
    loads[screen]().then(
      ({ default: found }) => {
        views.set(screen, found);
        view.value = found;
      },
      (error: unknown) => (failure.value = error),
    );
  }, []);
  if (failure.value !== undefined) throw failure.value;
  const Known = view.value;
  return Known ? <Known /> : <p class="soft">…</p>;
}

/** The whole page: rail, bar, screen, drawer. */
export function App(): JSX.Element {
  const drawer = useSignal(false);
  const keys = useSignal(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { screen } = route.value;
  const close = () => {
    drawer.value = false;
    endTour();
  };
  useEffect(() => listen({ help: () => (keys.value = true), close }), []);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [screen]);
  const attempt = useSignal(0);
  const retry = () => {
    if (views.has(screen)) attempt.value++;
    else location.reload(); // browsers cache a failed script import, so only a reload fetches it again; all other state is saved
  };
  return (
    <>
      <button type="button" class="skip" onClick={() => heading.current?.focus()}>
        {texts.value.skip}
      </button>
      <TopBar onCopy={() => (drawer.value = !drawer.value)} onKeys={() => (keys.value = true)} drawer={drawer.value} />
      <div class="body">
        <Rail screen={screen} />
        <main id="main">
          <h1 ref={heading} tabIndex={-1}>
            {texts.value.screens[screen]}
          </h1>
          <Progress />
          <Refused />
          <ErrorBoundary key={`${screen} ${attempt.value}`} onRetry={retry}>
            <View screen={screen} />
          </ErrorBoundary>
        </main>
        {drawer.value && <Drawer onClose={() => (drawer.value = false)} />}
      </div>
      <LeaveDialog />
      <Tour />
      {keys.value && <KeysDialog onClose={() => (keys.value = false)} />}
    </>
  );
}

function Rail({ screen }: { screen: Screen }): JSX.Element {
  return (
    <nav class="rail" aria-label={texts.value.bar.screens}>
      {screens.map(([name, key]) => (
        <a
          key={name}
          href={address(name)}
          aria-current={name === screen ? 'page' : undefined}
          title={`g ${key}`}
          data-key={key}
          data-begins={name === 'evaluate' || name === 'try' || undefined}
        >
          {texts.value.screens[name]}
        </a>
      ))}
    </nav>
  );
}

function Refused(): JSX.Element | null {
  const shown = refusal.value;
  if (!shown) return null;
  return (
    <section class="refusal" role="alert">
      <b>{texts.value.refusal.title}</b>
      <p>
        <bdi>{texts.value.library.refusal(shown)}</bdi> <code title={shown.sentence}>{shown.code}</code>
      </p>
      <p class="row">
        {shown.code === 'E_INTERNAL' && (
          <button type="button" class="small" onClick={() => restart().catch(refused)}>
            {texts.value.refusal.again}
          </button>
        )}
        <button type="button" class="small" onClick={() => (refusal.value = undefined)}>
          {texts.value.refusal.close}
        </button>
      </p>
    </section>
  );
}
