import type { ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { cutTo, leftFor } from '../parts/margins.ts';
import { texts } from '../texts/index.ts';
import type { Answer } from '../worker/asking.ts';

const MOST_STEPS = 14;

/** The places of the most probable class and of its strongest rival. */
export function rivals({ classes, probabilities, label }: Answer): [best: number, rival: number] {
  const best = classes.indexOf(label);
  const order = [...classes.keys()]
    .filter((c) => c !== best)
    .sort((a, b) => probabilities[b].probability - probabilities[a].probability);
  return [best, order[0] ?? best];
}

interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly adds: number;
}

/** Prior, then what each word or cell adds to the log-odds, then the sum. */
export function waterfallSpec(answer: Answer): ChartSpec {
  const { try: say } = texts.value;
  const [best, rival] = rivals(answer);
  const steps = stepsOf(answer, best, rival);
  const end = steps.at(-1)?.to ?? 0;
  const all: Step[] = [...steps, { name: say.sum, from: 0, to: end, adds: end }];
  const colour = ({ adds, name }: Step) => (name === say.sum ? '#7f7f7f' : colourOf(adds >= 0 ? best : rival));
  return {
    title: say.waterfall,
    reading: say.waterfallReading(answer.classes[best], answer.classes[rival]),
    plot: (Plot, width) => ({
      height: 66 + 24 * all.length,
      marginLeft: leftFor(150, width),
      marginTop: 10,
      marginRight: 56,
      x: { grid: true, label: say.nats },
      y: {
        domain: all.map(({ name }) => name),
        label: null,
        tickSize: 0,
        tickFormat: (name: string) => cutTo(name, leftFor(150, width)),
      },
      marks: [
        Plot.barX(all, { y: 'name', x1: 'from', x2: 'to', fill: colour, insetTop: 2, insetBottom: 2 }),
        Plot.text(all, {
          y: 'name',
          x: ({ from, to }: Step) => Math.max(from, to),
          text: ({ adds }: Step) => `${adds < 0 ? '−' : '+'}${Math.abs(adds).toFixed(2)}`,
          textAnchor: 'start',
          dx: 4,
        }),
        Plot.ruleX([0]),
      ],
    }),
    data: { heads: [say.step, say.nats], rows: all.map(({ name, adds }) => [name, adds]) },
  };
}

function stepsOf({ terms, rest }: Answer, best: number, rival: number): Step[] {
  const { try: say } = texts.value;
  const own = terms
    .map(({ feature, value, byClass }) => ({ name: nameOf(feature, value), adds: byClass[best] - byClass[rival] }))
    .sort((a, b) => Math.abs(b.adds) - Math.abs(a.adds));
  const shown = own.slice(0, MOST_STEPS);
  const others = own.slice(MOST_STEPS).reduce((sum, { adds }) => sum + adds, 0);
  const parts = [
    { name: say.prior, adds: rest[best] - rest[rival] },
    ...shown,
    ...(own.length > MOST_STEPS ? [{ name: say.others, adds: others }] : []),
  ];
  const names = new Set<string>();
  let at = 0;
  return parts.map(({ name, adds }) => {
    const from = at;
    at += Number.isFinite(adds) ? adds : 0;
    let unique = name;
    while (names.has(unique)) unique += '\u200b'; // two equal names are two bars
    names.add(unique);
    return { name: unique, from, to: at, adds };
  });
}

/** A word stands for itself; a cell is named by its column. */
const nameOf = (feature: string, value: string): string =>
  /^-?[\d.]+$/.test(value) || value === '' ? `${feature} = ${value || '∅'}` : value;
