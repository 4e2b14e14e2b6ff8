import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { Slider } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { Refusing } from '../parts/refusing.tsx';
import { texts, whole } from '../texts/index.ts';
import type { UrnsDrawn } from '../worker/urns.ts';

/** The urn that names the project, beside the die of the multinomial. */
export function Urns(): JSX.Element {
  const { understand: say } = texts.value;
  const colours = useSignal(5);
  const balls = useSignal(1);
  const added = useSignal(1);
  const draws = useSignal(30);
  const seed = useSignal(1);
  const given = [colours.value, balls.value, added.value, draws.value, seed.value] as const;
  const asked = useAnswer(() => lab.ask('urns', [...given]), given);
  const drawn = asked.value.value;
  const specs = useMemo(() => drawn && [ballSpec(drawn), countSpec(drawn)], [drawn, texts.value]);
  return (
    <>
      <div class="row">
        <Slider
          label={say.colours}
          {...{ min: 2, max: 8, step: 1, value: colours.value }}
          onInput={(value) => (colours.value = value)}
        />
        <Slider
          label={say.balls}
          {...{ min: 0.1, max: 5, step: 0.1, value: balls.value }}
          onInput={(value) => (balls.value = value)}
        />
        <Slider
          label={say.added}
          {...{ min: 0, max: 5, step: 0.5, value: added.value }}
          onInput={(value) => (added.value = value)}
        />
        <Slider
          label={say.draws}
          {...{ min: 5, max: 60, step: 1, value: draws.value }}
          onInput={(value) => (draws.value = value)}
        />
        <button type="button" onClick={() => seed.value++}>
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
    plot: (Plot) => ({
      width: 860,
      height: 130,
      marginLeft: 110,
      x: { label: null, domain: Array.from(multinomial, (_, k) => k + 1), type: 'band', ticks: [] },
      y: { domain: rows, label: null },
      marks: [Plot.dot(balls, { x: 'k', y: 'urn', r: 6, fill: ({ colour }: { colour: number }) => colourOf(colour) })],
    }),
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
      width: 860,
      height: 280,
      x: { label: 'k' },
      y: { grid: true, label: 'p(k)' },
      marks: [
        Plot.line(bars, { x: 'k', y: 'share', z: 'c', stroke: ({ c }: { c: number }) => colourOf(c), strokeWidth: 2 }),
        Plot.dot(bars, { x: 'k', y: 'share', fill: ({ c }: { c: number }) => colourOf(c) }),
        Plot.ruleY([0]),
      ],
    }),
    data: {
      heads: ['k', say.multinomial, say.polya],
      rows: counts.map(({ k, multinomial, polya }) => [k, multinomial, polya]),
    },
  };
}
