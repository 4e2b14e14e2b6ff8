import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ModelSummary, OpenPrediction, ServedInstance } from '../../src/client.ts';
import { refused } from '../state.ts';
import { chance, texts, whole } from '../texts/index.ts';
import { client, server } from './connection.ts';

/** The uncertain requests of all served models that learn; nothing while no server is connected. */
export function ServedRequests(): JSX.Element {
  const models = useSignal<readonly ModelSummary[]>([]);
  const connected = server.value;
  useEffect(() => {
    if (connected) client.models().then((all) => (models.value = all.filter(({ learns }) => learns)), refused);
  }, [connected]);
  return <>{connected && models.value.map(({ name }) => <Requests key={name} model={name} title={name} />)}</>;
}

/** Requests of a served model whose label was uncertain: a correction is learned durably by the server. */
export function Requests({ model, title = '' }: { model: string; title?: string }): JSX.Element {
  const { server: say } = texts.value;
  const below = useSignal(0.8);
  const labels = useSignal<readonly (string | number | boolean)[]>([]);
  const waiting = useSignal<readonly OpenPrediction[] | undefined>(undefined);
  const learned = useSignal<number | undefined>(undefined);
  const read = async () => {
    labels.value = (await client.model(model).card()).classes;
    waiting.value = await client.model(model).open({ below: below.value, limit: 20 });
  };
  useEffect(() => {
    read().catch(refused);
  }, [model, below.value]);
  const correct = async (id: string, label: string | number | boolean) => {
    const { version } = await client.model(model).feedback(id, label);
    learned.value = version;
    await read();
  };
  return (
    <section data-part="requests">
      <h2>
        {say.requests} <bdi>{title}</bdi>
      </h2>
      <p class="soft">{say.requestsHelp}</p>
      <div class="row">
        <label class="field">
          <span>{say.below}</span>
          <input
            type="number"
            min="0.1"
            max="1"
            step="0.05"
            value={below.value}
            onChange={(event) => {
              const value = Number(event.currentTarget.value);
              if (value > 0 && value <= 1) below.value = value;
            }}
          />
        </label>
        <button type="button" onClick={() => read().catch(refused)}>
          {say.refresh}
        </button>
      </div>
      <p aria-live="polite" data-learned>
        {learned.value !== undefined && say.learned(String(learned.value))}
      </p>
      {waiting.value?.length === 0 && <p class="soft">{say.noRequests}</p>}
      {waiting.value?.map(({ id, instance, label, probability }) => (
        <div class="card" key={id} data-request={id}>
          <p dir="auto">
            <bdi>{textOf(instance)}</bdi>
          </p>
          <p class="row">
            {labels.value.map((own) => (
              <button
                key={String(own)}
                type="button"
                class={own === label ? 'main' : ''}
                data-label={String(own)}
                onClick={() => correct(id, own).catch(refused)}
              >
                <bdi>{String(own)}</bdi> {own === label && <span class="chance">{chance(probability)}</span>}
              </button>
            ))}
          </p>
        </div>
      ))}
      {waiting.value && waiting.value.length === 20 && <p class="soft">{say.first(whole(20))}</p>}
    </section>
  );
}

const textOf = (instance: ServedInstance): string =>
  typeof instance === 'string' ? instance : JSON.stringify(instance);
