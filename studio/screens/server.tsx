import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ModelSummary } from '../../src/client.ts';
import { remember, remembered } from '../memory.ts';
import { Choice } from '../parts/choice.tsx';
import { Table } from '../parts/table.tsx';
import { route, show } from '../route.ts';
import { client, connect, disconnect, samples, server, silent } from '../server/connection.ts';
import { Requests } from '../server/requests.tsx';
import { latencyOf, minuteAgo, mixOf, rateOf, type Sample } from '../server/traffic.ts';
import { Versions } from '../server/versions.tsx';
import { refused } from '../state.ts';
import { percent, texts, whole } from '../texts/index.ts';

/** The Server screen: a running `polya serve`, its traffic, uncertain requests and versions. */
export default function Server(): JSX.Element {
  const { server: say } = texts.value;
  if (!server.value) return <Connect />;
  const { url, version } = server.value;
  return (
    <>
      <p class="row">
        <span>
          <bdi>{url}</bdi> · Pólya {version}
        </span>
        <button type="button" class="small" onClick={disconnect}>
          {say.disconnect}
        </button>
        {silent.value && <span role="alert">{say.silent}</span>}
      </p>
      <Traffic all={samples.value} />
      <Models />
    </>
  );
}

/** The form for address and token. The token stays in the process of the studio. */
function Connect(): JSX.Element {
  const { server: say } = texts.value;
  const url = useSignal(remembered('server', 'http://127.0.0.1:8787'));
  const token = useSignal('');
  const failure = useSignal('');
  const submit = async () => {
    failure.value = '';
    try {
      await connect(url.value.trim(), token.value);
      remember('server', url.value.trim());
    } catch (error) {
      failure.value = say.failed((error as Error).message);
    }
  };
  return (
    <>
      <p class="soft">{say.about}</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label class="field">
          <span>{say.url}</span>
          <input type="url" required value={url.value} onInput={(event) => (url.value = event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{say.token}</span>
          <input
            type="password"
            autocomplete="off"
            value={token.value}
            onInput={(event) => (token.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          {say.connect}
        </button>
      </form>
      {failure.value && <p role="alert">{failure.value}</p>}
    </>
  );
}

const milliseconds = (seconds: number | undefined): string =>
  seconds === undefined ? '–' : `${seconds < 0.01 ? (1000 * seconds).toFixed(1) : whole(1000 * seconds)} ms`;

/** Requests and latency of the last minute, and requests over time. */
function Traffic({ all }: { all: readonly Sample[] }): JSX.Element {
  const { server: say } = texts.value;
  const last = all[all.length - 1];
  const from = minuteAgo(all);
  const rates = all.slice(1).map((own, k) => rateOf(all[k], own));
  const slow = all.slice(1).map((own, k) => latencyOf(all[k], own, 0.95) ?? 0);
  const facts = [
    [say.rate, rateOf(from, last).toFixed(1)],
    [say.median, milliseconds(latencyOf(from, last, 0.5) ?? latencyOf(undefined, last, 0.5))],
    [say.p95, milliseconds(latencyOf(from, last, 0.95) ?? latencyOf(undefined, last, 0.95))],
    [say.refused, whole(last.refused)],
  ];
  return (
    <section data-part="traffic">
      <h2>{say.traffic}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Line label={say.rateOverTime} values={rates} />
      <Line label={say.p95OverTime} values={slow.map((seconds) => 1000 * seconds)} />
    </section>
  );
}

/** Values over time as a line from zero. */
function Line({ label, values }: { label: string; values: readonly number[] }): JSX.Element | null {
  if (values.length < 2) return null;
  const most = Math.max(...values, 1e-9);
  const points = values.map(
    (value, k) => `${(300 * k) / (values.length - 1)},${(38 - (36 * value) / most).toFixed(1)}`,
  );
  return (
    <figure>
      <figcaption class="soft">
        {label} · {texts.value.server.most(most < 10 ? most.toFixed(1) : whole(most))}
      </figcaption>
      <svg viewBox="0 0 300 40" width="100%" height="60" preserveAspectRatio="none" role="img" aria-label={label}>
        <polyline points={points.join(' ')} fill="none" stroke="currentColor" vector-effect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}

/** One of the served models: its predictions by class, uncertain requests, versions. */
function Models(): JSX.Element | null {
  const { server: say } = texts.value;
  const models = useSignal<readonly ModelSummary[] | undefined>(undefined);
  const counted = samples.value.length;
  useEffect(() => {
    client.models().then((all) => (models.value = all), refused);
  }, [counted >> 1]);
  if (!models.value) return null;
  const own = models.value.find(({ name }) => name === route.value.view.model) ?? models.value[0];
  if (!own) return <p>{say.noModels}</p>;
  const { mix, n } = mixOf(samples.value, own.name);
  const share = (value: number | undefined) => (value === undefined ? '–' : percent(value));
  return (
    <>
      <h2>{say.model}</h2>
      <Choice
        label={say.model}
        value={own.name}
        options={models.value.map(({ name, version }) => [name, `${name} · ${say.version(String(version))}`] as const)}
        onChange={(name) => show({ model: name })}
      />
      <p class="soft">{own.summary}</p>
      <h3>{say.mix(whole(n))}</h3>
      <Table
        label={say.mix(whole(n))}
        heads={say.mixHeads}
        rows={mix.map(({ label, before, now, drifts }) => [label, share(before), share(now), drifts ? say.drifts : ''])}
      />
      {own.learns && <Requests model={own.name} />}
      {own.learns && <Versions model={own.name} version={own.version} />}
    </>
  );
}
