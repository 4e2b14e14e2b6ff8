import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ModelSummary } from '../../src/client.ts';
import { remember, remembered } from '../memory.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
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
  const charts = useMemo(() => {
    if (all.length < 3) return undefined;
    const rates = all.slice(1).map((own, k) => rateOf(all[k], own));
    const slow = all.slice(1).map((own, k) => 1000 * (latencyOf(all[k], own, 0.95) ?? 0));
    return [lineSpec(say.rateOverTime, rates, all), lineSpec(say.p95OverTime, slow, all)];
  }, [all, say]);
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
      {charts && (
        <div class="charts">
          {charts.map((spec) => (
            <Chart key={spec.title} spec={spec} />
          ))}
        </div>
      )}
    </section>
  );
}

/** Values over time, up to now. */
function lineSpec(title: string, values: readonly number[], all: readonly Sample[]): ChartSpec {
  const { server: say } = texts.value;
  const now = all.at(-1)?.at ?? 0;
  const points = values.map((value, k) => ({ ago: (all[k + 1].at - now) / 1000, value }));
  return {
    title,
    reading: say.most((Math.max(...values) || 0).toFixed(1)),
    plot: (Plot) => ({
      height: 150,
      x: { label: say.secondsAgo, grid: true, ticks: 5 },
      y: { label: null, grid: true, ticks: 3, zero: true },
      marks: [Plot.line(points, { x: 'ago', y: 'value', stroke: colourOf(0), strokeWidth: 2 })],
    }),
    tips: points.map(({ ago, value }) => ({ x: ago, y: value, text: `${whole(ago)} s\n${value.toFixed(1)}` })),
    data: { heads: [say.secondsAgo, title], rows: points.map(({ ago, value }) => [ago, value]) },
  };
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
      <div class="row">
        <Choice
          label={say.model}
          value={own.name}
          options={models.value.map(
            ({ name, version }) => [name, `${name} · ${say.version(String(version))}`] as const,
          )}
          onChange={(name) => show({ model: name })}
        />
      </div>
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
