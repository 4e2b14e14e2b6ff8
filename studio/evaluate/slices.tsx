import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { cutTo, leftFor } from '../parts/margins.ts';
import type { Run, ThresholdRule } from '../protocol.ts';
import { chooseRows } from '../rows/filter.ts';
import { profile } from '../state.ts';
import { percent, texts, whole } from '../texts/index.ts';
import type { Slice } from '../worker/comparing.ts';

/** Accuracy by the values of a column. */
export function Slices({ run, rule }: { run: Run; rule: ThresholdRule | undefined }): JSX.Element | null {
  const { evaluate: say } = texts.value;
  const columns = (profile.value?.columns ?? []).filter(
    ({ kind, role }) => role !== 'target' && (kind === 'category' || kind === 'boolean'),
  );
  const column = useSignal(columns[0]?.name ?? '');
  const asked = useAnswer(
    () => (column.value === '' ? undefined : lab.ask('slices', [run.id, column.value, rule])),
    [run.id, column.value, rule?.label, rule?.threshold],
  );
  const slices = asked.value.value;
  const spec = useMemo(() => slices && sliceSpec(slices, column.value), [slices, texts.value]);
  if (columns.length === 0) return null;
  return (
    <section>
      <h2>{say.slice}</h2>
      <div class="row">
        <Choice
          label={texts.value.understand.column}
          value={column.value}
          options={columns.map(({ name }) => [name, name] as const)}
          onChange={(name) => (column.value = name)}
        />
      </div>
      {spec && <Chart spec={spec} wide />}
    </section>
  );
}

function sliceSpec(slices: readonly Slice[], column: string): ChartSpec {
  const { evaluate: say } = texts.value;
  const points = slices.map(({ value, rows, accuracy }) => ({ value: value || '∅', rows, ...flat(accuracy) }));
  return {
    title: texts.value.named(say.slice, column),
    reading: say.sliceReading,
    n: slices.reduce((sum, { rows }) => sum + rows, 0),
    plot: (Plot, width) => ({
      height: 60 + 26 * points.length,
      marginLeft: leftFor(140, width),
      marginTop: 8,
      x: { domain: [0, 1], grid: true, label: say.accuracy },
      y: {
        label: null,
        tickSize: 0,
        domain: points.map(({ value }) => value),
        tickFormat: (value: string) => cutTo(value, leftFor(140, width)),
      },
      marks: [
        Plot.ruleY(points, { y: 'value', x1: 'low', x2: 'high', stroke: 'currentColor', strokeWidth: 1.5 }),
        Plot.dot(points, { y: 'value', x: 'share', fill: colourOf(0), r: 5 }),
      ],
    }),
    tips: points.map(({ value, rows, share, low, high }) => ({
      x: share,
      y: value,
      text: `${value}\n${percent(share)} (${percent(low)} – ${percent(high)})\n${texts.value.chart.rows(whole(rows))}`,
      pick: () => chooseRows({ kind: 'value', column, value: value === '∅' ? '' : value }),
    })),
    data: {
      heads: [column, say.heads[6], say.accuracy, '2.5%', '97.5%'],
      rows: points.map(({ value, rows, share, low, high }) => [value, rows, share, low, high]),
    },
  };
}

const flat = ({ value, low, high }: Slice['accuracy']) => ({ share: value, low, high });
