import { loadIris } from 'polya';
import { axes, colours, field, line, picture, type Say, text } from './svg.ts';

/** Lesson 6: the likelihood over mean and variance, with its maximum. */
export function maximumLikelihood(say: Say): string {
  const lengths = loadIris()
    .rows.slice(0, 50)
    .map((row) => Number(row.petal_length));
  const n = lengths.length;
  const mean = lengths.reduce((sum, value) => sum + value, 0) / n;
  const variance = lengths.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n;
  const relative = (mu: number, sigma2: number) =>
    (-n / 2) * (Math.log(sigma2 / variance) + (variance + (mean - mu) ** 2) / sigma2 - 1);
  const { x, y, parts } = axes(
    {
      from: 1.36,
      to: 1.56,
      ticks: [1.38, 1.42, 1.46, 1.5, 1.54],
      label: say('μ: mean of the petal length, cm', 'μ：花瓣长度的均值，厘米'),
      format: (value) => value.toFixed(2),
    },
    {
      from: 0.01,
      to: 0.09,
      ticks: [0.01, 0.02, 0.04, 0.08],
      label: '',
      log: true,
      format: (value) => value.toFixed(2),
    },
    340,
  );
  const [columns, rows] = [50, 34];
  const cells = field({
    columns,
    rows,
    place: [x(1.36), x(1.56), y(0.01), y(0.09)],
    cell: (column, row) => {
      const mu = 1.36 + ((column + 0.5) / columns) * 0.2;
      const sigma2 = 0.01 * 9 ** ((row + 0.5) / rows);
      return [colours[0], Math.round(10 * Math.exp(relative(mu, sigma2) / 4)) / 10];
    },
  });
  const [left, top] = [x(mean), y(variance)];
  return picture(
    say('The likelihood has one maximum: the mean and the mean of squares', '似然只有一个最大值：均值和平方的均值'),
    340,
    [
      ...parts,
      ...cells,
      line(left - 7, top - 7, left + 7, top + 7, '#fff', 'stroke-width="2"'),
      line(left - 7, top + 7, left + 7, top - 7, '#fff', 'stroke-width="2"'),
      text(left + 14, top + 5, `μ̂ = ${mean.toFixed(3)}, σ̂² = ${variance.toFixed(4)}`, { fill: '#fff', bold: true }),
      text(72, 24, say('σ²: variance', 'σ²：方差'), { size: 12 }),
    ],
  );
}
