import { GaussianNB } from 'polya';
import { axes, colours, curve, dot, legend, line, picture, type Say, text } from './svg.ts';

/** Lesson 2: the Gaussian densities of a measurement in two classes, and a new value. */
export function kinds(say: Say): string {
  const heights = { cat: [24, 26, 23], dog: [62, 48, 55] };
  const model = new GaussianNB().fit(
    Object.values(heights)
      .flat()
      .map((height) => [height]),
    Object.entries(heights).flatMap(([animal, own]) => own.map(() => animal)),
  );
  const density = (c: number, height: number) => {
    const [mean, variance] = [model.theta.row(c)[0], model.var.row(c)[0]];
    return Math.exp(-((height - mean) ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
  };
  const { x, y, parts } = axes(
    { from: 15, to: 75, ticks: [20, 30, 40, 50, 60, 70], label: say('height in cm', '身高，厘米') },
    { from: 0, to: 0.35, ticks: [0, 0.1, 0.2, 0.3], label: 'p(x | c)' },
    300,
  );
  const steps = Array.from({ length: 241 }, (_, k) => 15 + k / 4);
  return picture(say('The height of cats and dogs', '猫和狗的身高'), 300, [
    ...parts,
    ...Object.values(heights).flatMap((own, c) => [
      curve(
        steps.map((height) => [x(height), y(density(c, height))]),
        colours[c],
      ),
      ...own.map((height) => dot(x(height), y(0) - 6, colours[c])),
    ]),
    line(x(30), y(0), x(30), y(0.2), '#24292f', 'stroke-dasharray="4 4"'),
    text(x(30) + 6, y(0.2) + 4, say('a new animal of 30 cm', '一只 30 厘米的新动物')),
    ...legend(600, 50, [say('cat', '猫'), say('dog', '狗')]),
  ]);
}
