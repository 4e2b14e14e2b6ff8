import { KBinsDiscretizer, loadHouses, MdlpDiscretizer } from 'polya';
import { axes, colours, dot, legend, line, picture, type Say, text } from './svg.ts';

/** Lesson 8: the areas of houses by buyer, and the cuts of three discretizers. */
export function bins(say: Say): string {
  const rows = loadHouses().rows.filter(({ area }) => area !== null);
  const X = rows.map(({ area }) => [Number(area)]);
  const buyers = rows.map(({ buyer }) => String(buyer));
  const classes = [...new Set(buyers)];
  const ways = [
    [say('equal width', '等宽'), new KBinsDiscretizer({ nBins: 3, strategy: 'uniform', encode: 'ordinal' })],
    [say('equal frequency', '等频'), new KBinsDiscretizer({ nBins: 3, strategy: 'frequency', encode: 'ordinal' })],
    [say('description length', '描述长度'), new MdlpDiscretizer()],
  ] as const;
  const { x, y, parts } = axes(
    { from: 20, to: 150, ticks: [20, 40, 60, 80, 100, 120, 140], label: say('area in m²', '面积，平方米') },
    { from: 0, to: 3, ticks: [], label: '' },
    320,
    [150, 696],
  );
  const drawn = ways.flatMap(([name, way], k) => {
    const edges = Array.from(way.fit(X, buyers).binEdges[0].subarray(1, -1));
    return [
      text(138, y(2.5 - k) + 4, name, { anchor: 'end' }),
      ...rows.map(({ area }, i) =>
        dot(
          x(Number(area)),
          y(2.5 - k) + (classes.indexOf(buyers[i]) - 1) * 16,
          colours[classes.indexOf(buyers[i])],
          3.5,
        ),
      ),
      ...edges.flatMap((edge) => [
        line(x(edge), y(2.94 - k), x(edge), y(2.06 - k), '#24292f', 'stroke-width="2"'),
        text(x(edge) + 5, y(2.06 - k), edge.toFixed(1), { size: 12 }),
      ]),
    ];
  });
  return picture(say('Where to cut', '在哪里切'), 340, [
    ...parts,
    ...drawn,
    ...legend(
      40,
      262,
      classes.map(
        (name) =>
          ({ single: say('single', '单身'), couple: say('couple', '夫妻'), family: say('family', '家庭') })[name] ??
          name,
      ),
    ),
  ]);
}
