import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import { listen } from './keyboard.ts';
import { Drawer } from './parts/drawer.tsx';
import { KeysDialog } from './parts/keys-dialog.tsx';
import { Progress } from './parts/progress.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { address, route } from './route.ts';
import { type Screen, screens } from './screen-names.ts';
import { Start } from './screens/start.tsx';
import { refusal } from './state.ts';
import { texts } from './texts/index.ts';

/** Screens are loaded when they are opened. */
const views: Readonly<Record<Screen, ComponentType>> = {
  start: Start,
  data: lazy(() => import('./screens/data.tsx')),
  train: lazy(() => import('./screens/train.tsx')),
  evaluate: lazy(() => import('./screens/evaluate.tsx')),
  understand: lazy(() => import('./screens/understand.tsx')),
  boundary: lazy(() => import('./screens/boundary.tsx')),
  try: lazy(() => import('./screens/try.tsx')),
  label: lazy(() => import('./screens/label.tsx')),
  compare: lazy(() => import('./screens/compare.tsx')),
  export: lazy(() => import('./screens/export.tsx')),
};

/** The whole page: rail, bar, screen, drawer. */
export function App(): JSX.Element {
  const drawer = useSignal(false);
  const keys = useSignal(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { screen } = route.value;
  useEffect(() => listen({ help: () => (keys.value = true), close: () => (drawer.value = false) }), []);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [screen]);
  const View = views[screen];
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
          <Suspense fallback={<p class="soft">…</p>}>
            <View />
          </Suspense>
        </main>
        {drawer.value && <Drawer onClose={() => (drawer.value = false)} />}
      </div>
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
  const told = refusal.value;
  if (!told) return null;
  return (
    <section class="refusal" role="alert">
      <b>{texts.value.refusal.title}</b>
      <p>
        <bdi>{texts.value.told.refusal(told.code, told.sentence)}</bdi> <code>{told.code}</code>
      </p>
      <button type="button" class="small" onClick={() => (refusal.value = undefined)}>
        {texts.value.refusal.close}
      </button>
    </section>
  );
}
