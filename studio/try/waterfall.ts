import type { ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { cutTo, leftFor } from '../parts/margins.ts';
import { nats } from '../parts/marked.tsx';
import { chance, texts, whole } from '../texts/index.ts';
import type { Answer } from '../worker/asking.ts';

const MOST_STEPS = 14;
/** Steps smaller than this are rounding. */
const ROUNDING = 1e-9;

/** The indices of the most probable class and of its strongest rival. */
export function rivals({ classes, logProba, label }: Answer): [best: number, rival: number] {
  const best = classes.indexOf(label);
  const order = [...classes.keys()].filter((c) => c !== best).sort((a, b) => logProba[b] - logProba[a]);
  return [best, order[0] ?? best];
}

/** A bar of the waterfall. Its value may be infinite; its ends are finite. */
interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly adds: number;
  readonly shown: string;
}

/** What one step adds to the log-odds of the class. */
export interface Part {
  readonly name: string;
  readonly adds: number;
}

/**
 * The steps of the log-odds of the most probable class, from its prior to the shown probability: prior, terms, calibration, and with more
 * than two classes the step from its strongest rival to all other classes. The last step is the sum, ln p / (1 − p). A term of one of the
 * text columns `words` is named by its word, any other one by its column and cell.
 */
export function partsOf(answer: Answer, words: ReadonlySet<string>): Part[] {
  const { try: say } = texts.value;
  const [best, rival] = rivals(answer);
  const { terms, rest, more, logProba, classes } = answer;
  const against = (byClass: readonly number[]) => byClass[best] - byClass[rival];
  const size = ({ adds }: Part) => (Number.isNaN(adds) ? Infinity : Math.abs(adds));
  const own = terms
    .map(({ feature, value, byClass }) => ({
      name: words.has(feature) ? value : `${feature} = ${value || '∅'}`,
      adds: against(byClass),
    }))
    .sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)));
  const others = own.slice(MOST_STEPS).reduce((sum, { adds }) => sum + adds, against(more));
  const hidden = own.length > MOST_STEPS || more.some((value) => value !== 0);
  const parts = [
    { name: say.prior, adds: against(rest) },
    ...own.slice(0, MOST_STEPS),
    ...(hidden ? [{ name: say.others, adds: others }] : []),
  ];
  const total = parts.reduce((sum, { adds }) => sum + adds, 0);
  const rivalry = against(logProba);
  const odds = logProba[best] - logSum(logProba.filter((_, c) => c !== best));
  const after = [
    { name: say.calibration, adds: rivalry - total },
    { name: say.otherClasses(whole(classes.length - 2)), adds: odds - rivalry },
  ].filter(({ adds }) => Number.isFinite(adds) && Math.abs(adds) > ROUNDING);
  return [...parts, ...after, { name: say.sum, adds: odds }];
}

/** ln Σ eˣ. */
function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return Number.isFinite(most) ? most + Math.log(values.reduce((sum, x) => sum + Math.exp(x - most), 0)) : most;
}

/** Prior, what each word or cell adds to the log-odds, calibration, and the probability at the end. */
export function waterfallSpec(answer: Answer, words: ReadonlySet<string>): ChartSpec {
  const { try: say } = texts.value;
  const [best, rival] = rivals(answer);
  const parts = partsOf(answer, words);
  const steps = stepsOf(parts, chance(Math.exp(answer.logProba[best])));
  const last = steps.at(-1);
  const colour = (step: Step) =>
    step === last ? '#7f7f7f' : Number.isNaN(step.adds) ? 'currentColor' : colourOf(step.adds >= 0 ? best : rival);
  return {
    title: say.waterfall,
    reading: say.waterfallReading(answer.classes[best], answer.classes[rival]),
    plot: (Plot, width) => ({
      height: 66 + 24 * steps.length,
      marginLeft: leftFor(150, width),
      marginTop: 10,
      marginRight: 126,
      x: { grid: true, label: say.nats },
      y: {
        domain: steps.map(({ name }) => name),
        label: null,
        tickSize: 0,
        tickFormat: (name: string) => cutTo(name, leftFor(150, width)),
      },
      marks: [
        Plot.barX(steps, {
          ...{ y: 'name', x1: 'from', x2: 'to', fill: colour, insetTop: 2, insetBottom: 2 },
          fillOpacity: ({ adds }: Step) => (Number.isFinite(adds) ? 1 : 0.35),
        }),
        Plot.text(steps, {
          ...{ y: 'name', text: 'shown', textAnchor: 'start', dx: 4 },
          x: ({ from, to }: Step) => Math.max(from, to),
        }),
        Plot.ruleX([0]),
      ],
    }),
    tips: steps.map(({ name, from, to, shown }) => ({ x: Math.max(from, to), y: name, text: `${name}\n${shown}` })),
    data: { heads: [say.step, say.nats], rows: parts.map(({ name, adds }) => [name, adds]) },
  };
}

/** The steps as bars, each starting where the previous one ended. An infinite step is drawn beyond all others and shifts none of them. */
function stepsOf(parts: readonly Part[], end: string): Step[] {
  const { try: say } = texts.value;
  const finite = (adds: number) => (Number.isFinite(adds) ? adds : 0);
  const walk = [0];
  for (const [k, { adds }] of parts.slice(0, -1).entries()) walk.push(walk[k] + finite(adds));
  const [low, high] = [Math.min(...walk), Math.max(...walk)];
  const beyond = 0.15 * (high - low || 1);
  const edge = (adds: number) => (adds > 0 ? high + beyond : low - beyond);
  const names = new Set<string>();
  return parts.map(({ name, adds }, k) => {
    let unique = name;
    while (names.has(unique)) unique += '\u200b'; // two equal names are two bars
    names.add(unique);
    const isLast = k === parts.length - 1;
    const from = isLast ? 0 : walk[k];
    const to = Number.isNaN(adds) ? from : Number.isFinite(adds) ? from + adds : edge(adds);
    const shown = Number.isNaN(adds) ? say.impossible : nats(adds);
    return {
      name: unique,
      from,
      to,
      adds,
      shown: isLast ? `${shown}, p ${/^[<>]/.test(end) ? end : `= ${end}`}` : shown,
    };
  });
}
