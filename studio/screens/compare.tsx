import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { bytes, interval } from '../../src/cli/numbers.ts';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { Empty } from '../parts/empty.tsx';
import { type Cell, Table } from '../parts/table.tsx';
import type { Run, Settings } from '../protocol.ts';
import { route, show } from '../route.ts';
import { opened, runs } from '../state.ts';
import { texts, three, whole } from '../texts/index.ts';
import type { Comparison } from '../worker/comparing.ts';

/** All runs side by side, and any two of them row by row. */
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
      {asked.refusal.value && both && <p role="alert">{asked.refusal.value.sentence}</p>}
      {both && !found && !asked.refusal.value && <p class="soft">…</p>}
      {found && spec && (
        <>
          <p class="big">
            {say.verdict(whole(found.rows), whole(found.onlyFirst), whole(found.onlySecond), three(found.p))}
          </p>
          <Chart spec={spec} wide />
          <h2>{say.rows}</h2>
          <Table
            label={say.rows}
            heads={say.rowHeads}
            rows={found.disagreements.map(({ truth, first: a, second: b, content }) => [truth, a, b, content])}
          />
        </>
      )}
    </>
  );
}

function rowOf(own: Run, all: readonly Run[], picked: readonly number[], toggle: (id: number) => void): Cell[] {
  const judgement = own.evaluated?.judgement;
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
    own.summary,
    three(judgement?.accuracy.value),
    judgement ? interval(judgement.accuracy.low, judgement.accuracy.high) : '',
    three(judgement?.logLoss),
    own.bytes ? bytes(own.bytes.length) : '…',
    own.seconds.toFixed(1),
    before ? changed(before.settings, own.settings) : '',
  ];
}

/** The settings that differ from those of the run before. */
function changed(before: Settings, now: Settings): string {
  return Object.entries(now)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings]))
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value) || 'auto'}`)
    .join(', ');
}

function differenceSpec({ difference, rows }: Comparison): ChartSpec {
  const { compare: say } = texts.value;
  const { low, high, value } = difference;
  const wide = Math.max(Math.abs(low), Math.abs(high), 0.01) * 1.2;
  return {
    title: say.difference,
    reading: say.differenceReading,
    n: rows,
    plot: (Plot) => ({
      height: 110,
      x: { domain: [-wide, wide], grid: true, label: say.difference },
      y: { axis: null },
      marks: [
        Plot.ruleX([0], { strokeDasharray: '4 4' }),
        Plot.ruleY([0], { x1: low, x2: high, stroke: colourOf(0), strokeWidth: 3 }),
        Plot.dot([[value, 0]], { fill: colourOf(0), r: 6 }),
      ],
    }),
    data: { heads: [say.difference, '2.5 %', '97.5 %'], rows: [[value, low, high]] },
  };
}
