import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { desk } from '../client.ts';
import { correct } from '../edits.ts';
import { Empty } from '../parts/empty.tsx';
import { Table } from '../parts/table.tsx';
import { route, show } from '../route.ts';
import { firstRow, learnedHere, model, opened, refused, tries } from '../state.ts';
import { chance, texts, whole } from '../texts/index.ts';
import { Answered } from '../try/answered.tsx';
import { Form } from '../try/form.tsx';
import { typed } from '../typed.ts';
import type { Answer } from '../worker/asking.ts';

/** The Try screen: type, and the model answers each keystroke. */
export default function Try(): JSX.Element {
  const answer = useSignal<(Answer & { readonly milliseconds: number }) | undefined>(undefined);
  const on = model.value;
  useEffect(() => {
    if (!on) return;
    const begun = performance.now();
    const asked = typed.value;
    desk.ask('ask', [asked]).then((found) => {
      if (asked !== typed.value) return;
      answer.value = { ...found, milliseconds: performance.now() - begun };
    }, refused);
  }, [on, typed.value]);
  useEffect(() => restore(on?.facts.columns ?? []), [on]);
  if (!on) return <Empty what={opened.value ? 'model' : 'data'} />;
  const learn = async (label: string) => {
    await correct(typed.value, label);
  };
  return (
    <>
      <p class="soft">
        <bdi>{texts.value.library.summary(on.facts.summary)}</bdi>
      </p>
      <Form facts={on.facts} onSettled={() => answer.value && keep(answer.value)} />
      {answer.value ? (
        <Answered answer={answer.value} facts={on.facts} onLearn={(label) => learn(label).catch(refused)} />
      ) : (
        <p class="soft">…</p>
      )}
      {learnedHere.value > 0 && <p class="soft">{texts.value.try.learned(whole(learnedHere.value))}</p>}
      <History />
    </>
  );
}

/** What was tried. */
function History(): JSX.Element | null {
  const { try: say } = texts.value;
  if (tries.value.length === 0) return null;
  const rows = tries.value.map(({ text, label, p }) => [text, label, chance(p)]);
  return (
    <section>
      <h2>{say.history}</h2>
      <Table label={say.history} heads={say.heads} rows={rows} />
    </section>
  );
}

/** Restores what was typed from the address; a form starts with the first row. */
function restore(columns: readonly { readonly name: string; readonly kind: string }[]): void {
  const { text } = route.value.view;
  if (columns.length === 0 || columns.some(({ name }) => Object.hasOwn(typed.value, name))) return;
  const [{ name, kind }] = columns;
  if (kind === 'text' && columns.length === 1) typed.value = text === undefined ? {} : { [name]: text };
  else typed.value = firstRow(columns.map((column) => column.name));
}

function keep({ label, probabilities }: Answer): void {
  const text = Object.values(typed.value).join(' · ').slice(0, 200);
  const p = probabilities.find((own) => own.label === label)?.probability ?? 0;
  if (text === '' || tries.value[0]?.text === text) return;
  tries.value = [{ text, label, p }, ...tries.value].slice(0, 20);
  const [first] = Object.values(typed.value);
  if (Object.keys(typed.value).length === 1) show({ text: first });
}
