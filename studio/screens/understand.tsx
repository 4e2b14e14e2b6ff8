import type { JSX } from 'preact';
import { Empty } from '../parts/empty.tsx';
import type { Run } from '../protocol.ts';
import { address, route } from '../route.ts';
import { ChosenRows } from '../rows/rows.tsx';
import { opened, run, runs } from '../state.ts';
import { texts } from '../texts/index.ts';
import { Assumptions } from '../understand/assumptions.tsx';
import { Beliefs } from '../understand/beliefs.tsx';
import { columnsOf, isUsed } from '../understand/columns.ts';
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

/** Whether a tab applies to the columns of a run. */
function hasData(tab: Tab, run: Run): boolean {
  const texts = run.texts.length > 0;
  const numbers = columnsOf(run, 'number').length > 0;
  const others = columnsOf(run, 'number', 'date', 'category', 'boolean').filter((name) => isUsed(run, name));
  const has: Readonly<Record<Tab, boolean>> = {
    ...{ words: texts, smoothing: texts, urn: texts, densities: numbers, likelihood: numbers, nomogram: true },
    assumptions: !texts || others.length === 0,
    posterior: run.classes.length > 2 || columnsOf(run, 'text', 'category', 'boolean').length > 0,
  };
  return has[tab];
}

/** The Understand screen: pictures of what the model has learned. */
export default function Understand(): JSX.Element {
  // while a new run is trained, the last complete one is shown
  const shown = run.value?.bytes ? run.value : runs.value.findLast(({ bytes }) => bytes);
  if (!shown) return <Empty what={opened.value ? 'run' : 'data'} />;
  const usual: Tab = hasData('words', shown) ? 'words' : hasData('densities', shown) ? 'densities' : 'nomogram';
  const asked = route.value.view.tab as Tab | undefined;
  const shownTabs = (Object.keys(tabs) as Tab[]).filter((name) => hasData(name, shown));
  const tab = asked !== undefined && shownTabs.includes(asked) ? asked : usual;
  const View = tabs[tab] as (given: { run: Run }) => JSX.Element;
  return (
    <>
      <nav class="tabs" aria-label={texts.value.screens.understand}>
        {shownTabs.map((name) => (
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
      {shown.evaluated && <ChosenRows run={shown} />}
    </>
  );
}
