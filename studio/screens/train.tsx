import type { JSX } from 'preact';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { Choice, Slider } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { Empty } from '../parts/empty.tsx';
import { RunList } from '../parts/run-list.tsx';
import { Table } from '../parts/table.tsx';
import type { Run, Settings } from '../protocol.ts';
import { opened, profile, run, runs, settings, train, work } from '../state.ts';
import { percent, texts, three } from '../texts/index.ts';

/** The models by name; words are the same in all languages. */
const MODELS = [
  'multinomial',
  'bernoulli',
  'complement',
  'dirichlet-multinomial',
  'poisson',
  'gaussian',
  'kernel',
  'categorical',
  'mixed',
  'tan',
  'aode',
  'lda',
  'qda',
  'rda',
] as const;

/** Three choices, the progress, and every run. */
export default function Train(): JSX.Element {
  if (!opened.value) return <Empty what="data" />;
  const shown = run.value;
  return (
    <>
      <Choices />
      {shown && shown.curve.length > 1 && <Chart spec={curveSpec(shown)} wide />}
      <h2>{texts.value.train.runs}</h2>
      {runs.value.length === 0 ? <p class="soft">{texts.value.train.noRuns}</p> : <RunList />}
      {shown && shown.tried.length > 1 && <Tried run={shown} />}
    </>
  );
}

const change = (part: Partial<Settings>) => {
  settings.value = { ...settings.value, ...part };
};

function Choices(): JSX.Element {
  const { train: say } = texts.value;
  const { model, online, alpha, ngrams, calibrate, holdout, seed } = settings.value;
  const chosen = model === 'auto' ? (online ? 'auto' : 'pool') : model;
  return (
    <section class="card">
      <div class="row">
        <Choice
          label={say.model}
          value={chosen}
          options={[
            ['auto', say.models.auto],
            ['pool', say.models.pool],
            ...MODELS.map((name) => [name, name] as const),
          ]}
          onChange={(name) =>
            change({
              model: name === 'pool' ? 'auto' : name,
              online: name === 'auto',
              ...(name === 'auto' || name === 'pool' ? { alpha: '', ngrams: '' } : {}),
            })
          }
        />
        <Choice
          label={say.smoothing}
          value={alpha}
          options={[
            ['', say.auto],
            ...['0', '0.01', '0.1', '0.3', '0.5', '1', '2', '10'].map((own) => [own, own] as const),
          ]}
          onChange={(own) => change({ alpha: own })}
        />
        <Choice
          label={say.words}
          value={ngrams}
          options={[['', say.auto], ...['1', '1-2', '1-3', '2'].map((own) => [own, own] as const)]}
          onChange={(own) => change({ ngrams: own })}
        />
        <Choice
          label={say.calibrate}
          value={calibrate}
          options={(['auto', 'none', 'sigmoid', 'isotonic', 'temperature'] as const).map((own) => [own, own])}
          onChange={(own) => change({ calibrate: own })}
        />
        <Slider
          label={say.holdout}
          value={holdout}
          {...{ min: 0.05, max: 0.5, step: 0.05 }}
          shown={percent(holdout)}
          onInput={(own) => change({ holdout: Math.round(own * 100) / 100 })}
        />
        <label class="field">
          <span>{say.seed}</span>
          <input
            type="number"
            min="0"
            max="4294967295"
            value={seed}
            onInput={(event) => change({ seed: Number(event.currentTarget.value) || 0 })}
          />
        </label>
      </div>
      <Features />
      <p class="row">
        <button
          type="button"
          class="main"
          disabled={work.value !== undefined || settings.value.target === ''}
          onClick={() => train()}
        >
          {say.begin}
        </button>
        <span class="soft">Ctrl + Enter</span>
      </p>
    </section>
  );
}

/** The columns to classify by; all that say something unless some are taken away. */
function Features(): JSX.Element {
  const { train: say } = texts.value;
  const usable = (profile.value?.columns ?? []).filter(({ role }) => role === 'feature').map(({ name }) => name);
  const { features } = settings.value;
  const on = (name: string) => features.length === 0 || features.includes(name);
  const toggle = (name: string) => {
    const next = usable.filter((own) => (own === name ? !on(own) : on(own)));
    change({ features: next.length === usable.length || next.length === 0 ? [] : next });
  };
  return (
    <details>
      <summary>
        {say.features}: {features.length === 0 ? say.all : features.join(', ')}
      </summary>
      <fieldset class="checks">
        <legend class="hidden">{say.features}</legend>
        {usable.slice(0, 200).map((name) => (
          <label key={name}>
            <input type="checkbox" checked={on(name)} onChange={() => toggle(name)} /> <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function curveSpec({ curve, testRows }: Run): ChartSpec {
  const { train: say, evaluate } = texts.value;
  return {
    title: say.curve,
    reading: say.curveReading,
    n: testRows,
    plot: (Plot) => ({
      height: 260,
      x: { type: 'log', label: say.columns[4], grid: true },
      y: { label: evaluate.accuracy, grid: true },
      marks: [
        Plot.line(curve, { x: 'rows', y: 'accuracy', stroke: colourOf(0), strokeWidth: 2 }),
        Plot.dot(curve, { x: 'rows', y: 'accuracy', fill: colourOf(0) }),
      ],
    }),
    data: {
      heads: [say.columns[4], evaluate.accuracy, evaluate.logLoss],
      rows: curve.map(({ rows, accuracy, logLoss }) => [rows, accuracy, logLoss]),
    },
  };
}

function Tried({ run: { tried } }: { run: Run }): JSX.Element {
  const { train: say, evaluate } = texts.value;
  const rows = [...tried]
    .sort((a, b) => a.logLoss - b.logLoss)
    .slice(0, 40)
    .map(({ of, name, logLoss, accuracy, chosen }) => [
      name,
      of,
      three(logLoss),
      three(accuracy),
      chosen ? say.chosen : '',
    ]);
  return (
    <details>
      <summary>{say.tried}</summary>
      <Table label={say.tried} heads={[say.model, '', evaluate.logLoss, evaluate.accuracy, '']} rows={rows} />
    </details>
  );
}
