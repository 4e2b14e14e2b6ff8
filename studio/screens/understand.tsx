import type { JSX } from 'preact';
import { Empty } from '../parts/empty.tsx';
import type { Run } from '../protocol.ts';
import { address, route } from '../route.ts';
import { opened, run, runs } from '../state.ts';
import { texts } from '../texts/index.ts';
import { Assumptions } from '../understand/assumptions.tsx';
import { Beliefs } from '../understand/beliefs.tsx';
import { Densities } from '../understand/densities.tsx';
import { Likelihood } from '../understand/likelihood.tsx';
import { Nomogram } from '../understand/nomogram.tsx';
import { Smoothing } from '../understand/smoothing.tsx';
import { Urns } from '../understand/urns.tsx';
import { Words } from '../understand/words.tsx';

const tabs = {
  words: Words,
  densities: Densities,
  nomogram: Nomogram,
  assumptions: Assumptions,
  posterior: Beliefs,
  likelihood: Likelihood,
  urn: Urns,
  smoothing: Smoothing,
} as const;

type Tab = keyof typeof tabs;

/** What the model has learned, picture by picture. */
export default function Understand(): JSX.Element {
  // while a new run is being learned, the last whole one is looked at
  const shown = run.value?.bytes ? run.value : runs.value.findLast(({ bytes }) => bytes);
  if (!shown) return <Empty what={opened.value ? 'run' : 'data'} />;
  const usual: Tab = shown.texts.length > 0 ? 'words' : 'densities';
  const asked = route.value.view.tab as Tab | undefined;
  const tab = asked !== undefined && Object.hasOwn(tabs, asked) ? asked : usual;
  const View = tabs[tab] as (given: { run: Run }) => JSX.Element;
  return (
    <>
      <nav class="tabs" aria-label={texts.value.screens.understand}>
        {(Object.keys(tabs) as Tab[]).map((name) => (
          <a
            key={name}
            href={address('understand', { run: String(shown.id), tab: name })}
            aria-current={name === tab ? 'true' : undefined}
          >
            {texts.value.understand.tabs[name]}
          </a>
        ))}
      </nav>
      <View run={shown} />
    </>
  );
}
