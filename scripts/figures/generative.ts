import { loadIris, QuadraticDiscriminantAnalysis } from 'polya';
import { axes, colours, curve, dot, field, legend, picture, type Say } from './svg.ts';

/** Two standard deviations about the mean of a class, along the axes of its covariance. */
function ellipse(mean: ArrayLike<number>, [[a, b], [, d]]: number[][]): [number, number][] {
  const [middle, spread] = [(a + d) / 2, Math.hypot((a - d) / 2, b)];
  const [long, short] = [2 * Math.sqrt(middle + spread), 2 * Math.sqrt(middle - spread)];
  const turn = Math.atan2(2 * b, a - d) / 2;
  return Array.from({ length: 73 }, (_, k) => {
    const [u, v] = [long * Math.cos((k * Math.PI) / 36), short * Math.sin((k * Math.PI) / 36)];
    return [mean[0] + u * Math.cos(turn) - v * Math.sin(turn), mean[1] + u * Math.sin(turn) + v * Math.cos(turn)];
  });
}

/** Lesson 9: the distribution of each class, and the boundaries that follow from them. */
export function generative(say: Say): string {
  const { rows } = loadIris();
  const X = rows.map(({ petal_length, petal_width }) => [Number(petal_length), Number(petal_width)]);
  const species = rows.map((row) => String(row.species));
  const model = new QuadraticDiscriminantAnalysis({ storeCovariance: true }).fit(X, species);
  const { x, y, parts } = axes(
    { from: 0.5, to: 7.3, ticks: [1, 2, 3, 4, 5, 6, 7], label: say('petal length, cm', '花瓣长度，厘米') },
    {
      from: -0.2,
      to: 2.8,
      ticks: [0, 0.5, 1, 1.5, 2, 2.5],
      label: say('petal width, cm', '花瓣宽度，厘米'),
      format: (value) => value.toFixed(1),
    },
    400,
  );
  const colourOf = (label: unknown) => colours[model.classes.indexOf(label as string)];
  const [columns, lines] = [136, 90];
  const answers = model.predict(
    Array.from({ length: columns * lines }, (_, k) => [
      0.5 + ((k % columns) + 0.5) * (6.8 / columns),
      -0.2 + (Math.floor(k / columns) + 0.5) * (3 / lines),
    ]),
  );
  const areas = field({
    columns,
    rows: lines,
    place: [x(0.5), x(7.3), y(-0.2), y(2.8)],
    cell: (column, row) => [colourOf(answers[row * columns + column]), 0.14],
  });
  const outlines = model.classes.map((label, c) =>
    curve(
      ellipse(model.means.row(c), model.covariance![c].toArray()).map(([u, v]) => [x(u), y(v)]),
      colourOf(label),
    ),
  );
  return picture(
    say(
      'Three irises: their distributions and the boundaries between them',
      '三种鸢尾花：各自的分布，以及它们之间的边界',
    ),
    400,
    [
      ...areas,
      ...parts,
      ...X.map(([u, v], i) => dot(x(u), y(v), colourOf(species[i]), 3)),
      ...outlines,
      ...legend(90, 50, model.classes.map(String)),
    ],
  );
}
