import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { cutTo, leftFor } from '../parts/margins.ts';
import { Table } from '../parts/table.tsx';
import type { Run } from '../protocol.ts';
import { texts, three, whole } from '../texts/index.ts';
import type { PairsResult } from '../worker/insight.ts';
import { isSingle, NoPicture, OneModel } from './single.tsx';

/** The pairs of features that violate the independence assumption of naive Bayes most. */
export function Assumptions({ run }: { run: Run }): JSX.Element {
  return (
    <OneModel run={run}>
      <Pairs key={`${run.id} ${isSingle()}`} run={run} single={isSingle()} />
    </OneModel>
  );
}

function Pairs({ run, single }: { run: Run; single: boolean }): JSX.Element {
  const { understand: say } = texts.value;
  const asked = useAnswer(() => lab.ask('pairs', [run.id, single]), [run.id, single]);
  const result = asked.value.value;
  const spec = useMemo(() => result && pairSpec(result), [result, texts.value]);
  if (!result || !spec) return <NoPicture asked={asked} />;
  return (
    <>
      <Chart spec={spec} wide />
      <Table
        label={say.pairs}
        heads={say.pairsHeads}
        rows={result.pairs.map(({ first, second, bits, overcount, rows }) => [
          first,
          second,
          three(bits),
          overcount.toFixed(2),
          whole(rows),
        ])}
      />
    </>
  );
}

function pairSpec({ pairs, rows, all }: PairsResult): ChartSpec {
  const { understand: say } = texts.value;
  const shown = pairs.slice(0, 15).map(({ first, second, bits }) => ({ name: `${first} × ${second}`, bits }));
  return {
    title: say.pairs,
    reading: say.pairsReading,
    n: rows,
    of: all,
    plot: (Plot, width) => ({
      height: 56 + 24 * shown.length,
      marginLeft: leftFor(210, width),
      marginTop: 8,
      x: { grid: true, label: say.pairsHeads[2] },
      y: {
        domain: shown.map(({ name }) => name),
        label: null,
        tickSize: 0,
        tickFormat: (name: string) => cutTo(name, leftFor(210, width)),
      },
      marks: [
        Plot.barX(shown, { y: 'name', x: 'bits', fill: colourOf(0), insetTop: 2, insetBottom: 2 }),
        Plot.ruleX([0]),
      ],
    }),
    tips: shown.map(({ name, bits }) => ({ x: bits, y: name, text: `${name}\n${three(bits)} ${say.bits}` })),
    data: { heads: [say.pairs, say.bits], rows: shown.map(({ name, bits }) => [name, bits]) },
  };
}
