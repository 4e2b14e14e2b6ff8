import { BernoulliNB, clopperPearsonInterval, loadIris, parameterPosterior } from 'polya';
import { axes, box, colours, curve, dot, line, picture, type Say, text } from './svg.ts';

/** Lesson 6: an estimate with its confidence interval, and a posterior with its credible interval, from 5 and from 50 flowers. */
export function twoSchools(say: Say): string {
  const long = loadIris()
    .rows.slice(0, 50)
    .map((row) => [Number(Number(row.petal_length) > 1.5)]);
  const title = say('The same flowers, two schools', '同样的花，两个学派');
  const panels = [5, 50].flatMap((n, k) => panel(long.slice(0, n), [64 + 340 * k, 356 + 340 * k], say));
  return picture(title, 436, [
    ...panels,
    box(64, 392, 14, 14, colours[0], 'fill-opacity="0.3"'),
    text(84, 404, say('Bayesian: posterior density, 95 % credible interval', '贝叶斯学派：后验密度，95 % 可信区间')),
    dot(71, 421, colours[1], 5),
    text(84, 426, say('frequentist: estimate, 95 % confidence interval', '频率学派：估计值，95 % 置信区间')),
  ]);
}

/** One sample: the posterior above the axis, the estimate and its interval at its top. */
function panel(flowers: readonly (readonly number[])[], place: readonly [number, number], say: Say): string[] {
  const [n, hits] = [flowers.length, flowers.filter(([long]) => long === 1).length];
  const model = new BernoulliNB({ alpha: 1 }).fit(
    flowers.map((row) => [...row]),
    flowers.map(() => 'setosa'),
  );
  const posterior = parameterPosterior(model, { class: 'setosa', feature: 0 });
  const { x, y, parts } = axes(
    {
      from: 0,
      to: 0.6,
      ticks: [0, 0.2, 0.4, 0.6],
      label: say('θ: share of petals over 1.5 cm', 'θ：花瓣长于 1.5 厘米的比例'),
    },
    { from: 0, to: 10, ticks: [0, 2, 4, 6, 8], label: say('density', '密度') },
    372,
    place,
  );
  const { a, b } = posterior.parameters;
  const steps = Array.from({ length: 121 }, (_, k) => (0.6 * k) / 120);
  const at = (theta: number) => [theta, Math.exp(logBetaDensity(theta, a, b))] as const;
  const density = steps.map(at);
  const [low, high] = posterior.interval();
  const outline = [
    [low, 0],
    at(low),
    ...density.filter(([theta]) => theta > low && theta < high),
    at(high),
    [high, 0],
  ].map(([theta, p]) => `${x(theta).toFixed(1)},${y(p).toFixed(1)}`);
  const bounds = clopperPearsonInterval(hits, n);
  const top = y(8.6);
  return [
    ...parts,
    `<polygon points="${outline.join(' ')}" fill="${colours[0]}" fill-opacity="0.2"/>`,
    curve(
      density.map(([theta, p]) => [x(theta), y(p)]),
      colours[0],
    ),
    line(x(bounds.low), top, x(bounds.high), top, colours[1], 'stroke-width="3"'),
    line(x(hits / n), top, x(hits / n), y(0), colours[1], 'stroke-width="1.5" stroke-dasharray="4 4"'),
    dot(x(hits / n), top, colours[1], 6),
    text(place[1], y(9.3), say(`${hits} of ${n} flowers`, `${n} 朵中有 ${hits} 朵`), { anchor: 'end', bold: true }),
    text(place[1], y(7.4), say(`estimate ${(hits / n).toFixed(2)}`, `估计值 ${(hits / n).toFixed(2)}`), {
      anchor: 'end',
      fill: colours[1],
    }),
    text(
      place[1],
      y(6.7),
      say(`posterior mean ${posterior.mean.toFixed(2)}`, `后验均值 ${posterior.mean.toFixed(2)}`),
      { anchor: 'end', fill: colours[0] },
    ),
  ];
}

/** ln of the density of Beta(a, b) at θ for whole a and b; ln B(a, b) is a sum of logarithms. */
function logBetaDensity(theta: number, a: number, b: number): number {
  let logBeta = -Math.log(a + b - 1);
  for (let k = 1; k < a; k++) logBeta += Math.log(k / (b - 1 + k));
  const power = (base: number, exponent: number) => (exponent === 0 ? 0 : exponent * Math.log(base));
  return power(theta, a - 1) + power(1 - theta, b - 1) - logBeta;
}
