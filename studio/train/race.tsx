import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { cutTo } from '../parts/margins.ts';
import type { Racer, Run } from '../protocol.ts';
import { race, work } from '../state.ts';
import { percent, texts, three, whole } from '../texts/index.ts';

/** Losses of zero have no place on a logarithmic axis. */
const LEAST_LOSS = 1e-6;
/** The most lanes that are drawn; the data have all. */
const MOST_LANES = 14;

/** What was tried, as a race: drawn while it runs, and kept with the run. */
export function Race({ run }: { run: Run | undefined }): JSX.Element | null {
  const running = work.value !== undefined && race.value.length > 0;
  const racers = running ? race.value : racersOf(run);
  const chosen = running ? undefined : run?.tried;
  const spec = useMemo(() => (racers.length > 1 ? raceSpec(racers, chosen) : undefined), [racers, chosen, texts.value]);
  return spec ? <Chart spec={spec} wide /> : null;
}

/** The models of a run; of one that kept no race, only how they ended. */
function racersOf(run: Run | undefined): readonly Racer[] {
  const tried = run?.tried.filter(isSingle) ?? [];
  return (
    run?.race ?? tried.map(({ of, name, ...point }) => ({ of, name, points: [{ rows: run!.trainRows, ...point }] }))
  );
}

/** Whether an entry is one model; the last ones are ensembles. */
const isSingle = ({ name }: { readonly name: string }): boolean => !/^pool of \d/.test(name);

/** Ticks of a logarithmic axis: powers of ten leave a narrow range without any, so it has round steps. */
function ticksOf(low: number, high: number): number | number[] {
  if (high > 8 * low) return 4;
  const width = (high - low) / 4;
  const unit = 10 ** Math.floor(Math.log10(width));
  const step = [1, 2, 5, 10].find((factor) => factor * unit >= width)! * unit;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(6)));
}

/** A lane for each model, the best on top: where it was after each part of the held-out rows, and where it is now. */
function raceSpec(racers: readonly Racer[], tried: Run['tried'] | undefined): ChartSpec {
  const { train: say, evaluate } = texts.value;
  const hasTexts = new Set(racers.map(({ of }) => of)).size > 1;
  const titleOf = ({ of, name }: Pick<Racer, 'of' | 'name'>) =>
    `${texts.value.library.summary(name)}${hasTexts && of !== 'columns' ? ` · ${of}` : ''}`;
  const last = ({ points }: Racer) => points.at(-1)!;
  const order = [...racers].sort((a, b) => last(a).logLoss - last(b).logLoss);
  const rows = Math.max(...racers.map((racer) => last(racer).rows));
  const isChosen = ({ of, name }: Racer) => tried?.some((own) => own.chosen && own.of === of && own.name === name);
  const isAhead = (racer: Racer) => (tried ? isChosen(racer) : racer === order[0]);
  const shown = order.filter((racer, k) => k < MOST_LANES || isAhead(racer));
  const trails = shown.flatMap((racer) =>
    racer.points.map(({ logLoss, ...point }) => ({
      ...point,
      ...{ lane: titleOf(racer), ahead: isAhead(racer), now: point.rows === last(racer).rows },
      ...{ logLoss, x: Math.max(LEAST_LOSS, logLoss) },
    })),
  );
  type Point = (typeof trails)[number];
  const losses = trails.map(({ x }) => x);
  const lane = { x: 'x', y: 'lane' } as const;
  return {
    title: say.tried,
    reading: `${tried ? say.raceReading : say.raceRunning(whole(racers.length), titleOf(order[0]))} ${say.raceScale}`,
    n: rows,
    keys: [tried ? say.raceChosen : say.raceLeading],
    plot: (Plot, width) => {
      const margin = Math.min(300, width * 0.42);
      return {
        ...{ height: 70 + 22 * shown.length, marginLeft: margin },
        x: {
          type: 'log',
          reverse: true,
          label: evaluate.logLoss,
          grid: true,
          ticks: ticksOf(Math.min(...losses), Math.max(...losses)),
          tickFormat: String,
          inset: 10,
        },
        y: { domain: shown.map(titleOf), label: null, tickSize: 0, tickFormat: (name: string) => cutTo(name, margin) },
        marks: [
          Plot.line(trails, { ...lane, z: 'lane', stroke: 'currentColor', strokeOpacity: 0.4 }),
          Plot.dot(trails, { ...lane, r: 2, fill: 'currentColor', fillOpacity: 0.5 }),
          Plot.dot(
            trails.filter(({ now }) => now),
            {
              ...{ ...lane, r: 5.5, stroke: 'currentColor', strokeOpacity: 0.6 },
              fill: ({ ahead }: Point) => (ahead ? colourOf(0) : 'currentColor'),
              fillOpacity: ({ ahead }: Point) => (ahead ? 1 : 0.15),
            },
          ),
        ],
        opacity: { type: 'identity' },
      };
    },
    tips: trails.map(({ x, lane: y, rows: held, logLoss, accuracy }) => ({
      ...{ x, y },
      text: `${y}\n${whole(held)} ${say.raceRows}\n${evaluate.logLoss} ${three(logLoss)} · ${evaluate.accuracy} ${percent(accuracy)}`,
    })),
    data: {
      heads: [say.model, say.raceRows, evaluate.logLoss, evaluate.accuracy, say.chosen],
      rows: [
        ...order.map((racer) => {
          const { rows: held, logLoss, accuracy } = last(racer);
          return [titleOf(racer), held, logLoss, accuracy, isChosen(racer) ? '✓' : ''];
        }),
        ...(tried ?? [])
          .filter((own) => !isSingle(own))
          .map((own) => [titleOf(own), rows, own.logLoss, own.accuracy, '✓']),
      ],
    },
  };
}
