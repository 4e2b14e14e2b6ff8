import { colourOf } from '../parts/colours.ts';
import { draw } from '../parts/draw.ts';
import { cutTo } from '../parts/margins.ts';
import { percent, texts, whole } from '../texts/index.ts';

const [LEFT, TOP, CELL] = [130, 60, 78];

/** The confusion matrix as a picture, with the numbers of the table on the page. */
export function confusionPicture(
  labels: readonly string[],
  matrix: readonly (readonly number[])[],
  totals: readonly number[],
): SVGSVGElement {
  const { evaluate: say } = texts.value;
  const cells = labels.flatMap((truth, i) => {
    const all = totals[i];
    return labels.map((answer, j) => ({ truth, answer, rows: matrix[i][j], share: all > 0 ? matrix[i][j] / all : 0 }));
  });
  const axis = { domain: labels, tickSize: 0, tickFormat: (label: string) => cutTo(label, CELL + 20) };
  return draw(
    (Plot) => ({
      ...{ height: TOP + CELL * labels.length + 12, marginLeft: LEFT, marginTop: TOP, marginBottom: 12 },
      x: { ...axis, axis: 'top', label: say.answer },
      y: { ...axis, label: say.truth },
      marks: [
        Plot.cell(cells, {
          ...{ x: 'answer', y: 'truth', inset: 1, stroke: 'currentColor', strokeOpacity: 0.2 },
          fill: ({ truth, answer }: Cell) => colourOf(truth === answer ? 0 : 1),
          fillOpacity: ({ share }: Cell) => 0.42 * share,
        }),
        Plot.text(cells, { x: 'answer', y: 'truth', dy: -7, fontSize: 14, text: ({ rows }: Cell) => whole(rows) }),
        Plot.text(cells, { x: 'answer', y: 'truth', dy: 11, text: ({ share }: Cell) => percent(share) }),
      ],
      opacity: { type: 'identity' },
    }),
    `${say.confusion}. ${say.confusionReading}`,
    LEFT + CELL * labels.length + 16,
  ).svg;
}

interface Cell {
  readonly truth: string;
  readonly answer: string;
  readonly rows: number;
  readonly share: number;
}
