import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { Slider } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { leftFor } from '../parts/margins.ts';
import { Refusing } from '../parts/refusing.tsx';
import { percent, texts, whole } from '../texts/index.ts';
import type { UrnsDrawn } from '../worker/urns.ts';

const SLIDERS = [
  ['colours', { min: 2, max: 8, step: 1 }],
  ['balls', { min: 0.1, max: 5, step: 0.1 }],
  ['added', { min: 0, max: 5, step: 0.5 }],
  ['draws', { min: 5, max: 60, step: 1 }],
] as const;

/** The Pólya urn beside the multinomial. */
export function Urns(): JSX.Element {
  const { understand: say } = texts.value;
  const given = useSignal({ colours: 5, balls: 1, added: 1, draws: 30, seed: 1 });
  const { colours, balls, added, draws, seed } = given.value;
  const asked = useAnswer(() => lab.ask('urns', [colours, balls, added, draws, seed]), [given.value]);
  const drawn = asked.value.value;
  const specs = useMemo(() => drawn && [ballSpec(drawn), countSpec(drawn)], [drawn, texts.value]);
  return (
    <>
      <div class="row panel">
        {SLIDERS.map(([name, range]) => (
          <Slider
            key={name}
            label={say[name]}
            {...range}
            value={given.value[name]}
            onInput={(value) => (given.value = { ...given.value, [name]: value })}
          />
        ))}
        <button type="button" onClick={() => (given.value = { ...given.value, seed: seed + 1 })}>
          {say.drawAgain}
        </button>
      </div>
      {specs ? specs.map((spec) => <Chart key={spec.title} spec={spec} wide />) : <Refusing asked={asked} />}
    </>
  );
}

function ballSpec({ multinomial, polya }: UrnsDrawn): ChartSpec {
  const { understand: say } = texts.value;
  const rows = [say.multinomial, say.polya];
  const balls = [multinomial, polya].flatMap((draws, r) =>
    draws.map((colour, k) => ({ k: k + 1, urn: rows[r], colour })),
  );
  return {
    title: say.urns,
    reading: say.urnsReading,
    n: multinomial.length,
    plot: (Plot, width) => ({
      height: 96,
      marginLeft: leftFor(110, width),
      marginTop: 6,
      marginBottom: 6,
      x: { label: null, domain: Array.from(multinomial, (_, k) => k + 1), type: 'band', ticks: [] },
      y: { domain: rows, label: null, tickSize: 0 },
      marks: [
        Plot.dot(balls, {
          x: 'k',
          y: 'urn',
          r: Math.min(9, (width - leftFor(110, width) - 20) / multinomial.length / 2.4),
          fill: ({ colour }: { colour: number }) => colourOf(colour),
        }),
      ],
    }),
    tips: balls.map(({ k, urn, colour }) => ({ x: k, y: urn, text: `${urn}\n#${k}: ${colour + 1}` })),
    data: { heads: ['#', ...rows], rows: multinomial.map((colour, k) => [k + 1, colour + 1, polya[k] + 1]) },
  };
}

function countSpec({ counts, repetitions }: UrnsDrawn): ChartSpec {
  const { understand: say } = texts.value;
  const bars = counts.flatMap(({ k, multinomial, polya }) => [
    { k, share: multinomial, c: 0 },
    { k, share: polya, c: 1 },
  ]);
  return {
    title: say.counts,
    reading: say.countsReading(whole(repetitions)),
    n: repetitions,
    keys: [say.multinomial, say.polya],
    plot: (Plot) => ({
      height: 280,
      x: { label: say.timesDrawn },
      y: { grid: true, label: say.shareOfRepetitions },
      marks: [
        Plot.line(bars, { x: 'k', y: 'share', z: 'c', stroke: ({ c }: { c: number }) => colourOf(c), strokeWidth: 2 }),
        Plot.dot(bars, { x: 'k', y: 'share', fill: ({ c }: { c: number }) => colourOf(c) }),
        Plot.ruleY([0]),
      ],
    }),
    tips: bars.map(({ k, share, c }) => ({
      ...{
        x: k,
        y: share,
        text: `${c === 0 ? say.multinomial : say.polya}\n${say.timesDrawn} ${k}: ${percent(share)}`,
      },
    })),
    data: {
      heads: ['k', say.multinomial, say.polya],
      rows: counts.map(({ k, multinomial, polya }) => [k, multinomial, polya]),
    },
  };
}
