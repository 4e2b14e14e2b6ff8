import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { bytes, interval } from '../../src/workbench.ts';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { Empty } from '../parts/empty.tsx';
import { type Cell, Table } from '../parts/table.tsx';
import type { Run, Settings } from '../protocol.ts';
import { route, show } from '../route.ts';
import { opened, runs } from '../state.ts';
import { percent, pValue, texts, three, whole } from '../texts/index.ts';
import type { Comparison } from '../worker/comparing.ts';

/** The Compare screen: all runs in a table, and any two of them row by row. */
export default function Compare(): JSX.Element {
  const { compare: say } = texts.value;
  const all = runs.value;
  const picked = (route.value.view.pair ?? '').split(',').filter(Boolean).map(Number);
  const [first, second] = picked;
  const both = all.some(({ id }) => id === first) && all.some(({ id }) => id === second);
  const asked = useAnswer(() => (both ? lab.ask('compare', [first, second]) : undefined), [first, second, both]);
  const found = both ? asked.value.value : undefined;
  const spec = useMemo(() => found && differenceSpec(found), [found, texts.value]);
  if (all.length === 0) return <Empty what={opened.value ? 'run' : 'data'} />;
  const toggle = (id: number) => {
    const next = picked.includes(id) ? picked.filter((own) => own !== id) : [...picked, id].slice(-2);
    show({ pair: next.length > 0 ? next.join(',') : undefined });
  };
  return (
    <>
      <p class="soft">{all.length < 2 ? say.need : say.pick}</p>
      <Table
        label={texts.value.train.runs}
        heads={say.heads}
        rows={all.slice(-200).map((own) => rowOf(own, all, picked, toggle))}
      />
      {asked.refusal.value && both && <p role="alert">{texts.value.library.refusal(asked.refusal.value)}</p>}
      {both && !found && !asked.refusal.value && <p class="soft">…</p>}
      {found && spec && (
        <>
          <p class="big">
            {say.verdict(whole(found.rows), whole(found.onlyFirst), whole(found.onlySecond), pValue(found.p))}
          </p>
          <Chart spec={spec} wide />
          <h2>{say.rows}</h2>
          <Disagreements found={found} />
        </>
      )}
    </>
  );
}

function Disagreements({ found: { disagreements } }: { found: Comparison }): JSX.Element {
  const { compare: say } = texts.value;
  if (disagreements.length === 0) return <p class="soft">{say.noRows}</p>;
  const rows = disagreements.map(({ truth, first, second, content }) => [truth, first, second, content]);
  return <Table label={say.rows} heads={say.rowHeads} rows={rows} />;
}

function rowOf(own: Run, all: readonly Run[], picked: readonly number[], toggle: (id: number) => void): Cell[] {
  const evaluation = own.evaluated?.evaluation;
  const before = all[all.indexOf(own) - 1];
  return [
    {
      text: picked.includes(own.id) ? '✓' : '',
      shown: (
        <input
          type="checkbox"
          aria-label={`${texts.value.bar.run} ${own.id}`}
          checked={picked.includes(own.id)}
          onChange={() => toggle(own.id)}
        />
      ),
    },
    own.id,
    own.name ?? '',
    texts.value.library.summary(own.summary),
    three(evaluation?.accuracy.value),
    evaluation ? interval(evaluation.accuracy.low, evaluation.accuracy.high) : '',
    three(evaluation?.logLoss),
    own.bytes ? bytes(own.bytes.length).replace(' ', '\u00a0') : '…',
    own.seconds.toFixed(1),
    changedCell(before ? changed(before.settings, own.settings) : []),
  ];
}

/** The settings that differ from the previous run, named as on Train. */
function changed(before: Settings, now: Settings): string[] {
  const { settingNames } = texts.value.compare;
  const said = (value: unknown) => (typeof value === 'object' ? Object.values(value ?? {}).join(', ') : String(value));
  return Object.entries(now)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings]))
    .map(([name, value]) =>
      texts.value.named(settingNames[name as keyof Settings], said(value) || texts.value.train.auto),
    );
}

/** What changed, marked. */
const changedCell = (parts: readonly string[]): Cell => ({
  text: parts.join('; '),
  shown: (
    <>
      {parts.map((part) => (
        <mark key={part}>{part}</mark>
      ))}
    </>
  ),
});

function differenceSpec({ difference, rows }: Comparison): ChartSpec {
  const { compare: say } = texts.value;
  const { low, high, value } = difference;
  const wide = Math.max(Math.abs(low), Math.abs(high), 0.01) * 1.2;
  return {
    title: say.difference,
    reading: say.differenceReading,
    n: rows,
    plot: (Plot, width) => ({
      height: 110,
      marginTop: 10,
      x: {
        domain: [-wide, wide],
        grid: true,
        label: say.difference,
        ticks: Math.max(2, Math.floor(width / 110)),
        tickFormat: percent,
      },
      y: { axis: null },
      marks: [
        Plot.ruleX([0], { strokeDasharray: '4 4' }),
        Plot.ruleY([0], { x1: low, x2: high, stroke: colourOf(0), strokeWidth: 3 }),
        Plot.dot([[value, 0]], { fill: colourOf(0), r: 6 }),
      ],
    }),
    tips: [{ x: value, y: 0, text: `${percent(value)} (${percent(low)} – ${percent(high)})` }],
    data: { heads: [say.difference, '2.5 %', '97.5 %'], rows: [[value, low, high]] },
  };
}
