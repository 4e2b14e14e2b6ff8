import type { JSX } from 'preact';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Downloads, rowsText } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { chosenClasses, PickClasses } from '../parts/pick-classes.tsx';
import { Scroll } from '../parts/scroll.tsx';
import type { Evaluated, Run, ThresholdRule } from '../protocol.ts';
import { route, show } from '../route.ts';
import { RowTable } from '../rows/rows.tsx';
import { percent, texts, whole } from '../texts/index.ts';

const MOST_CLASSES = 30;

/** The confusion matrix as a table of buttons that open the rows of a cell; it can be downloaded as a picture and as numbers. */
export function Confusion({ evaluated: { evaluation } }: { evaluated: Evaluated }): JSX.Element {
  const { evaluate: say } = texts.value;
  const { labels, matrix: whole } = evaluation.confusion;
  const shown = chosenClasses(labels, MOST_CLASSES);
  const places = shown.map((label) => labels.indexOf(label));
  const matrix = places.map((i) => places.map((j) => whole[i][j]));
  const totals = places.map((i) => sum(whole[i]));
  const rows = shown.flatMap((truth, i) => shown.map((answer, j) => [truth, answer, matrix[i][j]] as const));
  const picture = async () => (await import('./confusion-picture.ts')).confusionPicture(shown, matrix, totals);
  return (
    <section>
      <h2>{say.confusion}</h2>
      <p class="soft">{say.confusionReading}</p>
      <PickClasses all={labels} shown={shown} most={MOST_CLASSES} />
      <Matrix shown={shown} matrix={matrix} totals={totals} />
      <Downloads
        title={say.confusion}
        rows={rowsText({ n: evaluation.rows })}
        data={{ heads: [say.truth, say.answer, say.heads[6]], rows }}
        svg={picture}
      />
    </section>
  );
}

function Matrix({
  shown,
  matrix,
  totals,
}: {
  shown: readonly string[];
  matrix: readonly (readonly number[])[];
  totals: readonly number[];
}): JSX.Element {
  const { evaluate: say } = texts.value;
  return (
    <Scroll label={say.confusion}>
      <table class="confusion">
        <thead>
          <tr>
            <th scope="col">
              {say.truth} \ {say.answer}
            </th>
            {shown.map((label) => (
              <th key={label} scope="col">
                <bdi>{label}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((truth, i) => (
            <tr key={truth}>
              <th scope="row">
                <bdi>{truth}</bdi>
              </th>
              {shown.map((answer, j) => (
                <MatrixCell key={answer} {...{ truth, answer }} rows={matrix[i][j]} all={totals[i]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function MatrixCell({
  truth,
  answer,
  rows,
  all,
}: {
  truth: string;
  answer: string;
  rows: number;
  all: number;
}): JSX.Element {
  const { view } = route.value;
  const open = view.truth === truth && view.answer === answer;
  const share = all > 0 ? rows / all : 0;
  return (
    <td>
      <button
        type="button"
        class="cell"
        aria-pressed={open}
        disabled={rows === 0}
        onClick={() => show(open ? { truth: undefined, answer: undefined } : { truth, answer })}
      >
        <svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true">
          <rect width="10" height="10" fill={colourOf(truth === answer ? 0 : 1)} opacity={0.42 * share} />
        </svg>
        <span class="hidden">{texts.value.evaluate.cellName(truth, answer)}</span>
        <span>{whole(rows)}</span>
        <small>{percent(share)}</small>
      </button>
    </td>
  );
}

/** The rows of the cell that is open. */
export function CellRows({ run: { id }, rule }: { run: Run; rule: ThresholdRule | undefined }): JSX.Element | null {
  const { evaluate: say } = texts.value;
  const { truth, answer } = route.value.view;
  const asked = useAnswer(
    () => (truth === undefined || answer === undefined ? undefined : lab.ask('rows', [id, truth, answer, rule])),
    [id, truth, answer, rule?.label, rule?.threshold],
  );
  const rows = asked.value.value;
  if (truth === undefined || answer === undefined || !rows) return null;
  const title = say.cellRows(truth, answer, whole(rows.length));
  return (
    <section>
      <h3>
        <bdi>{title}</bdi>
      </h3>
      <RowTable title={title} rows={rows} />
    </section>
  );
}
